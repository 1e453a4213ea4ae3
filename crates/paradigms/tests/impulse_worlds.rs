//! Impulse-based simulation of many kinds of worlds: shapes of several parts, terrain, trees of links, fields, other
//! laws and integrators; and the allocations of a warm step.

use std::sync::Arc;

use crate::worlds::{at, ball, bouncing, cuboid, ground, smallest_distance};
use burgess_dynamics::integrators::Rk4;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, Motor, Workspace};
use burgess_geometry::shape::{Compound, Cuboid, HeightField, NodeBounds, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::collision_solver::{
    ChatterjeeRuina, CollisionLaw, Incremental, Newton, RestitutionHypothesis, SequentialImpulses,
};
use burgess_paradigms::time_control::ConservativeAdvancement;
use burgess_paradigms::{FreeMotion, ImpulseSettings, Paradigm, impulse, impulse_data};
use burgess_simulation::modules::Modules;
use burgess_simulation::{ColliderSpec, LowLevelController, Simulation, World, WorldBuilder};
use glam::{DQuat, DVec2, DVec3};

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Impulse.simulate(world, state, step).unwrap()
}

/// Runs and asks after every step whether bodies are apart. Returns the number of sub-steps.
fn run_apart(simulation: &mut Simulation, seconds: f64) -> usize {
    let mut sub_steps = 0;
    while simulation.state().time < seconds {
        simulation.step().unwrap();
        sub_steps += simulation.statistics().sub_steps;
        let distance = smallest_distance(simulation);
        assert!(distance > 0.0, "{distance} at {} s", simulation.state().time);
    }
    sub_steps
}

/// A table: a top on four legs, one body of five boxes.
fn table() -> ColliderSpec {
    let part = |half: DVec3, place: Pose| (Shape::Cuboid(Cuboid::new(half).unwrap()), place);
    let mut parts = vec![part(DVec3::new(0.2, 0.2, 0.02), at(0.0, 0.0, 0.2))];
    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        parts.push(part(DVec3::new(0.02, 0.02, 0.1), at(0.17 * x, 0.17 * y, 0.08)));
    }
    ColliderSpec::new(Shape::Compound(Arc::new(Compound::new(&parts, NodeBounds::Hull).unwrap())))
}

#[test]
fn tables_stand_and_carry() {
    let mut builder = bouncing(0.1, 0.5);
    builder.fixed(ground());
    builder.body("table", at(0.0, 0.0, 0.05), [table()]).unwrap();
    builder.body("ball", at(0.05, 0.0, 0.4), [ball(0.05)]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    let sub_steps = run_apart(&mut simulation, 2.0);
    assert!(simulation.state().q[9] > 0.25 && sub_steps < 20_000);
}

#[test]
fn bodies_come_to_rest_on_terrain() {
    let mut builder = bouncing(0.2, 0.6);
    let height = |k: usize| 0.1 * libm::sin(1.3 * (k % 9) as f64) * libm::cos(0.9 * (k / 9) as f64);
    let field = HeightField::new(9, 9, DVec2::splat(4.0), (0..81).map(height).collect()).unwrap();
    builder.fixed(ColliderSpec::new(Shape::HeightField(Arc::new(field))));
    for k in 0..4 {
        let shape = if k % 2 == 0 { ball(0.1) } else { cuboid(DVec3::new(0.12, 0.1, 0.08)) };
        builder.body("body", at(0.4 * k as f64 - 0.6, 0.1 * k as f64, 0.4), [shape]).unwrap();
    }
    let mut simulation = simulate(builder, 1.0 / 60.0);
    run_apart(&mut simulation, 2.0);
}

/// A body with four legs, driven by servos.
fn walker() -> WorldBuilder {
    let mut builder = bouncing(0.1, 0.8);
    builder.fixed(ground());
    let root = builder.link("body", None, JointSpec::free(), None, [cuboid(DVec3::new(0.2, 0.1, 0.05))]).unwrap();
    builder.set_pose(root, at(0.0, 0.0, 0.45));
    for (k, (x, y)) in [(-0.2, -0.12), (-0.2, 0.12), (0.2, -0.12), (0.2, 0.12)].into_iter().enumerate() {
        let servo = Motor::Position { target: 0.3 - 0.2 * k as f64, stiffness: 20.0, damping: 0.5 };
        let drive =
            AxisProperties { motor: servo, max_effort: 10.0, limit: Some((-1.0, 1.0)), ..AxisProperties::default() };
        let hinge = JointSpec::revolute(DVec3::Y).with(drive).in_parent(at(x, y, 0.0));
        let leg = cuboid(DVec3::new(0.02, 0.02, 0.14)).at(at(0.0, 0.0, -0.15));
        builder.link("leg", Some(root), hinge, None, [leg]).unwrap();
    }
    builder
}

#[test]
fn a_walker_stands_on_its_legs() {
    let mut simulation = simulate(walker(), 1.0 / 60.0);
    run_apart(&mut simulation, 3.0);
    assert!(simulation.state().q[2] > 0.25);
}

/// A spring that pulls a body to a point far away.
#[derive(Debug)]
struct Pull {
    link: usize,
    to: DVec3,
}

impl LowLevelController for Pull {
    fn load(&self, _memory: &[f64], world: &World, _time: f64, workspace: &mut Workspace) {
        let place = workspace.pose(world.model(), self.link).translation;
        workspace.apply_force(self.link, 20.0 * (self.to - place), DVec3::ZERO, place);
    }
}

#[test]
fn a_field_pulls_nothing_through_a_wall() {
    let mut builder = bouncing(0.3, 0.3);
    builder.gravity(DVec3::ZERO);
    builder.fixed(cuboid(DVec3::new(0.001, 1.0, 1.0)));
    builder.body("ball", at(-0.5, 0.0, 0.0), [ball(0.02)]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    simulation.data_mut().controllers.add_low_level(Arc::new(Pull { link: 0, to: DVec3::new(2.0, 0.0, 0.0) }));
    run_apart(&mut simulation, 1.0);
    assert!(simulation.state().q[0] < -0.02);
}

#[test]
fn every_law_lets_a_body_come_to_rest() {
    let laws: [Arc<dyn CollisionLaw>; 4] = [
        Arc::new(Newton),
        Arc::new(ChatterjeeRuina),
        Arc::new(Incremental { hypothesis: RestitutionHypothesis::Poisson }),
        Arc::new(Incremental { hypothesis: RestitutionHypothesis::Stronge }),
    ];
    for law in laws {
        let name = law.name();
        let mut builder = bouncing(0.4, 0.5);
        builder.fixed(ground());
        let turned = DQuat::from_scaled_axis(DVec3::new(0.4, 0.3, 0.2));
        let cube = builder.body("cube", Pose::new(turned, DVec3::new(0.0, 0.0, 0.4)), [cuboid(DVec3::splat(0.1))]);
        builder.set_velocity(cube.unwrap(), Motion::new(DVec3::new(1.0, 2.0, 3.0), DVec3::X));
        let (world, state) = builder.build().unwrap();
        let settings = ImpulseSettings { law, ..ImpulseSettings::default() };
        let mut simulation = impulse(world, state, 1.0 / 60.0, settings).unwrap();
        run_apart(&mut simulation, 4.0);
        let speed = DVec3::from_slice(&simulation.state().v[3..]).length();
        assert!(speed < 0.2 && (simulation.state().q[2] - 0.1).abs() < 2e-3, "{name}");
    }
}

#[test]
fn runge_kutta_moves_bodies_between_impulses() {
    let mut builder = bouncing(0.5, 0.5);
    builder.fixed(ground());
    builder.body("ball", at(0.0, 0.0, 1.1), [ball(0.1)]).unwrap();
    let (world, state) = builder.build().unwrap();
    let settings = ImpulseSettings::default();
    let (data, envelope) = impulse_data(world, state, &settings).unwrap();
    let motion = Box::new(FreeMotion::with_integrator(&data, Rk4::new(data.world.model())));
    let collisions = Box::new(SequentialImpulses::new(settings.law, envelope));
    let time_control = Box::new(ConservativeAdvancement::new(&data, envelope, 1000));
    let modules = Modules { motion, constraints: None, collisions: Some(collisions) };
    let mut simulation = Simulation::with_modules(data, time_control, modules, 1.0 / 60.0).unwrap();
    while simulation.state().v[5] <= 0.0 {
        simulation.step().unwrap();
    }
    let (v, z) = (simulation.state().v[5], simulation.state().q[2]);
    assert!((z - 0.1 + v * v / (2.0 * 9.81) - 0.25).abs() < 1e-3);
}

/// Micro-collisions let bodies creep where friction should hold them: between two of them they slide in the air. Up to
/// four fifths of the friction cone that is all; near its edge they slide.
#[test]
fn a_box_on_a_slope_creeps_slowly() {
    let mut builder = bouncing(0.0, 0.5);
    let tilt = DQuat::from_rotation_y(libm::atan(0.8 * 0.5));
    builder.fixed(ground().at(Pose::new(tilt, DVec3::ZERO)));
    builder.body("box", Pose::new(tilt, tilt * DVec3::new(0.0, 0.0, 0.101)), [cuboid(DVec3::splat(0.1))]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    let start = DVec3::from_slice(&simulation.state().q[..3]);
    simulation.run(5.0).unwrap();
    let moved = (DVec3::from_slice(&simulation.state().q[..3]) - start).length();
    // Between two collisions, some 6 ms, it gains 22 mm/s: half of that in the mean, or a few times as much as it
    // rocks. Free of friction it would be 45 m away.
    assert!(moved < 0.4, "{moved}");
}

#[test]
fn warm_steps_allocate_nothing() {
    let mut builder = walker();
    builder.body("ball", at(0.5, 0.0, 0.5), [ball(0.1)]).unwrap();
    builder.body("box", at(0.8, 0.0, 0.5), [cuboid(DVec3::splat(0.1))]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    // Long enough for every pair to have had all the contacts that it can have.
    simulation.run(10.0).unwrap();
    let counted = allocation_counter::measure(|| simulation.run(12.0).unwrap());
    assert_eq!(counted.count_total, 0);
}

/// Shapes by themselves: a sphere inside a compound counts as a sphere does.
#[test]
fn compounds_of_one_part_bounce_like_the_part() {
    let mut builder = bouncing(0.5, 0.0);
    builder.fixed(ground());
    let sphere = (Shape::Sphere(Sphere::new(0.1).unwrap()), Pose::IDENTITY);
    let compound = Compound::new(&[sphere], NodeBounds::Hull).unwrap();
    builder.body("ball", at(0.0, 0.0, 1.1), [ColliderSpec::new(Shape::Compound(Arc::new(compound)))]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 60.0);
    while simulation.state().v[5] <= 0.0 {
        simulation.step().unwrap();
    }
    let (v, z) = (simulation.state().v[5], simulation.state().q[2]);
    assert!((z - 0.1 + v * v / (2.0 * 9.81) - 0.25).abs() < 1e-3);
}
