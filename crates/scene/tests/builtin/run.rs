//! A running built-in scene with access to its bodies by name.

use burgess_geometry::Pose;
use burgess_scene::spec::{AxisSpec, BodySpec, JointKind, SceneSpec};
use burgess_scene::{RunOptions, builtin};
use burgess_simulation::Simulation;
use glam::DVec3;

pub struct Run {
    pub spec: SceneSpec,
    pub simulation: Simulation,
    /// Link of each body.
    links: Vec<Option<usize>>,
}

impl Run {
    pub fn start(name: &str) -> Self {
        let spec = builtin::find(name).expect("a built-in scene").spec();
        let running = spec.run(".", &RunOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let links = (0..spec.bodies.len()).map(|body| running.link_index(body)).collect();
        let mut simulation = running.simulation;
        simulation.data_mut().update_kinematics();
        Self { spec, simulation, links }
    }

    /// Runs until a time, in s.
    pub fn until(&mut self, seconds: f64) -> &mut Self {
        self.watch(seconds, |_| {})
    }

    /// Runs for the duration of the scene.
    pub fn finish(&mut self) -> &mut Self {
        self.until(self.spec.duration)
    }

    /// Runs until a time (s) and calls `observe` after each step.
    pub fn watch(&mut self, seconds: f64, mut observe: impl FnMut(&mut Self)) -> &mut Self {
        while self.time() < seconds - 0.5 * self.spec.simulation.step {
            self.simulation.step().unwrap_or_else(|failure| panic!("{}: {failure}", self.spec.name));
            self.simulation.data_mut().update_kinematics();
            observe(self);
        }
        self
    }

    pub fn time(&self) -> f64 {
        self.simulation.state().time
    }

    /// Names of the bodies that start with a prefix.
    pub fn names(&self, word: &str) -> Vec<String> {
        let names = self.spec.bodies.iter().map(|body| body.name.clone());
        names.filter(|name| name.starts_with(word)).collect()
    }

    /// Link of a body.
    pub fn link(&self, name: &str) -> usize {
        let body = self.spec.bodies.iter().position(|body| body.name == name);
        self.links[body.unwrap_or_else(|| panic!("no body {name}"))].unwrap_or_else(|| panic!("{name} is fixed"))
    }

    pub fn pose(&self, name: &str) -> Pose {
        let data = self.simulation.data();
        data.workspace.pose(data.world.model(), self.link(name))
    }

    pub fn position(&self, name: &str) -> DVec3 {
        self.pose(name).translation
    }

    /// Velocity of the body's origin, in m/s.
    pub fn velocity(&self, name: &str) -> DVec3 {
        let (link, point) = (self.link(name), self.position(name));
        self.simulation.data().workspace.velocity_at(link, point).linear
    }

    /// First joint position of a body.
    pub fn joint(&self, name: &str) -> f64 {
        let model = self.simulation.world().model();
        self.simulation.state().q[model.links()[self.link(name)].q]
    }

    /// Angle between a body's z axis and the vertical, in degrees.
    pub fn tilt(&self, name: &str) -> f64 {
        let up = self.pose(name).transform_vector(DVec3::Z).z;
        libm::acos(up.clamp(-1.0, 1.0)).to_degrees()
    }

    /// Angle by which a joint exceeds its limits, in degrees. The spec must give its angles in degrees.
    pub fn beyond_limit(&self, body: &BodySpec) -> f64 {
        let model = self.simulation.world().model();
        let q = &self.simulation.state().q[model.links()[self.link(&body.name)].q..];
        match body.joint.as_ref().map(|joint| &joint.kind) {
            Some(JointKind::Revolute(AxisSpec { limit: Some([low, high]), .. })) => {
                let angle = q[0].to_degrees();
                (low - angle).max(angle - high)
            }
            Some(JointKind::Spherical(ball)) => {
                let angle = 2.0 * libm::acos(q[3].abs().min(1.0)).to_degrees();
                angle - ball.limit.unwrap_or(f64::INFINITY)
            }
            _ => f64::NEG_INFINITY,
        }
    }
}
