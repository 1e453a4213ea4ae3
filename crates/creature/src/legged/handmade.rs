//! Legged creatures designed by hand: four and six legs that walk like insects.
//!
//! Upper segments point sideways and swing forwards and back about a vertical axis at the hip. Lower segments point
//! down and are lifted sideways at the knee while they move forward. Neighbouring limbs, along the body and across it,
//! are half a period apart, so four legs trot and six legs always stand on three. Angles over one period of the clock,
//! with phase s:
//!
//! ```text
//!   hip(s)  = lead + swing sin(2 pi s)
//!   knee(s) = push - lift (1 + cos(2 pi s - late)) / 2
//! ```

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};

use super::joint::{Hinge, LegDrive, LegJoint};
use super::limb_pair::{Gait, LimbPair, LimbShape};
use super::spectrum::Spectrum;
use super::trunk::Trunk;
use super::{LeggedGenome, Rhythm};

/// Samples of a period.
const SAMPLES: f64 = 16.0;

/// Parameters of a gait; angles in rad.
struct Walk {
    /// Frequency, in Hz.
    frequency: f64,
    /// Amplitude of the hip.
    swing: f64,
    /// How far front legs reach forward and rear legs back.
    lead: f64,
    /// Lift of the knee.
    lift: f64,
    /// Phase of the lift after the middle of the swing.
    late: f64,
    /// Constant angle that presses the knee down.
    push: f64,
}

/// Returns a creature with four legs that trot.
pub fn quadruped() -> LeggedGenome {
    creature(false, &Walk { frequency: 1.6, swing: 0.5, lead: 0.2, lift: 1.0, late: 0.3, push: 0.1 })
}

/// Returns a creature with six legs that move in two groups of three.
pub fn hexapod() -> LeggedGenome {
    creature(true, &Walk { frequency: 1.6, swing: 0.4, lead: 0.3, lift: 0.7, late: 0.3, push: 0.0 })
}

fn creature(six_legged: bool, walk: &Walk) -> LeggedGenome {
    // With six legs the rear pair moves with the front pair, and the middle pair against both.
    let rear = if six_legged { 0.0 } else { 0.5 };
    LeggedGenome {
        trunk: Trunk::new(DVec3::new(2.0, 1.0, 0.8)),
        six_legged,
        limb_pairs: Box::new([limbs(walk, walk.lead, 0.0), limbs(walk, 0.0, 0.5), limbs(walk, -walk.lead, rear)]),
        rhythm: Rhythm { shared: true, frequency: walk.frequency },
    }
}

fn limbs(walk: &Walk, lead: f64, shift: f64) -> LimbPair {
    let joint = |hinge: Hinge, mean: f64, wave: [f64; 2]| LegJoint {
        hinge,
        drive: LegDrive { spectrum: spectrum(walk.frequency, mean, wave, shift), reflexes: Vec::new() },
    };
    let up = DQuat::from_rotation_x(-FRAC_PI_2);
    let forward = DQuat::from_rotation_z(-FRAC_PI_2);
    let hip = Hinge { rest: DQuat::from_rotation_x(-1.0), axis: up, limit: [-0.9, 0.9] };
    let knee = Hinge { rest: DQuat::from_rotation_x(1.0), axis: forward, limit: [-1.3, 0.5] };
    let raised = -0.5 * walk.lift;
    LimbPair {
        shape: LimbShape {
            upper_length: 0.2,
            lower_length: 0.18,
            hip_radius: 0.04,
            knee_radius: 0.032,
            foot_radius: 0.024,
        },
        hip: joint(hip, lead, [0.0, walk.swing]),
        knee: joint(knee, walk.push + raised, [raised * libm::cos(walk.late), raised * libm::sin(walk.late)]),
        gait: Gait::Alternating,
    }
}

/// Returns the spectrum of `mean + a cos(2 pi s) + b sin(2 pi s)`.
fn spectrum(frequency: f64, mean: f64, [a, b]: [f64; 2], shift: f64) -> Spectrum {
    let mut coefficients = vec![[0.0; 2]; SAMPLES as usize / 2 - 1];
    coefficients[0] = [0.5 * SAMPLES * a, 0.5 * SAMPLES * b];
    let sample_time = 1.0 / (SAMPLES * frequency);
    Spectrum { constant: SAMPLES * mean, coefficients, shift, sample_time, harmonic: 1 }
}
