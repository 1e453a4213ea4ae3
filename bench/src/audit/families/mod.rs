//! The families of random worlds, one file each.

mod chains;
mod loops;
mod rolling;
mod tops;

use anyhow::Result;

use super::case::Case;
use super::random::Random;

/// A family of worlds.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Name in tables and on the command line.
    pub name: &'static str,
    /// Draws a world.
    pub draw: fn(&mut Random) -> Result<Case>,
}

/// All families, in table order.
pub const FAMILIES: [Family; 4] = [
    Family { name: "rolling", draw: rolling::draw },
    Family { name: "tops", draw: tops::draw },
    Family { name: "loops", draw: loops::draw },
    Family { name: "chains", draw: chains::draw },
];

/// A world with a name.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// Name in tables and on the command line.
    pub name: &'static str,
    /// Makes the world.
    pub make: fn() -> Result<Case>,
}

/// All worlds with a name, in table order.
pub const NAMED: [Named; 6] = [
    Named { name: "off-centre-ball", make: || rolling::rocking_ball(1.0) },
    Named { name: "off-centre-ball-smooth", make: || rolling::rocking_ball(0.0) },
    Named { name: "rattleback", make: rolling::rattleback },
    Named { name: "slow-top", make: tops::slow_top },
    Named { name: "four-bar", make: loops::four_bar },
    Named { name: "chain-of-ten", make: chains::chain_of_ten },
];
