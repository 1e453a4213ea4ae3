//! Constraints that close loops, joint limits and dry friction.

use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::shape::{Capsule, Cuboid, HalfSpace};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, ConstraintKind, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

fn rod(length: f64) -> ColliderSpec {
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    ColliderSpec { mask: 0, ..ColliderSpec::new(Shape::Capsule(Capsule::new(0.02, 0.5 * length).unwrap())) }
        .at(Pose::new(turn, DVec3::new(0.5 * length, 0.0, 0.0)))
}

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, step).unwrap()
}

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, 0.0, z))
}

#[test]
fn a_crank_drives_its_piston() {
    let (radius, length) = (0.2, 0.6);
    let mut builder = WorldBuilder::new();
    let drive = Motor::Velocity { target: 6.0, gain: 1e4 };
    let motor = AxisProperties { motor: drive, ..AxisProperties::default() };
    let crank = builder.link("crank", None, JointSpec::revolute(-DVec3::Y).with(motor), None, [rod(radius)]).unwrap();
    let joint = JointSpec::revolute(-DVec3::Y).in_parent(at(radius, 0.0));
    let connecting = builder.link("rod", Some(crank), joint, None, [rod(length)]).unwrap();
    let piston = ColliderSpec { mask: 0, ..ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.05)).unwrap())) };
    let slide = JointSpec::prismatic(DVec3::X).in_parent(at(radius + length, 0.0));
    let piston = builder.link("piston", None, slide, None, [piston]).unwrap();
    let end = Pose::from_translation(DVec3::new(length, 0.0, 0.0));
    builder.constraint(ConstraintKind::Pin, (Some(connecting), end), (Some(piston), Pose::IDENTITY));
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let mut worst = 0.0_f64;
    // In the first step the motor accelerates the crank to its full speed, by 7 degrees in a step.
    (0..24).for_each(|_| simulation.step().unwrap());
    for _ in 24..960 {
        simulation.step().unwrap();
        let q = &simulation.state().q;
        let (sin, cos) = libm::sincos(q[0]);
        let expected = radius * cos + (length * length - radius * radius * sin * sin).sqrt() - (radius + length);
        worst = worst.max((q[2] - expected).abs());
    }
    assert!(simulation.state().q[0] > 20.0, "the crank completes turns");
    assert!(worst < 2e-5, "{worst}");
}

#[test]
fn a_hinge_stops_at_its_limit() {
    let mut builder = WorldBuilder::new();
    let limit = AxisProperties { limit: Some((-0.3, 0.5)), ..AxisProperties::default() };
    builder.link("arm", None, JointSpec::revolute(DVec3::Y).with(limit), None, [rod(1.0)]).unwrap();
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let mut most = 0.0_f64;
    for _ in 0..720 {
        simulation.step().unwrap();
        most = most.max(simulation.state().q[0]);
    }
    assert!(most < 0.5 + 1e-6 && (simulation.state().q[0] - 0.5).abs() < 1e-6);
}

#[test]
fn a_ball_joint_stops_at_its_limit_about_any_axis() {
    for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.0, 0.6, -0.8)] {
        let mut builder = WorldBuilder::new();
        builder.gravity(DVec3::ZERO);
        let mut joint = JointSpec::spherical();
        joint.properties_mut()[0].limit = Some((0.0, 1.07));
        let arm = builder.link("arm", None, joint, None, [rod(1.0)]).unwrap();
        builder.set_joint_velocities(arm, &(30.0 * axis).to_array());
        let mut simulation = simulate(builder, 1.0 / 240.0);
        let mut most = 0.0_f64;
        for _ in 0..120 {
            simulation.step().unwrap();
            let turned = DQuat::from_slice(&simulation.state().q).to_scaled_axis();
            most = most.max(turned.length());
        }
        assert!(most < 1.07 + 1e-3 && most > 1.06, "about {axis} it turns by {most} rad");
    }
}

#[test]
fn dry_friction_holds_an_arm_and_slows_a_wheel() {
    // Gravity exerts a torque of m g / 2 on a rod of 1 m.
    let hold = |friction: f64| {
        let mut builder = WorldBuilder::new();
        let dry = AxisProperties { friction, ..AxisProperties::default() };
        builder.link("arm", None, JointSpec::revolute(DVec3::Y).with(dry), None, [rod(1.0)]).unwrap();
        let mut simulation = simulate(builder, 1.0 / 240.0);
        let torque = simulation.world().model().mass() * 9.81 * 0.5;
        simulation.run(1.0).unwrap();
        (simulation.state().q[0], torque)
    };
    let (_, torque) = hold(0.0);
    assert!(hold(1.01 * torque).0.abs() < 1e-9);
    assert!(hold(0.99 * torque).0 > 1e-3);

    // A wheel with friction f and inertia I stops after the time w I / f.
    let mut builder = WorldBuilder::new();
    let dry = AxisProperties { friction: 2.0, armature: 1.0, ..AxisProperties::default() };
    let wheel = builder.link("wheel", None, JointSpec::revolute(DVec3::X).with(dry), None, [rod(1.0)]).unwrap();
    builder.set_joint_velocities(wheel, &[4.0]);
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let inertia = 1.0 + 0.5 * 4e-4 * simulation.world().model().mass();
    simulation.run(3.0).unwrap();
    let expected = 4.0 * 4.0 * inertia / (2.0 * 2.0);
    assert!((simulation.state().q[0] / expected - 1.0).abs() < 1e-3);
    assert!(simulation.state().v[0].abs() < 1e-12);
}

#[test]
fn a_four_bar_linkage_turns_and_stays_closed() {
    let mut builder = WorldBuilder::new();
    let hinge = || JointSpec::revolute(-DVec3::Y);
    let crank = builder.link("crank", None, hinge(), None, [rod(0.3)]).unwrap();
    let coupler = builder.link("coupler", Some(crank), hinge().in_parent(at(0.3, 0.0)), None, [rod(0.8)]).unwrap();
    let rocker = builder.link("rocker", None, hinge().in_parent(at(0.9, 0.0)), None, [rod(0.6)]).unwrap();
    // The loop is closed as a triangle: the crank is along x, coupler and rocker meet.
    let (a, b, c) = (0.8_f64, 0.6_f64, 0.6_f64);
    let angle = libm::acos((a * a + c * c - b * b) / (2.0 * a * c));
    builder.set_positions(coupler, &[angle]);
    let tip = DVec3::new(0.3 + a * libm::cos(angle), 0.0, a * libm::sin(angle));
    builder.set_positions(rocker, &[libm::atan2(tip.z, tip.x - 0.9)]);
    builder.set_joint_velocities(crank, &[8.0]);
    builder.set_joint_velocities(coupler, &[-4.0]);
    let end = |length: f64| Pose::from_translation(DVec3::new(length, 0.0, 0.0));
    builder.constraint(ConstraintKind::Pin, (Some(coupler), end(0.8)), (Some(rocker), end(0.6)));
    builder.gravity(DVec3::ZERO);
    let mut simulation = simulate(builder, 1.0 / 240.0);
    simulation.step().unwrap();
    let energy = simulation.energy();
    let mut worst = 0.0_f64;
    for _ in 0..2400 {
        simulation.step().unwrap();
        let data = simulation.data();
        let (model, workspace) = (data.world.model(), &data.workspace);
        let gap = workspace.position(model, 1, DVec3::X * 0.8) - workspace.position(model, 2, DVec3::X * 0.6);
        worst = worst.max(gap.length());
    }
    let after = simulation.energy();
    assert!(simulation.state().q[0] > 40.0, "the crank completes turns");
    assert!(worst < 1e-4, "the loop opens by {worst} m");
    assert!((after / energy - 1.0).abs() < 1e-3, "energy {after} J of {energy} J");
}

#[test]
fn stacks_with_mass_ratios_of_ten_thousand_stand() {
    let mut builder = WorldBuilder::new();
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    for k in 0..5 {
        let cube = Shape::Cuboid(Cuboid::new(DVec3::splat(0.1)).unwrap());
        let density = if k == 4 { 1e6 } else { 100.0 };
        let place = Pose::from_translation(DVec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(k)));
        builder.body("cube", place, [ColliderSpec::new(cube).with_density(density)]).unwrap();
    }
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let start = simulation.state().q.clone();
    simulation.run(10.0).unwrap();
    let moved = start.iter().zip(&simulation.state().q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved < 1e-9, "moved by {moved} m");
}

#[test]
fn a_ball_joint_whirls_on_its_limit_without_gaining_energy() {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let limit = AxisProperties { limit: Some((0.0, 0.8)), ..AxisProperties::default() };
    let arm = builder.link("arm", None, JointSpec::spherical().with(limit), None, [rod(0.5)]).unwrap();
    let start = DQuat::from_rotation_y(0.799);
    builder.set_positions(arm, &start.to_array());
    builder.set_joint_velocities(arm, &[2.0, 1.0, 20.0]);
    let mut simulation = simulate(builder, 1.0 / 240.0);
    let energy = simulation.energy();
    let (mut most, mut farthest) = (0.0_f64, 0.0_f64);
    for _ in 0..480 {
        simulation.step().unwrap();
        most = most.max(simulation.energy());
        let q = DQuat::from_slice(&simulation.state().q);
        farthest = farthest.max(2.0 * libm::acos(q.w.abs().min(1.0)));
    }
    assert!(most <= 1.001 * energy, "{energy} J became {most} J");
    assert!(farthest < 0.95, "{farthest}");
}
