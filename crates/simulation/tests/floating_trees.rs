//! Momenta of floating trees: only external forces change them.

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::shape::{Capsule, Cuboid, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{Bounds, ColliderSpec, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

const STEP: f64 = 1.0 / 240.0;

/// Adds a branching tree of twelve links on hinges along all axes, tumbling at `speed` rad/s in every joint.
fn tumbling(builder: &mut WorldBuilder, speed: f64) {
    builder.gravity(DVec3::ZERO).self_collision(false);
    let bone = || {
        let place = Pose::from_translation(DVec3::new(0.0, 0.0, 0.15));
        [ColliderSpec::new(Shape::Capsule(Capsule::new(0.04, 0.1).unwrap())).at(place)]
    };
    let root = builder.body("root", Pose::IDENTITY, bone()).unwrap();
    builder.set_velocity(root, Motion::new(DVec3::new(speed, -speed, 0.5 * speed), DVec3::new(0.3, 0.2, -0.1)));
    let mut links: Vec<LinkId> = vec![root];
    for index in 1..12 {
        let axis = DVec3::AXES[index % 3];
        let joint = JointSpec::revolute(axis).in_parent(Pose::from_translation(DVec3::new(0.0, 0.05, 0.3)));
        let link = builder.link("bone", Some(links[(index - 1) / 2]), joint, None, bone()).unwrap();
        builder.set_joint_velocities(link, &[if index % 2 == 0 { speed } else { -speed }]);
        links.push(link);
    }
}

fn simulate(builder: WorldBuilder) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, STEP).unwrap()
}

#[test]
fn a_tumbling_tree_keeps_its_momenta() {
    let mut builder = WorldBuilder::new();
    tumbling(&mut builder, 5.0);
    let mut simulation = simulate(builder);
    let start = simulation.observables();
    simulation.run(10.0).unwrap();
    let end = simulation.observables();
    // Rounding of 2400 steps, each a few bits of the momenta of the links (of the order of ten).
    let scale = 1e-11;
    assert!((end.linear_momentum - start.linear_momentum).length() < scale, "{end:?} {start:?}");
    assert!((end.angular_momentum - start.angular_momentum).length() < scale, "{end:?} {start:?}");
}

#[test]
fn collisions_and_internal_forces_conserve_momenta() {
    let mut builder = WorldBuilder::new();
    tumbling(&mut builder, 1.0);
    let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.2).unwrap()));
    let ball = builder.body("ball", Pose::from_translation(DVec3::new(-1.5, 0.1, 0.3)), [ball]).unwrap();
    builder.set_velocity(ball, Motion::new(DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0)));
    let mut simulation = simulate(builder);
    let start = simulation.observables().linear_momentum;
    let mut contacts = 0;
    while simulation.state().time < 2.0 {
        simulation.step().unwrap();
        contacts += simulation.statistics().contacts;
        let now = simulation.observables().linear_momentum;
        // Relative to 140 N s, after up to 480 steps.
        assert!((now - start).length() < 1e-11, "at {}: {}", simulation.state().time, now - start);
    }
    assert!(contacts > 0);
}

#[test]
fn a_falling_tree_gains_the_momentum_of_gravity() {
    let mut builder = WorldBuilder::new();
    tumbling(&mut builder, 3.0);
    let gravity = DVec3::new(0.0, 0.0, -9.81);
    builder.gravity(gravity);
    let mut simulation = simulate(builder);
    let start = simulation.observables();
    simulation.run(1.0).unwrap();
    let gained = simulation.observables().linear_momentum - start.linear_momentum;
    assert!((gained - start.mass * gravity).length() < 1e-10 * start.mass, "{gained}");
}

/// Correcting the momenta of a tree must not change its energy.
#[test]
fn a_tumbling_tree_keeps_its_energy() {
    let mut builder = WorldBuilder::new();
    tumbling(&mut builder, 5.0);
    let mut simulation = simulate(builder);
    let start = simulation.energy();
    let mut changed = 0.0_f64;
    while simulation.state().time < 20.0 {
        simulation.step().unwrap();
        changed = changed.max((simulation.energy() - start).abs());
    }
    // Motion this fast is chaotic: the bound is ten times the usual error.
    assert!(changed < 0.01 * start, "{changed} of {start}");
}

/// Two overlapping balls, each on a hinge so near to its centre that no rotation separates them: correcting the
/// penetration must not make them spin. Without a bound on the correction they rotate by a radian in a step.
#[test]
fn links_that_no_joint_can_separate_stay_in_place() {
    let ball = || {
        // The axis is a millimetre from the ball's centre.
        let place = Pose::from_translation(DVec3::new(0.0, 1e-3, 0.2));
        [ColliderSpec::new(Shape::Sphere(Sphere::new(0.1).unwrap())).at(place)]
    };
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let trunk = Shape::Sphere(Sphere::new(0.05).unwrap());
    let root = builder.body("trunk", Pose::IDENTITY, [ColliderSpec::new(trunk)]).unwrap();
    for (name, x) in [("left", -0.08), ("right", 0.08)] {
        let joint = JointSpec::revolute(DVec3::Z).in_parent(Pose::from_translation(DVec3::new(x, 0.0, 0.0)));
        builder.link(name, Some(root), joint, None, ball()).unwrap();
    }
    let mut simulation = simulate(builder);
    let bound = 10.0 * STEP;
    let mut last = simulation.state().q.clone();
    for _ in 0..240 {
        simulation.step().unwrap();
        let now = &simulation.state().q;
        let moved = last.iter().zip(now).fold(0.0_f64, |most, (then, now)| most.max((then - now).abs()));
        assert!(moved <= bound, "moved by {moved} rad in one step at {} s", simulation.state().time);
        assert!(simulation.state().v.iter().all(|speed| speed.abs() < 1e-6), "{:?}", simulation.state().v);
        last.clone_from(now);
    }
}

/// Two overlapping legs side by side on parallel hinges: nothing moves along their normal, so that an impulse there
/// would grow without bound. If immovable contacts were not detected, some of these worlds would diverge within a
/// second.
#[test]
fn overlapping_legs_on_parallel_hinges_do_not_diverge() {
    for index in 0..20 {
        let mut builder = WorldBuilder::new();
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
        let trunk = Shape::Cuboid(Cuboid::new(DVec3::new(0.3, 0.15, 0.05)).unwrap());
        let tilt = DQuat::from_axis_angle(DVec3::new(0.6, 0.8, 0.0), 0.002 * f64::from(index));
        let start = Pose::new(tilt, DVec3::new(0.0, 0.0, 0.4));
        let root = builder.body("trunk", start, [ColliderSpec::new(trunk)]).unwrap();
        for side in [-0.045, 0.045] {
            let place = Pose::from_translation(DVec3::new(0.0, 0.0, -0.15));
            let leg = ColliderSpec::new(Shape::Capsule(Capsule::new(0.05, 0.1).unwrap())).at(place);
            let joint = JointSpec::revolute(DVec3::Y).in_parent(Pose::from_translation(DVec3::new(0.0, side, -0.05)));
            builder.link("leg", Some(root), joint, None, [leg]).unwrap();
        }
        let mut simulation = simulate(builder);
        simulation.set_bounds(Bounds { speed: 20.0, ..Bounds::default() });
        simulation.run(1.0).unwrap_or_else(|failure| panic!("{index}: {failure}"));
    }
}

/// A ball on an arm that turns about an axis through the point at which the ball touches its neighbour: nothing moves at
/// that contact in any direction, and its mobility consists of rounding errors. The energy may not grow.
#[test]
fn contacts_on_the_axis_of_a_joint_give_no_energy() {
    let ball = |radius: f64| ColliderSpec::new(Shape::Sphere(Sphere::new(radius).unwrap()));
    for index in 0..20 {
        let turn = f64::from(index);
        let mut builder = WorldBuilder::new();
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
        let tilt = DQuat::from_euler(glam::EulerRot::XYZ, 0.37 * turn, 0.73 * turn, 0.11 * turn);
        let root = builder.body("root", Pose::new(tilt, DVec3::new(0.0, 0.0, 1.0)), [ball(0.1)]).unwrap();
        let hip = JointSpec::weld().in_parent(Pose::from_translation(DVec3::Y * 0.25));
        let neighbour = builder.link("neighbour", Some(root), hip, None, [ball(0.1)]).unwrap();
        let elbow = JointSpec::weld().in_parent(Pose::from_translation(DVec3::Y * 0.45));
        let arm = builder.link("arm", Some(neighbour), elbow, None, [ball(0.05)]).unwrap();
        // The axis passes through the centres of both balls, and so through their contact.
        let along = DVec3::new(libm::cos(turn), 0.3, libm::sin(turn)).normalize();
        let shoulder = Pose::from_translation(along * 0.1999 - DVec3::Y * 0.45);
        let joint = JointSpec::revolute(along).in_parent(shoulder);
        builder.link("hand", Some(arm), joint, None, [ball(0.1)]).unwrap();
        let mut simulation = simulate(builder);
        let mut least = simulation.energy();
        while simulation.state().time < 2.0 {
            simulation.step().unwrap_or_else(|failure| panic!("{index}: {failure}"));
            let energy = simulation.energy();
            // In the step after a landing the contact rolls with an error of second order: up to 4e-4 of the energy here,
            // less than the landing took.
            assert!(energy < least * (1.0 + 1e-3), "{index}: the energy grows from {least} J to {energy} J");
            least = least.min(energy);
        }
    }
}
