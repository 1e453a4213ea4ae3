//! The break in pool (Timchenko (2007) figure 21): a cue ball at 8 m/s into fifteen others on a nine-foot table with
//! six pockets.
//!
//! The bed is an octagon, the cushions leave gaps at its cut corners and in the middle of its long sides, and a ball
//! that gets there drops to the floor. Cloth friction turns sliding into rolling; nothing brakes a ball that rolls.

use glam::DVec3;

use super::parts::{looks, studio_scene};
use crate::spec::{BodySpec, HullShape, MaterialSpec, SceneSpec, ShapeKind, ShapeSpec, SurfaceSpec};

/// Radius of a ball, in m.
const RADIUS: f64 = 0.028575;
/// Mass of a ball, in kg.
const MASS: f64 = 0.17;
/// Length and width of the playing field between the cushions, in m.
const LENGTH: f64 = 2.54;
const WIDTH: f64 = 1.27;
/// How far corner pockets cut into the sides of the bed, in m.
const CORNER: f64 = 0.08;
/// Half the opening of the middle pockets, in m.
const MIDDLE: f64 = 0.065;
/// Height of the bed above the floor, in m.
const HEIGHT: f64 = 0.8;

pub(super) fn scene(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 8.0, DVec3::new(-2.2, -1.6, 2.4), DVec3::new(0.1, 0.0, HEIGHT));
    scene.simulation.step = 1.0 / 480.0;
    for (name, friction, restitution) in [("ball", 0.06, 0.94), ("cloth", 0.2, 0.3), ("cushion", 0.2, 0.75)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, restitution));
    }
    for (other, friction, restitution) in [("cloth", 0.2, 0.3), ("cushion", 0.14, 0.75)] {
        let between = ["ball".to_string(), other.to_string()];
        scene.surfaces.push(SurfaceSpec { between, friction, restitution, tangential_restitution: 0.0 });
    }
    let mut floor = BodySpec::fixed("floor", DVec3::ZERO, [ShapeSpec::half_space().of("cloth")]);
    floor.color = Some(looks::GROUND);
    scene.bodies.push(floor);
    scene.bodies.push(bed());
    scene.bodies.push(cushions());
    let ball = |name: &str, x: f64, y: f64, color: DVec3| {
        let at = DVec3::new(x, y, HEIGHT + RADIUS);
        let mut body = BodySpec::new(name, at, [ShapeSpec::sphere(RADIUS).of("ball")]);
        (body.mass, body.color) = (Some(MASS), Some(color));
        body
    };
    let mut cue = ball("cue ball", -0.25 * LENGTH, 0.004, looks::IVORY);
    cue.velocity = DVec3::X * 8.0;
    scene.bodies.push(cue);
    // A rack of five rows with a small gap between the balls.
    let pitch = 2.0 * RADIUS + 5e-5;
    let row_pitch = pitch * 0.75_f64.sqrt();
    let mut number = 0;
    for row in 0..5 {
        for place in 0..=row {
            number += 1;
            let y = pitch * (place as f64 - 0.5 * row as f64);
            let color = if number == 5 { looks::BLACK } else { looks::scale((number % 7) as f64 / 6.0) };
            scene.bodies.push(ball(&format!("ball {number}"), 0.25 * LENGTH + row_pitch * row as f64, y, color));
        }
    }
    scene
}

fn bed() -> BodySpec {
    let (x, y) = (0.5 * LENGTH, 0.5 * WIDTH);
    let mut points = Vec::new();
    for (sign_x, sign_y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        for z in [-0.05, 0.0] {
            points.push(DVec3::new(sign_x * x, sign_y * (y - CORNER), z));
            points.push(DVec3::new(sign_x * (x - CORNER), sign_y * y, z));
        }
    }
    let slate = ShapeSpec::new(ShapeKind::Hull(HullShape { points })).of("cloth");
    let mut bed = BodySpec::fixed("bed", DVec3::Z * HEIGHT, [slate]);
    bed.color = Some(looks::GREEN);
    bed
}

fn cushions() -> BodySpec {
    let (thick, high) = (0.05, 0.04);
    let mut shapes = Vec::new();
    let mut rail = |size: DVec3, at: DVec3| shapes.push(ShapeSpec::cuboid(size).of("cushion").at(at));
    let (end, side) = (WIDTH - 2.0 * CORNER, 0.5 * LENGTH - CORNER - MIDDLE);
    for sign in [-1.0, 1.0] {
        let x = sign * 0.5 * (LENGTH + thick);
        rail(DVec3::new(thick, end, high), DVec3::new(x, 0.0, 0.5 * high));
        let y = sign * 0.5 * (WIDTH + thick);
        for half in [-1.0, 1.0] {
            rail(DVec3::new(side, thick, high), DVec3::new(half * (MIDDLE + 0.5 * side), y, 0.5 * high));
        }
        // The frame outside keeps balls from flying off.
        rail(DVec3::new(thick, WIDTH + 0.5, 0.2), DVec3::new(sign * (0.5 * LENGTH + 0.15), 0.0, 0.0));
        rail(DVec3::new(LENGTH + 0.25, thick, 0.2), DVec3::new(0.0, sign * (0.5 * WIDTH + 0.15), 0.0));
    }
    let mut cushions = BodySpec::fixed("cushions", DVec3::Z * HEIGHT, shapes);
    cushions.color = Some(looks::WOOD);
    cushions
}
