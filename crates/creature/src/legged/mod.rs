//! Legged genomes (Arnold (1997) section 3.2): an insect-like body of a trunk and two or three pairs of limbs, moved by
//! actuator functions that are stored as spectra.
//!
//! In Arnold (1997) every joint has its own clock, and there are no senses. Here joints may also share a clock
//! ([`Rhythm`]), and senses may change their rate and gain ([`Reflex`]). [`LeggedSettings`] can switch off both.

mod bounds;
mod growth;
pub mod handmade;
mod joint;
mod limb_pair;
mod recombination;
mod reflex;
mod settings;
mod spectrum;
mod trunk;

use serde::{Deserialize, Serialize};

use crate::bounds::require;
use crate::genome::{AnyGenome, Family, Genome, Recombination};
use crate::phenotype::Phenotype;
use crate::physiology::Physiology;
use crate::random::Random;
use crate::store::{StoreError, retrieve, store};
use crate::viability::{Unviable, check};
use bounds::{bounded, random_in};
pub use joint::{Hinge, LegDrive, LegJoint};
pub use limb_pair::{Gait, LimbPair, LimbShape};
pub(crate) use reflex::WEIGHT as REFLEX_WEIGHT;
pub use reflex::{Feeler, Reflex};
pub use settings::{Change, Clocks, LeggedMutation, LeggedSettings};
pub(crate) use spectrum::SAMPLE_TIME;
pub use spectrum::Spectrum;
pub use trunk::{TRUNK_VOLUME, Trunk};

/// Bounds of the frequency of the shared clock, in Hz.
pub const FREQUENCY: [f64; 2] = [0.2, 5.0];

/// A trunk with two or three pairs of limbs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeggedGenome {
    /// Trunk.
    pub trunk: Trunk,
    /// Whether the middle pair of limbs grows.
    pub six_legged: bool,
    /// Pairs of limbs at the front, in the middle and at the rear. The middle one is kept when it does not grow,
    /// because a mutation may enable it again.
    pub limb_pairs: Box<[LimbPair; 3]>,
    /// Clock of the joints.
    pub rhythm: Rhythm,
}

/// The clock that joints may share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rhythm {
    /// Whether the joints share it; otherwise every joint has its own clock.
    pub shared: bool,
    /// Frequency of the shared clock, in Hz.
    pub frequency: f64,
}

impl LeggedGenome {
    /// Returns the pairs of limbs that grow: 0 is the front, 1 the middle, 2 the rear.
    pub fn grown_slots(&self) -> &'static [usize] {
        if self.six_legged { &[0, 1, 2] } else { &[0, 2] }
    }

    /// Returns the pairs of limbs that grow, with their slots.
    pub fn grown_pairs(&self) -> impl Iterator<Item = (usize, &LimbPair)> {
        self.grown_slots().iter().map(|&slot| (slot, &self.limb_pairs[slot]))
    }

    /// Restores from the parent what the settings freeze, and removes what they disable.
    fn restore_frozen(mut self, parent: &Self, settings: &LeggedSettings) -> Self {
        if settings.freeze_shapes || settings.freeze_body {
            self.trunk = parent.trunk;
        }
        if settings.freeze_body {
            self.six_legged = parent.six_legged;
        }
        if settings.freeze_brain {
            self.rhythm = parent.rhythm;
        }
        for (pair, old) in self.limb_pairs.iter_mut().zip(&*parent.limb_pairs) {
            if settings.freeze_shapes || settings.freeze_body {
                pair.shape = old.shape;
            }
            if settings.freeze_brain {
                pair.gait = old.gait;
            }
            for (joint, old) in [(&mut pair.hip, &old.hip), (&mut pair.knee, &old.knee)] {
                if settings.freeze_body {
                    joint.hinge = old.hinge;
                }
                if settings.freeze_brain {
                    joint.drive = old.drive.clone();
                }
            }
        }
        self.without_disabled(settings)
    }

    fn without_disabled(mut self, settings: &LeggedSettings) -> Self {
        match settings.clocks {
            Clocks::Own => self.rhythm.shared = false,
            Clocks::Shared => self.rhythm.shared = true,
            Clocks::Evolved => {}
        }
        for pair in &mut *self.limb_pairs {
            for joint in [&mut pair.hip, &mut pair.knee] {
                joint.drive.reflexes.truncate(settings.max_feedbacks.min(Reflex::MAX_COUNT));
            }
        }
        self
    }
}

impl Genome for LeggedGenome {
    type Settings = LeggedSettings;

    fn random(settings: &LeggedSettings, random: &mut Random) -> Self {
        let trunk = Trunk::random(settings, random);
        let six_legged = random.chance(settings.six_legged);
        let limb_pairs = Box::new(std::array::from_fn(|_| LimbPair::random(settings, random)));
        let frequency = bounded(1.0 / random_in(settings.periods, random), FREQUENCY);
        let rhythm = Rhythm { shared: random.chance(0.5), frequency };
        Self { trunk, six_legged, limb_pairs, rhythm }.without_disabled(settings)
    }

    fn mutate(&self, settings: &LeggedSettings, random: &mut Random) -> Self {
        let (mut child, mutation) = (self.clone(), &settings.mutation);
        child.trunk.mutate(&mutation.trunk, random);
        if random.chance(mutation.limb_number) {
            child.six_legged = !child.six_legged;
        }
        for pair in &mut *child.limb_pairs {
            pair.mutate(settings, random);
        }
        if random.chance(mutation.clocks) {
            child.rhythm.shared = !child.rhythm.shared;
        }
        let frequency = self.rhythm.frequency;
        child.rhythm.frequency = mutation.time_scales.scaled(frequency).mutate(frequency, FREQUENCY, random);
        child.restore_frozen(self, settings)
    }

    fn recombine(&self, other: &Self, how: Recombination, settings: &LeggedSettings, random: &mut Random) -> Self {
        let child = match how {
            Recombination::Crossover => recombination::crossover(self, other, random),
            Recombination::Grafting => recombination::graft(self, other, random),
            Recombination::Exchange => recombination::exchange(self, other, random),
            Recombination::Intermediate => recombination::intermediate(self, other, random),
        };
        child.restore_frozen(self, settings)
    }

    fn grow(&self, physiology: &Physiology) -> Result<Phenotype, Unviable> {
        self.validate().map_err(|reason| Unviable::Unbuildable { reason })?;
        let phenotype = growth::grow(self, physiology);
        check(&phenotype.body, &physiology.viability)?;
        Ok(phenotype)
    }

    fn describe(&self) -> String {
        let size = 2.0 * self.trunk.semi_axes;
        let mut lines = vec![format!(
            "a {}-legged creature, its trunk {:.2} m long, {:.2} m wide and {:.2} m high",
            if self.six_legged { "six" } else { "four" },
            size.x,
            size.y,
            size.z
        )];
        for (slot, pair) in self.grown_pairs() {
            let (place, shape) = (["front", "middle", "rear"][slot], &pair.shape);
            let gait = match pair.gait {
                Gait::Hopping => "hopping",
                Gait::Alternating => "alternating",
            };
            let period = |joint: &LegJoint| match self.rhythm.shared {
                true => 1.0 / (self.rhythm.frequency * f64::from(joint.drive.spectrum.harmonic)),
                false => joint.drive.spectrum.period(),
            };
            let reflexes = pair.hip.drive.reflexes.len() + pair.knee.drive.reflexes.len();
            lines.push(format!(
                "{place} limbs {gait}, {:.2} + {:.2} m long, periods {:.2} and {:.2} s, {reflexes} reflexes",
                shape.upper_length,
                shape.lower_length,
                period(&pair.hip),
                period(&pair.knee)
            ));
        }
        lines.push(match self.rhythm.shared {
            true => format!("all by one clock of {:.2} Hz", self.rhythm.frequency),
            false => "every joint by its own clock".to_string(),
        });
        lines.join("\n")
    }

    fn validate(&self) -> Result<(), String> {
        self.trunk.validate()?;
        require("the frequency of the shared clock", self.rhythm.frequency, FREQUENCY)?;
        for (pair, place) in self.limb_pairs.iter().zip(["front", "middle", "rear"]) {
            pair.validate().map_err(|reason| format!("{place} limbs: {reason}"))?;
        }
        Ok(())
    }

    fn store(&self) -> Vec<u8> {
        store(&AnyGenome::Legged(self.clone()))
    }

    fn retrieve(bytes: &[u8]) -> Result<Self, StoreError> {
        match retrieve(bytes)? {
            AnyGenome::Legged(genome) => Ok(genome),
            other => Err(StoreError::OtherFamily { found: other.family(), expected: Family::Legged }),
        }
    }
}
