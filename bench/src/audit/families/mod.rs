//! The families of random worlds, one file each.

mod bouncing;
mod chains;
mod creatures;
mod discs;
mod footfalls;
mod grips;
mod heaps;
mod hops;
mod impacts;
mod loops;
mod motors;
mod nets;
mod polyhedra;
mod rolling;
mod ropes;
mod sliding;
mod springs;
mod tops;
mod trees;

use anyhow::Result;

use super::case::Case;
use super::random::Random;
use motors::Stop;

/// A family of worlds.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Name in tables and on the command line.
    pub name: &'static str,
    /// Draws a world.
    pub draw: fn(&mut Random) -> Result<Case>,
}

/// All families, in table order.
pub const FAMILIES: [Family; 19] = [
    Family { name: "rolling", draw: rolling::draw },
    Family { name: "tops", draw: tops::draw },
    Family { name: "loops", draw: loops::draw },
    Family { name: "chains", draw: chains::draw },
    Family { name: "motors", draw: motors::draw },
    Family { name: "trees", draw: trees::draw },
    Family { name: "heaps", draw: heaps::draw },
    Family { name: "polyhedra", draw: polyhedra::draw },
    Family { name: "sliding", draw: sliding::draw },
    Family { name: "creatures", draw: creatures::draw },
    Family { name: "discs", draw: discs::draw },
    Family { name: "hops", draw: hops::draw },
    Family { name: "nets", draw: nets::draw },
    Family { name: "grips", draw: grips::draw },
    Family { name: "bouncing", draw: bouncing::draw },
    Family { name: "footfalls", draw: footfalls::draw },
    Family { name: "ropes", draw: ropes::draw },
    Family { name: "springs", draw: springs::draw },
    Family { name: "impacts", draw: impacts::draw },
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
pub const NAMED: [Named; 13] = [
    Named { name: "off-centre-ball", make: || rolling::rocking_ball(1.0) },
    Named { name: "off-centre-ball-smooth", make: || rolling::rocking_ball(0.0) },
    Named { name: "rattleback", make: rolling::rattleback },
    Named { name: "slow-top", make: tops::slow_top },
    Named { name: "four-bar", make: loops::four_bar },
    Named { name: "chain-of-ten", make: chains::chain_of_ten },
    Named { name: "motor-against-limit", make: || motors::pressing(Stop::Limit) },
    Named { name: "motor-against-wall", make: || motors::pressing(Stop::Wall) },
    Named { name: "falling-crown", make: trees::falling_crown },
    Named { name: "overlapping-parent", make: trees::overlapping_parent },
    Named { name: "heavy-on-light-analytical", make: heaps::heavy_on_light },
    Named { name: "box-on-slope-impulse", make: sliding::box_on_slope },
    Named { name: "folding-rhombus", make: nets::rhombus },
];
