//! Inelastic impacts between smooth motions, with known courses: rimless wheels, rocking blocks, balls that roll through a
//! kink, and boxes on shaken supports.

mod blocks;
mod shakers;
mod valleys;
mod wheels;

use anyhow::Result;

use crate::case::Case;
use crate::random::Random;

/// Draws a world.
pub fn draw(random: &mut Random) -> Result<Case> {
    match random.below(4) {
        0 => wheels::draw(random),
        1 => blocks::draw(random),
        2 => valleys::draw(random),
        _ => shakers::draw(random),
    }
}
