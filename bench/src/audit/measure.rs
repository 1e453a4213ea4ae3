//! Measured quantities: energy with all springs, the work of motors, depths, gaps and displacements.

use std::collections::BTreeMap;

use burgess_dynamics::{Model, Motor, State, limit_violation};
use burgess_geometry::Pose;
use burgess_simulation::{Anchor, ConstraintKind, Simulation};
use glam::DVec3;

use super::case::Jellett;

/// Returns the kinetic, gravitational and spring energy, that of spring constraints included, in J. Brings the
/// workspace to the present state.
pub fn energy(simulation: &mut Simulation) -> f64 {
    let energy = simulation.energy();
    let stretched = simulation.world().constraints().iter().map(|constraint| match constraint.kind {
        ConstraintKind::Spring { length, stiffness, .. } => {
            let apart = place(simulation, &constraint.b).translation - place(simulation, &constraint.a).translation;
            let stretch = apart.length() - length;
            0.5 * stiffness * stretch * stretch
        }
        _ => 0.0,
    });
    energy + stretched.sum::<f64>()
}

/// Returns the pose of an anchor in the world. The workspace must be at the present state.
fn place(simulation: &Simulation, anchor: &Anchor) -> Pose {
    let data = simulation.data();
    anchor.link.map_or(anchor.pose, |link| data.workspace.pose(data.world.model(), link).compose(&anchor.pose))
}

/// Returns the widest gap of a constraint, in m. The workspace must be at the present state.
pub fn gap(simulation: &Simulation) -> f64 {
    let gaps = simulation.world().constraints().iter().map(|constraint| {
        let (a, b) = (place(simulation, &constraint.a), place(simulation, &constraint.b));
        let apart = b.translation - a.translation;
        match constraint.kind {
            ConstraintKind::Pin | ConstraintKind::Hinge | ConstraintKind::Weld => apart.length(),
            ConstraintKind::Slide => apart.reject_from(a.rotation * DVec3::Z).length(),
            ConstraintKind::Distance { length } => (apart.length() - length).abs(),
            ConstraintKind::Rope { length } => apart.length() - length,
            ConstraintKind::Spring { .. } => 0.0,
        }
    });
    gaps.fold(0.0, f64::max)
}

/// Returns how far a joint with a hard limit is beyond it, in rad or m: the largest of all.
pub fn beyond_limits(simulation: &Simulation) -> f64 {
    let (model, state) = (simulation.world().model(), simulation.state());
    let mut most = 0.0_f64;
    for (index, link) in model.links().iter().enumerate() {
        for axis in 0..link.dofs as usize {
            if model.properties()[link.v + axis].limit_spring.is_none() {
                most = most.max(limit_violation(model, index, axis, &state.q).abs());
            }
        }
    }
    most
}

/// Returns the depth of the deepest contact of colliders at the start of the last step, in m.
pub fn depth(simulation: &Simulation) -> f64 {
    simulation.data().detection.contacts().iter().fold(0.0, |depth: f64, contact| depth.max(-contact.distance))
}

/// Returns the pairs of colliders whose contacts were deeper than a bound (m) at the start of the last step, in order,
/// with their depths in m.
pub fn deep_pairs(simulation: &Simulation, bound: f64) -> BTreeMap<(u32, u32), f64> {
    let mut pairs = BTreeMap::new();
    for contact in simulation.data().detection.contacts() {
        if -contact.distance > bound {
            let deepest = pairs.entry((contact.collider_a, contact.collider_b)).or_insert(0.0_f64);
            *deepest = deepest.max(-contact.distance);
        }
    }
    pairs
}

/// Returns the positions of the centres of mass of all links, in m. The workspace must be at the present state.
pub fn centers(simulation: &Simulation) -> Vec<DVec3> {
    let data = simulation.data();
    let model = data.world.model();
    let center = |link: usize| {
        let inner = &model.links()[link];
        data.workspace.position(model, link, inner.frame.transform_point(inner.inertia.center))
    };
    (0..model.links().len()).map(center).collect()
}

/// Returns the Jellett invariant of a ball, in N m^2 s: its angular momentum about its centre of mass times the vector
/// from there to the contact. The workspace must be at the present state.
pub fn jellett_invariant(simulation: &mut Simulation, ball: &Jellett) -> f64 {
    let angular_momentum = simulation.observables().angular_momentum;
    let data = simulation.data();
    let contact = data.workspace.position(data.world.model(), ball.link, ball.center) - DVec3::Z * ball.radius;
    angular_momentum.dot(contact - centers(simulation)[ball.link])
}

/// Adds up the work of motors on hinges and slides.
#[derive(Debug, Default)]
pub struct MotorWork {
    /// Work so far, in J.
    pub work: f64,
    /// Positions before the step.
    pub before: Vec<f64>,
    efforts_before: Vec<f64>,
}

impl MotorWork {
    /// Remembers the state before a step.
    pub fn before_step(&mut self, simulation: &Simulation) {
        self.before.clone_from(&simulation.state().q);
        self.efforts_before = efforts(simulation.world().model(), simulation.state());
    }

    /// Adds the work of a step: the mean of the efforts at its two ends times the displacement.
    pub fn after_step(&mut self, simulation: &Simulation) {
        let (model, state) = (simulation.world().model(), simulation.state());
        let after = efforts(model, state);
        for link in model.links() {
            for axis in 0..link.dofs as usize {
                if state.motors[link.v + axis] != Motor::None {
                    let moved = state.q[link.q + axis] - self.before[link.q + axis];
                    self.work += 0.5 * (self.efforts_before[link.v + axis] + after[link.v + axis]) * moved;
                }
            }
        }
    }
}

/// The motion of joints of one axis, and what their dampers dissipate.
#[derive(Debug, Default)]
pub struct DampedMotion {
    /// Energy that dampers have dissipated so far, in J.
    pub dissipated: f64,
    /// Positions of all joints at the start.
    start: Vec<f64>,
}

impl DampedMotion {
    /// Starts at a state.
    pub fn from(state: &State) -> Self {
        Self { dissipated: 0.0, start: state.q.clone() }
    }

    /// Returns how far all joints together are from where they were at the start, in rad or m.
    pub fn moved(&self, simulation: &Simulation) -> f64 {
        let joints = simulation.world().model().links().iter().filter(|link| link.dofs == 1);
        joints.map(|link| (simulation.state().q[link.q] - self.start[link.q]).abs()).sum()
    }

    /// Adds the motion of a step (s) from the given positions.
    pub fn add(&mut self, simulation: &Simulation, before: &[f64], step: f64) {
        let (model, state) = (simulation.world().model(), simulation.state());
        for link in model.links().iter().filter(|link| link.dofs == 1) {
            let moved = state.q[link.q] - before[link.q];
            self.dissipated += model.properties()[link.v].damping * moved * moved / step;
        }
    }
}

/// Returns the efforts of the motors of hinges and slides, in N m or N.
fn efforts(model: &Model, state: &State) -> Vec<f64> {
    let mut efforts = vec![0.0; model.dofs()];
    for link in model.links() {
        for axis in 0..link.dofs as usize {
            let dof = link.v + axis;
            let velocity = state.v[dof];
            let effort = match state.motors[dof] {
                Motor::None => continue,
                Motor::Effort(effort) => effort,
                Motor::Velocity { target, gain } => gain * (target - velocity),
                Motor::Position { target, stiffness, damping } => {
                    stiffness * (target - state.q[link.q + axis]) - damping * velocity
                }
            };
            let bound = model.properties()[dof].max_effort;
            efforts[dof] = effort.clamp(-bound, bound);
        }
    }
    efforts
}
