//! Stacked bodies that must not move (Timchenko (2007) figure 20): a tower of cubes, a pyramid of
//! boxes, a stack of drums, and a heavy block on light ones.

use glam::DVec3;

use super::parts::{density, ground, looks};
use crate::spec::{BodySpec, MaterialSpec, SceneSpec, ShapeSpec};

/// Side of a cube, in m.
const SIDE: f64 = 0.2;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.display = looks::studio(DVec3::new(1.0, -5.0, 2.0), DVec3::new(0.4, 0.0, 0.8));
    scene.materials.insert("wood".to_string(), MaterialSpec::new(0.5, 0.0));
    scene.materials.insert("steel".to_string(), MaterialSpec::new(0.4, 0.0));
    scene.bodies.push(ground("wood"));
    let cube = || ShapeSpec::cuboid(DVec3::splat(SIDE)).of("wood").with_density(density::WOOD);
    let mut add = |name: String, position: DVec3, shape: ShapeSpec, color: DVec3| {
        scene.bodies.push(BodySpec { color: Some(color), ..BodySpec::new(name, position, [shape]) });
    };
    for level in 0..10 {
        let at = DVec3::new(-1.2, 0.0, SIDE * (level as f64 + 0.5));
        add(format!("tower {}", level + 1), at, cube(), looks::scale(level as f64 / 9.0));
    }
    let brick = DVec3::new(0.24, 0.12, 0.12);
    for level in 0..6 {
        for place in 0..6 - level {
            let x = (place as f64 - 0.5 * (5 - level) as f64) * (brick.x + 0.01);
            let shape = ShapeSpec::cuboid(brick).of("wood").with_density(density::BRICK);
            let at = DVec3::new(x, 0.0, brick.z * (level as f64 + 0.5));
            add(format!("pyramid {} {}", level + 1, place + 1), at, shape, looks::BRICK);
        }
    }
    let (radius, length) = (0.15, 0.25);
    for level in 0..6 {
        let shape = ShapeSpec::cylinder(radius, length).of("steel").with_density(800.0);
        let at = DVec3::new(1.2, 0.0, length * (level as f64 + 0.5));
        add(format!("drum {}", level + 1), at, shape, looks::BLUE);
    }
    for level in 0..3 {
        let at = DVec3::new(2.0, 0.0, SIDE * (level as f64 + 0.5));
        add(format!("light {}", level + 1), at, cube(), looks::WOOD);
    }
    let heavy = ShapeSpec::cuboid(DVec3::splat(2.0 * SIDE)).of("steel").with_density(density::STEEL);
    add("heavy".to_string(), DVec3::new(2.0, 0.0, 4.0 * SIDE), heavy, looks::STEEL);
    scene
}
