//! The controller of a creature: from its senses through the brain to the muscles, as a timer of the simulation. All of
//! its state is in the timer's memory, so a snapshot of the simulation includes the creature.
//!
//! ```text
//!   memory:  target index | outputs, one for each axis | senses of all parts | memory of the brain
//! ```

use std::ops::Range;
use std::sync::Arc;

use burgess_dynamics::{State, Workspace};
use burgess_geometry::Pose;
use burgess_scene::{Actuators, RunningScene};
use burgess_simulation::{ControllerContext, HighLevelController, SimulationData, World};
use glam::DVec3;

use crate::brain::Brain;
use crate::develop::Developed;
use crate::phenotype::{Drive, Phenotype};
use crate::physiology::Physiology;
use crate::senses::{Sense, sense_index};

/// Differences of times that are rounding, in s.
const ROUNDING_TIME: f64 = 1e-9;

/// The target of a creature's senses.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Target {
    /// No target.
    #[default]
    None,
    /// A body of the scene, by index.
    Body(usize),
    /// Positions to reach in order. The next one is the target when the middle of the root is within the radius.
    Places {
        /// Positions, in m.
        places: Vec<DVec3>,
        /// Radius, in m.
        radius: f64,
        /// Whether the distance is horizontal.
        flat: bool,
    },
}

/// The controller of one creature in a running scene.
#[derive(Debug)]
pub struct CreatureController {
    brain: Brain,
    actuators: Actuators,
    first_actuator: usize,
    parts: Vec<ControlledPart>,
    axes: usize,
    period: f64,
    /// Time until which muscles are slack, in s.
    start: f64,
    target: Target,
    target_link: Option<usize>,
    body_length: f64,
    speed: f64,
    /// Index among the high-level controllers of the simulation, once it was added.
    index: usize,
    /// Whether the outputs in the memory are set from outside, instead of by the brain.
    pub(crate) is_driven_from_outside: bool,
}

/// A part with what the controller needs to know about it.
#[derive(Debug)]
struct ControlledPart {
    link: Option<usize>,
    /// Pose of the part on its link, or in the world.
    frame: Pose,
    colliders: Range<usize>,
    mirrored: bool,
    /// Index of the first coordinate in the state.
    q: usize,
    v: usize,
    limits: Vec<[f64; 2]>,
    /// Directions of the axes at rest.
    directions: Vec<DVec3>,
    /// Index of its first axis among all axes.
    first_axis: usize,
    drive: Drive,
}

/// The data that senses are computed from.
#[derive(Debug, Clone, Copy)]
struct SensedScene<'a> {
    world: &'a World,
    state: &'a State,
    workspace: &'a Workspace,
}

impl CreatureController {
    /// Creates the controller of a creature that was developed into a running scene. Muscles are slack until `start`
    /// (s).
    pub fn new(
        phenotype: &Phenotype,
        developed: &Developed,
        physiology: &Physiology,
        start: f64,
        target: Target,
        scene: &RunningScene,
    ) -> Self {
        let world = scene.simulation.world();
        let mut first_axis = 0;
        let parts = phenotype.body.parts.iter().enumerate().map(|(index, part)| {
            let built = &scene.bodies[developed.first_body + index];
            let link = built.link.and_then(|link| world.index(link));
            let (q, v) = link.map_or((0, 0), |link| (world.model().links()[link].q, world.model().links()[link].v));
            let axes = part.attachment.as_ref().map(|on| on.axes.as_slice()).unwrap_or_default();
            let part_state = ControlledPart {
                link,
                frame: if link.is_some() { built.in_link } else { built.pose },
                colliders: built.colliders.clone(),
                mirrored: part.mirrored,
                q,
                v,
                limits: axes.iter().map(|axis| axis.limit).collect(),
                directions: axes.iter().map(|axis| axis.direction).collect(),
                first_axis,
                drive: part.attachment.as_ref().map_or(Drive::Effort, |on| on.drive),
            };
            first_axis += axes.len();
            part_state
        });
        let parts: Vec<ControlledPart> = parts.collect();
        let target_link = match target {
            Target::Body(body) => scene.link_index(body),
            _ => None,
        };
        Self {
            brain: phenotype.brain.clone(),
            actuators: scene.actuators.clone(),
            first_actuator: developed.first_actuator,
            parts,
            axes: first_axis,
            period: 1.0 / physiology.brain_rate,
            start,
            target,
            target_link,
            body_length: phenotype.body.length(),
            speed: physiology.speed,
            index: 0,
            is_driven_from_outside: false,
        }
    }

    /// Adds the controller to the timers of the simulation that it was created for, and returns it.
    pub fn add_to(mut self, scene: &mut RunningScene) -> Arc<Self> {
        let controllers = &mut scene.simulation.data_mut().controllers;
        self.index = controllers.high_level_count();
        let shared = Arc::new(self);
        controllers.add_high_level(Arc::clone(&shared) as Arc<dyn HighLevelController>);
        shared
    }

    /// Returns the index among the high-level controllers of the simulation.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Returns the number of axes, which is that of the outputs.
    pub(crate) fn axes(&self) -> usize {
        self.axes
    }

    /// Writes the senses as the brain would read them now, without changing anything. The workspace must be up to date.
    pub(crate) fn sense(&self, data: &SimulationData, senses: &mut [f64]) {
        let scene = SensedScene { world: &data.world, state: &data.state, workspace: &data.workspace };
        let memory = data.controllers.high_level_memory(self.index);
        let mut index = memory.first().copied().unwrap_or(0.0);
        self.advance_target(&mut index, scene);
        senses.fill(0.0);
        self.update_senses(senses, self.target_point(index as usize, scene), scene, &data.pressed_at);
    }

    /// Returns the range of the brain's outputs in the memory.
    pub fn outputs(&self) -> Range<usize> {
        1..1 + self.axes
    }

    /// Returns the range of the senses in the memory.
    pub fn senses(&self) -> Range<usize> {
        let start = self.outputs().end;
        start..start + self.parts.len() * Sense::COUNT
    }

    fn target_point(&self, index: usize, scene: SensedScene) -> Option<DVec3> {
        match &self.target {
            Target::None => None,
            Target::Body(_) => self.target_link.map(|link| scene.workspace.pose(scene.world.model(), link).translation),
            Target::Places { places, .. } => places.get(index.min(places.len().saturating_sub(1))).copied(),
        }
    }

    fn update_senses(&self, senses: &mut [f64], target: Option<DVec3>, scene: SensedScene, pressed_at: &[f64]) {
        // Touched since the last update: what a single step exerts depends on its length.
        let last_update = scene.state.time - self.period + ROUNDING_TIME;
        for (part, part_state) in self.parts.iter().enumerate() {
            let mut put = |sense: Sense, value: f64| senses[sense_index(part, sense)] = value;
            for (axis, limit) in part_state.limits.iter().enumerate() {
                let angle = scene.state.q[part_state.q + axis];
                let range = if angle < 0.0 { -limit[0] } else { limit[1] };
                let share = if range > 0.0 { angle / range } else { 0.0 };
                put(Sense::ALL[Sense::Angle0.channel() + axis], share.clamp(-2.0, 2.0));
                let rate = scene.state.v[part_state.v + axis] / self.speed;
                put(Sense::ALL[Sense::Rate0.channel() + axis], rate.clamp(-1.0, 1.0));
            }
            let (pose, turn) = match part_state.link {
                Some(link) => {
                    let pose = scene.workspace.pose(scene.world.model(), link).compose(&part_state.frame);
                    (pose, scene.workspace.velocity_at(link, pose.translation).angular)
                }
                None => (part_state.frame, DVec3::ZERO),
            };
            // A mirror image inverts y, and rotations about x and z.
            let side = if part_state.mirrored { -1.0 } else { 1.0 };
            let own = |vector: DVec3| pose.inverse_transform_vector(vector) * DVec3::new(1.0, side, 1.0);
            let own_turn = pose.inverse_transform_vector(turn) * DVec3::new(side, 1.0, side) * 0.1;
            let mut put_vector = |first: Sense, vector: DVec3| {
                for axis in 0..3 {
                    put(Sense::ALL[first.channel() + axis], vector[axis].clamp(-1.0, 1.0));
                }
            };
            put_vector(Sense::UpX, own(DVec3::Z));
            put_vector(Sense::TurnX, own_turn);
            if let Some(target) = target {
                let displacement = target - pose.translation;
                put_vector(Sense::TargetX, own(displacement.normalize_or_zero()));
                let distance = displacement.length() / self.body_length;
                put(Sense::TargetDistance, distance / (1.0 + distance));
            }
            let height = pose.translation.z / self.body_length;
            put(Sense::Height, height / (1.0 + height.abs()));
            let pressed = &pressed_at[part_state.colliders.clone()];
            put(Sense::Contact, f64::from(pressed.iter().any(|&time| time > last_update)));
        }
    }

    /// Advances to the next position when the present one is reached.
    fn advance_target(&self, index: &mut f64, scene: SensedScene) {
        let Target::Places { places, radius, flat } = &self.target else { return };
        let (Some(part_state), Some(place)) = (self.parts.first(), places.get(*index as usize)) else { return };
        let root = part_state.link.map_or(part_state.frame.translation, |link| {
            scene.workspace.pose(scene.world.model(), link).transform_point(part_state.frame.translation)
        });
        let displacement = *place - root;
        let distance = if *flat { libm::hypot(displacement.x, displacement.y) } else { displacement.length() };
        if distance <= *radius {
            *index += 1.0;
        }
    }

    fn drive(&self, outputs: &[f64], context: &mut ControllerContext) {
        for part_state in &self.parts {
            let axes = part_state.first_axis..part_state.first_axis + part_state.limits.len();
            let wanted = &outputs[axes.clone()];
            // All axes share the strength of the joint, whatever the angles between them at rest.
            let each = wanted.iter().map(|output| output * output).sum::<f64>();
            let sum: DVec3 =
                wanted.iter().zip(&part_state.directions).map(|(output, direction)| *output * *direction).sum();
            let together = libm::sqrt(each.max(sum.length_squared()));
            let share = match part_state.drive {
                Drive::Effort if together > 1.0 => 1.0 / together,
                _ => 1.0,
            };
            for ((&output, limit), axis) in wanted.iter().zip(&part_state.limits).zip(axes) {
                let control = match part_state.drive {
                    Drive::Servo { .. } if output < 0.0 => -output * limit[0],
                    Drive::Servo { .. } => output * limit[1],
                    Drive::Effort | Drive::Spring { .. } => share * output,
                };
                self.actuators.order_control(context, self.first_actuator + axis, control);
            }
        }
    }
}

impl HighLevelController for CreatureController {
    fn period(&self) -> f64 {
        self.period
    }

    fn memory(&self) -> usize {
        self.senses().end + self.brain.memory()
    }

    fn initial(&self, memory: &mut [f64]) {
        self.brain.initial(&mut memory[self.senses().end..]);
    }

    fn act(&self, memory: &mut [f64], context: &mut ControllerContext) {
        // A tolerance of half a period for rounding of times.
        if context.state.time < self.start - 0.5 * self.period {
            for axis in 0..self.axes {
                self.actuators.order_slack(context, self.first_actuator + axis);
            }
            return;
        }
        let (values, brain) = memory.split_at_mut(self.senses().end);
        let (values, senses) = values.split_at_mut(self.senses().start);
        let [index, outputs @ ..] = values else { return };
        let scene = SensedScene { world: context.world, state: context.state, workspace: context.workspace };
        self.advance_target(index, scene);
        let target = self.target_point(*index as usize, scene);
        self.update_senses(senses, target, scene, context.pressed_at);
        if !self.is_driven_from_outside {
            self.brain.update(brain, senses, self.period, outputs);
        }
        self.drive(outputs, context);
    }
}
