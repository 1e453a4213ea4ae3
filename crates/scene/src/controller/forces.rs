//! Low-level controllers: forces as functions of time, positions and velocities (Fontijne (2000) section 3.7). They
//! have no state.

use burgess_dynamics::Workspace;
use burgess_simulation::{LowLevelController, World};
use glam::DVec3;

use super::TIME_TOLERANCE;
use crate::build::FluidDrag;
use crate::spec::{FrameSpec, Interval, RegionSpec};

/// A point of a link, in the link's coordinates, or of the world, in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PointOn {
    pub link: Option<usize>,
    pub point: DVec3,
}

impl PointOn {
    /// Its position and velocity, in m and m/s.
    pub fn motion(&self, world: &World, workspace: &Workspace) -> (DVec3, DVec3) {
        let Some(link) = self.link else { return (self.point, DVec3::ZERO) };
        let place = workspace.pose(world.model(), link).transform_point(self.point);
        (place, workspace.velocity_at(link, place).linear)
    }
}

/// Converts a vector to the axes of the world.
pub(super) fn in_world(frame: FrameSpec, vector: DVec3, world: &World, workspace: &Workspace, link: usize) -> DVec3 {
    match frame {
        FrameSpec::World => vector,
        FrameSpec::Body => workspace.pose(world.model(), link).transform_vector(vector),
    }
}

/// Returns whether a controller acts at a time (s).
pub(super) fn acts(when: &Interval, time: f64) -> bool {
    when.contains(time + TIME_TOLERANCE)
}

/// A body in a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FieldTarget {
    pub link: usize,
    /// Centre of mass in the link's coordinates, in m.
    pub center: DVec3,
    /// Force, in N.
    pub force: DVec3,
}

/// The same acceleration or force on many bodies.
#[derive(Debug)]
pub(super) struct ForceField {
    pub targets: Vec<FieldTarget>,
    pub region: Option<RegionSpec>,
    pub when: Interval,
}

impl LowLevelController for ForceField {
    fn load(&self, _memory: &[f64], world: &World, time: f64, workspace: &mut Workspace) {
        if !acts(&self.when, time) {
            return;
        }
        for target in &self.targets {
            let center = workspace.pose(world.model(), target.link).transform_point(target.center);
            let inside = |region: &RegionSpec| center.cmpge(region.min).all() && center.cmple(region.max).all();
            if self.region.as_ref().is_none_or(inside) {
                workspace.apply_force(target.link, target.force, DVec3::ZERO, center);
            }
        }
    }
}

/// A damped spring between two points.
#[derive(Debug)]
pub(super) struct Spring {
    pub ends: [PointOn; 2],
    pub length: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub when: Interval,
}

impl LowLevelController for Spring {
    fn load(&self, _memory: &[f64], world: &World, time: f64, workspace: &mut Workspace) {
        if !acts(&self.when, time) {
            return;
        }
        let [(a, velocity_a), (b, velocity_b)] = self.ends.map(|end| end.motion(world, workspace));
        // Coincident points define no direction.
        let Some(direction) = (b - a).try_normalize() else { return };
        let rate = (velocity_b - velocity_a).dot(direction);
        let pull = direction * (self.stiffness * ((b - a).length() - self.length) + self.damping * rate);
        for (end, force, point) in [(self.ends[0], pull, a), (self.ends[1], -pull, b)] {
            if let Some(link) = end.link {
                workspace.apply_force(link, force, DVec3::ZERO, point);
            }
        }
    }
}

/// A force at a point of a body, and a torque.
#[derive(Debug)]
pub(super) struct ConstantForce {
    pub link: usize,
    pub point: DVec3,
    pub force: DVec3,
    pub torque: DVec3,
    pub frame: FrameSpec,
    pub when: Interval,
}

impl LowLevelController for ConstantForce {
    fn load(&self, _memory: &[f64], world: &World, time: f64, workspace: &mut Workspace) {
        if !acts(&self.when, time) {
            return;
        }
        let along = |vector| in_world(self.frame, vector, world, workspace, self.link);
        let (force, torque) = (along(self.force), along(self.torque));
        let point = workspace.pose(world.model(), self.link).transform_point(self.point);
        workspace.apply_force(self.link, force, torque, point);
    }
}

/// The scene's fluid.
#[derive(Debug)]
pub(super) struct Fluid(pub FluidDrag);

impl LowLevelController for Fluid {
    fn load(&self, _memory: &[f64], world: &World, _time: f64, workspace: &mut Workspace) {
        self.0.apply(world.model(), workspace);
    }
}
