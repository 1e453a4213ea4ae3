//! A first look at few colliders: which pairs may be near at all, without boxes, hashes or full poses.
//!
//! Up to some dozens of colliders a list of all pairs that may touch is short, and it never changes. Each collider that
//! moves has a sphere around it; a pair is worth a closer look if the spheres, grown by what the colliders can cover,
//! meet; with a half-space, if the collider's lowest point may reach it; with something else that never moves, if the
//! sphere meets its box. Only colliders of such pairs are placed with their orientation. The pairs are a superset of
//! those that come near, in ascending order, as those of a broad phase are.

use burgess_collision::broad_phase::{BroadPhase, Pair, ProxyId};
use burgess_dynamics::Workspace;
use burgess_geometry::{Aabb, Pose, Shape};
use glam::{DMat3, DVec3};

use super::Lookahead;
use crate::world::World;

/// What is known of a collider besides its shape.
#[derive(Debug, Clone)]
struct Looked {
    /// None for what stands in the world.
    link: Option<usize>,
    /// Middle and orientation in the link's inner frame.
    middle: DVec3,
    rotation: DMat3,
    /// Radius of the sphere about the middle, with the margin, in m.
    radius: f64,
    margin: f64,
    /// About the link's anchor.
    reach: f64,
}

/// How a pair is tested.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    Spheres,
    /// One never moves and has this box; the other's index.
    SphereBox {
        moving: u32,
        aabb: Aabb,
    },
    /// One is a half-space that never moves; the other's index.
    HalfSpace {
        moving: u32,
        normal: DVec3,
        height: f64,
    },
}

/// The pairs of few colliders, and spheres around those that move.
#[derive(Debug, Clone)]
pub(super) struct FirstLook {
    colliders: Vec<Looked>,
    tests: Vec<(Pair, Test)>,
    /// By collider: its middle in the world, and how far it may reach from there.
    spheres: Vec<(DVec3, f64)>,
    pairs: Vec<Pair>,
}

impl FirstLook {
    /// For the colliders of a world, as a broad phase has them.
    pub fn new(world: &World, broad_phase: &dyn BroadPhase, proxies: &[ProxyId]) -> Self {
        let looked = |collider: &crate::world::Collider| {
            let middle = collider.shape.aabb(&Pose::IDENTITY).center();
            let (link, frame) = match collider.link {
                Some(link) => (Some(link), world.model.links()[link].frame.inverse().compose(&collider.pose)),
                None => (None, collider.pose),
            };
            Looked {
                link,
                middle: frame.transform_point(middle),
                rotation: frame.matrix(),
                radius: collider.shape.bounding_radius(middle) + collider.margin,
                margin: collider.margin,
                reach: collider.reach,
            }
        };
        let colliders: Vec<_> = world.colliders.iter().map(looked).collect();
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

    fn test(world: &World, colliders: &[Looked], a: usize, b: usize) -> Test {
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

    /// Pairs that may come within the lookahead's margin in its interval, at the positions and velocities of the
    /// workspace.
    pub fn find(&mut self, world: &World, workspace: &Workspace, lookahead: Lookahead) -> &[Pair] {
        let Self { colliders, tests, spheres, pairs } = self;
        for (collider, sphere) in colliders.iter().zip(spheres.iter_mut()) {
            if let Some(link) = collider.link {
                let velocity = workspace.velocity_at(link, workspace.anchor(link));
                let speed = velocity.linear.length() + velocity.angular.length() * collider.reach;
                *sphere = (workspace.inner_point(link, collider.middle), speed * lookahead.interval);
            }
        }
        pairs.clear();
        for (pair, test) in tests.iter() {
            // What is not a number is near: the step that made it has been reported.
            let far = match *test {
                Test::Spheres => {
                    let (a, b) = (pair.a.index(), pair.b.index());
                    let ((center_a, way_a), (center_b, way_b)) = (spheres[a], spheres[b]);
                    let reach = colliders[a].radius + colliders[b].radius + way_a + way_b + lookahead.margin;
                    (center_b - center_a).length_squared() > reach * reach
                }
                Test::SphereBox { moving, aabb } => {
                    let (center, way) = spheres[moving as usize];
                    let reach = colliders[moving as usize].radius + way + lookahead.margin;
                    (center - center.max(aabb.min).min(aabb.max)).length_squared() > reach * reach
                }
                Test::HalfSpace { moving, normal, height } => {
                    let (center, way) = spheres[moving as usize];
                    let gap = center.dot(normal) - height - way - lookahead.margin;
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

impl Looked {
    /// How far the shape reaches from its middle against a direction of the world (a unit vector), in m.
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
