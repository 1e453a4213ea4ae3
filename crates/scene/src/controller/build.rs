//! Builds controllers from their specs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use burgess_agents::flock::{FlockPilot, Flyer};
use burgess_agents::pedestrians::Pedestrians;
use burgess_dynamics::Motor;
use burgess_files::{At, Fault};
use burgess_geometry::MassProperties;
use burgess_simulation::{Controllers, HighLevelController, LowLevelController};
use glam::DVec3;

use super::flock::FlockSpec;
use super::forces::{ConstantForce, FieldTarget, Fluid, ForceField, PointOn, Spring};
use super::impulse::Blow;
use super::motors::{MotorSchedule, SpeedLimiter};
use crate::build::{BuiltBody, BuiltScene, FluidDrag};
use crate::error::FieldError;
use crate::spec::{AnchorSpec, ControllerSpec, ForceFieldSpec, FrameSpec, SceneSpec, SpringSpec, TargetKey};

/// The controllers of a scene.
#[derive(Debug, Default)]
pub(crate) struct SceneControllers {
    low_level: Vec<Arc<dyn LowLevelController>>,
    high_level: Vec<Arc<dyn HighLevelController>>,
    flocks: Vec<FlockPilot>,
    crowds: Vec<Arc<Pedestrians>>,
}

impl SceneControllers {
    /// Adds the controllers, and the fluid, to those of a simulation. Returns the crowds, each with the number of its
    /// high-level controller.
    pub fn add_to(self, controllers: &mut Controllers, fluid: Option<FluidDrag>) -> Vec<(usize, Arc<Pedestrians>)> {
        let fluid = fluid.map(|drag| Arc::new(Fluid(drag)) as Arc<dyn LowLevelController>);
        for controller in fluid.into_iter().chain(self.low_level) {
            controllers.add_low_level(controller);
        }
        for controller in self.high_level {
            controllers.add_high_level(controller);
        }
        self.flocks.into_iter().for_each(|flock| flock.add_to(controllers));
        let mut crowds = Vec::new();
        for crowd in self.crowds {
            crowds.push((controllers.high_level_count(), crowd.clone()));
            controllers.add_high_level(crowd);
        }
        crowds
    }
}

/// Builds the controllers of a scene.
pub(crate) fn build_controllers(
    scene: &SceneSpec,
    built: &BuiltScene,
    step: f64,
) -> Result<SceneControllers, FieldError> {
    let names = scene.bodies.iter().enumerate().map(|(index, body)| (body.name.as_str(), index)).collect();
    let builder = ControllerBuilder {
        scene,
        built,
        step,
        names,
        driven: BTreeSet::new(),
        controllers: SceneControllers::default(),
    };
    builder.build()
}

struct ControllerBuilder<'a> {
    scene: &'a SceneSpec,
    built: &'a BuiltScene,
    step: f64,
    names: BTreeMap<&'a str, usize>,
    /// Degrees of freedom whose motor has a controller.
    driven: BTreeSet<usize>,
    controllers: SceneControllers,
}

impl<'a> ControllerBuilder<'a> {
    fn build(mut self) -> Result<SceneControllers, FieldError> {
        let list = At::ROOT.field("controllers");
        for (index, controller) in self.scene.controllers.iter().enumerate() {
            self.add(list.index(index), controller)?;
        }
        Ok(self.controllers)
    }

    fn add(&mut self, at: At, controller: &ControllerSpec) -> Result<(), FieldError> {
        match controller {
            ControllerSpec::ForceField(field) => self.add_field(field),
            ControllerSpec::Spring(spring) => self.add_spring(spring),
            ControllerSpec::ConstantForce(spec) => {
                let Some((link, body)) = self.body(&spec.body) else { return Ok(()) };
                let (point, frame, when) = (point_on(body, spec.point), spec.frame, spec.when);
                let [force, torque] = [spec.force, spec.torque].map(|vector| along_link(body, frame, vector));
                self.controllers.low_level.push(Arc::new(ConstantForce { link, point, force, torque, frame, when }));
            }
            ControllerSpec::MotorSchedule(spec) => {
                let Some(dof) = self.drive(at.field("joint"), &spec.joint, spec.axis)? else { return Ok(()) };
                let motor = self.built.world.model().properties()[dof].motor;
                let joint = self.scene.bodies[self.names[spec.joint.as_str()]].joint.as_ref();
                let unit = match motor {
                    Motor::Effort(_) => 1.0,
                    _ => joint.map_or(1.0, |joint| joint.target_unit(spec.axis)),
                };
                let scaled = |key: &TargetKey| TargetKey { time: key.time, target: key.target * unit };
                self.controllers.high_level.push(Arc::new(MotorSchedule {
                    dof,
                    motor,
                    keys: spec.keys.iter().map(scaled).collect(),
                    between: spec.between,
                    period: spec.period,
                }));
            }
            ControllerSpec::SpeedLimiter(spec) => {
                for (index, joint) in spec.joints.iter().enumerate() {
                    let list = at.field("joints");
                    let Some(dof) = self.drive(list.index(index), joint, spec.axis)? else { continue };
                    self.controllers.high_level.push(Arc::new(SpeedLimiter {
                        dof,
                        motor: self.built.world.model().properties()[dof].motor,
                        torque: spec.torque,
                        max_speed: spec.max_speed,
                        when: spec.when,
                    }));
                }
            }
            ControllerSpec::Impulse(spec) => {
                let Some((link, body)) = self.body(&spec.body) else { return Ok(()) };
                let (point, step) = (point_on(body, spec.point), self.step);
                let (impulse, frame, time) = (along_link(body, spec.frame, spec.impulse), spec.frame, spec.time);
                self.controllers.high_level.push(Arc::new(Blow { link, point, impulse, frame, time, step }));
            }
            ControllerSpec::Flock(spec) => self.add_flock(spec),
            ControllerSpec::Crowd(spec) => {
                let bodies = self.scene.bodies.iter().map(|body| (body.name.as_str(), body)).collect();
                let link = |name: &str| self.body(name).map(|(link, _)| link);
                self.controllers.crowds.push(Arc::new(spec.build(at, &bodies, link, self.step)?));
            }
        }
        Ok(())
    }

    fn add_field(&mut self, field: &ForceFieldSpec) {
        let named = field.bodies.iter().filter_map(|name| self.names.get(name.as_str()).copied());
        let bodies: Vec<usize> =
            if field.bodies.is_empty() { (0..self.built.bodies.len()).collect() } else { named.collect() };
        let target = |&body: &usize| {
            let MassProperties { mass, center_of_mass, .. } = self.built.bodies[body].mass?;
            let force = field.force.unwrap_or_default() + mass * field.acceleration.unwrap_or_default();
            Some(FieldTarget { link: self.built.link_index(body)?, center: center_of_mass, force })
        };
        let targets = bodies.iter().filter_map(target).collect();
        self.controllers.low_level.push(Arc::new(ForceField { targets, region: field.region, when: field.when }));
    }

    fn add_flock(&mut self, spec: &FlockSpec) {
        let flyer = |name: &String| Some(Flyer::of_link(self.built.world.model(), self.body(name)?.0));
        let flyers = spec.bodies.iter().chain(&spec.predators).filter_map(flyer).collect();
        let colliders = |name: &String| Some(self.built.bodies[*self.names.get(name.as_str())?].colliders.clone());
        let obstacles = spec.obstacles.iter().filter_map(colliders).flatten().collect();
        self.controllers.flocks.push(FlockPilot::new(spec.settings, flyers, spec.predators.len(), obstacles));
    }

    fn add_spring(&mut self, spring: &SpringSpec) {
        let ends = [self.end(&spring.a), self.end(&spring.b)];
        let (length, stiffness, damping, when) = (spring.length, spring.stiffness, spring.damping, spring.when);
        self.controllers.low_level.push(Arc::new(Spring { ends, length, stiffness, damping, when }));
    }

    /// A body with its link.
    fn body(&self, name: &str) -> Option<(usize, &'a BuiltBody)> {
        let &body = self.names.get(name)?;
        Some((self.built.link_index(body)?, &self.built.bodies[body]))
    }

    fn end(&self, anchor: &AnchorSpec) -> PointOn {
        let body = anchor.body.as_deref().and_then(|name| self.names.get(name));
        let Some(&body) = body else { return PointOn { link: None, point: anchor.position } };
        let (_, frame) = self.built.bodies[body].place();
        PointOn { link: self.built.link_index(body), point: frame.transform_point(anchor.position) }
    }

    /// The degree of freedom of a joint's axis. Fails if another controller has its motor.
    fn drive(&mut self, at: At, joint: &str, axis: usize) -> Result<Option<usize>, FieldError> {
        let Some((link, _)) = self.body(joint) else { return Ok(None) };
        let dof = self.built.world.model().links()[link].v + axis;
        if !self.driven.insert(dof) {
            let why = format!("another controller has axis {axis} of the joint of '{joint}' already");
            return Err(at.fault(Fault::Conflict(why)));
        }
        Ok(Some(dof))
    }
}

/// Converts a point of a body to the coordinates of its link, in m; the centre of mass if no point is given.
fn point_on(body: &BuiltBody, point: Option<DVec3>) -> DVec3 {
    let center = body.mass.map_or(body.in_link.translation, |mass| mass.center_of_mass);
    point.map_or(center, |point| body.in_link.transform_point(point))
}

/// Converts a vector from the axes of a body to those of its link; a vector along the world's axes is unchanged.
fn along_link(body: &BuiltBody, frame: FrameSpec, vector: DVec3) -> DVec3 {
    match frame {
        FrameSpec::World => vector,
        FrameSpec::Body => body.in_link.transform_vector(vector),
    }
}
