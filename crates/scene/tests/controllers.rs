//! Controllers of scenes against closed forms, and snapshots in the middle of what they do.

use burgess_scene::spec::*;
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::Failure;
use glam::DVec3;

const STEP: f64 = 1.0 / 240.0;

fn scene(text: &str) -> SceneSpec {
    SceneSpec::from_toml(text, "scene.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn run(text: &str) -> RunningScene {
    scene(text).run(".", &RunOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A ball of 2 kg without gravity.
const BALL: &str = "
gravity = [0, 0, 0]
[[bodies]]
name = 'ball'
mass = 2
shapes = [{ type = 'sphere', radius = 0.1 }]
";

/// A wheel of 0.5 kg m^2 on an axle along z, without gravity.
fn wheel(motor: &str) -> String {
    format!(
        "
gravity = [0, 0, 0]
[[bodies]]
name = 'wheel'
mass = 1
inertia = [1, 1, 0.5]
joint = {{ type = 'revolute', axis = [0, 0, 1], angle_unit = 'degrees'{motor} }}
"
    )
}

#[test]
fn a_constant_force_accelerates_while_it_acts() {
    let text = format!(
        "{BALL}
[[controllers]]
type = 'constant_force'
body = 'ball'
force = [6, 0, 0]
when = {{ from = 0.25, until = 0.75 }}
"
    );
    let mut run = run(&text);
    run.simulation.run(1.0).unwrap();
    let state = run.simulation.state();
    // 3 m/s^2 for half a second, then a quarter of a second of coasting: the midpoint step is exact for both.
    assert!((state.v[3] - 1.5).abs() < 1e-12, "{}", state.v[3]);
    assert!((state.q[0] - (0.5 * 3.0 * 0.25 + 1.5 * 0.25)).abs() < 1e-12, "{}", state.q[0]);
}

#[test]
fn a_force_off_centre_along_the_body_turns_it() {
    let text = format!(
        "{BALL}
[[controllers]]
type = 'constant_force'
body = 'ball'
force = [0, 3, 0]
point = [0.1, 0, 0]
frame = 'body'
torque = [0, 0, 0.7]
"
    );
    let mut run = run(&text);
    run.simulation.run(0.1).unwrap();
    // The moment of 1 N m about z does not depend on how the ball is turned; 2/5 m r^2 = 0.008 kg m^2.
    let spin = run.simulation.state().v[2];
    assert!((spin - 0.1 / 0.008).abs() < 1e-9, "{spin}");
}

#[test]
fn a_spring_oscillates_with_its_period() {
    let text = "
gravity = [0, 0, 0]
[[bodies]]
name = 'ball'
mass = 2
position = [1.5, 0, 0]
shapes = [{ type = 'sphere', radius = 0.1 }]
[[controllers]]
type = 'spring'
a = { position = [0, 0, 0] }
b = { body = 'ball' }
length = 1
stiffness = 8
";
    let mut run = run(text);
    let frequency = (8.0f64 / 2.0).sqrt();
    let mut worst: f64 = 0.0;
    for step in 1..=2400 {
        run.simulation.step().unwrap();
        let expected = 1.0 + 0.5 * libm::cos(frequency * step as f64 * STEP);
        worst = worst.max((run.simulation.state().q[0] - expected).abs());
    }
    // The midpoint step is late by (w h)^2 / 24 of the phase: 20 rad times 3e-6, times the amplitude.
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn a_damped_spring_dissipates_and_pulls_on_both_ends() {
    let text = "
gravity = [0, 0, 0]
[[bodies]]
name = 'a'
mass = 1
position = [-1, 0, 0]
shapes = [{ type = 'sphere', radius = 0.1 }]
[[bodies]]
name = 'b'
mass = 3
position = [1, 0, 0]
shapes = [{ type = 'sphere', radius = 0.1 }]
[[controllers]]
type = 'spring'
a = { body = 'a' }
b = { body = 'b' }
length = 1
stiffness = 20
damping = 4
";
    let mut run = run(text);
    run.simulation.run(20.0).unwrap();
    let (state, totals) = (run.simulation.state().clone(), run.simulation.observables());
    assert!((state.q[7] - state.q[0] - 1.0).abs() < 1e-6);
    assert!((totals.center_of_mass.x - 0.5).abs() < 1e-9 && totals.linear_momentum.length() < 1e-9);
}

#[test]
fn a_field_acts_on_bodies_in_its_region_only() {
    let text = "
gravity = [0, 0, 0]
[[bodies]]
name = 'in'
mass = 2
shapes = [{ type = 'sphere', radius = 0.1 }]
[[bodies]]
name = 'out'
position = [0, 5, 0]
shapes = [{ type = 'sphere', radius = 0.1 }]
[[controllers]]
type = 'force_field'
acceleration = [3, 0, 0]
region = { min = [-1, -1, -1], max = [6, 1, 1] }
[[controllers]]
type = 'force_field'
bodies = ['in']
force = [0, 0, 4]
";
    let mut run = run(text);
    run.simulation.run(0.5).unwrap();
    let state = run.simulation.state();
    assert!((state.v[3] - 1.5).abs() < 1e-12 && (state.v[5] - 1.0).abs() < 1e-12, "{:?}", state.v);
    assert_eq!(state.v[6..], [0.0; 6]);
}

#[test]
fn a_schedule_sets_targets_in_the_unit_of_the_joint() {
    let motor = ", motor = { type = 'position', target = 90, stiffness = 200, damping = 20 }";
    let text = format!(
        "{}
[[controllers]]
type = 'motor_schedule'
joint = 'wheel'
keys = [{{ time = 3, target = -45 }}, {{ time = 6, target = 45 }}]
period = 8
",
        wheel(motor)
    );
    let mut run = run(&text);
    let degrees = std::f64::consts::PI / 180.0;
    // Critically damped at 20 rad/s: two seconds are 40 time constants.
    for (time, angle) in [(2.9, 90.0), (5.9, -45.0), (7.9, 45.0), (10.9, 45.0), (13.9, -45.0), (15.9, 45.0)] {
        run.simulation.run(time).unwrap();
        let found = run.simulation.state().q[0];
        assert!((found - angle * degrees).abs() < 1e-6, "at {time} s: {found}");
    }
}

#[test]
fn a_schedule_may_go_on_lines() {
    let motor = ", motor = { type = 'effort', effort = 0 }";
    let text = format!(
        "{}
[[controllers]]
type = 'motor_schedule'
joint = 'wheel'
keys = [{{ time = 0, target = 0 }}, {{ time = 2, target = 4 }}]
between = 'linear'
",
        wheel(motor)
    );
    let mut run = run(&text);
    run.simulation.run(2.0).unwrap();
    // 4 N m s of torque on 0.5 kg m^2, less the half step by which a held target is late.
    let spin = run.simulation.state().v[0];
    assert!((spin - (8.0 - 0.5 * STEP * 4.0 / 0.5)).abs() < 1e-9, "{spin}");
    run.simulation.run(3.0).unwrap();
    assert!((run.simulation.state().v[0] - spin - 8.0).abs() < 1e-9);
}

#[test]
fn a_speed_limiter_fades_and_never_brakes() {
    let text = |speed: f64| {
        format!(
            "{}
[[controllers]]
type = 'speed_limiter'
joints = ['wheel']
torque = -2
max_speed = 4
when = {{ until = 1 }}
",
            wheel(&format!(", velocity = {}", speed.to_degrees()))
        )
    };
    let mut slow = run(&text(0.0));
    slow.simulation.run(2.0).unwrap();
    // The speed nears 4 rad/s with the rate torque / (max_speed inertia) = 1/s, then stays: there is no motor of its own.
    let expected = -4.0 * (1.0 - libm::exp(-1.0));
    let found = slow.simulation.state().v[0];
    // The implicit step is of first order: half a step of the rate.
    assert!((found - expected).abs() < 4.0 * 0.5 * STEP, "{found}, not {expected}");
    let mut fast = run(&text(-7.0));
    fast.simulation.run(2.0).unwrap();
    assert!((fast.simulation.state().v[0] + 7.0).abs() < 1e-12);
}

#[test]
fn a_blow_falls_in_the_step_that_contains_its_time() {
    for (time, steps_before) in [(0.0, 0), (10.0 * STEP, 10), (10.4 * STEP, 10), (0.5, 120)] {
        let text = format!(
            "{BALL}
[[controllers]]
type = 'impulse'
body = 'ball'
impulse = [0, 5, 0]
time = {time:?}
"
        );
        let mut run = run(&text);
        for _ in 0..steps_before {
            run.simulation.step().unwrap();
        }
        assert_eq!(run.simulation.state().v[4], 0.0, "blow at {time} s");
        for _ in 0..3 {
            run.simulation.step().unwrap();
            assert!((run.simulation.state().v[4] - 2.5).abs() < 1e-12, "blow at {time} s");
        }
    }
}

#[test]
fn a_fluid_carries_bodies_along() {
    let text = "
gravity = [0, 0, 0]
fluid = { type = 'linear', coefficient = 100, current = [0.5, 0, 0] }
[[bodies]]
name = 'block'
mass = 1
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]
";
    let mut run = run(text);
    run.simulation.run(0.1).unwrap();
    // Two faces of 0.04 m^2: 8 N s/m on 1 kg; drag is explicit, of first order in the step.
    let (found, expected) = (run.simulation.state().v[3], 0.5 * (1.0 - libm::exp(-0.8)));
    assert!((found - expected).abs() < 0.5 * 8.0 * STEP, "{found}, not {expected}");
}

#[test]
fn a_force_wakes_whoever_sleeps() {
    let text = "
[simulation]
sleeping = true
[[bodies]]
name = 'ground'
fixed = true
shapes = [{ type = 'half_space' }]
[[bodies]]
name = 'box'
mass = 1
position = [0, 0, 0.1]
shapes = [{ type = 'box', size = [0.2, 0.2, 0.2] }]
[[controllers]]
type = 'constant_force'
body = 'box'
force = [20, 0, 0]
when = { from = 2, until = 2.5 }
";
    let mut run = run(text);
    run.simulation.run(2.0).unwrap();
    assert!(run.simulation.data().rest.sleeps(0));
    assert!(run.simulation.state().q[0].abs() < 1e-6);
    run.simulation.run(2.4).unwrap();
    // 20 N less friction of half the weight.
    let (found, expected) = (run.simulation.state().v[3], (20.0 - 0.5 * 9.81) * 0.4);
    assert!((found - expected).abs() < 0.2, "{found}, not {expected}");
}

/// Everything at once, so that a snapshot has to hold all memories.
fn busy_scene() -> String {
    format!(
        "{}
[[bodies]]
name = 'ball'
position = [2, 0, 0]
shapes = [{{ type = 'sphere', radius = 0.1 }}]
[[controllers]]
type = 'motor_schedule'
joint = 'wheel'
keys = [{{ time = 0.1, target = 90 }}, {{ time = 0.6, target = -90 }}]
period = 0.7
between = 'linear'
[[controllers]]
type = 'impulse'
body = 'ball'
impulse = [0, 5, 0]
point = [0.1, 0, 0]
frame = 'body'
time = 0.4
[[controllers]]
type = 'spring'
a = {{ body = 'wheel', position = [1, 0, 0] }}
b = {{ body = 'ball' }}
stiffness = 30
damping = 1
when = {{ from = 0.3 }}
[[bodies]]
name = 'rotor'
mass = 1
inertia = [1, 1, 1]
joint = {{ type = 'revolute', axis = [1, 0, 0] }}
[[controllers]]
type = 'speed_limiter'
joints = ['rotor']
torque = 3
max_speed = 1
when = {{ from = 0.2, until = 0.5 }}
",
        wheel(", motor = { type = 'position', target = 0, stiffness = 40, damping = 2 }")
    )
}

#[test]
fn a_snapshot_in_the_middle_gives_the_same_end() {
    let scene = scene(&busy_scene());
    for paradigm in Paradigm::ALL {
        let start = || {
            let options = RunOptions { paradigm: Some(paradigm), ..RunOptions::default() };
            scene.run(".", &options).unwrap().simulation
        };
        let mut whole = start();
        whole.run(1.0).unwrap();
        let expected = whole.state_hash();
        for taken_at in [0.05, 0.25, 0.399, 0.41, 0.55, 0.75] {
            let mut first = start();
            first.run(taken_at).unwrap();
            let snapshot = first.snapshot();
            // Into a simulation that has gone its own way since.
            let mut other = start();
            other.run(0.9).unwrap();
            other.restore(&snapshot).unwrap();
            other.run(1.0).unwrap();
            assert_eq!(other.state_hash(), expected, "{}, taken at {taken_at} s", paradigm.name());
        }
    }
}

#[test]
fn every_paradigm_minds_controllers() {
    let scene = scene(
        "
gravity = [0, 0, 0]
fluid = { type = 'linear', coefficient = 2 }
[[bodies]]
name = 'pushed'
mass = 2
shapes = [{ type = 'sphere', radius = 0.01 }]
[[bodies]]
name = 'struck'
mass = 2
position = [0, 3, 0]
shapes = [{ type = 'sphere', radius = 0.01 }]
[[bodies]]
name = 'block'
mass = 1
position = [0, 6, 0]
velocity = [1, 0, 0]
shapes = [{ type = 'box', size = [1, 1, 1] }]
[[bodies]]
name = 'wheel'
mass = 1
inertia = [1, 1, 0.5]
joint = { type = 'revolute', axis = [0, 0, 1], in_parent = { position = [0, 9, 0] }, motor = { type = 'effort', effort = 0 } }
[[controllers]]
type = 'constant_force'
body = 'pushed'
force = [6, 0, 0]
[[controllers]]
type = 'impulse'
body = 'struck'
impulse = [4, 0, 0]
time = 0.25
[[controllers]]
type = 'motor_schedule'
joint = 'wheel'
keys = [{ time = 0.5, target = 1 }]
",
    );
    for paradigm in Paradigm::ALL {
        let options = RunOptions { paradigm: Some(paradigm), ..RunOptions::default() };
        let mut run = scene.run(".", &options).unwrap();
        run.simulation.run(1.0).unwrap();
        let v = &run.simulation.state().v;
        // Two faces of 1 m^2 brake the block with 4 N s/m; drag on the balls is nothing to speak of.
        let expected = [(3, 3.0), (9, 2.0), (15, libm::exp(-4.0)), (18, 1.0)];
        for (dof, expected) in expected {
            assert!((v[dof] - expected).abs() < 0.01, "{}: {dof}: {} instead of {expected}", paradigm.name(), v[dof]);
        }
    }
}

#[test]
fn two_controllers_cannot_have_one_motor() {
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

#[test]
fn bodies_that_start_in_each_other_are_refused() {
    let mut scene = SceneSpec::new("wedged", "");
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    scene.bodies.push(BodySpec::new("box", DVec3::Z * 0.45, [ShapeSpec::cuboid(DVec3::ONE)]));
    let error = scene.run(".", &RunOptions::default()).unwrap_err().to_string();
    let expected = "scene: bodies[1]: 'ground' and 'box' start 5.000e-2 m deep in each other; move them apart";
    assert!(error.starts_with(expected), "{error}");
    scene.bodies[1].position.z = 0.495;
    assert!(scene.run(".", &RunOptions::default()).is_ok());
    scene.bodies[1].position.z = 0.45;
    scene.simulation.allow_overlap = true;
    assert!(scene.run(".", &RunOptions::default()).is_ok());
}

#[test]
fn bounds_of_the_scene_end_a_run() {
    let falling = |bounds: &str| {
        run(&format!(
            "[simulation]\n{bounds}\n[[bodies]]\nname = 'ball'\nshapes = [{{ type = 'sphere', radius = 0.1 }}]\n"
        ))
        .simulation
        .run(1.0)
    };
    assert!(falling("").is_ok());
    assert!(matches!(falling("max_speed = 5"), Err(Failure::TooFast { bound: 5.0, .. })));
    assert!(matches!(falling("max_energy = -1"), Err(Failure::EnergyGrowth { bound: -1.0, .. })));
}

#[test]
fn options_come_before_settings() {
    let scene = scene(BALL);
    let refused = |step| scene.run(".", &RunOptions { step: Some(step), ..RunOptions::default() }).is_err();
    assert!(refused(0.0) && refused(-1.0) && refused(f64::NAN) && refused(2.0));
    for paradigm in Paradigm::ALL {
        let options = RunOptions { paradigm: Some(paradigm), step: Some(0.01), ..RunOptions::default() };
        let run = scene.run(".", &options).unwrap();
        assert_eq!((run.paradigm, run.simulation.step_length()), (paradigm, 0.01));
    }
}
