//! From senses over the brain to the muscles, as a timer of the simulation. All that changes is in the timer's memory, so
//! that a snapshot of the simulation is one of the creature, too.
//!
//! ```text
//!   memory:  target index | outputs, one for each axis | senses of all parts | memory of the brain
//! ```

use std::ops::Range;
use std::sync::Arc;

use burgess_geometry::Pose;
use burgess_scene::{Actuators, RunningScene};
use burgess_simulation::{Hands, HighLevelController};
use glam::DVec3;

use crate::brain::Brain;
use crate::develop::Developed;
use crate::phenotype::{Drive, Phenotype};
use crate::physiology::Physiology;
use crate::senses::{Sense, place};

/// What a creature is after.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Target {
    /// Nothing.
    #[default]
    None,
    /// A body of the scene, by index.
    Body(usize),
    /// Places in order, in m; the next one counts when the middle of the root is within the radius (m) of one.
    Places {
        /// In m.
        places: Vec<DVec3>,
        /// In m.
        radius: f64,
        /// Is the distance measured along the ground only?
        flat: bool,
    },
}

/// The nervous system of one creature in a running scene.
#[derive(Debug)]
pub struct Nerves {
    brain: Brain,
    actuators: Actuators,
    first_actuator: usize,
    organs: Vec<Organ>,
    axes: usize,
    period: f64,
    /// Muscles are slack before, in s.
    start: f64,
    target: Target,
    target_link: Option<usize>,
    body_length: f64,
    speed: f64,
}

/// A part as nerves see it.
#[derive(Debug)]
struct Organ {
    link: Option<usize>,
    /// The part's frame on its link, or in the world.
    frame: Pose,
    colliders: Range<usize>,
    mirrored: bool,
    /// Places in the state.
    q: usize,
    v: usize,
    limits: Vec<[f64; 2]>,
    /// Of the axes, at rest.
    directions: Vec<DVec3>,
    /// Number of its first axis among all.
    first_axis: usize,
    drive: Drive,
}

impl Nerves {
    /// Of a creature that was developed into a scene that runs. Muscles are slack until `start` (s).
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
        let organs = phenotype.body.parts.iter().enumerate().map(|(index, part)| {
            let built = &scene.bodies[developed.first_body + index];
            let link = built.link.and_then(|link| world.index(link));
            let (q, v) = link.map_or((0, 0), |link| (world.model().links()[link].q, world.model().links()[link].v));
            let axes = part.attachment.as_ref().map(|on| on.axes.as_slice()).unwrap_or_default();
            let organ = Organ {
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
            organ
        });
        let organs: Vec<Organ> = organs.collect();
        let target_link = match target {
            Target::Body(body) => scene.link_index(body),
            _ => None,
        };
        Self {
            brain: phenotype.brain.clone(),
            actuators: scene.actuators.clone(),
            first_actuator: developed.first_actuator,
            organs,
            axes: first_axis,
            period: 1.0 / physiology.brain_rate,
            start,
            target,
            target_link,
            body_length: phenotype.body.length(),
            speed: physiology.speed,
        }
    }

    /// Adds it to the timers of the simulation that it was made for.
    pub fn join(self, scene: &mut RunningScene) {
        scene.simulation.data_mut().controllers.add_high_level(Arc::new(self));
    }

    /// Where the outputs of the brain are in its memory.
    pub fn outputs(&self) -> Range<usize> {
        1..1 + self.axes
    }

    /// Where the senses are in its memory.
    pub fn senses(&self) -> Range<usize> {
        let start = self.outputs().end;
        start..start + self.organs.len() * Sense::COUNT
    }

    fn target_point(&self, index: usize, hands: &Hands) -> Option<DVec3> {
        match &self.target {
            Target::None => None,
            Target::Body(_) => self.target_link.map(|link| hands.workspace.pose(hands.world.model(), link).translation),
            Target::Places { places, .. } => places.get(index.min(places.len().saturating_sub(1))).copied(),
        }
    }

    fn feel(&self, senses: &mut [f64], target: Option<DVec3>, hands: &Hands) {
        for (part, organ) in self.organs.iter().enumerate() {
            let mut put = |sense: Sense, value: f64| senses[place(part, sense)] = value;
            for (axis, limit) in organ.limits.iter().enumerate() {
                let angle = hands.state.q[organ.q + axis];
                let range = if angle < 0.0 { -limit[0] } else { limit[1] };
                let share = if range > 0.0 { angle / range } else { 0.0 };
                put(Sense::ALL[Sense::Angle0.channel() + axis], share.clamp(-2.0, 2.0));
                let rate = hands.state.v[organ.v + axis] / self.speed;
                put(Sense::ALL[Sense::Rate0.channel() + axis], rate.clamp(-1.0, 1.0));
            }
            let (pose, turn) = match organ.link {
                Some(link) => {
                    let pose = hands.workspace.pose(hands.world.model(), link).compose(&organ.frame);
                    (pose, hands.workspace.velocity_at(link, pose.translation).angular)
                }
                None => (organ.frame, DVec3::ZERO),
            };
            // A mirror image has y turned round; what turns about x and z turns the other way.
            let side = if organ.mirrored { -1.0 } else { 1.0 };
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
                let way = target - pose.translation;
                put_vector(Sense::TargetX, own(way.normalize_or_zero()));
                let distance = way.length() / self.body_length;
                put(Sense::TargetDistance, distance / (1.0 + distance));
            }
            let height = pose.translation.z / self.body_length;
            put(Sense::Height, height / (1.0 + height.abs()));
            put(Sense::Contact, 0.0);
        }
        for (pair, record) in hands.pairs.iter() {
            if record.impulses.iter().all(|stored| stored.impulse == DVec3::ZERO) {
                continue;
            }
            for (part, organ) in self.organs.iter().enumerate() {
                if organ.colliders.contains(&pair.a.index()) || organ.colliders.contains(&pair.b.index()) {
                    senses[place(part, Sense::Contact)] = 1.0;
                }
            }
        }
    }

    /// Goes to the next place when the present one is reached.
    fn chase(&self, index: &mut f64, hands: &Hands) {
        let Target::Places { places, radius, flat } = &self.target else { return };
        let (Some(organ), Some(place)) = (self.organs.first(), places.get(*index as usize)) else { return };
        let root = organ.link.map_or(organ.frame.translation, |link| {
            hands.workspace.pose(hands.world.model(), link).transform_point(organ.frame.translation)
        });
        let way = *place - root;
        let distance = if *flat { libm::hypot(way.x, way.y) } else { way.length() };
        if distance <= *radius {
            *index += 1.0;
        }
    }

    fn drive(&self, outputs: &[f64], hands: &mut Hands) {
        for organ in &self.organs {
            let axes = organ.first_axis..organ.first_axis + organ.limits.len();
            let wanted = &outputs[axes.clone()];
            // The strength is that of the joint, whatever the number of its axes and the angles between them at rest.
            let each = wanted.iter().map(|output| output * output).sum::<f64>();
            let sum: DVec3 = wanted.iter().zip(&organ.directions).map(|(output, direction)| *output * *direction).sum();
            let together = libm::sqrt(each.max(sum.length_squared()));
            let share = match organ.drive {
                Drive::Effort if together > 1.0 => 1.0 / together,
                _ => 1.0,
            };
            for (&output, axis) in wanted.iter().zip(axes) {
                self.actuators.order_control(hands, self.first_actuator + axis, share * output);
            }
        }
    }
}

impl HighLevelController for Nerves {
    fn period(&self) -> f64 {
        self.period
    }

    fn memory(&self) -> usize {
        self.senses().end + self.brain.memory()
    }

    fn initial(&self, memory: &mut [f64]) {
        self.brain.initial(&mut memory[self.senses().end..]);
    }

    fn act(&self, memory: &mut [f64], hands: &mut Hands) {
        // Half a period of grace for the rounding of times.
        if hands.state.time < self.start - 0.5 * self.period {
            for axis in 0..self.axes {
                self.actuators.order_slack(hands, self.first_actuator + axis);
            }
            return;
        }
        let (felt, brain) = memory.split_at_mut(self.senses().end);
        let (felt, senses) = felt.split_at_mut(self.senses().start);
        let [index, outputs @ ..] = felt else { return };
        self.chase(index, hands);
        let target = self.target_point(*index as usize, hands);
        self.feel(senses, target, hands);
        self.brain.update(brain, senses, self.period, outputs);
        self.drive(outputs, hands);
    }
}
