//! Settings of legged genomes: distribution of random genomes, and mutation rates.

use serde::{Deserialize, Serialize};

use crate::random::Random;

/// Rate and size of a mutation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Probability for each member.
    pub rate: f64,
    /// Standard deviation of the normally distributed displacement.
    pub deviation: f64,
}

impl Change {
    const fn new(rate: f64, deviation: f64) -> Self {
        Self { rate, deviation }
    }

    /// Returns the same rate with a multiple of the deviation.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self { rate: self.rate, deviation: self.deviation * factor }
    }

    /// Returns a member after mutation, within its bounds.
    pub(super) fn mutate(&self, value: f64, bounds: [f64; 2], random: &mut Random) -> f64 {
        let moved = if random.chance(self.rate) { value + random.normal(self.deviation) } else { value };
        // Settings may be so large that the result is not finite.
        if moved.is_finite() { moved.clamp(bounds[0], bounds[1]) } else { value }
    }
}

/// The clocks of the joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clocks {
    /// Every joint has its own period (Arnold 1997).
    Own,
    /// All joints share one clock and keep their relative phases.
    Shared,
    /// The genome decides.
    #[default]
    Evolved,
}

/// Distribution of random legged genomes, and mutation rates. Lengths are in m, angles in rad, times in s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeggedSettings {
    /// Probability that a random creature has three pairs of limbs.
    pub six_legged: f64,
    /// Standard deviation of the logarithms of a random trunk's proportions.
    pub trunk_spread: f64,
    /// Range of the lengths of random segments, in m.
    pub lengths: [f64; 2],
    /// Range of the radii of random limbs, in m.
    pub radii: [f64; 2],
    /// Standard deviation of random rest orientations of segments, in rad.
    pub orientation_spread: f64,
    /// Standard deviation of random hinge axes from the axis across the body, in rad.
    pub axis_spread: f64,
    /// Range of the angles by which random hinges turn to either side, in rad.
    pub limits: [f64; 2],
    /// Number of samples N of a random actuator function: even, 4 to 64.
    pub samples: usize,
    /// Standard deviation of the amplitude of the lowest frequency of a random actuator function, in rad.
    pub amplitude: f64,
    /// Decay of the spectrum: the variance of each frequency is exp(-decay) times that of the one below.
    pub decay: f64,
    /// Range of random periods, in s.
    pub periods: [f64; 2],
    /// Probability that the limbs of a random pair alternate.
    pub alternating: f64,
    /// Clocks of the joints.
    pub clocks: Clocks,
    /// Maximum number of senses that change the actuator function of a joint; 0 disables them (Arnold 1997).
    pub max_feedbacks: usize,
    /// Rates and sizes of mutations.
    pub mutation: LeggedMutation,
    /// Keep the dimensions of the first parent.
    pub freeze_shapes: bool,
    /// Keep the dimensions, number of limbs and joints of the first parent.
    pub freeze_body: bool,
    /// Keep the actuator functions, clocks and senses of the first parent.
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
    /// Returns the settings of Arnold (1997): every member is displaced a little every time, every joint has its own
    /// period, and there are no senses.
    pub fn arnold_1997() -> Self {
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

    /// Returns N within its bounds.
    pub(super) fn sample_count(&self) -> usize {
        2 * (self.samples / 2).clamp(2, 32)
    }
}

/// Rates and sizes of mutations of legged genomes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeggedMutation {
    /// Rate at which the middle pair of limbs is added or removed.
    pub limb_number: f64,
    /// Semi-axes of the trunk, in m.
    pub trunk: Change,
    /// Lengths of segments, in m.
    pub lengths: Change,
    /// Radii of limbs at their ends, in m.
    pub radii: Change,
    /// Angles of the rest rotations and of the hinge axes, in rad.
    pub turn_angles: Change,
    /// Axes of those rotations: each component of the unit vector.
    pub turn_axes: Change,
    /// Limits of hinges, in rad.
    pub limits: Change,
    /// Rate at which the limbs of a pair change between hopping and alternating.
    pub gaits: f64,
    /// Coefficients of spectra: standard deviation of the amplitude of the lowest frequency, in rad. It decays for
    /// higher frequencies as in random spectra.
    pub spectra: Change,
    /// Time shift, as a fraction of the period.
    pub shifts: Change,
    /// Time scale of a joint and of the shared clock, as a fraction of itself.
    pub time_scales: Change,
    /// Rate at which the joints change between a shared clock and their own.
    pub clocks: f64,
    /// Rate at which a joint changes its number of periods in one period of the shared clock.
    pub harmonics: f64,
    /// Rate at which a reflex is added to a joint, and at which one is removed.
    pub feedback_number: f64,
    /// Rate at which a reflex changes its sense.
    pub feedback_senses: f64,
    /// Weights of reflexes.
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

impl LeggedMutation {
    /// Returns a copy with all displacements scaled by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = *self;
        let changes = [
            &mut scaled.trunk,
            &mut scaled.lengths,
            &mut scaled.radii,
            &mut scaled.turn_angles,
            &mut scaled.turn_axes,
            &mut scaled.limits,
            &mut scaled.spectra,
            &mut scaled.shifts,
            &mut scaled.time_scales,
            &mut scaled.feedback_weights,
        ];
        for change in changes {
            *change = change.scaled(factor);
        }
        scaled
    }
}
