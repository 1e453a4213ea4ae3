//! A tower of boxes: the classic test of lasting contacts.

use glam::DVec3;

use crate::spec::{BodySpec, SceneSpec, ShapeSpec};

const BOXES: usize = 10;

/// Side of a box, in m.
const SIDE: f64 = 0.2;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    for index in 0..BOXES {
        let middle = DVec3::Z * (SIDE * (index as f64 + 0.5));
        let shape = ShapeSpec::cuboid(DVec3::splat(SIDE));
        scene.bodies.push(BodySpec::new(format!("box {}", index + 1), middle, [shape]));
    }
    scene
}
