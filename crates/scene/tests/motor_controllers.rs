//! Motor schedules and speed limiters of scenes, compared with closed-form solutions.

use burgess_scene::spec::{ControllerSpec, Interval, SpeedLimiterSpec};
use burgess_scene::{RunOptions, RunningScene};

use crate::support::{NO_GRAVITY, STEP, run, scene, wheel};

/// Starts a wheel with extra joint fields and a controller, without gravity.
fn run_wheel(fields: &str, controller: &str) -> RunningScene {
    run(&format!("{NO_GRAVITY}{}[[controllers]]\n{controller}", wheel(fields)))
}

#[test]
fn a_schedule_sets_targets_in_the_unit_of_the_joint() {
    let mut run = run_wheel(
        ", motor = { type = 'position', target = 90, stiffness = 200, damping = 20 }",
        "
type = 'motor_schedule'
joint = 'wheel'
keys = [{ time = 3, target = -45 }, { time = 6, target = 45 }]
period = 8
",
    );
    let degrees = std::f64::consts::PI / 180.0;
    // Critically damped at 20 rad/s: two seconds are 40 time constants.
    for (time, angle) in [(2.9, 90.0), (5.9, -45.0), (7.9, 45.0), (10.9, 45.0), (13.9, -45.0), (15.9, 45.0)] {
        run.simulation.run(time).unwrap();
        let found = run.simulation.state().q[0];
        assert!((found - angle * degrees).abs() < 1e-6, "at {time} s: {found}");
    }
}

#[test]
fn a_schedule_can_interpolate_linearly() {
    let mut run = run_wheel(
        ", motor = { type = 'effort', effort = 0 }",
        "
type = 'motor_schedule'
joint = 'wheel'
keys = [{ time = 0, target = 0 }, { time = 2, target = 4 }]
between = 'linear'
",
    );
    run.simulation.run(2.0).unwrap();
    // 4 N m s of torque on 0.5 kg m^2, minus the half step by which a held target lags.
    let spin = run.simulation.state().v[0];
    assert!((spin - (8.0 - 0.5 * STEP * 4.0 / 0.5)).abs() < 1e-9, "{spin}");
    run.simulation.run(3.0).unwrap();
    assert!((run.simulation.state().v[0] - spin - 8.0).abs() < 1e-9);
}

#[test]
fn a_speed_limiter_fades_and_never_brakes() {
    let limiter = "
type = 'speed_limiter'
joints = ['wheel']
torque = -2
max_speed = 4
when = { until = 1 }
";
    let final_speed = |initial: f64| {
        let mut run = run_wheel(&format!(", velocity = {}", initial.to_degrees()), limiter);
        run.simulation.run(2.0).unwrap();
        run.simulation.state().v[0]
    };
    // The speed approaches 4 rad/s at the rate torque / (max_speed inertia) = 1/s, then stays: the joint has no motor.
    let (found, expected) = (final_speed(0.0), -4.0 * (1.0 - libm::exp(-1.0)));
    // The implicit step is of first order: half a step of the rate.
    assert!((found - expected).abs() < 4.0 * 0.5 * STEP, "{found}, not {expected}");
    assert!((final_speed(-7.0) + 7.0).abs() < 1e-12);
}

#[test]
fn two_controllers_cannot_drive_one_axis() {
    let mut scene = scene(&wheel(", motor = { type = 'effort', effort = 0 }"));
    let limiter = SpeedLimiterSpec {
        joints: vec!["wheel".into()],
        axis: 0,
        torque: 1.0,
        max_speed: 1.0,
        when: Interval::default(),
    };
    scene.controllers = vec![ControllerSpec::SpeedLimiter(limiter.clone()), ControllerSpec::SpeedLimiter(limiter)];
    let error = scene.run(".", &RunOptions::default()).unwrap_err().to_string();
    assert_eq!(error, "scene: controllers[1].joints[0]: another controller has axis 0 of the joint of 'wheel' already");
}
