//! Pair filter for worlds with few colliders: finds pairs that may be near, without boxes, hashes or full poses.
//!
//! With up to some dozens of colliders the list of all pairs that may touch is short and constant. Each moving collider
//! has a bounding sphere. A pair is a candidate if the spheres, grown by the possible motion, overlap; with a
//! half-space, if the collider's lowest point may reach it; with any other fixed collider, if the sphere overlaps its
//! box. Full poses are computed only for colliders of such pairs. The pairs are a superset of those that come near, in
//! ascending order, as those of a broad phase are.

use burgess_collision::broad_phase::{BroadPhase, Pair, ProxyId};
use burgess_dynamics::Workspace;
use burgess_geometry::{Aabb, Pose, Shape};
use glam::{DMat3, DVec3};

use super::Lookahead;
use crate::world::World;

/// Bounds of a collider.
#[derive(Debug, Clone)]
struct ColliderBounds {
    /// Link of the collider; none if it is fixed to the world.
    link: Option<usize>,
    /// Centre and orientation in the link's inner frame.
    center: DVec3,
    rotation: DMat3,
    /// Radius of the sphere about the centre, including the margin, in m.
    radius: f64,
    margin: f64,
    /// Radius about the link's anchor, in m.
    reach: f64,
}

/// Test of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    /// Both colliders move.
    Spheres,
    /// One collider is fixed and has this box; `moving` is the other.
    SphereBox { moving: u32, aabb: Aabb },
    /// One collider is a fixed half-space; `moving` is the other.
    HalfSpace { moving: u32, normal: DVec3, height: f64 },
}

/// The possible pairs of few colliders, and bounding spheres of those that move.
#[derive(Debug, Clone)]
pub(super) struct PairFilter {
    colliders: Vec<ColliderBounds>,
    tests: Vec<(Pair, Test)>,
    /// Centre of each collider in the world, and its maximum motion in the interval.
    spheres: Vec<(DVec3, f64)>,
    pairs: Vec<Pair>,
}

impl PairFilter {
    /// Creates the filter for the colliders of a world and their proxies in a broad phase.
    pub fn new(world: &World, broad_phase: &dyn BroadPhase, proxies: &[ProxyId]) -> Self {
        let bounds_of = |collider: &crate::world::Collider| {
            let center = collider.shape.aabb(&Pose::IDENTITY).center();
            let (link, frame) = match collider.link {
                Some(link) => (Some(link), world.model.links()[link].frame.inverse().compose(&collider.pose)),
                None => (None, collider.pose),
            };
            ColliderBounds {
                link,
                center: frame.transform_point(center),
                rotation: frame.matrix(),
                radius: collider.shape.bounding_radius(center) + collider.margin,
                margin: collider.margin,
                reach: collider.reach,
            }
        };
        let colliders: Vec<_> = world.colliders.iter().map(bounds_of).collect();
        let mut tests = Vec::new();
        for a in 0..colliders.len() {
            for b in a + 1..colliders.len() {
                if broad_phase.proxies().may_pair(proxies[a], proxies[b]) {
                    let pair = Pair::new(proxies[a], proxies[b]);
                    tests.push((pair, Self::test(world, &colliders, a, b)));
                }
            }
        }
        tests.sort_by_key(|(pair, _)| *pair);
        let spheres = vec![(DVec3::ZERO, 0.0); colliders.len()];
        let pairs = Vec::with_capacity(tests.len());
        Self { colliders, tests, spheres, pairs }
    }

    fn test(world: &World, colliders: &[ColliderBounds], a: usize, b: usize) -> Test {
        let (fixed, moving) = match (colliders[a].link, colliders[b].link) {
            (None, _) => (a, b),
            (_, None) => (b, a),
            _ => return Test::Spheres,
        };
        let collider = &world.colliders[fixed];
        match *collider.shape {
            Shape::HalfSpace(_) => {
                let normal = collider.pose.transform_vector(DVec3::Z);
                let height = normal.dot(collider.pose.translation) + collider.margin;
                Test::HalfSpace { moving: moving as u32, normal, height }
            }
            _ => {
                let aabb = collider.shape.aabb(&collider.pose).inflated(collider.margin);
                Test::SphereBox { moving: moving as u32, aabb }
            }
        }
    }

    /// Returns the pairs that may come within the lookahead's margin in its interval, at the positions and velocities
    /// of the workspace.
    pub fn find(&mut self, world: &World, workspace: &Workspace, lookahead: Lookahead) -> &[Pair] {
        let Self { colliders, tests, spheres, pairs } = self;
        for (collider, sphere) in colliders.iter().zip(spheres.iter_mut()) {
            if let Some(link) = collider.link {
                let velocity = workspace.velocity_at(link, workspace.anchor(link));
                let speed = velocity.linear.length() + velocity.angular.length() * collider.reach;
                *sphere = (workspace.inner_point(link, collider.center), speed * lookahead.interval);
            }
        }
        pairs.clear();
        for (pair, test) in tests.iter() {
            // NaN counts as near: the step that caused it has been reported.
            let far = match *test {
                Test::Spheres => {
                    let (a, b) = (pair.a.index(), pair.b.index());
                    let ((center_a, motion_a), (center_b, motion_b)) = (spheres[a], spheres[b]);
                    let reach = colliders[a].radius + colliders[b].radius + motion_a + motion_b + lookahead.margin;
                    (center_b - center_a).length_squared() > reach * reach
                }
                Test::SphereBox { moving, aabb } => {
                    let (center, motion) = spheres[moving as usize];
                    let reach = colliders[moving as usize].radius + motion + lookahead.margin;
                    (center - center.max(aabb.min).min(aabb.max)).length_squared() > reach * reach
                }
                Test::HalfSpace { moving, normal, height } => {
                    let (center, motion) = spheres[moving as usize];
                    let gap = center.dot(normal) - height - motion - lookahead.margin;
                    let collider = &colliders[moving as usize];
                    gap > collider.radius || gap > collider.extent(world, workspace, moving as usize, normal)
                }
            };
            if !far {
                pairs.push(*pair);
            }
        }
        pairs
    }
}

impl ColliderBounds {
    /// Returns the extent of the shape from its centre against a direction of the world (a unit vector), in m.
    fn extent(&self, world: &World, workspace: &Workspace, collider: usize, direction: DVec3) -> f64 {
        let Some(link) = self.link else { return self.radius };
        let along = self.rotation.transpose() * workspace.to_inner_axes(link, direction);
        let extent = match &*world.colliders[collider].shape {
            Shape::Sphere(sphere) => sphere.radius,
            Shape::Capsule(capsule) => capsule.half_length * along.z.abs() + capsule.radius,
            Shape::Cuboid(cuboid) => cuboid.half_extents.dot(along.abs()),
            Shape::Ellipsoid(ellipsoid) => (ellipsoid.semi_axes * along).length(),
            Shape::Cone(cone) => {
                let across = DVec3::new(along.x, along.y, 0.0).length();
                (cone.radius * across + cone.half_length * along.z).max(-cone.half_length * along.z)
            }
            _ => return self.radius,
        };
        extent + self.margin
    }
}
