//! Distances to the colliders that members avoid.

use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_dynamics::Workspace;
use burgess_geometry::shape::Sphere;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::World;
use glam::DVec3;

/// Radius of the sphere that stands for a point, in m.
const POINT_RADIUS: f64 = 1e-3;

/// Finds the nearest points of colliders.
#[derive(Debug, Default)]
pub(super) struct Obstacles {
    /// Indices of the colliders.
    pub colliders: Vec<usize>,
    poses: Vec<Pose>,
    scratch: NarrowScratch,
}

impl Obstacles {
    /// Creates obstacles from indices of colliders.
    pub fn new(colliders: Vec<usize>) -> Self {
        Self { colliders, ..Self::default() }
    }

    /// Takes the present poses of the colliders.
    pub fn place(&mut self, world: &World, workspace: &Workspace) {
        self.poses.clear();
        self.poses.extend(self.colliders.iter().map(|&collider| world.collider_pose(workspace, collider)));
    }

    /// Calls `visit` with the offset (m) from a point to the nearest point of every collider. For a point inside a
    /// collider, it is a short way into it.
    pub fn offsets(&mut self, world: &World, point: DVec3, mut visit: impl FnMut(DVec3)) {
        let Ok(sphere) = Sphere::new(POINT_RADIUS) else { return };
        let (shape, pose) = (Shape::Sphere(sphere), Pose::from_translation(point));
        for (&collider, own) in self.colliders.iter().zip(&self.poses) {
            let other = &world.colliders()[collider].shape;
            // Each query is on its own: the result must not depend on earlier ones.
            let found = closest(&shape, &pose, other, own, &mut PairCache::default(), &mut self.scratch);
            if let Some(found) = found {
                let distance = (found.proximity.distance + POINT_RADIUS).max(POINT_RADIUS);
                visit(found.proximity.normal * distance);
            }
        }
    }
}
