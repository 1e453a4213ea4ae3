//! Conservative advancement, the one-sided approach (Mirtich and Canny 1995, section 3; Erleben 2002, section 2.1.1,
//! Fontijne 2000, section 3.8.2).
//!
//! Time advances to the earliest time at which any two bodies can meet, never beyond it, so no body ever passes through
//! another, however thin and fast. At every stop the contacts in the collision envelope that approach are collisions.
//!
//! ```text
//!   until the step is over:
//!     look at the pairs that are due             -> distances, bounds
//!     find the contacts of pairs in the envelope, let them collide
//!     renew the bounds of the trees that got an impulse
//!     move on to the earliest bound; if something moved otherwise than promised, undo it and move less
//! ```
//! Two bodies at the limit of precision cause no problem (Fontijne 2000, section 3.12): inside the envelope a sub-step
//! may always close at least a sixty-fourth of it. So a pair at rest takes `sqrt(epsilon / a) / 4` s or more for each,
//! a being the acceleration that presses it together, and a body's surface is correct up to the envelope.
//!
//! Limits: stacks are expensive. Every contact at rest is a series of micro-collisions.

use burgess_dynamics::State;
use burgess_simulation::modules::{Modules, Moved, TimeControl};
use burgess_simulation::{Failure, SimulationData};

use super::copy_state;
use super::courses::Courses;
use super::joint_limits::{limits_hold, time_to_limit};
use super::watched_pairs::{WatchedPairs, name_of};
use crate::collision_solver::Envelope;

/// Length of sub-steps, relative to the step, below which they are always accepted.
const MIN_SUBSTEP_FRACTION: f64 = 1e-10;

/// Time control by lower bounds on times of impact.
#[derive(Debug)]
pub struct ConservativeAdvancement {
    /// Definition of a collision.
    pub envelope: Envelope,
    /// Maximum number of sub-steps in one step, undone ones included.
    pub budget: usize,
    courses: Courses,
    pairs: WatchedPairs,
    kept: State,
    velocities: Vec<f64>,
}

impl ConservativeAdvancement {
    /// Creates a time control for collisions in an envelope.
    pub fn new(data: &SimulationData, envelope: Envelope, budget: usize) -> Self {
        Self {
            envelope,
            budget,
            courses: Courses::default(),
            pairs: WatchedPairs::default(),
            kept: State::new(data.world.model()),
            velocities: Vec::new(),
        }
    }

    /// Finds contacts and resolves collisions at a stop.
    fn collide(&mut self, data: &mut SimulationData, modules: &mut Modules, now: f64, step: f64) {
        self.pairs.look(data, &self.courses, now);
        data.detection.detect_among(&data.world, &mut data.pairs, self.pairs.close(), self.envelope.epsilon);
        let Some(collisions) = &mut modules.collisions else { return };
        self.velocities.clone_from(&data.state.v);
        let impulses = collisions.resolve(data, step - now);
        if impulses > 0 {
            data.statistics.impulses += impulses;
            modules.motion.notify_impulses();
            data.update_kinematics();
            self.renew(data, now, step, |data, before, tree| {
                let dofs = data.world.trees()[tree].dofs.clone();
                data.state.v[dofs.clone()] != before[dofs]
            });
        }
    }

    /// Renews motion bounds, boxes and impact bounds of some trees: those whose velocities have changed, or that
    /// violated their motion bounds.
    fn renew(
        &mut self,
        data: &mut SimulationData,
        now: f64,
        step: f64,
        changed: impl Fn(&SimulationData, &[f64], usize) -> bool,
    ) {
        for tree in 0..data.world.trees().len() {
            if changed(data, &self.velocities, tree) {
                self.courses.renew(data, tree);
                self.pairs.look_at_tree(data, &self.courses, tree, now);
            }
        }
        self.pairs.renew_boxes(data, &self.courses, step - now);
        self.pairs.look_at_due(data, &self.courses, now);
    }

    /// Advances by `time` s. Returns false if that had to be undone.
    fn try_to_move(
        &mut self,
        data: &mut SimulationData,
        modules: &mut Modules,
        time: f64,
        last_chance: bool,
    ) -> Result<bool, Failure> {
        copy_state(&data.state, &mut self.kept);
        self.courses.note(data);
        if let Moved::PenetrationAt { .. } = modules.move_bodies(data, time)? {
            settle(data);
            return Ok(false);
        }
        settle(data);
        let margin = self.envelope.limit_margin;
        let kept_course = self.courses.kept(data, time);
        let fine = kept_course && limits_hold(data, &self.kept, margin) && self.pairs.boxes_hold(data);
        if !fine && !last_chance {
            copy_state(&self.kept, &mut data.state);
            settle(data);
        }
        Ok(fine || last_chance)
    }

    fn exhausted(&self, data: &SimulationData) -> Failure {
        let body = self.pairs.first().map_or_else(|| data.fastest_body(), |(pair, _)| name_of(data, pair));
        Failure::BudgetExhausted { time: data.state.time, what: "sub-steps", budget: self.budget, body }
    }
}

/// Brings the workspace and the colliders to the state.
fn settle(data: &mut SimulationData) {
    data.update_kinematics();
    data.detection.place_colliders(&data.world, &data.workspace);
}

impl TimeControl for ConservativeAdvancement {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        settle(data);
        self.courses.begin(data);
        self.pairs.begin(data, &self.courses, self.envelope.epsilon, step);
        let (mut now, mut cap) = (0.0, f64::INFINITY);
        for _ in 0..self.budget {
            self.pairs.next_stop();
            data.statistics.sub_steps += 1;
            self.collide(data, modules, now, step);
            let bound = self.pairs.first().map_or(f64::INFINITY, |(_, time)| time) - now;
            let rest = step - now;
            let limit = time_to_limit(data, self.envelope.limit_margin);
            let time = rest.min(bound).min(limit).min(cap).max(MIN_SUBSTEP_FRACTION * step);
            if self.try_to_move(data, modules, time, time <= MIN_SUBSTEP_FRACTION * step)? {
                if time >= rest {
                    return Ok(());
                }
                now += time;
                cap = f64::INFINITY;
            } else {
                cap = 0.5 * time;
                self.renew(data, now, step, |_, _, _| true);
            }
        }
        Err(self.exhausted(data))
    }
}
