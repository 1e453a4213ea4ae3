//! Backtracking (Timchenko 2007, Alg. 4; Erleben 2002, section 2.1.1): advance; if bodies penetrate afterwards, go back
//! and find the time of contact by bisection.
//!
//! ```text
//!   until the step is over:
//!     let contacts collide
//!     try the rest of the step, or as far as nothing can pass through anything
//!     if a pair is deeper than the tolerance:  halve between good and bad times until that pair touches; stay there
//! ```
//!
//! A motion that the solver itself aborts ([`Moved::PenetrationAt`]) counts as penetrating.
//! Limits: events between two valid times are not detected. Fast bodies pass through thin ones unless each trial is
//! short enough for the *travel* of the fastest point: below the thickness of the thinnest body, two bodies overlap at
//! some checked time. A corner that only grazes may still be missed. Pair memory (closest features, tracked contacts)
//! is not restored; it only starts searches.

use burgess_dynamics::State;
use burgess_geometry::Pose;
use burgess_simulation::modules::{Modules, Moved, TimeControl};
use burgess_simulation::{Collider, Failure, Lookahead, SimulationData, World, WorldContact};

use super::copy_state;
use super::joint_limits::{at_limit, limits_hold};

/// Interval at which bisection ends, relative to the step.
const BISECTION_RESOLUTION: f64 = 1e-9;

/// Time control by backtracking.
#[derive(Debug)]
pub struct Backtracking {
    /// Distance below which pairs are in contact, in m.
    pub touching: f64,
    /// Depth above which pairs penetrate, in m; for pairs that were deeper before, the allowed increase.
    pub tolerance: f64,
    /// Distance to a limit below which joints are at it, in rad or m; a quarter of it beyond the limit is too far.
    pub limit_margin: f64,
    /// Maximum movement of any point of a body between two checks, in m. Half of the thinnest body prevents tunnelling.
    pub travel: f64,
    /// Maximum number of motions in one step, valid or not.
    pub budget: usize,
    kept: State,
    /// Number of motions in this step so far.
    used: usize,
}

/// Result of a check at the end of a motion.
enum Found {
    Good,
    /// The pair of colliders, if known, and the latest time of contact.
    Bad(Option<(u32, u32)>, f64),
}

impl Backtracking {
    /// Creates a time control with a tolerance, and a travel that prevents tunnelling.
    pub fn new(data: &SimulationData, touching: f64, tolerance: f64, budget: usize) -> Self {
        let travel = 0.5 * thinnest(&data.world);
        Self { touching, tolerance, limit_margin: 1e-3, travel, budget, kept: State::new(data.world.model()), used: 0 }
    }

    fn look(&self, data: &mut SimulationData) {
        data.update_kinematics();
        data.detect_contacts(Lookahead { interval: 0.0, margin: self.touching });
    }

    /// Advances by `time` s from the saved state, and checks the result. `known` is the maximum previous depth of
    /// pairs.
    fn attempt(
        &mut self,
        data: &mut SimulationData,
        modules: &mut Modules,
        time: f64,
        known: f64,
    ) -> Result<Found, Failure> {
        if self.used == self.budget {
            let (what, budget, time) = ("motions", self.budget, self.kept.time);
            return Err(Failure::BudgetExhausted { time, what, budget, body: data.fastest_body() });
        }
        self.used += 1;
        data.statistics.sub_steps += 1;
        copy_state(&self.kept, &mut data.state);
        if let Moved::PenetrationAt { time: moment } = modules.move_bodies(data, time)? {
            return Ok(Found::Bad(None, (moment - self.kept.time).clamp(0.0, time)));
        }
        self.look(data);
        if known < f64::INFINITY && !limits_hold(data, &self.kept, self.limit_margin) {
            return Ok(Found::Bad(None, time));
        }
        Ok(match deepest(data.detection.contacts()) {
            Some(contact) if -contact.distance > known + self.tolerance => {
                Found::Bad(Some((contact.collider_a, contact.collider_b)), time)
            }
            _ => Found::Good,
        })
    }

    /// Bisects between the saved state and an invalid time. Ends at a valid time, or just after contact. Returns the
    /// time advanced.
    fn bisect(
        &mut self,
        data: &mut SimulationData,
        modules: &mut Modules,
        (mut pair, mut bad): (Option<(u32, u32)>, f64),
        (known, step): (f64, f64),
    ) -> Result<f64, Failure> {
        let (mut good, mut at) = (0.0, None);
        while bad - good > BISECTION_RESOLUTION * step {
            let middle = 0.5 * (good + bad);
            match self.attempt(data, modules, middle, known)? {
                Found::Good => {
                    (good, at) = (middle, Some(middle));
                    if self.touches(data, pair) {
                        break;
                    }
                }
                Found::Bad(found, when) => (pair, bad, at) = (found.or(pair), middle.min(when), None),
            }
        }
        if at == Some(good) && good > 0.0 {
            return Ok(good);
        }
        // Time must advance: use the last valid time or, if that is the start, the first invalid one.
        let time = if good > 0.0 { good } else { bad.max(BISECTION_RESOLUTION * step) };
        self.attempt(data, modules, time, f64::INFINITY)?;
        Ok(time)
    }

    /// Returns whether the pair that will penetrate touches or, if it is not known, whether any pair does.
    fn touches(&self, data: &SimulationData, pair: Option<(u32, u32)>) -> bool {
        let near = |c: &&WorldContact| c.distance <= self.touching;
        let mut contacts = data.detection.contacts().iter().filter(near);
        match pair {
            Some(pair) => contacts.any(|c| (c.collider_a, c.collider_b) == pair),
            None => contacts.next().is_some() || at_limit(data, self.limit_margin),
        }
    }
}

impl TimeControl for Backtracking {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        self.used = 0;
        self.look(data);
        let mut now = 0.0;
        loop {
            if let Some(collisions) = &mut modules.collisions {
                let impulses = collisions.resolve(data, step - now);
                if impulses > 0 {
                    data.statistics.impulses += impulses;
                    modules.motion.notify_impulses();
                    data.update_kinematics();
                }
            }
            let known = deepest(data.detection.contacts()).map_or(0.0, |contact| (-contact.distance).max(0.0));
            copy_state(&data.state, &mut self.kept);
            let rest = step - now;
            let time = rest.min(longest_try(data, self.travel));
            let moved = match self.attempt(data, modules, time, known)? {
                Found::Good => time,
                Found::Bad(pair, bad) => self.bisect(data, modules, (pair, bad), (known, step))?,
            };
            if moved >= rest {
                return Ok(());
            }
            now += moved;
        }
    }
}

fn deepest(contacts: &[WorldContact]) -> Option<&WorldContact> {
    contacts.iter().min_by(|a, b| a.distance.total_cmp(&b.distance))
}

/// Returns the time in which no point moves farther than a travel (m), in s. The workspace must be up to date.
pub(super) fn longest_try(data: &SimulationData, travel: f64) -> f64 {
    let speed = |collider: &Collider| {
        collider.link.map_or(0.0, |link| {
            let velocity = data.workspace.velocity_at(link, data.workspace.anchor(link));
            velocity.linear.length() + velocity.angular.length() * collider.reach
        })
    };
    let fastest = data.world.colliders().iter().map(speed).fold(0.0, f64::max);
    let gravity = data.world.model().gravity.length();
    2.0 * travel / (fastest + (fastest * fastest + 2.0 * gravity * travel).sqrt())
}

/// Returns the smallest extent of any moving collider, in m.
pub(super) fn thinnest(world: &World) -> f64 {
    let moving = world.colliders().iter().filter(|collider| collider.link.is_some());
    let extent = |collider: &Collider| collider.shape.aabb(&Pose::IDENTITY).extents().min_element();
    moving.map(extent).fold(f64::INFINITY, f64::min)
}
