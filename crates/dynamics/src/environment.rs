//! What acts on the links from outside, asked by the integrators whenever they need it.

use crate::{Model, Workspace};

/// Where the links are and what drives them when an integrator asks its environment.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Positions of all joints, quaternions of unit length.
    pub q: &'a [f64],
    /// Velocities of all joints: rad/s and m/s.
    pub v: &'a [f64],
    /// In s.
    pub time: f64,
    /// Efforts of springs, dampers and motors, in N m and N.
    pub efforts: &'a [f64],
}

/// Forces on links and the motion of scripted links. Everything is asked at every stage of a step, so it has to be a
/// function of the time and of what the workspace shows.
pub trait Environment {
    /// Sets the motion of scripted links at a time (s) by [`Workspace::set_script`].
    fn script(&mut self, _model: &Model, _time: f64, _workspace: &mut Workspace) {}

    /// Adds forces at a time (s) by [`Workspace::apply_force`]. The workspace shows poses and velocities of this moment;
    /// forces of earlier moments are gone.
    fn load(&mut self, _model: &Model, _time: f64, _workspace: &mut Workspace) {}

    /// Adds efforts along joints (N m, N), after [`load`](Self::load): for what has to know everything else that acts, as
    /// contact forces do. The workspace has seen the first pass, with all forces on links in it. An environment of two asks
    /// both; neither sees what the other adds.
    fn drive(&mut self, _model: &Model, _moment: &Moment, _workspace: &Workspace, _efforts: &mut [f64]) {}
}

/// Nothing acts but gravity.
impl Environment for () {}

/// Two environments at once.
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
