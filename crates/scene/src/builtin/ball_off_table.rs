//! A fast ball rolls over a table and off its edge (Erleben (2002) section 2.1.3): the table must support it up to the
//! edge and no longer. It lands `v sqrt(2 h / g)` away. With analytical forces that are computed once per step (`update
//! = "lazy"`) the table supports it until the next contact detection.

use glam::DVec3;

use super::parts::{density, ground, looks, studio_scene};
use crate::spec::{BodySpec, MaterialSpec, SceneSpec, ShapeSpec, UpdateSpec};

/// Radius of the ball, in m.
const RADIUS: f64 = 0.05;
/// Height and length of the table, in m.
const HEIGHT: f64 = 0.75;
const LENGTH: f64 = 2.0;
/// Initial speed, in m/s.
const SPEED: f64 = 6.0;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 1.5, DVec3::new(1.0, -5.0, 1.8), DVec3::new(1.0, 0.0, 0.4));
    scene.simulation.analytical.update = Some(UpdateSpec::Eager);
    scene.materials.insert("wood".to_string(), MaterialSpec::new(0.5, 0.0));
    scene.materials.insert("steel".to_string(), MaterialSpec::new(0.5, 0.0));
    scene.bodies.push(ground("wood"));
    // The edge is at x = 0.
    let thickness = 0.04;
    let top = ShapeSpec::cuboid(DVec3::new(LENGTH, 1.0, thickness)).of("wood");
    let mut shapes = vec![top.at(DVec3::new(-0.5 * LENGTH, 0.0, -0.5 * thickness))];
    let under = HEIGHT - thickness;
    for (x, y) in [(0.1, 0.1), (0.1, 0.9), (0.9, 0.1), (0.9, 0.9)] {
        let leg = ShapeSpec::cuboid(DVec3::new(0.06, 0.06, under)).of("wood");
        shapes.push(leg.at(DVec3::new(-x * LENGTH, y - 0.5, -thickness - 0.5 * under)));
    }
    let mut table = BodySpec::fixed("table", DVec3::Z * HEIGHT, shapes);
    table.color = Some(looks::WOOD);
    let shape = ShapeSpec::sphere(RADIUS).of("steel").with_density(density::STEEL);
    let mut ball = BodySpec::new("ball", DVec3::new(-0.9 * LENGTH, 0.0, HEIGHT + RADIUS), [shape]);
    (ball.velocity, ball.angular_velocity) = (DVec3::X * SPEED, DVec3::Y * (SPEED / RADIUS));
    ball.color = Some(looks::STEEL);
    scene.bodies.extend([table, ball]);
    scene
}
