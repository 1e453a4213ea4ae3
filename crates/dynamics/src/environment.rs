//! What acts on the links from outside, asked by the integrators whenever they need it.

use crate::{Model, Workspace};

/// Forces on links and the motion of scripted links. Both are asked at every stage of a step, so they have to be
/// functions of the time and of what the workspace shows.
pub trait Environment {
    /// Sets the motion of scripted links at a time (s) by [`Workspace::set_script`].
    fn script(&mut self, _model: &Model, _time: f64, _workspace: &mut Workspace) {}

    /// Adds forces at a time (s) by [`Workspace::apply_force`]. The workspace shows poses and velocities of this moment;
    /// forces of earlier moments are gone.
    fn load(&mut self, _model: &Model, _time: f64, _workspace: &mut Workspace) {}
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
}
