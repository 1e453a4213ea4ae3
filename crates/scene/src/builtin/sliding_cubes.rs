//! Seven cubes on seven slopes, each with its own friction from zero to just enough to stay (Fontijne (2000) section
//! 3.11.2). A cube slides with `g (sin a - mu cos a)`, and stays where mu is at least tan a.

use glam::DVec3;

use super::parts::{density, ground, looks, studio_scene, turned};
use crate::spec::{BodySpec, MaterialSpec, SceneSpec, ShapeSpec};

const CUBES: usize = 7;
/// Angle of the slopes, in degrees.
const ANGLE: f64 = 30.0;
/// Side of a cube, in m.
const SIDE: f64 = 0.2;
/// Length, width and thickness of the slopes, in m.
const LENGTH: f64 = 2.5;
const WIDTH: f64 = 0.4;
const THICKNESS: f64 = 0.1;
/// Ratio of the last cube's friction to the minimum that keeps it at rest.
const RESERVE: f64 = 1.001;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 4.0, DVec3::new(5.5, -4.5, 2.5), DVec3::new(0.6, 0.0, 0.5));
    scene.materials.insert("floor".to_string(), MaterialSpec::new(0.6, 0.1));
    scene.bodies.push(ground("floor"));
    let (sin, cos) = libm::sincos(ANGLE.to_radians());
    let enough = sin / cos;
    for index in 0..CUBES {
        let share = index as f64 / (CUBES - 1) as f64;
        let friction = if index == CUBES - 1 { RESERVE * enough } else { share * enough };
        let material = format!("friction {index}");
        scene.materials.insert(material.clone(), MaterialSpec::new(friction, 0.0));
        let tilt = turned(DVec3::Y, ANGLE);
        let y = (index as f64 - 3.0) * (WIDTH + 0.1);
        // Down the slope is +x; its upper face ends on the floor at x = 0.
        let (along, up) = (DVec3::new(cos, 0.0, -sin), DVec3::new(sin, 0.0, cos));
        let on_face = |from_foot: f64, above: f64| DVec3::Y * y - along * from_foot + up * above;
        let slope = ShapeSpec::cuboid(DVec3::new(LENGTH, WIDTH, THICKNESS)).of(&material);
        let mut ramp = BodySpec::fixed(format!("slope {index}"), on_face(0.5 * LENGTH, -0.5 * THICKNESS), [slope]);
        (ramp.orientation, ramp.color) = (tilt, Some(looks::STONE));
        let shape = ShapeSpec::cuboid(DVec3::splat(SIDE)).of(&material).with_density(density::WOOD);
        let mut cube = BodySpec::new(format!("cube {index}"), on_face(LENGTH - SIDE, 0.5 * SIDE), [shape]);
        (cube.orientation, cube.color) = (tilt, Some(looks::scale(share)));
        scene.bodies.extend([ramp, cube]);
    }
    scene
}
