//! Recombination of legged genomes (Arnold (1997) section 3.2; below the level of a limb after Fontijne (2000) section
//! 4.9).

use glam::DQuat;

use super::joint::{Hinge, LegDrive, LegJoint, unit};
use super::limb_pair::{LimbPair, LimbShape};
use super::reflex::Reflex;
use super::spectrum::Spectrum;
use super::{LeggedGenome, Rhythm};
use crate::random::Random;

/// Takes the number of limbs and each pair of limbs with its drives from either parent, and the mean of the trunks.
pub(super) fn crossover(first: &LeggedGenome, second: &LeggedGenome, random: &mut Random) -> LeggedGenome {
    let mut either = || if random.chance(0.5) { first } else { second };
    LeggedGenome {
        trunk: first.trunk.between(&second.trunk),
        six_legged: either().six_legged,
        limb_pairs: Box::new(std::array::from_fn(|slot| either().limb_pairs[slot].clone())),
        rhythm: either().rhythm,
    }
}

/// Replaces a pair of limbs of the first parent by one of the second, or adds it as the third pair.
pub(super) fn graft(first: &LeggedGenome, second: &LeggedGenome, random: &mut Random) -> LeggedGenome {
    let mut child = first.clone();
    let scion = second.grown_slots()[random.below(second.grown_slots().len())];
    let slot = if !first.six_legged && random.chance(0.5) {
        child.six_legged = true;
        1
    } else {
        first.grown_slots()[random.below(first.grown_slots().len())]
    };
    child.limb_pairs[slot] = second.limb_pairs[scion].clone();
    child
}

/// Takes the drives of a limb, or one of its hinges, from a limb of the second parent.
pub(super) fn exchange(first: &LeggedGenome, second: &LeggedGenome, random: &mut Random) -> LeggedGenome {
    let mut child = first.clone();
    let from = &second.limb_pairs[second.grown_slots()[random.below(second.grown_slots().len())]];
    let to = &mut child.limb_pairs[first.grown_slots()[random.below(first.grown_slots().len())]];
    if random.chance(0.5) {
        // The drives of a gait are kept together.
        (to.hip.drive, to.knee.drive) = (from.hip.drive.clone(), from.knee.drive.clone());
        to.gait = from.gait;
        child.rhythm = if random.chance(0.5) { second.rhythm } else { first.rhythm };
    } else {
        let at_hip = random.chance(0.5);
        let hinge = |joint: &LegJoint| joint.hinge;
        if at_hip { to.hip.hinge = hinge(&from.hip) } else { to.knee.hinge = hinge(&from.knee) }
    }
    child
}

/// Takes the mean of all numbers (Arnold (1997) section 3.1.4), and everything else from either parent.
pub(super) fn intermediate(first: &LeggedGenome, second: &LeggedGenome, random: &mut Random) -> LeggedGenome {
    let pair = |slot: usize, random: &mut Random| mean_pair(&first.limb_pairs[slot], &second.limb_pairs[slot], random);
    LeggedGenome {
        trunk: first.trunk.between(&second.trunk),
        six_legged: if random.chance(0.5) { first.six_legged } else { second.six_legged },
        limb_pairs: Box::new(std::array::from_fn(|slot| pair(slot, random))),
        rhythm: Rhythm {
            shared: if random.chance(0.5) { first.rhythm.shared } else { second.rhythm.shared },
            frequency: mean(first.rhythm.frequency, second.rhythm.frequency),
        },
    }
}

fn mean_pair(a: &LimbPair, b: &LimbPair, random: &mut Random) -> LimbPair {
    let mut joint = |a: &LegJoint, b: &LegJoint| LegJoint {
        hinge: mean_hinge(&a.hinge, &b.hinge),
        drive: mean_drive(&a.drive, &b.drive, random),
    };
    let (hip, knee) = (joint(&a.hip, &b.hip), joint(&a.knee, &b.knee));
    let shape = LimbShape {
        upper_length: mean(a.shape.upper_length, b.shape.upper_length),
        lower_length: mean(a.shape.lower_length, b.shape.lower_length),
        hip_radius: mean(a.shape.hip_radius, b.shape.hip_radius),
        knee_radius: mean(a.shape.knee_radius, b.shape.knee_radius),
        foot_radius: mean(a.shape.foot_radius, b.shape.foot_radius),
    };
    LimbPair { shape, hip, knee, gait: if random.chance(0.5) { a.gait } else { b.gait } }
}

fn mean_hinge(a: &Hinge, b: &Hinge) -> Hinge {
    Hinge {
        rest: mean_rotation(a.rest, b.rest),
        axis: mean_rotation(a.axis, b.axis),
        limit: [mean(a.limit[0], b.limit[0]), mean(a.limit[1], b.limit[1])],
    }
}

/// Takes the mean of the spectra if their lengths and harmonics are equal, and of reflexes at the same index if they
/// use the same sense.
fn mean_drive(a: &LegDrive, b: &LegDrive, random: &mut Random) -> LegDrive {
    let alike =
        a.spectrum.coefficients.len() == b.spectrum.coefficients.len() && a.spectrum.harmonic == b.spectrum.harmonic;
    let spectrum = match alike {
        true => mean_spectrum(&a.spectrum, &b.spectrum),
        false => if random.chance(0.5) { a } else { b }.spectrum.clone(),
    };
    let reflex = |(place, own): (usize, &Reflex)| match b.reflexes.get(place) {
        Some(one) if (one.feeler, one.sense) == (own.feeler, own.sense) => {
            Reflex { to_rate: mean(own.to_rate, one.to_rate), to_gain: mean(own.to_gain, one.to_gain), ..*own }
        }
        _ => *own,
    };
    LegDrive { spectrum, reflexes: a.reflexes.iter().enumerate().map(reflex).collect() }
}

fn mean_spectrum(a: &Spectrum, b: &Spectrum) -> Spectrum {
    let pairs = a.coefficients.iter().zip(&b.coefficients);
    // The shorter path around the period.
    let ahead = b.shift - a.shift;
    let shift = a.shift + 0.5 * (ahead - libm::round(ahead));
    let share = shift - libm::floor(shift);
    Spectrum {
        constant: mean(a.constant, b.constant),
        coefficients: pairs.map(|(a, b)| [mean(a[0], b[0]), mean(a[1], b[1])]).collect(),
        shift: if share < 1.0 { share } else { 0.0 },
        sample_time: mean(a.sample_time, b.sample_time),
        harmonic: a.harmonic,
    }
}

/// Returns the rotation halfway between two, on the shorter path. Equal rotations keep their bits.
fn mean_rotation(a: DQuat, b: DQuat) -> DQuat {
    match a {
        _ if a == b => a,
        _ => unit(if a.dot(b) < 0.0 { a - b } else { a + b }),
    }
}

fn mean(a: f64, b: f64) -> f64 {
    0.5 * (a + b)
}
