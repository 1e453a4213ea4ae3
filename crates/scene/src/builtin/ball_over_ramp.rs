//! A ball that bounces along the ground, runs up a ramp, leaves it, bounces again and finally rolls (Mirtich and Canny
//! (1995) figure 1). Its contacts keep changing, which is hard for methods that must know them in advance.

use glam::DVec3;

use super::parts::{ground, looks, studio_scene};
use crate::spec::{BodySpec, HullShape, MaterialSpec, SceneSpec, ShapeKind, ShapeSpec};

/// Radius of the ball, in m.
const RADIUS: f64 = 0.11;
/// Position of the ball at the start, in m.
const START: DVec3 = DVec3::new(-2.0, 0.0, 0.7);
/// Mass of the ball, in kg; that of a football.
const MASS: f64 = 0.43;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 6.0, DVec3::new(3.0, -8.0, 2.5), DVec3::new(3.0, 0.0, 0.7));
    scene.display.cameras.push(looks::camera_with("ball", "ball", START + DVec3::new(-1.0, -3.0, 1.5), START));
    scene.materials.insert("rubber".to_string(), MaterialSpec::new(0.8, 0.7));
    scene.materials.insert("ground".to_string(), MaterialSpec::new(0.8, 0.0));
    scene.bodies.push(ground("ground"));
    let mut points = Vec::new();
    for y in [-0.6, 0.6] {
        points.extend([(0.0, 0.0), (2.0, 0.6), (2.0, 0.0)].map(|(x, z)| DVec3::new(x, y, z)));
    }
    let wedge = ShapeSpec::new(ShapeKind::Hull(HullShape { points })).of("ground");
    let mut ramp = BodySpec::fixed("ramp", DVec3::X * 1.5, [wedge]);
    ramp.color = Some(looks::STONE);
    let mut ball = BodySpec::new("ball", START, [ShapeSpec::sphere(RADIUS).of("rubber")]);
    ball.velocity = DVec3::X * 6.0;
    (ball.mass, ball.color) = (Some(MASS), Some(looks::RED));
    // Thin spherical shell: 2/3 m r^2.
    ball.inertia = vec![2.0 / 3.0 * MASS * RADIUS * RADIUS; 3];
    scene.bodies.extend([ramp, ball]);
    scene
}
