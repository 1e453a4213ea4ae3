//! Accelerations as a function of positions, velocities and time, which the explicit methods evaluate.

use crate::integrators::normalize_positions;
use crate::kinematics::{outward_kinematics, update_velocities};
use crate::{Environment, Model, Moment, Motor, Workspace, articulated_inertias, joint_accelerations, joint_efforts};

#[derive(Debug, Clone)]
pub(crate) struct Explicit {
    unit_positions: Vec<f64>,
    efforts: Vec<f64>,
    driven: Vec<f64>,
}

impl Explicit {
    pub fn new(model: &Model) -> Self {
        let efforts = vec![0.0; model.dofs()];
        Self { unit_positions: vec![0.0; model.positions()], driven: efforts.clone(), efforts }
    }

    /// Writes the joint accelerations to the workspace. Quaternions in `q` need not have unit length.
    pub fn accelerations(
        &mut self,
        (model, motors): (&Model, &[Motor]),
        q: &[f64],
        v: &[f64],
        time: f64,
        environment: &mut dyn Environment,
        workspace: &mut Workspace,
    ) {
        self.unit_positions.copy_from_slice(q);
        normalize_positions(model, &mut self.unit_positions);
        enter(model, &self.unit_positions, v, time, environment, workspace);
        joint_efforts(model, motors, &self.unit_positions, v, &mut self.efforts);
        workspace.restore_armature(model);
        let moment = Moment { q: &self.unit_positions, v, time, efforts: &self.efforts };
        drive(model, &moment, environment, workspace, &mut self.driven);
        add(&mut self.efforts, &self.driven);
        articulated_inertias(model, &self.efforts, workspace);
        joint_accelerations(model, workspace);
    }
}

/// The first pass at a moment, with the forces of the environment at that moment.
pub(crate) fn enter(
    model: &Model,
    q: &[f64],
    v: &[f64],
    time: f64,
    environment: &mut dyn Environment,
    workspace: &mut Workspace,
) {
    workspace.clear_forces();
    environment.script(model, time, workspace);
    if workspace.shows_configuration(q) {
        update_velocities(model, v, workspace);
    } else {
        outward_kinematics(model, q, v, workspace);
    }
    environment.load(model, time, workspace);
}

/// Adds the efforts of the environment at a moment.
#[inline]
pub(crate) fn drive(
    model: &Model,
    moment: &Moment,
    environment: &mut dyn Environment,
    workspace: &Workspace,
    driven: &mut [f64],
) {
    driven.fill(0.0);
    environment.drive(model, moment, workspace, driven);
}

#[inline]
pub(crate) fn add(efforts: &mut [f64], driven: &[f64]) {
    for (effort, driven) in efforts.iter_mut().zip(driven) {
        *effort += driven;
    }
}
