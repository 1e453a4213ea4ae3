//! A car drives over two obstacles and through a loop (Fontijne (2000) section 3.11.2), under full gravity: its speed
//! at the top must be at least `sqrt(g R)`.

use glam::DVec3;

use super::parts::looping::Looping;
use super::parts::{car, ground, looks, studio_scene, turned};
use crate::spec::{BodySpec, Interval, MaterialSpec, SceneSpec, ShapeSpec, SurfaceSpec};

/// Radius of the loop, in m.
const RADIUS: f64 = 3.0;
/// Distance from the start of the car to the loop, in m.
const RUN_UP: f64 = 36.0;
/// Radius of the obstacles and their height above the ground, in m.
const HUMP: (f64, f64) = (4.0, 0.08);

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 6.0, DVec3::new(-6.0, -16.0, 5.0), DVec3::new(-4.0, 0.0, 2.0));
    // In the loop a wheel passes a seam of the track every six milliseconds.
    scene.simulation.step = 1.0 / 960.0;
    let start = DVec3::X * -RUN_UP;
    scene.display.cameras.push(looks::camera_with("car", "chassis", start + DVec3::new(-5.0, -3.0, 2.0), start));
    for (name, friction) in [("road", 1.0), ("tyre", 1.2), ("body", 0.3)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, 0.0));
    }
    let between = ["road".to_string(), "tyre".to_string()];
    scene.surfaces.push(SurfaceSpec { between, friction: 1.2, restitution: 0.0, tangential_restitution: 0.0 });
    scene.bodies.push(ground("road"));
    let looping = Looping { name: "looping", radius: RADIUS, width: 1.3, shift: 1.7, pieces: 96, material: "road" };
    scene.bodies.push(looping.body());
    for (name, x) in [("first obstacle", -32.5), ("second obstacle", -29.0)] {
        let (radius, above) = HUMP;
        let hump = ShapeSpec::cylinder(radius, 3.0).of("road").turned(turned(DVec3::X, 90.0));
        let mut body = BodySpec::fixed(name, DVec3::new(x, 0.0, above - radius), [hump]);
        body.color = Some(looks::WOOD);
        scene.bodies.push(body);
    }
    scene.bodies.extend(car::bodies(start, 0.0));
    scene.controllers.push(car::drive(100.0, 18.0, Interval::default()));
    scene
}
