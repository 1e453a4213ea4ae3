//! Worlds and questions that several test files share.
#![allow(dead_code, reason = "each test file uses its own part")]

use burgess_collision::narrow_phase::{NarrowScratch, PairCache, closest};
use burgess_geometry::shape::{Cuboid, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Simulation, WorldBuilder};
use glam::DVec3;

pub fn cuboid(half: DVec3) -> ColliderSpec {
    ColliderSpec::new(Shape::Cuboid(Cuboid::new(half).unwrap()))
}

pub fn ball(radius: f64) -> ColliderSpec {
    ColliderSpec::new(Shape::Sphere(Sphere::new(radius).unwrap()))
}

pub fn ground() -> ColliderSpec {
    ColliderSpec::new(Shape::HalfSpace(HalfSpace))
}

pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, y, z))
}

pub fn bouncing(restitution: f64, friction: f64) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction, restitution, ..Material::default() });
    builder
}

/// A wall of 34 bricks: rows of five, every other one shifted by a quarter of a brick, and four on top.
pub fn brick_wall() -> WorldBuilder {
    let mut builder = bouncing(0.0, 0.6);
    builder.fixed(ground());
    let half = DVec3::new(0.1, 0.05, 0.05);
    for brick in 0..34 {
        let (row, place) = (brick / 5, brick % 5);
        let x = 0.202 * place as f64 + 0.05 * (row % 2) as f64;
        let z = half.z + 0.0005 + row as f64 * (2.0 * half.z + 0.0005);
        builder.body("brick", at(x, 0.0, z), [cuboid(half)]).unwrap();
    }
    builder
}

/// The smallest distance of any two colliders of different trees, of which one moves; negative: depth.
pub fn smallest_distance(simulation: &mut Simulation) -> f64 {
    simulation.data_mut().update_kinematics();
    let world = simulation.world();
    let workspace = &simulation.data().workspace;
    let mut smallest = f64::INFINITY;
    let tree = |collider: usize| world.colliders()[collider].link.map(|link| world.tree_of_link(link));
    for a in 0..world.colliders().len() {
        for b in a + 1..world.colliders().len() {
            if tree(a) == tree(b) {
                continue;
            }
            let (pose_a, pose_b) = (world.collider_pose(workspace, a), world.collider_pose(workspace, b));
            let (shape_a, shape_b) = (&world.colliders()[a].shape, &world.colliders()[b].shape);
            let (mut cache, mut scratch) = (PairCache::default(), NarrowScratch::default());
            if let Some(found) = closest(shape_a, &pose_a, shape_b, &pose_b, &mut cache, &mut scratch) {
                smallest = smallest.min(found.proximity.distance);
            }
        }
    }
    smallest
}
