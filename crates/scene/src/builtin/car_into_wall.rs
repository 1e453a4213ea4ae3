//! A car drives down a slope into a wall of 34 blocks (Fontijne (2000) section 3.11.2, figure 3.13).

use glam::DVec3;

use super::parts::wall::Wall;
use super::parts::{car, ground, looks, studio_scene, turned};
use crate::spec::{BodySpec, Interval, MaterialSpec, SceneSpec, ShapeSpec};

/// Angle (degrees), length and thickness (m) of the slope.
const ANGLE: f64 = 15.0;
const LENGTH: f64 = 10.0;
const THICKNESS: f64 = 0.2;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 8.0, DVec3::new(8.0, -8.0, 4.0), DVec3::new(3.0, 0.0, 0.8));
    for (name, friction) in [("road", 0.8), ("tyre", 1.0), ("body", 0.3), ("block", 0.6)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, 0.0));
    }
    scene.bodies.push(ground("road"));
    let (sin, cos) = libm::sincos(ANGLE.to_radians());
    let (along, up) = (DVec3::new(cos, 0.0, -sin), DVec3::new(sin, 0.0, cos));
    let slope = ShapeSpec::cuboid(DVec3::new(LENGTH, 2.0, THICKNESS)).of("road");
    let mut ramp = BodySpec::fixed("slope", along * (-0.5 * LENGTH) - up * (0.5 * THICKNESS), [slope]);
    (ramp.orientation, ramp.color) = (turned(DVec3::Y, ANGLE), Some(looks::STONE));
    scene.bodies.push(ramp);
    let start = along * (1.5 - LENGTH);
    scene.display.cameras.push(looks::camera_with("car", "chassis", start + DVec3::new(-5.0, -2.0, 2.0), start));
    scene.bodies.extend(car::bodies(start, ANGLE));
    scene.bodies.extend(blocks("block", DVec3::X * 6.0).bricks());
    scene.controllers.push(car::drive(30.0, 12.0, Interval { from: 0.5, until: Some(4.0) }));
    scene
}

/// A wall of aerated concrete.
pub(super) fn blocks(name: &str, foot: DVec3) -> Wall<'_> {
    let brick = DVec3::new(0.25, 0.6, 0.25);
    Wall { name, foot, brick, gap: 0.001, density: 500.0, material: "block" }
}
