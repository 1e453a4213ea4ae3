//! A vibrating track that moves parts uphill (the part feeders of Mirtich and Canny (1995) section 2 and Erleben
//! (2002) reference 79). The track oscillates along a slanted line; parts are lifted and carried as it rises and left
//! behind as it falls.

use glam::DVec3;

use super::parts::{density, ground, looks, studio_scene, turned};
use crate::spec::{
    BodySpec, MaterialSpec, OscillationScript, PoseSpec, SceneSpec, ScriptSpec, ShapeKind, ShapeSpec, TubeShape,
};

/// Slope (degrees), length and width (m) of the track.
const SLOPE: f64 = 4.0;
const LENGTH: f64 = 1.2;
const WIDTH: f64 = 0.16;
/// Angle between the oscillation and the track, in degrees.
const THROW: f64 = 25.0;
/// Amplitude (m) and frequency (1/s) of the oscillation.
const AMPLITUDE: f64 = 0.0015;
const FREQUENCY: f64 = 25.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 6.0, DVec3::new(0.2, -1.3, 0.8), DVec3::new(0.0, 0.0, 0.2));
    // Forty steps per period.
    scene.simulation.step = 0.001;
    scene.materials.insert("steel".to_string(), MaterialSpec::new(0.5, 0.0));
    scene.bodies.push(ground("steel"));
    let floor = ShapeSpec::cuboid(DVec3::new(LENGTH, WIDTH, 0.01)).of("steel").at(DVec3::Z * -0.005);
    let side = |y: f64| ShapeSpec::cuboid(DVec3::new(LENGTH, 0.005, 0.03)).of("steel").at(DVec3::new(0.0, y, 0.01));
    let (sin, cos) = libm::sincos((SLOPE + THROW).to_radians());
    let swing = OscillationScript {
        amplitude: DVec3::new(cos, 0.0, sin) * AMPLITUDE,
        angle_degrees: DVec3::ZERO,
        frequency: FREQUENCY,
        phase_degrees: 0.0,
    };
    let tilt = turned(DVec3::Y, -SLOPE);
    let place = PoseSpec { position: DVec3::Z * 0.2, orientation: tilt };
    let shapes = [floor, side(-0.5 * WIDTH), side(0.5 * WIDTH)];
    let mut track = BodySpec::scripted("track", place, ScriptSpec::Oscillation(swing), shapes);
    track.color = Some(looks::BLUE);
    scene.bodies.push(track);
    let nut = || {
        let ring = TubeShape { outer_radius: 0.012, inner_radius: 0.006, length: 0.01, sides: 6 };
        (ShapeSpec::new(ShapeKind::Tube(ring)), 0.005)
    };
    let bolt = || (ShapeSpec::cylinder(0.005, 0.04).turned(turned(DVec3::Y, 90.0)), 0.005);
    let washer = || (ShapeSpec::cylinder(0.012, 0.004), 0.002);
    let cube = || (ShapeSpec::cuboid(DVec3::splat(0.02)), 0.01);
    let frame = place.pose();
    for row in 0..3 {
        for (column, (kind, (shape, half))) in
            [("nut", nut()), ("bolt", bolt()), ("washer", washer()), ("cube", cube())].into_iter().enumerate()
        {
            let on_track = DVec3::new(-0.55 + 0.05 * row as f64, 0.032 * (column as f64 - 1.5), half + 1e-4);
            let shape = shape.of("steel").with_density(density::STEEL);
            let mut part = BodySpec::new(format!("{kind} {}", row + 1), frame.transform_point(on_track), [shape]);
            (part.orientation, part.color) = (tilt, Some(looks::scale(column as f64 / 3.0)));
            scene.bodies.push(part);
        }
    }
    scene
}
