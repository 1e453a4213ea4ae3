//! Soft joint limits.

use burgess_dynamics::{AxisProperties, JointSpec, LimitSpring};
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

const LIMIT: f64 = 0.3;

/// Weight acts where the arm would be in the middle of a step without the spring: up to g h^2 / 4 by 1 m lower.
const TOLERANCE: f64 = 1e-5;

/// A rod of 1 m that lies along x at the angle zero, and falls to positive angles.
fn arm(joint: JointSpec, paradigm: Paradigm, step: f64) -> Simulation {
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let rod = ColliderSpec { mask: 0, ..ColliderSpec::new(Shape::Capsule(Capsule::new(0.02, 0.5).unwrap())) }
        .at(Pose::new(turn, DVec3::new(0.5, 0.0, 0.0)));
    let mut builder = WorldBuilder::new();
    builder.link("arm", None, joint, None, [rod]).unwrap();
    let (world, state) = builder.build().unwrap();
    paradigm.simulate(world, state, step).unwrap()
}

fn soft(stiffness: f64, damping: f64) -> AxisProperties {
    let limit_spring = Some(LimitSpring { stiffness, damping });
    AxisProperties { limit: Some((-0.5, LIMIT)), limit_spring, ..AxisProperties::default() }
}

fn hinge(stiffness: f64, damping: f64) -> JointSpec {
    JointSpec::revolute(DVec3::Y).with(soft(stiffness, damping))
}

/// Where the spring carries the weight: `k (q - limit) = m g l cos q`.
fn rest_angle(simulation: &Simulation, stiffness: f64) -> f64 {
    let weight = simulation.world().model().mass() * 9.81 * 0.5;
    let (mut low, mut high) = (LIMIT, LIMIT + weight / stiffness);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if stiffness * (middle - LIMIT) < weight * libm::cos(middle) { low = middle } else { high = middle }
    }
    low
}

#[test]
fn an_arm_rests_on_the_spring_in_every_paradigm() {
    for paradigm in Paradigm::ALL {
        for stiffness in [30.0, 300.0, 1e5] {
            let mut simulation = arm(hinge(stiffness, 0.1 * stiffness), paradigm, 1.0 / 240.0);
            simulation.run(8.0).unwrap();
            let (q, expected) = (simulation.state().q[0], rest_angle(&simulation, stiffness));
            assert!((q - expected).abs() < TOLERANCE, "{}, {stiffness}: {q} instead of {expected}", paradigm.name());
        }
    }
}

#[test]
fn a_ball_joint_rests_on_the_spring() {
    let mut simulation = arm(JointSpec::spherical().with(soft(30.0, 3.0)), Paradigm::TimeStepping, 1.0 / 240.0);
    simulation.run(8.0).unwrap();
    let turned = DQuat::from_slice(&simulation.state().q).to_scaled_axis().length();
    let expected = rest_angle(&simulation, 30.0);
    assert!((turned - expected).abs() < TOLERANCE, "{turned} instead of {expected}");
}

#[test]
fn springs_at_limits_never_give_energy() {
    for step in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
        for stiffness in [1.0, 30.0, 1e3, 1e5, 1e9] {
            for damping in [0.0, 1.0, 1e4] {
                let mut simulation = arm(hinge(stiffness, damping), Paradigm::TimeStepping, step);
                let scale = simulation.world().model().mass() * 9.81;
                let (start, mut most) = (simulation.energy(), f64::NEG_INFINITY);
                for _ in 0..(5.0 / step) as usize {
                    simulation.step().unwrap();
                    most = most.max(simulation.energy() - start);
                }
                // The pendulum itself keeps its energy to second order: some (h w)^2 / 20, w the rate of its swing.
                assert!(most < 5e-2 * step * scale, "step {step}, {stiffness}, {damping}: {most} J of {scale}");
            }
        }
    }
}

#[test]
fn an_undamped_spring_throws_back() {
    let mut simulation = arm(hinge(100.0, 0.0), Paradigm::TimeStepping, 1e-3);
    let (mut highest, mut turned) = (f64::INFINITY, false);
    for _ in 0..2000 {
        simulation.step().unwrap();
        turned |= simulation.state().q[0] > LIMIT;
        if turned {
            highest = highest.min(simulation.state().q[0]);
        }
    }
    assert!(turned && highest.abs() < 0.01, "comes back to {highest}");
}

#[test]
fn a_hard_spring_is_like_a_hard_limit() {
    let mut simulation = arm(hinge(1e12, 0.0), Paradigm::TimeStepping, 1.0 / 240.0);
    let mut farthest = 0.0_f64;
    for _ in 0..1000 {
        simulation.step().unwrap();
        farthest = farthest.max(simulation.state().q[0]);
    }
    // Of order weight by stiffness, or of the step's arrival by rounding.
    assert!(farthest < LIMIT + 1e-6, "{farthest}");
}
