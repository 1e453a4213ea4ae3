//! A cube that falls a little and then lies still for a minute (Fontijne (2000) sections 3.10 and 3.11.1). If
//! contact is a series of small impulses at the closest points, it rotates slowly about the vertical; it should not.

use glam::DVec3;

use super::parts::{density, ground, looks, studio_scene};
use crate::spec::{BodySpec, MaterialSpec, SceneSpec, ShapeSpec};

/// Side of the cube, in m.
const SIDE: f64 = 0.5;
/// Initial height above the ground, in m.
const DROP: f64 = 0.02;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 65.0, DVec3::new(1.6, -1.8, 1.3), DVec3::new(0.0, 0.0, 0.25));
    scene.materials.insert("wood".to_string(), MaterialSpec::new(0.5, 0.2));
    scene.bodies.push(ground("wood"));
    let shape = ShapeSpec::cuboid(DVec3::splat(SIDE)).of("wood").with_density(density::WOOD);
    let mut cube = BodySpec::new("cube", DVec3::Z * (0.5 * SIDE + DROP), [shape]);
    cube.color = Some(looks::WOOD);
    scene.bodies.push(cube);
    scene
}
