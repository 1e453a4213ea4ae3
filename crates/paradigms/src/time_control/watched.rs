//! A time control that is watched: a body that enters another too far, or leaves the world, ends the simulation.
//!
//! The bound of depth is for contact solvers that may fail to hold bodies apart. It is geometric: for two bodies with
//! half thicknesses `s <= l`
//!
//! ```text
//!   depth <= min(2 s, (s + l) / 2)
//! ```
//! Beyond the first the thinner one is all inside, beyond the second the shortest way out may soon be the wrong one. On
//! its way through, a body exceeds this over a length of at least `s + l`. So it is found at one of the checked times if
//! bodies move by less than the half thickness of the thinnest one in between. Time controls that do not care for this
//! by themselves get shorter steps here ([`Watched::with_short_steps`]).
//! Pairs that overlap more at the start are not watched, nor are the insides of meshes, compounds and height fields.

use burgess_collision::narrow_phase::PairTable;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::modules::{Modules, TimeControl};
use burgess_simulation::{Collider, Failure, Lookahead, SimulationData, WorldContact};

use super::backtracking::{longest_try, thinnest};

/// Distance from the origin at which a body has left the world, in m.
const WORLD_RADIUS: f64 = 1e6;

/// Maximum number of parts of a step.
const MAX_PARTS: usize = 1000;

/// A time control with checks.
#[derive(Debug)]
pub struct Watched {
    inner: Box<dyn TimeControl>,
    /// Maximum movement of any point between two checks, in m.
    travel: f64,
    /// Half thickness by collider, in m.
    half_thicknesses: Vec<f64>,
    /// Pairs of colliders that overlap at the start, in order.
    overlapping: Vec<(u32, u32)>,
}

impl Watched {
    /// Watches a time control that lets nothing move too far between checks.
    pub fn new(data: &mut SimulationData, inner: Box<dyn TimeControl>) -> Self {
        let half_thicknesses = data.world.colliders().iter().map(half_thickness).collect();
        let mut watched = Self { inner, travel: f64::INFINITY, half_thicknesses, overlapping: Vec::new() };
        data.update_kinematics();
        data.detect_contacts(Lookahead { interval: 0.0, margin: 0.0 });
        let deep = data.detection.contacts().iter().filter(|contact| watched.excess(data, contact).is_some());
        watched.overlapping = deep.map(pair_of).collect();
        watched.overlapping.sort_unstable();
        watched.overlapping.dedup();
        // The simulation starts without memory of contacts.
        data.pairs = PairTable::default();
        watched
    }

    /// Watches a time control, with steps so short that no point moves by more than half of the thinnest body.
    pub fn with_short_steps(data: &mut SimulationData, inner: Box<dyn TimeControl>) -> Self {
        let travel = 0.5 * thinnest(&data.world);
        Self { travel, ..Self::new(data, inner) }
    }

    /// Returns depth and bound (m) of a contact that is too deep.
    fn excess(&self, data: &SimulationData, contact: &WorldContact) -> Option<(f64, f64)> {
        let [a, b] = [contact.collider_a, contact.collider_b].map(|index| index as usize);
        let (small, large) = (self.half_thicknesses[a], self.half_thicknesses[b]);
        let (small, large) = (small.min(large), small.max(large));
        let bound = (2.0 * small).min(0.5 * (small + large));
        let colliders = data.world.colliders();
        let depth = -(contact.distance + (colliders[a].margin + colliders[b].margin));
        (depth > bound).then_some((depth, bound))
    }

    fn check(&self, data: &SimulationData) -> Result<(), Failure> {
        let time = data.state.time;
        for contact in data.detection.contacts() {
            let Some((depth, bound)) = self.excess(data, contact) else { continue };
            if self.overlapping.binary_search(&pair_of(contact)).is_err() {
                let (body, other) = (data.name(contact.link_b), data.name(contact.link_a));
                return Err(Failure::PassedThrough { time, body, other, depth, bound });
            }
        }
        for link in 0..data.world.model().links().len() {
            let distance = data.workspace.anchor(link).length();
            if distance > WORLD_RADIUS || distance.is_nan() {
                return Err(Failure::LeftWorld { time, body: data.name(Some(link)), distance, bound: WORLD_RADIUS });
            }
        }
        Ok(())
    }
}

impl TimeControl for Watched {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        let (mut left, mut sub_steps) = (step, 0);
        for _ in 0..MAX_PARTS {
            let part = if self.travel < f64::INFINITY {
                data.update_kinematics();
                left.min(longest_try(data, self.travel))
            } else {
                left
            };
            let is_last = part >= left;
            self.inner.advance(data, modules, part)?;
            self.check(data)?;
            sub_steps += data.statistics.sub_steps.max(1);
            if is_last {
                if part < step {
                    data.statistics.sub_steps = sub_steps;
                }
                return Ok(());
            }
            left -= part;
        }
        let (time, body) = (data.state.time, data.fastest_body());
        Err(Failure::BudgetExhausted { time, what: "parts", budget: MAX_PARTS, body })
    }

    fn memory(&self) -> Vec<f64> {
        self.inner.memory()
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.inner.set_memory(memory);
    }
}

fn pair_of(contact: &WorldContact) -> (u32, u32) {
    (contact.collider_a, contact.collider_b)
}

/// Returns half of the smallest extent of a collider, in m; infinite where it says nothing about its parts.
fn half_thickness(collider: &Collider) -> f64 {
    match &*collider.shape {
        Shape::HalfSpace(_) | Shape::Compound(_) | Shape::Mesh(_) | Shape::HeightField(_) => f64::INFINITY,
        shape => shape.aabb(&Pose::IDENTITY).half_extents().min_element(),
    }
}
