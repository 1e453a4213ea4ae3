//! Motion at a moment without constraint forces: accelerations and inertias, in separate memory, since the integrator
//! still needs its workspace.

use burgess_dynamics::{Workspace, articulated_inertias, joint_accelerations};
use burgess_simulation::SimulationData;

use crate::modules::ForceMoment;

#[derive(Debug, Clone)]
pub(super) struct UnconstrainedMotion {
    /// Workspace after all three passes.
    pub workspace: Workspace,
    /// Joint velocities at the end of a step with these accelerations.
    pub velocities: Vec<f64>,
}

impl UnconstrainedMotion {
    pub fn new(data: &SimulationData) -> Self {
        let model = data.world.model();
        Self { workspace: Workspace::new(model), velocities: vec![0.0; model.dofs()] }
    }

    pub fn find(&mut self, at: &ForceMoment) {
        let model = at.world.model();
        self.workspace.copy_from(at.workspace);
        articulated_inertias(model, at.moment.efforts, &mut self.workspace);
        joint_accelerations(model, &mut self.workspace);
        let rates = at.moment.v.iter().zip(self.workspace.joint_acceleration());
        for (end, (v, a)) in self.velocities.iter_mut().zip(rates) {
            *end = v + at.step * a;
        }
    }
}
