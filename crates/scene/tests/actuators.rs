//! Actuators: controls produce efforts in every paradigm and are part of the state; invalid actuators are refused.

use std::f64::consts::PI;

use burgess_dynamics::Motor;
use burgess_scene::spec::{ActuatorSpec, Paradigm, SceneSpec};
use burgess_scene::{RunOptions, RunningScene};
use proptest::prelude::*;

use crate::support::{self, GROUND};

const WHEEL: &str = "
gravity = [0, 0, 0]
[[bodies]]
name = 'wheel'
mass = 1
inertia = [0.5, 0.5, 0.5]
joint = { type = 'revolute', axis = [0, 0, 1] }
[[bodies]]
name = 'ball'
mass = 1
inertia = [2, 3, 4]
joint = { type = 'spherical', in_parent = { position = [3, 0, 0] } }
[[bodies]]
name = 'arm'
mass = 1
inertia = [2, 3, 4]
[bodies.joint]
type = 'stack'
in_parent = { position = [6, 0, 0] }
axes = [{ type = 'hinge', axis = [1, 0, 0] }, { type = 'slide', axis = [0, 1, 0] }, { type = 'hinge', axis = [0, 0, 1] }]
";

fn scene(actuators: impl IntoIterator<Item = ActuatorSpec>) -> SceneSpec {
    let mut scene = SceneSpec::from_toml(WHEEL, "wheel.toml").unwrap();
    scene.actuators.extend(actuators);
    scene
}

fn run(scene: &SceneSpec) -> RunningScene {
    scene.run(".", &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn motor(run: &RunningScene, dof: usize) -> Motor {
    run.simulation.state().motors[dof]
}

#[test]
fn a_motor_turns_a_wheel_in_every_paradigm() {
    let mut drive = ActuatorSpec::motor("drive", "wheel", 0);
    (drive.gear, drive.gain, drive.bias[0]) = (2.0, 3.0, 0.5);
    (drive.control_range, drive.control) = (Some([-1.0, 1.0]), 0.5);
    let scene = scene([drive]);
    for paradigm in Paradigm::ALL {
        let options = RunOptions { paradigm: Some(paradigm), ..RunOptions::default() };
        let mut run = scene.run(".", &options).unwrap();
        // 2 (3 x 0.5 + 0.5) N m on 0.5 kg m^2.
        run.simulation.run(0.5).unwrap();
        let half = run.simulation.state().v[0];
        assert!((half - 4.0).abs() < 1e-9, "{}: {half}", paradigm.name());
        // The control is clamped to 1: 7 N m.
        run.set_control(0, 5.0);
        assert_eq!((run.control(0), run.actuator_force(0)), (1.0, 3.5));
        run.simulation.run(1.0).unwrap();
        let end = run.simulation.state().v[0];
        assert!((end - 11.0).abs() < 1e-9, "{}: {end}", paradigm.name());
    }
}

#[test]
fn a_servo_reaches_its_target() {
    let mut servo = ActuatorSpec::position("servo", "wheel", 0, 400.0, 20.0);
    servo.gear = -2.0;
    let mut run = run(&scene([servo]));
    run.set_control(0, 1.0);
    run.simulation.run(3.0).unwrap();
    assert!((run.simulation.state().q[0] + 0.5).abs() < 1e-9, "at control / gear");
    assert!(run.actuator_force(0).abs() < 1e-6);

    let mut run = self::run(&scene([ActuatorSpec::velocity("servo", "wheel", 0, 5.0)]));
    run.set_controls(&[3.0]);
    run.simulation.run(3.0).unwrap();
    assert!((run.simulation.state().v[0] - 3.0).abs() < 1e-9);
}

#[test]
fn forces_stay_within_their_range() {
    // A servo far from its target applies its maximum force.
    let mut servo = ActuatorSpec::position("servo", "wheel", 0, 1e6, 0.0);
    (servo.gear, servo.force_range, servo.control) = (-2.0, Some([-3.0, 3.0]), -1e3);
    let mut run = run(&scene([servo]));
    assert_eq!(run.actuator_force(0), -3.0);
    run.simulation.run(1.0).unwrap();
    assert!((run.simulation.state().v[0] - 12.0).abs() < 1e-9);
    // A motor's range may be asymmetric, and its axis may have other actuators.
    let mut pull = ActuatorSpec::motor("pull", "wheel", 0);
    (pull.force_range, pull.control) = (Some([-1.0, 4.0]), 100.0);
    let mut brake = ActuatorSpec::motor("brake", "wheel", 0);
    (brake.force_range, brake.control) = (Some([-1.0, 4.0]), -100.0);
    let run = self::run(&scene([pull, brake]));
    assert_eq!((run.actuator_force(0), run.actuator_force(1)), (4.0, -1.0));
    assert_eq!(motor(&run, 0), Motor::Effort(3.0));
}

#[test]
fn actuators_on_one_axis_add_up_to_at_most_its_max_effort() {
    let mut scene = scene([
        ActuatorSpec::motor("a", "wheel", 0),
        ActuatorSpec::position("b", "wheel", 0, 4.0, 1.0),
        ActuatorSpec::velocity("c", "wheel", 0, 2.0),
    ]);
    let mut run = run(&scene);
    run.set_controls(&[1.0, 0.5, 3.0]);
    assert_eq!(motor(&run, 0), Motor::Position { target: 9.0 / 4.0, stiffness: 4.0, damping: 3.0 });
    let burgess_scene::spec::JointKind::Revolute(axis) = &mut scene.bodies[0].joint.as_mut().unwrap().kind else {
        panic!("a hinge")
    };
    axis.max_effort = Some(0.25);
    let mut run = self::run(&scene);
    run.set_controls(&[1.0, 0.5, 3.0]);
    run.simulation.run(0.1).unwrap();
    assert!((run.simulation.state().v[0] - 0.05).abs() < 1e-9);
}

#[test]
fn ball_joints_are_driven_about_each_axis() {
    let scene = scene([ActuatorSpec::motor("x", "ball", 0), ActuatorSpec::motor("z", "ball", 2)]);
    for (actuator, dof, inertia) in [(0, 1, 2.0), (1, 3, 4.0)] {
        let mut run = run(&scene);
        run.set_control(actuator, 1.0);
        run.simulation.run(1.0).unwrap();
        let v = run.simulation.state().v[dof];
        assert!((v - 1.0 / inertia).abs() < 1e-9, "{v}");
    }
    let mut run = run(&self::scene([ActuatorSpec::position("y", "ball", 1, 50.0, 30.0)]));
    run.set_control(0, 0.5 * PI);
    run.simulation.run(10.0).unwrap();
    let turned = glam::DQuat::from_slice(&run.simulation.state().q[1..]).to_scaled_axis();
    assert!((turned - glam::DVec3::new(0.0, 0.5 * PI, 0.0)).length() < 1e-6, "{turned}");
    assert!(run.actuator_force(0).abs() < 1e-3);
}

#[test]
fn controls_are_part_of_the_state() {
    let scene = scene([ActuatorSpec::motor("a", "wheel", 0), ActuatorSpec::motor("b", "wheel", 0)]);
    let mut run = run(&scene);
    let hash = run.simulation.state_hash();
    run.set_controls(&[1.0, -1.0]);
    // The sum of the efforts has not changed, but the controls have.
    assert_ne!(run.simulation.state_hash(), hash);
    run.simulation.run(0.1).unwrap();
    let snapshot = run.simulation.snapshot();
    run.set_controls(&[2.0, 2.0]);
    run.simulation.run(0.5).unwrap();
    let mut other = self::run(&scene);
    other.simulation.restore(&snapshot).unwrap();
    assert_eq!(other.controls(), [1.0, -1.0]);
    other.set_control(0, 3.0);
    assert_eq!(motor(&other, 0), Motor::Effort(2.0));
    run.simulation.restore(&snapshot).unwrap();
    run.set_control(0, 3.0);
    assert_eq!(run.simulation.state_hash(), other.simulation.state_hash());
}

#[test]
fn a_control_wakes_a_sleeping_body() {
    let settings = "simulation.sleeping = true\nactuators = [{ name = 'lift', joint = 'arm' }]\n";
    let arm = "
[[bodies]]
name = 'arm'
mass = 1
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]
joint = { type = 'prismatic', axis = [0, 0, 1], in_parent = { position = [0, 0, 0.1] } }
";
    let mut run = support::run(&format!("{settings}{GROUND}{arm}"));
    run.simulation.run(2.0).unwrap();
    assert!(run.simulation.data().rest.sleeps(0));
    run.set_control(0, 0.0);
    run.simulation.run(2.1).unwrap();
    assert!(run.simulation.data().rest.sleeps(0), "nothing has changed");
    run.set_control(0, 20.0);
    run.simulation.run(2.5).unwrap();
    assert!(run.simulation.state().q[0] > 0.1);
}

#[test]
fn setting_controls_allocates_nothing() {
    let mut run = run(&scene([ActuatorSpec::motor("a", "wheel", 0), ActuatorSpec::position("b", "ball", 1, 3.0, 1.0)]));
    let turn = |run: &mut RunningScene, steps: u32| {
        for step in 0..steps {
            run.set_controls(&[f64::from(step), 0.5]);
            run.simulation.step().unwrap();
        }
    };
    turn(&mut run, 20);
    assert_eq!(allocation_counter::measure(|| turn(&mut run, 50)).count_total, 0);
}

#[test]
fn controls_of_unknown_actuators_are_ignored() {
    let mut run = run(&scene([ActuatorSpec::motor("a", "wheel", 0)]));
    run.set_control(7, 1.0);
    run.set_controls(&[0.5, 1.0, 2.0]);
    assert_eq!(run.controls(), [0.5]);
    assert_eq!((run.actuators.len(), run.actuators.index("a"), run.actuators.index("b")), (1, Some(0), None));
    assert_eq!(run.actuators.names(), ["a"]);
}

#[test]
fn invalid_actuators_are_refused_with_a_clear_message() {
    let refusal = |actuators: &str| {
        let text = format!("actuators = [{actuators}]\n{WHEEL}");
        let scene = SceneSpec::from_toml(&text, "wheel.toml").and_then(|scene| scene.build("."));
        let error = scene.expect_err(actuators).to_string();
        error.split_once("actuators").unwrap().1.to_string()
    };
    let name = "name = 'a', joint = 'wheel'";
    for (actuators, expected) in [
        (format!("{{ {name}, gear = 0 }}"), "[0].gear: must be finite and not zero, found 0"),
        (format!("{{ {name}, gain = nan }}"), "[0].gain: must be finite, found NaN"),
        (format!("{{ {name}, control = inf }}"), "[0].control: must be finite, found inf"),
        (format!("{{ {name}, bias = [0, 1, 0] }}"), "[0].bias[1]: must be finite and not positive, found 1"),
        (format!("{{ {name}, bias = [0, 0, 2] }}"), "[0].bias[2]: must be finite and not positive, found 2"),
        (
            format!("{{ {name}, control_range = [1, -1] }}"),
            "[0].control_range: the lower end comes first, found [1, -1]",
        ),
        (
            format!("{{ {name}, bias = [0, -1, 0], force_range = [-1, 2] }}"),
            "[0].force_range: must be the same both ways where the force depends on position or velocity, found [-1, 2]",
        ),
        (
            "{ name = 'a', joint = 'weel' }".to_string(),
            "[0].joint: there is no body called 'weel'; did you mean 'wheel'?",
        ),
        (format!("{{ {name}, axis = 1 }}"), "[0].joint: the joint of 'wheel' has 1 axes, so there is no axis 1"),
        (format!("{{ {name} }}, {{ {name} }}"), "[1].name: there is another actuator called 'a'"),
        (
            format!("{{ {name}, bias = [0, -1, 0], force_range = [-1, 1] }}, {{ name = 'b', joint = 'wheel' }}"),
            "[1]: an actuator with a force_range that depends on position or velocity is the only one on its axis, but \
             axis 0 of the joint of 'wheel' has others",
        ),
        (
            "{ name = 'a', joint = 'ball' }, { name = 'b', joint = 'ball', bias = [0, -1, 0] }".to_string(),
            "[1]: an actuator of a ball joint that depends on position is the only one on its axis, but axis 0 of the \
             joint of 'ball' has others",
        ),
    ] {
        let found = refusal(&actuators);
        assert_eq!(found, expected, "{actuators}");
    }
    let with_motor = WHEEL.replace("axis = [0, 0, 1]", "axis = [0, 0, 1], motor = { type = 'effort', effort = 1 }");
    let scene = SceneSpec::from_toml(&format!("actuators = [{{ {name} }}]\n{with_motor}"), "wheel.toml");
    let error = scene.and_then(|scene| scene.build(".")).unwrap_err().to_string();
    assert!(error.ends_with("axis 0 of the joint of 'wheel' has a motor of its own; take one of them away"), "{error}");
    let limiter = "[[controllers]]\ntype = 'speed_limiter'\njoints = ['wheel']\ntorque = 1\nmax_speed = 1";
    let scene = SceneSpec::from_toml(&format!("actuators = [{{ {name} }}]\n{WHEEL}{limiter}"), "wheel.toml");
    let error = scene.and_then(|scene| scene.build(".")).unwrap_err().to_string();
    assert!(error.ends_with("joints: an actuator drives axis 0 of the joint of 'wheel' already"), "{error}");
}

prop_compose! {
    fn any_actuator()(
        axis in 0..3_usize,
        gear in prop_oneof![-3.0..-0.1, 0.1..3.0],
        gain in -5.0..5.0,
        bias in [-2.0..2.0, -9.0..0.0, -3.0..0.0],
        felt in 0..3_usize,
        control_range in proptest::option::of([-3.0..0.0, 0.0..3.0]),
        force in proptest::option::of(0.1..5.0),
        control in -4.0..4.0,
    ) -> ActuatorSpec {
        let mut spec = ActuatorSpec::motor("", "arm", axis);
        (spec.gear, spec.gain, spec.control_range, spec.control) = (gear, gain, control_range, control);
        spec.bias[..=felt].copy_from_slice(&bias[..=felt]);
        spec.force_range = force.filter(|_| felt == 0).map(|force: f64| [-force, force]);
        spec
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The effort of an axis is the sum of gear times force, and actuators survive writing and reading.
    #[test]
    fn efforts_are_the_sum_of_all_forces(mut actuators in prop::collection::vec(any_actuator(), 1..6), q in [-5.0..5.0, -5.0..5.0, -5.0..5.0], v in [-2.0..2.0, -2.0..2.0, -2.0..2.0]) {
        for (index, actuator) in actuators.iter_mut().enumerate() {
            actuator.name = format!("actuator {index}");
        }
        let scene = scene(actuators.clone());
        let written = scene.to_toml().unwrap();
        prop_assert_eq!(&SceneSpec::from_toml(&written, "written").unwrap(), &scene);
        let mut run = run(&scene);
        let data = run.simulation.data_mut();
        data.state.q[5..8].copy_from_slice(&q);
        data.state.v[4..7].copy_from_slice(&v);
        let mut expected = [0.0; 3];
        for (index, actuator) in actuators.iter().enumerate() {
            expected[actuator.axis] += actuator.gear * run.actuator_force(index);
        }
        let (world, state) = (run.simulation.world(), run.simulation.state());
        let mut efforts = vec![0.0; 7];
        burgess_dynamics::joint_efforts(world.model(), &state.motors, &state.q, &state.v, &mut efforts);
        for (effort, expected) in efforts[4..].iter().zip(expected) {
            prop_assert!((effort - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{} instead of {}", effort, expected);
        }
    }
}
