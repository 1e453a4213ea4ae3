//! Motion by drift, kick and drift: to the middle of the step, where contacts are detected and forces act, and on from
//! there with the velocities that the constraint solver has found.

use burgess_dynamics::integrators::SemiImplicitMidpoint;

use crate::modules::{MotionSolver, Moved};
use crate::outcome::Failure;
use crate::simulation_data::SimulationData;

/// Maximum number of times that a step is predicted again, because other servos are saturated or constraints cause other
/// accelerations.
const MAX_CORRECTIONS: u32 = 4;

/// Error of the velocity products above which a step is predicted again, in rad/s: where contacts and limits hold, and
/// where loops do, which may snap taut within a step.
const MAX_CONTACT_ERROR: f64 = 2e-2;
const MAX_LOOP_ERROR: f64 = 2e-6;

/// Semi-implicit midpoint steps around a constraint solver that acts on velocities.
#[derive(Debug)]
pub struct SteppedMotion {
    integrator: SemiImplicitMidpoint,
    /// Number of times that this step was predicted again.
    corrections: u32,
}

impl SteppedMotion {
    /// Creates a motion solver for a world.
    pub fn new(data: &SimulationData) -> Self {
        Self { integrator: SemiImplicitMidpoint::new(data.world.model()), corrections: 0 }
    }

    fn predict(&mut self, data: &mut SimulationData, step: f64) -> Result<(), Failure> {
        let (model, state, mut acting, workspace) = data.for_motion();
        self.integrator.kick(model, state, &mut acting, workspace, step).map_err(Failure::Motion)?;
        data.end_velocities.copy_from_slice(self.integrator.velocities_mut());
        Ok(())
    }

    /// Restores the positions of sleeping trees and stops them.
    fn restore_sleeping(&self, data: &mut SimulationData) {
        let SimulationData { world, state, rest, .. } = data;
        if !rest.is_on() {
            return;
        }
        for (_, tree) in world.trees().iter().enumerate().filter(|(index, _)| rest.sleeps(*index)) {
            state.q[tree.positions.clone()].copy_from_slice(&self.integrator.start()[tree.positions.clone()]);
            state.v[tree.dofs.clone()].fill(0.0);
        }
    }
}

impl MotionSolver for SteppedMotion {
    fn drift(&mut self, data: &mut SimulationData, step: f64) {
        self.integrator.drift(data.world.model(), &mut data.state, step);
        data.start_positions.copy_from_slice(self.integrator.start());
    }

    fn drift_back(&mut self, data: &mut SimulationData, step: f64) {
        let SimulationData { world, state, workspace, .. } = data;
        self.integrator.drift_back(world.model(), state, workspace, step);
    }

    fn predict_velocities(&mut self, data: &mut SimulationData, step: f64) -> Result<(), Failure> {
        self.integrator.keep_momenta_unless(|root| is_held(data, root));
        self.corrections = 0;
        self.predict(data, step)?;
        data.is_displaced = false;
        data.compare_loads(step);
        Ok(())
    }

    fn correct_prediction(&mut self, data: &mut SimulationData, step: f64) -> Result<bool, Failure> {
        let SimulationData { world, state, end_velocities, .. } = data;
        let tolerance = if world.constraints().is_empty() { MAX_CONTACT_ERROR } else { MAX_LOOP_ERROR };
        let is_wrong = self.corrections < MAX_CORRECTIONS
            && self.integrator.expects_other_motion(world.model(), state, end_velocities, step, tolerance);
        if is_wrong {
            self.corrections += 1;
            self.predict(data, step)?;
        }
        Ok(is_wrong)
    }

    fn conserve_momenta(&mut self, data: &mut SimulationData, step: f64) {
        let SimulationData { world, state, workspace, end_velocities, .. } = data;
        self.integrator.spin_free_bodies(world.model(), state, workspace, end_velocities, step);
    }

    fn find_efforts(&mut self, data: &mut SimulationData, step: f64) {
        let SimulationData { world, end_velocities, joint_efforts, .. } = data;
        self.integrator.effective_efforts(world.model(), end_velocities, step, joint_efforts);
    }

    fn integrate_positions(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        self.integrator.velocities_mut().copy_from_slice(&data.end_velocities);
        if data.is_displaced {
            self.integrator.displace(&data.displacement);
        }
        let (model, state, _, workspace) = data.for_motion();
        self.integrator.finish(model, state, workspace, step);
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
