//! Children of two legged genomes (001 section 3.2; what is below a limb after 000 section 4.9).

use super::LeggedGenome;
use super::joint::LegJoint;
use crate::dice::Dice;

/// The number of limbs of either, a trunk between both, and each pair of limbs with its drives from either.
pub(super) fn crossover(first: &LeggedGenome, second: &LeggedGenome, dice: &mut Dice) -> LeggedGenome {
    let mut either = || if dice.chance(0.5) { first } else { second };
    LeggedGenome {
        trunk: first.trunk.between(&second.trunk),
        six_legged: either().six_legged,
        limb_pairs: Box::new(std::array::from_fn(|slot| either().limb_pairs[slot].clone())),
        rhythm: either().rhythm,
    }
}

/// A pair of limbs of the second in place of one of the first, or as its third.
pub(super) fn graft(first: &LeggedGenome, second: &LeggedGenome, dice: &mut Dice) -> LeggedGenome {
    let mut child = first.clone();
    let scion = second.grown_slots()[dice.below(second.grown_slots().len())];
    let slot = if !first.six_legged && dice.chance(0.5) {
        child.six_legged = true;
        1
    } else {
        first.grown_slots()[dice.below(first.grown_slots().len())]
    };
    child.limb_pairs[slot] = second.limb_pairs[scion].clone();
    child
}

/// The drives of a limb, or one of its hinges, from a limb of the second.
pub(super) fn exchange(first: &LeggedGenome, second: &LeggedGenome, dice: &mut Dice) -> LeggedGenome {
    let mut child = first.clone();
    let from = &second.limb_pairs[second.grown_slots()[dice.below(second.grown_slots().len())]];
    let to = &mut child.limb_pairs[first.grown_slots()[dice.below(first.grown_slots().len())]];
    if dice.chance(0.5) {
        // The parts of a gait belong together.
        (to.hip.drive, to.knee.drive) = (from.hip.drive.clone(), from.knee.drive.clone());
        to.gait = from.gait;
        child.rhythm = if dice.chance(0.5) { second.rhythm } else { first.rhythm };
    } else {
        let at_hip = dice.chance(0.5);
        let hinge = |joint: &LegJoint| joint.hinge;
        if at_hip { to.hip.hinge = hinge(&from.hip) } else { to.knee.hinge = hinge(&from.knee) }
    }
    child
}
