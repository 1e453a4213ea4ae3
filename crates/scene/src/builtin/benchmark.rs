//! Scenes of SimBenchmark, a comparison of simulators: spheres that roll on a pushed board, that bounce, and that fall
//! in a heap of 6 x 6 x 6.
//!
//! Rolling has a closed form (M the board, m a ball, 25 of them): with the friction f1 of the board on the ground and
//! f2 of a ball on the board, `f1 = mu (M + 25 m) g`, `f2 = (F - f1) / M / (3.5 / m + 25 / M)`; the board accelerates
//! with `(F - f1 - 25 f2) / M` and the balls with `f2 / m`.

use glam::DVec3;
use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

use super::parts::{ground, looks, studio_scene};
use crate::spec::{
    BodySpec, ConstantForceSpec, ControllerSpec, FrameSpec, Interval, MaterialSpec, SceneSpec, ShapeSpec, SurfaceSpec,
};

pub(super) fn rolling(name: &str, description: &str) -> SceneSpec {
    let mut scene = studio_scene(name, description, 4.0, DVec3::new(18.0, -22.0, 14.0), DVec3::new(2.0, 0.0, 0.5));
    for (name, friction) in [("ground", 0.4), ("board", 0.4), ("ball", 0.8)] {
        scene.materials.insert(name.to_string(), MaterialSpec::new(friction, 0.0));
    }
    let between = ["board".to_string(), "ball".to_string()];
    scene.surfaces.push(SurfaceSpec { between, friction: 0.8, restitution: 0.0, tangential_restitution: 0.0 });
    scene.bodies.push(ground("ground"));
    let board = ShapeSpec::cuboid(DVec3::new(20.0, 20.0, 1.0)).of("board");
    let mut body = BodySpec::new("board", DVec3::Z * 0.5, [board]);
    (body.mass, body.color) = (Some(10.0), Some(looks::WOOD));
    scene.bodies.push(body);
    for (column, row) in grid(5) {
        let at = DVec3::new(2.0 * (column - 2.0), 2.0 * (row - 2.0), 1.5);
        scene.bodies.push(ball(scene.bodies.len() - 1, at, 0.5, 1.0));
    }
    scene.controllers.push(ControllerSpec::ConstantForce(ConstantForceSpec {
        body: "board".to_string(),
        force: DVec3::X * 150.0,
        torque: DVec3::ZERO,
        point: None,
        frame: FrameSpec::World,
        when: Interval::default(),
    }));
    scene
}

pub(super) fn bouncing(name: &str, description: &str) -> SceneSpec {
    let mut scene = frictionless(name, description, 1.0);
    scene.duration = 20.0;
    scene.display = looks::studio(DVec3::new(9.0, -9.0, 5.0), DVec3::new(0.0, 0.0, 2.5));
    for (column, row) in grid(7) {
        let at = DVec3::new(column - 3.0, row - 3.0, 5.0);
        scene.bodies.push(ball(scene.bodies.len(), at, 0.1, 10.0));
    }
    scene
}

pub(super) fn six_cubed(name: &str, description: &str) -> SceneSpec {
    heap(name, description, 0.0, 0.101)
}

pub(super) fn elastic_six_cubed(name: &str, description: &str) -> SceneSpec {
    heap(name, description, 1.0, 1.101)
}

fn heap(name: &str, description: &str, restitution: f64, height: f64) -> SceneSpec {
    let mut scene = frictionless(name, description, restitution);
    scene.display = looks::studio(DVec3::new(4.0, -4.0, 2.5), DVec3::new(0.5, 0.5, 0.6));
    let mut random = Pcg64::seed_from_u64(666);
    for layer in 0..6 {
        for (column, row) in grid(6) {
            let mut jitter = || random.random::<f64>() * 1e-3;
            let at = DVec3::new(column, row, layer as f64) * 0.21 + DVec3::new(jitter(), jitter(), jitter() + height);
            scene.bodies.push(ball(scene.bodies.len(), at, 0.1, 10.0));
        }
    }
    scene
}

/// A scene with frictionless ground.
fn frictionless(name: &str, description: &str, restitution: f64) -> SceneSpec {
    let mut scene = SceneSpec::new(name, description);
    scene.materials.insert("ball".to_string(), MaterialSpec::new(0.0, restitution));
    scene.bodies.push(ground("ball"));
    scene
}

/// Returns all pairs of column and row, counted from 0.
fn grid(side: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..side * side).map(move |index| ((index % side) as f64, (index / side) as f64))
}

fn ball(number: usize, at: DVec3, radius: f64, mass: f64) -> BodySpec {
    let mut body = BodySpec::new(format!("ball {number}"), at, [ShapeSpec::sphere(radius).of("ball")]);
    (body.mass, body.color) = (Some(mass), Some(looks::scale((number % 7) as f64 / 6.0)));
    body
}
