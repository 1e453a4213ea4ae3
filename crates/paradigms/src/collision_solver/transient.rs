//! Impulses for transient contacts, and the rule that distinguishes them from lasting ones (Erleben 2002, section 3.4;
//! Fontijne 2000, section 5.2, proposes such a mixture).
//! Two bodies *touch* if one of their contacts is nearer than the tolerance and moves along its normal no faster than
//! after a fall from that height: `v^2 < 2 g tolerance`. A contact *lasts* once its bodies have touched at every check
//! for some steps. All others are transient: the body flies, bounces, or has just arrived.
//!
//! - Transient contacts that approach get impulses, one after the other, by any law.
//! - Contacts that last are left to forces ([`Analytical`](crate::constraint_solver::Analytical) with
//!   [`lasting_only`](crate::constraint_solver::AnalyticalSettings::lasting_only)). A blow that makes one of them close
//!   faster than touching allows makes it transient again.
//!
//! Joints that reach a limit are stopped by impulses as well.
//!
//! The time since which a pair touches is part of the state ([`PairRecord::touch`](crate::PairRecord::touch)).
//! Impulses hardly push bodies apart, so a body that has just arrived may sink for some steps by `g h^2 / 2` each;
//! forces correct this as soon as the contact lasts. Impulses do not enforce constraints between bodies.

use std::sync::Arc;

use burgess_simulation::modules::CollisionSolver;
use burgess_simulation::{SimulationData, Touch, WorldContact};

use super::{CollisionLaw, Envelope, SequentialImpulses};

/// Approach speed that counts as none, in m/s.
const MIN_APPROACH_SPEED: f64 = 1e-9;

/// Applies impulses to transient contacts.
#[derive(Debug, Clone)]
pub struct TransientImpulses {
    impulses: SequentialImpulses,
    /// Maximum gap of a contact, in m.
    tolerance: f64,
    /// Time after which the contact of touching bodies lasts, in s.
    lasting_after: f64,
    /// For each pair, the fastest normal speed of its contacts, in m/s; `None` without contact.
    speeds: Vec<Option<f64>>,
}

impl TransientImpulses {
    /// Creates a solver with a law for gaps up to `tolerance` m; contacts last after bodies have touched for
    /// `lasting_after` s.
    pub fn new(data: &SimulationData, law: Arc<dyn CollisionLaw>, tolerance: f64, lasting_after: f64) -> Self {
        // Slow contacts are not boosted: resting contacts are left to forces.
        let envelope = Envelope {
            epsilon: tolerance,
            pressing: 0.0,
            max_restitution: 0.0,
            ..Envelope::of_world(&data.world, 1.0)
        };
        let impulses = SequentialImpulses::new(law, envelope);
        Self { impulses, tolerance, lasting_after, speeds: Vec::new() }
    }

    /// Updates the touch times of all pairs. Returns whether a transient contact approaches.
    fn look(&mut self, data: &mut SimulationData) -> bool {
        let slow = (2.0 * data.world.model().gravity.length() * self.tolerance).sqrt();
        self.speeds.clear();
        self.speeds.resize(data.pairs.len(), None);
        for contact in data.detection.contacts().iter().filter(|contact| contact.distance <= self.tolerance) {
            let speed = &mut self.speeds[contact.pair as usize];
            *speed = Some(speed.unwrap_or(0.0).max(contact.opening_speed(&data.workspace).abs()));
        }
        let now = data.state.time;
        for (record, speed) in data.pairs.caches_mut().iter_mut().zip(&self.speeds) {
            let since = record.touch.map_or(now, |touch| touch.since);
            // Half a nanosecond for the rounding of times.
            let lasting = now - since >= self.lasting_after - 0.5e-9;
            record.touch = speed.filter(|&speed| speed < slow).map(|_| Touch { since, lasting });
        }
        let transient = |contact: &&WorldContact| {
            let record = data.pairs.record(contact.pair as usize);
            contact.distance <= self.tolerance && !record.touch.is_some_and(|touch| touch.lasting)
        };
        let mut transients = data.detection.contacts().iter().filter(transient);
        transients.any(|contact| -contact.opening_speed(&data.workspace) > MIN_APPROACH_SPEED)
    }
}

impl CollisionSolver for TransientImpulses {
    fn resolve(&mut self, data: &mut SimulationData, step: f64) -> usize {
        let collides = self.look(data) || self.impulses.envelope.limit_approached(data);
        if collides { self.impulses.resolve(data, step) } else { 0 }
    }

    fn memory(&self) -> Vec<f64> {
        self.impulses.memory()
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.impulses.set_memory(memory);
    }
}
