//! Motion by steps whose end velocities satisfy the constraints: predicted velocities first, then what the constraint
//! solver makes of them, then positions along the mean of old and new velocities.

use burgess_dynamics::integrators::SemiImplicitMidpoint;
use glam::DVec3;

use super::held_limits::{LimitHolder, release};
use crate::modules::{MotionSolver, Moved};
use crate::outcome::Failure;
use crate::simulation_data::SimulationData;

/// Maximum number of times that the accelerations by constraints are corrected in a step. The first correction is for
/// velocity-dependent terms and saturated servos, the others are only for servos.
const MAX_CORRECTIONS: u32 = 4;

/// Semi-implicit midpoint steps around a constraint solver that acts on velocities.
#[derive(Debug)]
pub struct SteppedMotion {
    integrator: SemiImplicitMidpoint,
    limits: LimitHolder,
    /// Positions at the start of the step, for sleeping trees.
    positions: Vec<f64>,
    /// Number of times that limits were released in this step.
    releases: u32,
    /// Number of times that the accelerations by constraints were corrected in this step.
    corrections: u32,
}

impl SteppedMotion {
    /// Creates a motion solver for a world.
    pub fn new(data: &SimulationData) -> Self {
        let model = data.world.model();
        Self {
            integrator: SemiImplicitMidpoint::new(model),
            limits: LimitHolder::new(&data.world),
            positions: vec![0.0; model.positions()],
            releases: 0,
            corrections: 0,
        }
    }

    /// Computes the velocities with which the step ends without contacts, with the held limits locked, for the first time
    /// or again.
    fn predict(&mut self, data: &mut SimulationData, step: f64, is_first: bool) -> Result<(), Failure> {
        self.integrator.lock_joints(data.held_limits.iter().map(|limit| limit.dof));
        let (model, state, mut acting, workspace) = data.for_motion();
        let begin = if is_first { SemiImplicitMidpoint::begin } else { SemiImplicitMidpoint::begin_again };
        begin(&mut self.integrator, model, state, &mut acting, workspace, step).map_err(Failure::Motion)?;
        data.end_velocities.copy_from_slice(self.integrator.velocities_mut());
        Ok(())
    }

    /// Releases the limits that would pull. The second time all are released, so that this comes to an end.
    fn release_limits(&mut self, data: &mut SimulationData) -> bool {
        let SimulationData { held_limits, end_velocities, .. } = data;
        let impulse = |dof: usize| self.integrator.lock_impulse(dof, end_velocities[dof]);
        let is_released = release(held_limits, self.releases > 0, impulse);
        self.releases += u32::from(is_released);
        is_released
    }

    /// Takes back the energy that contacts have given to trees, and that of lifting free bodies out of others.
    fn settle_energy(&mut self, data: &mut SimulationData, step: f64) {
        let SimulationData { world, displacement, given_energy, .. } = data;
        for (tree, given) in world.trees().iter().zip(given_energy.iter_mut()).filter(|(tree, _)| tree.is_free_body) {
            let root = &world.model().links()[tree.links.start];
            if data.is_displaced && *given != 0.0 {
                let lift = DVec3::from_slice(&displacement[tree.dofs.start + 3..]) * (0.5 * step);
                *given -= root.inertia.mass * world.model().gravity.dot(lift);
            }
        }
        self.integrator.take_energy(given_energy);
    }

    /// Restores the positions of sleeping trees and stops them.
    fn restore_sleeping(&self, data: &mut SimulationData) {
        let SimulationData { world, state, rest, .. } = data;
        if !rest.is_on() {
            return;
        }
        for (_, tree) in world.trees().iter().enumerate().filter(|(index, _)| rest.sleeps(*index)) {
            state.q[tree.positions.clone()].copy_from_slice(&self.positions[tree.positions.clone()]);
            state.v[tree.dofs.clone()].fill(0.0);
        }
    }
}

impl MotionSolver for SteppedMotion {
    fn predict_velocities(&mut self, data: &mut SimulationData, step: f64) -> Result<(), Failure> {
        self.positions.copy_from_slice(&data.state.q);
        self.integrator.keep_momenta_unless(|root| is_held(data, root));
        self.limits.find(data, step);
        (self.releases, self.corrections) = (0, 0);
        self.predict(data, step, true)?;
        data.is_displaced = false;
        data.compare_loads(step);
        Ok(())
    }

    fn correct_prediction(&mut self, data: &mut SimulationData, step: f64) -> Result<bool, Failure> {
        let mut is_wrong = self.release_limits(data);
        if !is_wrong && self.corrections < MAX_CORRECTIONS {
            let (model, only_servos) = (data.world.model(), self.corrections > 0);
            is_wrong = self.integrator.expects_other_constraints(model, &data.end_velocities, step, only_servos);
            self.corrections += u32::from(is_wrong);
        }
        if is_wrong {
            self.predict(data, step, false)?;
        }
        Ok(is_wrong)
    }

    fn integrate_positions(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        self.integrator.velocities_mut().copy_from_slice(&data.end_velocities);
        if data.is_displaced {
            self.integrator.displace(&data.displacement);
        }
        self.settle_energy(data, step);
        let (model, state, _, workspace) = data.for_motion();
        self.integrator.finish(model, state, workspace, step);
        data.statistics.energy_error = data.statistics.energy_error.max(self.integrator.energy_error());
        self.restore_sleeping(data);
        Ok(Moved::Fully)
    }
}

/// Returns whether a tree touches a fixed body.
fn is_held(data: &SimulationData, root: usize) -> bool {
    let world = &data.world;
    let is_fixed = |link: Option<usize>| link.is_none_or(|link| world.trees()[world.tree_of_link(link)].is_fixed);
    let is_own =
        |link: Option<usize>| link.is_some_and(|link| world.trees()[world.tree_of_link(link)].links.start == root);
    data.detection.contacts().iter().any(|contact| {
        let (a, b) = (contact.link_a, contact.link_b);
        is_own(a) && is_fixed(b) || is_own(b) && is_fixed(a)
    })
}
