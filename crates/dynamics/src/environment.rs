//! External forces on the links, which integrators query during a step.

use crate::{Model, Workspace};

/// Positions, velocities and efforts at the moment of a query.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Positions of all joints, with unit quaternions.
    pub q: &'a [f64],
    /// Velocities of all joints, in rad/s and m/s.
    pub v: &'a [f64],
    /// Time, in s.
    pub time: f64,
    /// Efforts of springs, dampers and motors, in N m and N.
    pub efforts: &'a [f64],
}

/// Forces on links and the motion of scripted links. They are queried at every stage of a step, so they must be
/// functions of the time and of the workspace.
pub trait Environment {
    /// Sets the motion of scripted links at a time (s) with [`Workspace::set_script`].
    fn script(&mut self, _model: &Model, _time: f64, _workspace: &mut Workspace) {}

    /// Adds forces at a time (s) with [`Workspace::apply_force`]. The workspace holds the current poses and velocities;
    /// earlier forces have been cleared.
    fn load(&mut self, _model: &Model, _time: f64, _workspace: &mut Workspace) {}

    /// Adds efforts along joints (N m, N) after [`load`](Self::load). This is for forces that depend on all other
    /// forces, such as contact forces. The first pass over the workspace has been made, with all forces on links. In an
    /// environment of two, neither sees the efforts that the other adds.
    fn drive(&mut self, _model: &Model, _moment: &Moment, _workspace: &Workspace, _efforts: &mut [f64]) {}
}

/// No environment: only gravity acts.
impl Environment for () {}

/// Two environments combined.
impl<A: Environment, B: Environment> Environment for (A, B) {
    fn script(&mut self, model: &Model, time: f64, workspace: &mut Workspace) {
        self.0.script(model, time, workspace);
        self.1.script(model, time, workspace);
    }

    fn load(&mut self, model: &Model, time: f64, workspace: &mut Workspace) {
        self.0.load(model, time, workspace);
        self.1.load(model, time, workspace);
    }

    fn drive(&mut self, model: &Model, moment: &Moment, workspace: &Workspace, efforts: &mut [f64]) {
        self.0.drive(model, moment, workspace, efforts);
        self.1.drive(model, moment, workspace, efforts);
    }
}
