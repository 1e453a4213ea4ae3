//! Impulses for contacts that are transient, and the rule which those are (Erleben 2002, section 3.4; Fontijne 2000,
//! section 5.2 asks for such a mixture).
//!
//! Two bodies *touch* if a contact of theirs is nearer than the tolerance and moves, along its normal, no faster than a
//! fall from that height would: `v^2 < 2 g tolerance`. A contact *lasts* once its bodies have touched at every look for
//! a while (some steps). All others are transient: a body that flies, bounces, or has just arrived.
//!
//! - Transient contacts that approach get impulses, one after the other, by any law.
//! - Contacts that last are left to forces ([`Analytical`](crate::constraint_solver::Analytical) with
//!   [`lasting_only`](crate::constraint_solver::AnalyticalSettings::lasting_only)). A blow that makes one of them close
//!   faster than touching allows makes it transient again.
//!
//! Joints that reach a limit are stopped by impulses, too.
//!
//! Since when a pair touches is part of the state ([`PairRecord::touch`](crate::PairRecord::touch)).
//!
//! Impulses hardly push out, so a body that has just arrived may sink for some steps by `g h^2 / 2` each; forces take
//! that back as soon as the contact lasts. Impulses do not know constraints between bodies.

use std::sync::Arc;

use burgess_simulation::modules::CollisionSolver;
use burgess_simulation::{SimulationData, Touch, WorldContact};

use super::{CollisionLaw, Envelope, SequentialImpulses};

/// Approaching slower than this is not approaching, in m/s.
const STILL: f64 = 1e-9;

/// The solver.
#[derive(Debug, Clone)]
pub struct TransientImpulses {
    impulses: SequentialImpulses,
    /// Gaps up to this are contacts, in m.
    tolerance: f64,
    /// A contact lasts when its bodies have touched for so long, in s.
    lasting_after: f64,
    /// By pair: the fastest normal speed of its contacts, in m/s; none without contact.
    speeds: Vec<Option<f64>>,
}

impl TransientImpulses {
    /// By a law, for gaps up to `tolerance` m, until bodies have touched for `lasting_after` s.
    pub fn new(data: &SimulationData, law: Arc<dyn CollisionLaw>, tolerance: f64, lasting_after: f64) -> Self {
        // Slow contacts are not boosted: what rests is not for impulses here.
        let envelope = Envelope {
            epsilon: tolerance,
            pressing: 0.0,
            max_restitution: 0.0,
            ..Envelope::of_world(&data.world, 1.0)
        };
        let impulses = SequentialImpulses::new(law, envelope);
        Self { impulses, tolerance, lasting_after, speeds: Vec::new() }
    }

    /// Brings what pairs remember to the present look. True if a transient contact approaches.
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
        transients.any(|contact| -contact.opening_speed(&data.workspace) > STILL)
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
