//! How legged genomes are drawn and changed.

use serde::{Deserialize, Serialize};

use crate::dice::Dice;

/// How often a member mutates and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Probability for each member.
    pub rate: f64,
    /// Deviation of the normally distributed displacement.
    pub deviation: f64,
}

impl Change {
    const fn new(rate: f64, deviation: f64) -> Self {
        Self { rate, deviation }
    }

    /// The same rate with a multiple of the deviation.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self { rate: self.rate, deviation: self.deviation * factor }
    }

    /// A member after mutation, within its bounds.
    pub(super) fn moved(&self, value: f64, bounds: [f64; 2], dice: &mut Dice) -> f64 {
        let moved = if dice.chance(self.rate) { value + dice.normal(self.deviation) } else { value };
        // Settings may be absurd.
        if moved.is_finite() { moved.clamp(bounds[0], bounds[1]) } else { value }
    }
}

/// Which clocks joints go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clocks {
    /// Every joint has its own period (001).
    Own,
    /// All joints share one clock and keep their phases.
    Shared,
    /// Either, as the genome says.
    #[default]
    Evolved,
}

/// How legged genomes are drawn and changed. Lengths are in m, angles in rad, times in s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeggedSettings {
    /// Probability that a random creature has three pairs of limbs.
    pub six_legged: f64,
    /// Deviation of the logarithms of a random trunk's proportions.
    pub trunk_spread: f64,
    /// Range of the lengths of random segments, in m.
    pub lengths: [f64; 2],
    /// Range of the radii of random limbs, in m.
    pub radii: [f64; 2],
    /// Deviation of random rest orientations of segments, in rad.
    pub orientation_spread: f64,
    /// Deviation of random axes of hinges from the one across the body, in rad.
    pub axis_spread: f64,
    /// Range of the angles by which random hinges turn to either side, in rad.
    pub limits: [f64; 2],
    /// N, the number of samples of a random actuator function: even, 4 to 64.
    pub samples: usize,
    /// Deviation of the amplitude of the lowest frequency of a random actuator function, in rad.
    pub amplitude: f64,
    /// The variance of each further frequency is this power of 1/e of that of the one below.
    pub decay: f64,
    /// Range of random periods, in s.
    pub periods: [f64; 2],
    /// Probability that the limbs of a random pair alternate.
    pub alternating: f64,
    /// Which clocks joints go by.
    pub clocks: Clocks,
    /// Most senses that change the actuator function of a joint; 0 switches them off (001).
    pub max_feedbacks: usize,
    /// How often and by how much members mutate.
    pub mutation: LeggedMutation,
    /// Dimensions stay those of the first parent.
    pub freeze_shapes: bool,
    /// Dimensions, number of limbs and joints stay those of the first parent.
    pub freeze_body: bool,
    /// Actuator functions, clocks and senses stay those of the first parent.
    pub freeze_brain: bool,
}

impl Default for LeggedSettings {
    fn default() -> Self {
        Self {
            six_legged: 0.5,
            trunk_spread: 0.2,
            lengths: [0.12, 0.3],
            radii: [0.02, 0.045],
            orientation_spread: 0.35,
            axis_spread: 1.0,
            limits: [0.4, 1.2],
            samples: 16,
            amplitude: 0.5,
            decay: 1.5,
            periods: [0.4, 1.6],
            alternating: 0.5,
            clocks: Clocks::Evolved,
            max_feedbacks: 2,
            mutation: LeggedMutation::default(),
            freeze_shapes: false,
            freeze_body: false,
            freeze_brain: false,
        }
    }
}

impl LeggedSettings {
    /// What 001 has: every member is displaced a little every time, every joint has its own period, and nothing is felt.
    pub fn of_001() -> Self {
        let all = |change: Change| Change { rate: 1.0, deviation: 0.5 * change.deviation };
        let ours = LeggedMutation::default();
        Self {
            clocks: Clocks::Own,
            max_feedbacks: 0,
            mutation: LeggedMutation {
                trunk: all(ours.trunk),
                lengths: all(ours.lengths),
                radii: all(ours.radii),
                turn_angles: all(ours.turn_angles),
                turn_axes: all(ours.turn_axes),
                limits: all(ours.limits),
                spectra: all(ours.spectra),
                shifts: all(ours.shifts),
                time_scales: all(ours.time_scales),
                limb_number: 0.0,
                gaits: 0.0,
                ..ours
            },
            ..Self::default()
        }
    }

    /// N within its bounds.
    pub(super) fn sample_count(&self) -> usize {
        2 * (self.samples / 2).clamp(2, 32)
    }
}

/// How often and by how much members of legged genomes mutate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeggedMutation {
    /// Rate at which the middle pair of limbs comes or goes.
    pub limb_number: f64,
    /// Semi-axes of the trunk, in m.
    pub trunk: Change,
    /// Of segments, in m.
    pub lengths: Change,
    /// Of limbs at their ends, in m.
    pub radii: Change,
    /// Angles of the rotations at rest and of the axes of hinges, in rad.
    pub turn_angles: Change,
    /// Axes of those rotations: each component of the unit vector.
    pub turn_axes: Change,
    /// Of hinges, in rad.
    pub limits: Change,
    /// Rate at which limbs of a pair change between hopping and alternating.
    pub gaits: f64,
    /// Coefficients of spectra: the deviation of the lowest frequency's amplitude, in rad; less for higher ones, as in random
    /// spectra.
    pub spectra: Change,
    /// Time shift, as a share of the period.
    pub shifts: Change,
    /// Time scale, as a share of itself; of the clock, too.
    pub time_scales: Change,
    /// Rate at which joints change between a shared clock and their own.
    pub clocks: f64,
    /// Rate at which a joint goes through another number of periods in one of the shared clock.
    pub harmonics: f64,
    /// Rate at which a sense is added to the actuator function of a joint, and at which one is dropped.
    pub feedback_number: f64,
    /// Rate at which an actuator function has one sense in place of another.
    pub feedback_senses: f64,
    /// Weights of senses.
    pub feedback_weights: Change,
}

impl Default for LeggedMutation {
    fn default() -> Self {
        Self {
            limb_number: 0.02,
            trunk: Change::new(0.25, 0.02),
            lengths: Change::new(0.25, 0.03),
            radii: Change::new(0.25, 0.005),
            turn_angles: Change::new(0.25, 0.2),
            turn_axes: Change::new(0.25, 0.2),
            limits: Change::new(0.25, 0.1),
            gaits: 0.03,
            spectra: Change::new(0.25, 0.15),
            shifts: Change::new(0.25, 0.1),
            time_scales: Change::new(0.25, 0.1),
            clocks: 0.02,
            harmonics: 0.03,
            feedback_number: 0.03,
            feedback_senses: 0.03,
            feedback_weights: Change::new(0.25, 0.2),
        }
    }
}
