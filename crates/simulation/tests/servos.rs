//! Servos with a maximum effort, where contacts hold what they move.

use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::shape::{Capsule, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const STEP: f64 = 1.0 / 240.0;
const GRAVITY: f64 = 9.81;

/// A ball on a vertical slide that a servo presses against the ground.
fn press(motor: Motor, max_effort: f64) -> Simulation {
    let mut builder = WorldBuilder::new();
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.1).unwrap())).at(Pose::from_translation(DVec3::Z * 0.1));
    let joint = JointSpec::prismatic(DVec3::Z).with(AxisProperties { motor, max_effort, ..AxisProperties::default() });
    builder.link("ball", None, joint, None, [ball]).unwrap();
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, STEP).unwrap()
}

/// Force of the ground on everything in the last step, in N.
fn ground_force(simulation: &Simulation) -> f64 {
    let data = simulation.data();
    let impulse = |contact: &burgess_simulation::WorldContact| {
        data.pairs.record(contact.pair as usize).impulse(&contact.id).dot(contact.normal)
    };
    data.detection.contacts().iter().map(impulse).sum::<f64>() / data.statistics.held_seconds
}

#[test]
fn a_servo_that_presses_on_the_ground_has_its_maximum_effort_and_no_more() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for _ in 0..80 {
        let (stiffness, damping) =
            (libm::pow(10.0, random.random_range(1.0..6.0)), libm::pow(10.0, random.random_range(0.0..4.0)));
        let (reach, max_effort) = (random.random_range(0.01..2.0), libm::pow(10.0, random.random_range(0.0..3.0)));
        let position = Motor::Position { target: -reach, stiffness, damping };
        let velocity = Motor::Velocity { target: -reach, gain: damping };
        let (motor, effort) = if random.random() { (position, stiffness * reach) } else { (velocity, damping * reach) };
        let mut simulation = press(motor, max_effort);
        let weight = simulation.world().model().mass() * GRAVITY;
        for _ in 0..60 {
            simulation.step().unwrap();
        }
        let expected = weight + max_effort.min(effort);
        let found = ground_force(&simulation);
        let case = format!("{motor:?}, at most {max_effort:.1} N");
        assert!((found / expected - 1.0).abs() < 1e-6, "{case}: {found} N instead of {expected} N");
    }
}

/// A body on one leg of two links: servos at hip and knee straighten it.
fn squat(step: f64) -> Simulation {
    let mut builder = WorldBuilder::new();
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let rod = |mask: u32| ColliderSpec { mask, ..ColliderSpec::new(Shape::Capsule(Capsule::new(0.03, 0.12).unwrap())) };
    let trunk = ColliderSpec { mask: 0, ..ColliderSpec::new(Shape::Sphere(Sphere::new(0.15).unwrap())) };
    let slide = JointSpec::prismatic(DVec3::Z);
    let servo = |target: f64| AxisProperties {
        motor: Motor::Position { target, stiffness: 400.0, damping: 10.0 },
        max_effort: 30.0,
        damping: 0.5,
        ..AxisProperties::default()
    };
    let hinge = |target: f64| JointSpec::revolute(DVec3::Y).with(servo(target));
    let below = Pose::from_translation(DVec3::Z * -0.12);
    let body =
        builder.link("trunk", None, slide.in_parent(Pose::from_translation(DVec3::Z * 0.45)), None, [trunk]).unwrap();
    let thigh = builder.link("thigh", Some(body), hinge(0.0), None, [rod(0).at(below)]).unwrap();
    let knee = hinge(0.0).in_parent(Pose::from_translation(DVec3::Z * -0.24));
    builder.link("shank", Some(thigh), knee, None, [rod(u32::MAX).at(below)]).unwrap();
    let (world, mut state) = builder.build().unwrap();
    (state.q[1], state.q[2]) = (0.9, -1.8);
    Simulation::new(world, state, step).unwrap()
}

#[test]
fn a_jump_from_a_squat_is_as_high_with_long_steps_as_with_short_ones() {
    let height = |step: f64| {
        let mut simulation = squat(step);
        let mut highest = f64::MIN;
        while simulation.state().time < 1.0 {
            simulation.step().unwrap();
            highest = highest.max(simulation.state().q[0]);
        }
        highest
    };
    let (coarse, fine) = (height(STEP), height(STEP / 16.0));
    assert!(fine > 0.05, "it does not jump: {fine}");
    assert!((coarse / fine - 1.0).abs() < 0.05, "{coarse} m instead of {fine} m");
}
