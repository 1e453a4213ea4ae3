//! A block that is pushed down a slope too gentle to keep it going (Timchenko (2007) figure 25): it stops after
//! `v^2 / (2 g (mu cos a - sin a))`, and stays.

use glam::DVec3;

use super::parts::{density, ground, looks, studio_scene, turned};
use crate::spec::{BodySpec, MaterialSpec, SceneSpec, ShapeSpec};

/// Angle of the slope, in degrees.
const ANGLE: f64 = 15.0;
/// Length and thickness of the slope, in m.
const LENGTH: f64 = 4.0;
const THICKNESS: f64 = 0.1;
/// Initial speed of the block, in m/s.
const SPEED: f64 = 2.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 3.0, DVec3::new(0.0, -5.0, 1.8), DVec3::new(-1.5, 0.0, 0.4));
    scene.materials.insert("wood".to_string(), MaterialSpec::new(0.5, 0.3));
    scene.bodies.push(ground("wood"));
    let (sin, cos) = libm::sincos(ANGLE.to_radians());
    let (along, up) = (DVec3::new(cos, 0.0, -sin), DVec3::new(sin, 0.0, cos));
    let slope = ShapeSpec::cuboid(DVec3::new(LENGTH, 1.0, THICKNESS)).of("wood");
    let mut ramp = BodySpec::fixed("slope", along * (-0.5 * LENGTH) - up * (0.5 * THICKNESS), [slope]);
    (ramp.orientation, ramp.color) = (turned(DVec3::Y, ANGLE), Some(looks::STONE));
    let size = DVec3::new(0.4, 0.3, 0.2);
    let shape = ShapeSpec::cuboid(size).of("wood").with_density(density::WOOD);
    let mut block = BodySpec::new("block", along * (0.3 - LENGTH) + up * (0.5 * size.z), [shape]);
    (block.orientation, block.velocity) = (turned(DVec3::Y, ANGLE), along * SPEED);
    block.color = Some(looks::WOOD);
    scene.bodies.extend([ramp, block]);
    scene
}
