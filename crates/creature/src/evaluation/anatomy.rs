//! A creature in a running scene, prepared for observation: where its parts are, how low they reach, what touches them.
//!
//! Everything constant is computed once, so that an observation takes a few dozen nanoseconds per part and does not
//! allocate.

use std::sync::Arc;

use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_dynamics::{Motor, Workspace};
use burgess_geometry::{Pose, Shape};
use burgess_scene::RunningScene;
use burgess_simulation::{SimulationData, World};
use glam::{DQuat, DVec3};

use crate::develop::Developed;
use crate::part_shape::PartShape;
use crate::phenotype::Phenotype;

/// Shapes closer than this touch, in m.
const TOUCH_DISTANCE: f64 = 1e-3;

/// A creature in a running scene.
#[derive(Debug)]
pub(super) struct Anatomy {
    pub parts: Vec<TrackedPart>,
    pub axes: Vec<Axis>,
    /// Total mass, in kg.
    pub mass: f64,
    /// For each collider of the world, the part that it belongs to.
    parts_of_colliders: Vec<Option<usize>>,
}

/// A part of a creature in a running scene.
#[derive(Debug)]
pub(super) struct TrackedPart {
    shape: PartShape,
    /// Index of the link; `None` if the part is fixed to the world, and the other members are in world coordinates.
    link: Option<usize>,
    /// Middle of the part in the link's inner frame.
    middle: DVec3,
    /// Centre of mass in the link's inner frame.
    center_of_mass: DVec3,
    /// Rotation from the link's inner axes to those of the part.
    to_own_axes: DQuat,
    pub mass: f64,
    /// Collider of the part; `None` only in a world that was not built from a scene.
    collider: Option<usize>,
    pub axes: std::ops::Range<usize>,
}

/// Indices of an axis of a joint in the state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub q: usize,
    pub v: usize,
}

/// Position and extent of a creature at one time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Observation {
    /// Centre of mass, in m.
    pub center_of_mass: DVec3,
    /// Middle of the root, in m.
    pub trunk: DVec3,
    /// Height of the lowest point, in m.
    pub lowest: f64,
    /// Height of the highest point, in m.
    pub highest: f64,
}

impl Anatomy {
    pub fn new(phenotype: &Phenotype, developed: &Developed, density: f64, scene: &RunningScene) -> Self {
        let world = scene.simulation.world();
        let mut axes = Vec::new();
        let mut parts_of_colliders = vec![None; world.colliders().len()];
        let mut parts = Vec::with_capacity(phenotype.body.parts.len());
        for (index, part) in phenotype.body.parts.iter().enumerate() {
            let built = &scene.bodies[developed.first_body + index];
            let link = built.link.and_then(|link| world.index(link));
            // Pose of the part in the link's inner frame.
            let frame = match link {
                Some(link) => world.model().links()[link].frame.inverse().compose(&built.in_link),
                None => built.pose,
            };
            let properties = part.shape.shape().and_then(|shape| shape.mass_properties(density));
            let (mass, center) = properties.map_or((0.0, DVec3::ZERO), |own| (own.mass, own.center_of_mass));
            let first_axis = axes.len();
            if let Some(link) = link {
                let link = &world.model().links()[link];
                axes.extend((0..part.axes()).map(|axis| Axis { q: link.q + axis, v: link.v + axis }));
            }
            parts_of_colliders[built.colliders.clone()].fill(Some(index));
            parts.push(TrackedPart {
                shape: part.shape,
                link,
                middle: frame.translation,
                center_of_mass: frame.transform_point(center),
                to_own_axes: frame.rotation.conjugate(),
                mass,
                collider: built.colliders.clone().next(),
                axes: first_axis..axes.len(),
            });
        }
        let mass = parts.iter().map(|part| part.mass).sum();
        Self { parts, axes, mass, parts_of_colliders }
    }

    /// Observes the creature. The workspace must be up to date.
    pub fn observe(&self, workspace: &Workspace) -> Observation {
        let mut observation =
            Observation { lowest: f64::INFINITY, highest: f64::NEG_INFINITY, ..Observation::default() };
        for part in &self.parts {
            let (middle, up) = (part.world_point(workspace, part.middle), part.to_part_axes(workspace, DVec3::Z));
            observation.lowest = observation.lowest.min(middle.z - part.shape.reach(-up));
            observation.highest = observation.highest.max(middle.z + part.shape.reach(up));
            observation.center_of_mass += part.mass * part.world_point(workspace, part.center_of_mass);
        }
        observation.center_of_mass /= self.mass.max(f64::MIN_POSITIVE);
        observation.trunk = self.parts.first().map_or(DVec3::ZERO, |root| root.world_point(workspace, root.middle));
        observation
    }

    /// Returns the longest side of the bounding box along the world's axes, in m.
    pub fn extent(&self, workspace: &Workspace) -> f64 {
        let side = |axis: DVec3| self.farthest(workspace, axis) + self.farthest(workspace, -axis);
        side(DVec3::X).max(side(DVec3::Y)).max(side(DVec3::Z))
    }

    /// Returns how far the creature reaches along a direction from the origin of the world, in m.
    pub fn farthest(&self, workspace: &Workspace, direction: DVec3) -> f64 {
        self.parts.iter().fold(f64::NEG_INFINITY, |farthest, part| {
            let middle = part.world_point(workspace, part.middle).dot(direction);
            farthest.max(middle + part.shape.reach(part.to_part_axes(workspace, direction)))
        })
    }

    /// Calls `visit` for every contact of the last step with the part, the other part if it belongs to the same
    /// creature, and the gap in m.
    pub fn contacts(&self, data: &SimulationData, mut visit: impl FnMut(usize, Option<usize>, f64)) {
        for contact in data.detection.contacts() {
            let [a, b] = [contact.collider_a, contact.collider_b]
                .map(|collider| self.parts_of_colliders.get(collider as usize).copied().flatten());
            if contact.distance <= TOUCH_DISTANCE
                && let Some(part) = a.or(b)
            {
                visit(part, a.and(b), contact.distance);
            }
        }
    }

    /// Returns whether a part touched another collider in the last step.
    pub fn touches(&self, data: &SimulationData, other: usize) -> bool {
        data.detection.contacts().iter().any(|contact| {
            let pair = [contact.collider_a as usize, contact.collider_b as usize];
            contact.distance <= TOUCH_DISTANCE
                && pair.contains(&other)
                && pair.iter().any(|collider| self.parts_of_colliders.get(*collider).is_some_and(Option::is_some))
        })
    }

    /// Returns the smallest gap to a shape at a pose, in m; negative for a penetration.
    pub fn gap(&self, data: &SimulationData, other: &Shape, pose: &Pose, scratch: &mut NarrowScratch) -> f64 {
        let mut least = f64::INFINITY;
        for collider in self.parts.iter().filter_map(|part| part.collider) {
            let own = data.world.collider_pose(&data.workspace, collider);
            let shape = &data.world.colliders()[collider].shape;
            let found = closest(shape, &own, other, pose, &mut PairCache::default(), scratch);
            least = found.map_or(least, |found| least.min(found.proximity.distance));
        }
        least
    }

    /// Returns the smallest gap to another creature, in m.
    pub fn gap_to(&self, other: &Self, data: &SimulationData, scratch: &mut NarrowScratch) -> f64 {
        let colliders = other.parts.iter().filter_map(|part| part.collider);
        colliders.fold(f64::INFINITY, |least, collider| {
            let (shape, pose) = placed_shape(&data.world, &data.workspace, collider);
            least.min(self.gap(data, &shape, &pose, scratch))
        })
    }

    /// Returns half the thickness of a part, in m.
    pub fn half_thickness(&self, part: usize) -> f64 {
        self.parts[part].shape.half_thickness()
    }

    /// Returns the effort of an axis' muscle, in N m: the driven effort minus the loss with speed.
    pub fn effort(data: &SimulationData, axis: Axis) -> f64 {
        Self::driven_effort(data, axis) - data.world.model().properties()[axis.v].damping * data.state.v[axis.v]
    }

    /// Returns the effort that the motor of an axis gives, in N m.
    pub fn driven_effort(data: &SimulationData, axis: Axis) -> f64 {
        let properties = &data.world.model().properties()[axis.v];
        let (q, v) = (data.state.q[axis.q], data.state.v[axis.v]);
        let wanted = match data.state.motors[axis.v] {
            Motor::None => 0.0,
            Motor::Effort(effort) => effort,
            Motor::Velocity { target, gain } => gain * (target - v),
            Motor::Position { target, stiffness, damping } => stiffness * (target - q) - damping * v,
        };
        wanted.min(properties.max_effort).max(-properties.max_effort)
    }
}

impl TrackedPart {
    /// Returns the height of the lowest point, in m.
    pub fn lowest(&self, workspace: &Workspace) -> f64 {
        let down = self.to_part_axes(workspace, DVec3::NEG_Z);
        self.world_point(workspace, self.middle).z - self.shape.reach(down)
    }

    fn world_point(&self, workspace: &Workspace, inner: DVec3) -> DVec3 {
        self.link.map_or(inner, |link| workspace.inner_point(link, inner))
    }

    fn to_part_axes(&self, workspace: &Workspace, vector: DVec3) -> DVec3 {
        self.to_own_axes * self.link.map_or(vector, |link| workspace.to_inner_axes(link, vector))
    }
}

/// Returns the shape of a collider and its pose.
pub(super) fn placed_shape(world: &World, workspace: &Workspace, collider: usize) -> (Arc<Shape>, Pose) {
    (world.colliders()[collider].shape.clone(), world.collider_pose(workspace, collider))
}
