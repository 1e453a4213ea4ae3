//! Eighteen two-euro coins thrown on a table: contacts that change quickly, without stacks (Fontijne (2000) section
//! 3.11.2).

use glam::DVec3;

use super::parts::{looks, studio_scene, turned};
use crate::spec::{BodySpec, FreeJoint, JointKind, JointSpec, MaterialSpec, SceneSpec, ShapeSpec};

const COINS: usize = 18;
/// Radius and thickness of a coin, in m.
const RADIUS: f64 = 0.01288;
const THICKNESS: f64 = 0.0022;
/// Mass of a coin, in kg.
const MASS: f64 = 0.0085;
/// Angular damping, in N m s/rad.
const ROLLING: f64 = 3e-6;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 4.0, DVec3::new(0.3, -0.45, 0.35), DVec3::new(0.0, 0.0, 0.05));
    scene.simulation.step = 1.0 / 480.0;
    scene.materials.insert("coin".to_string(), MaterialSpec::new(0.3, 0.5));
    scene.materials.insert("table".to_string(), MaterialSpec::new(0.4, 0.3));
    let top = ShapeSpec::cuboid(DVec3::new(1.6, 1.6, 0.05)).of("table");
    let mut table = BodySpec::fixed("table", DVec3::Z * -0.025, [top]);
    table.color = Some(looks::WOOD);
    scene.bodies.push(table);
    for index in 0..COINS {
        let number = index as f64;
        let (column, row) = ((index % 6) as f64 - 2.5, (index / 6) as f64 - 1.0);
        // All different: rotations about axes spread over the sphere.
        let (sin, cos) = libm::sincos(2.4 * number);
        let axis = DVec3::new(cos, sin, 0.5 - (number + 0.5) / COINS as f64);
        let position = DVec3::new(0.07 * column, 0.07 * row, 0.15 + 0.05 * sin);
        let shape = ShapeSpec::cylinder(RADIUS, THICKNESS).of("coin");
        let mut coin = BodySpec::new(format!("coin {}", index + 1), position, [shape]);
        // Free, with damping by air and the rim; without it coins would roll forever.
        let rolling = FreeJoint { linear_damping: 0.0, angular_damping: ROLLING };
        coin.joint = Some(JointSpec::new(JointKind::Free(rolling)));
        coin.orientation = turned(axis, 35.0 + 61.0 * number);
        coin.velocity = DVec3::new(0.1 * sin, 0.1 * cos, 0.8);
        coin.angular_velocity = axis.normalize() * (15.0 + number);
        (coin.mass, coin.color) = (Some(MASS), Some(looks::GOLD.lerp(looks::STEEL, (index % 2) as f64)));
        scene.bodies.push(coin);
    }
    scene
}
