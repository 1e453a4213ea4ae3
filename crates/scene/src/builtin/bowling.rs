//! A bowling ball into ten pins (Timchenko (2007) figure 22). Lane, ball and pins have regulation sizes; a pin is
//! five frustums and a sphere for its head. The ball slides at first, then rolls, and hits beside the head pin.

use glam::DVec3;

use super::parts::{ground, looks, studio_scene};
use crate::spec::{BodySpec, FrustumShape, MaterialSpec, SceneSpec, ShapeKind, ShapeSpec, SurfaceSpec};

/// Distance between the axes of pins, in m.
const PITCH: f64 = 0.3048;
/// Height above the base and radius of a pin, in m.
const PROFILE: [(f64, f64); 6] =
    [(0.0, 0.0258), (0.019, 0.0359), (0.1143, 0.0605), (0.1843, 0.0472), (0.254, 0.0233), (0.3, 0.0254)];
const HEAD: (f64, f64) = (0.3486, 0.0324);
/// Masses of a pin and of the ball, in kg.
const PIN_MASS: f64 = 1.55;
const BALL_MASS: f64 = 6.8;
/// Radius of the ball, in m.
const BALL_RADIUS: f64 = 0.108;
/// Distance from the start of the ball to the head pin, in m.
const LANE: f64 = 12.0;
/// Height of the lane above the pit, in m.
const HEIGHT: f64 = 0.1;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 4.0, DVec3::new(-2.2, -1.2, 1.2), DVec3::new(0.3, 0.0, 0.2));
    scene.display.cameras.push(looks::camera_at("bowler", DVec3::new(-13.0, 0.0, 1.6), DVec3::new(0.0, 0.0, 0.2)));
    for (name, friction, restitution) in [("lane", 0.3, 0.2), ("pin", 0.3, 0.65), ("ball", 0.2, 0.3)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, restitution));
    }
    let surface = |a: &str, b: &str, friction, restitution| {
        let between = [a.to_string(), b.to_string()];
        SurfaceSpec { between, friction, restitution, tangential_restitution: 0.0 }
    };
    scene.surfaces.push(surface("lane", "ball", 0.08, 0.1));
    scene.surfaces.push(surface("lane", "pin", 0.3, 0.2));
    scene.bodies.push(ground("lane"));
    let size = DVec3::new(LANE + 1.5, 1.06, HEIGHT);
    let deck = ShapeSpec::cuboid(size).of("lane").at(DVec3::new(1.1 - 0.5 * size.x, 0.0, 0.5 * HEIGHT));
    // Kickbacks beside the pins, and a curtain behind them.
    let mut shapes = vec![deck];
    for y in [-0.79, 0.79] {
        shapes.push(ShapeSpec::cuboid(DVec3::new(3.2, 0.05, 0.7)).of("lane").at(DVec3::new(0.9, y, 0.35)));
    }
    shapes.push(ShapeSpec::cuboid(DVec3::new(0.05, 1.6, 0.7)).of("lane").at(DVec3::new(2.5, 0.0, 0.35)));
    let mut lane = BodySpec::fixed("lane", DVec3::ZERO, shapes);
    lane.color = Some(looks::WOOD);
    scene.bodies.push(lane);
    for row in 0..4 {
        for place in 0..=row {
            let number = row * (row + 1) / 2 + place + 1;
            let y = PITCH * (place as f64 - 0.5 * row as f64);
            let at = DVec3::new(PITCH * 0.75_f64.sqrt() * row as f64, y, HEIGHT);
            let mut pin = BodySpec::new(format!("pin {number}"), at, pin_shapes());
            (pin.mass, pin.color) = (Some(PIN_MASS), Some(looks::IVORY));
            scene.bodies.push(pin);
        }
    }
    let at = DVec3::new(-LANE, -0.06, HEIGHT + BALL_RADIUS);
    let mut ball = BodySpec::new("ball", at, [ShapeSpec::sphere(BALL_RADIUS).of("ball")]);
    (ball.mass, ball.color, ball.velocity) = (Some(BALL_MASS), Some(looks::BLUE), DVec3::X * 8.0);
    scene.bodies.push(ball);
    scene
}

fn pin_shapes() -> Vec<ShapeSpec> {
    let mut shapes = Vec::new();
    for pair in PROFILE.windows(2) {
        let ((low, bottom_radius), (high, top_radius)) = (pair[0], pair[1]);
        let part = FrustumShape { bottom_radius, top_radius, length: high - low };
        shapes.push(ShapeSpec::new(ShapeKind::Frustum(part)).of("pin").at(DVec3::Z * (0.5 * (low + high))));
    }
    shapes.push(ShapeSpec::sphere(HEAD.1).of("pin").at(DVec3::Z * HEAD.0));
    shapes
}
