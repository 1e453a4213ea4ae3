//! Tendons, compared with closed forms in every paradigm; energy, and stability at any stiffness.

use std::f64::consts::PI;

use burgess_scene::RunOptions;
use burgess_scene::spec::{Paradigm, SceneSpec};
use burgess_simulation::Simulation;

/// Two masses on slides that a tendon connects.
fn slides(tendon: &str) -> String {
    format!(
        "
gravity = [0, 0, 0]
[[bodies]]
name = 'a'
mass = 2
inertia = [1, 1, 1]
joint = {{ type = 'prismatic', axis = [1, 0, 0], in_parent = {{ position = [0, 0, 0] }} }}
[[bodies]]
name = 'b'
mass = 1
inertia = [1, 1, 1]
joint = {{ type = 'prismatic', axis = [1, 0, 0], in_parent = {{ position = [0, 3, 0] }}, position = 0.3 }}
[[tendons]]
name = 'between'
joints = [{{ joint = 'a', coefficient = -1 }}, {{ joint = 'b', coefficient = 1 }}]
{tendon}
"
    )
}

fn run(text: &str, paradigm: Paradigm, step: f64) -> Simulation {
    let scene = SceneSpec::from_toml(text, "tendons.toml").unwrap_or_else(|error| panic!("{error}"));
    let options = RunOptions { paradigm: Some(paradigm), step: Some(step), ..RunOptions::default() };
    scene.run(".", &options).unwrap_or_else(|error| panic!("{error}")).simulation
}

#[test]
fn masses_oscillate_against_each_other_in_every_paradigm() {
    // A reduced mass of 2/3 kg on 6 N/m: 3 rad/s.
    let text = slides("stiffness = 6");
    for paradigm in Paradigm::ALL {
        let mut simulation = run(&text, paradigm, 1e-3);
        let start = simulation.energy();
        assert!((start - 0.5 * 6.0 * 0.09).abs() < 1e-15);
        for quarter in 1..=8 {
            simulation.run(f64::from(quarter) * PI / 6.0).unwrap();
            let time = simulation.state().time;
            let (a, b) = (simulation.state().q[0], simulation.state().q[1]);
            let expected = 0.3 * libm::cos(3.0 * time);
            // Penalty forces are constant during a step, so they lag by a step: first order.
            let (far, lost) = if paradigm == Paradigm::Penalty { (5e-3, 0.03) } else { (1e-5, 1e-5) };
            assert!((b - a - expected).abs() < far, "{}: {} instead of {expected}", paradigm.name(), b - a);
            assert!((2.0 * a + b - 0.3).abs() < 1e-12, "{}: the centre moves", paradigm.name());
            let energy = simulation.energy();
            assert!((energy / start - 1.0).abs() < lost, "{}: {energy} of {start}", paradigm.name());
        }
    }
}

#[test]
fn damping_makes_the_length_decay() {
    // 2/3 l'' + 2 l' + 6 l = 0: l = exp(-1.5 t) (cos(w t) + 1.5/w sin(w t)), w^2 = 9 - 2.25.
    let text = slides("stiffness = 6\ndamping = 2");
    let w = 6.75_f64.sqrt();
    for paradigm in Paradigm::ALL {
        let mut simulation = run(&text, paradigm, 1e-3);
        simulation.run(1.0).unwrap();
        let length = simulation.state().q[1] - simulation.state().q[0];
        let expected = 0.3 * libm::exp(-1.5) * (libm::cos(w) + 1.5 / w * libm::sin(w));
        // The damper is implicit where the step is: first order.
        assert!((length - expected).abs() < 2e-4, "{}: {length} instead of {expected}", paradigm.name());
    }
}

#[test]
fn a_tendon_is_slack_between_its_rest_lengths() {
    // Out of the band at 1 m/s, back after half a period at -1 m/s, and out on the other side.
    let text = slides("stiffness = 600\nrest = [0.1, 0.5]")
        .replace("position = 0.3 }", "position = 0.3, velocity = 2 }")
        .replace("position = [0, 0, 0] } }", "position = [0, 0, 0] }, velocity = -1 }");
    for paradigm in Paradigm::ALL {
        let mut simulation = run(&text, paradigm, 1e-4);
        let start = simulation.energy();
        let length = |simulation: &Simulation| simulation.state().q[1] - simulation.state().q[0];
        simulation.run(0.06).unwrap();
        assert!((length(&simulation) - 0.48).abs() < 1e-9, "{}", paradigm.name());
        // Beyond the band for pi/30 s, then back with the same speed.
        let turned = 0.2 / 3.0 + PI / 30.0;
        simulation.run(0.2).unwrap();
        let expected = 0.5 - 3.0 * (simulation.state().time - turned);
        let far = if paradigm == Paradigm::Penalty { 5e-3 } else { 1e-3 };
        let now = length(&simulation);
        assert!((now - expected).abs() < far, "{}: {now} instead of {expected}", paradigm.name());
        simulation.run(2.0).unwrap();
        let lost = if paradigm == Paradigm::Penalty { 0.05 } else { 2e-3 };
        let energy = simulation.energy();
        assert!((energy / start - 1.0).abs() < lost, "{}: {energy} of {start}", paradigm.name());
    }
}

/// Couples joints like a pair of gears; an explicit force would be unstable at this step.
#[test]
fn stiff_tendons_couple_joints_and_do_not_explode() {
    let gears = |stiffness: f64, damping: f64| {
        format!(
            "
gravity = [0, 0, 0]
actuators = [{{ name = 'drive', joint = 'first', control = 3 }}]
[[bodies]]
name = 'frame'
mass = 5
inertia = [1, 1, 1]
[[bodies]]
name = 'first'
mass = 1
inertia = [1, 1, 1]
joint = {{ type = 'revolute', parent = 'frame', axis = [0, 0, 1], in_parent = {{ position = [1, 0, 0] }} }}
[[bodies]]
name = 'second'
mass = 1
inertia = [1, 1, 2]
joint = {{ type = 'revolute', axis = [0, 0, 1], in_parent = {{ position = [5, 0, 0] }} }}
[[tendons]]
name = 'teeth'
joints = [{{ joint = 'first', coefficient = 2 }}, {{ joint = 'second', coefficient = 1 }}]
stiffness = {stiffness:e}
damping = {damping:e}
"
        )
    };
    for paradigm in [Paradigm::TimeStepping, Paradigm::Impulse, Paradigm::Penalty] {
        for stiffness in [1e4, 1e8, 1e12] {
            let mut simulation = run(&gears(stiffness, 1e-3 * stiffness), paradigm, 1.0 / 240.0);
            simulation.run(1.0).unwrap_or_else(|failure| panic!("{} {stiffness}: {failure}", paradigm.name()));
            let (q, v) = (&simulation.state().q, &simulation.state().v);
            let (first, second) = (q[7], q[8]);
            assert!((2.0 * first + second).abs() < 1e-3, "{} {stiffness}: {first} {second}", paradigm.name());
            assert!((2.0 * v[6] + v[7]).abs() < 1e-2, "{} {stiffness}: {} {}", paradigm.name(), v[6], v[7]);
            assert!(first > 0.05, "{} {stiffness}: {first}", paradigm.name());
        }
        // Without damping they oscillate, but gain no energy.
        let mut simulation = run(&gears(1e9, 0.0), paradigm, 1.0 / 240.0);
        simulation.run(1.0).unwrap();
        let first = simulation.state().v[6];
        assert!(first.abs() < 10.0, "{}: {first}", paradigm.name());
    }
}

/// Entering and leaving the band of a stiff tendon within single steps adds no energy either.
#[test]
fn a_stiff_tendon_with_a_band_adds_no_energy() {
    let text =
        slides("stiffness = 1e9\nrest = [0.1, 0.5]").replace("position = 0.3 }", "position = 0.3, velocity = 2 }");
    for paradigm in [Paradigm::TimeStepping, Paradigm::Impulse] {
        let mut simulation = run(&text, paradigm, 1.0 / 240.0);
        let mut before = simulation.energy();
        for _ in 0..1000 {
            simulation.step().unwrap();
            let now = simulation.energy();
            assert!(now <= before + 1e-9, "{}: {now} after {before}", paradigm.name());
            before = now;
            let length = simulation.state().q[1] - simulation.state().q[0];
            // At most half the distance covered in a step at the initial speed.
            assert!((0.09..0.51).contains(&length), "{}: {length}", paradigm.name());
        }
    }
}

/// A string over a pulley: a box on the ground on one end, a weight on the other.
#[test]
fn a_weight_on_a_pulley_presses_and_lifts_a_box() {
    let pulley = |weight: f64, start: f64| {
        format!(
            "
[[bodies]]
name = 'ground'
fixed = true
shapes = [{{ type = 'half_space' }}]
[[bodies]]
name = 'box'
mass = 2
shapes = [{{ type = 'box', size = [0.2, 0.2, 0.2] }}]
joint = {{ type = 'prismatic', axis = [0, 0, 1], in_parent = {{ position = [0, 0, 0.1] }} }}
[[bodies]]
name = 'weight'
mass = {weight}
shapes = [{{ type = 'box', size = [0.2, 0.2, 0.2] }}]
joint = {{ type = 'prismatic', axis = [0, 0, 1], in_parent = {{ position = [1, 0, 5] }}, position = {start} }}
[[tendons]]
name = 'string'
joints = [{{ joint = 'box', coefficient = 1 }}, {{ joint = 'weight', coefficient = 1 }}]
stiffness = 1e4
damping = 1e2
"
        )
    };
    for paradigm in Paradigm::ALL {
        let name = paradigm.name();
        // 1 kg stretches the string by 1 mm, to some g h^2, and the box stays down, if hopping within the envelope.
        let mut simulation = run(&pulley(1.0, 0.0), paradigm, 1e-3);
        simulation.run(1.0).unwrap();
        let q = &simulation.state().q;
        assert!(q[0].abs() < 1e-3 && (q[0] + q[1] + 9.81e-4).abs() < 3e-5, "{name}: {q:?}");
        // 3 kg fall at a fifth of gravity and lift it, if the string is as tight as that from the start.
        let mut simulation = run(&pulley(3.0, -2.4 * 9.81e-4), paradigm, 1e-3);
        simulation.run(0.5).unwrap();
        let v = simulation.state().v[0];
        // Impulses throw it up in the first step, at most with the speed gained by gravity in two steps.
        assert!((v - 0.5 * 9.81 / 5.0).abs() < 2.0 * 9.81e-3, "{name}: {v}");
    }
}

#[test]
fn momentum_of_a_floating_tree_is_conserved() {
    let text = include_str!("reference/machine.toml").replace("name = \"machine\"", "gravity = [0, 0, 0]");
    let mut scene = SceneSpec::from_toml(&text, "machine.toml").unwrap();
    scene.fluid = None;
    scene.actuators.clear();
    scene.bodies[0].angular_velocity = glam::DVec3::new(1.0, 2.0, -1.0);
    scene.tendons[0].stiffness = 1e6;
    let mut simulation = scene.run(".", &RunOptions::default()).unwrap().simulation;
    let start = simulation.observables();
    simulation.run(2.0).unwrap();
    let end = simulation.observables();
    assert!((end.linear_momentum - start.linear_momentum).length() < 1e-10);
    assert!((end.angular_momentum - start.angular_momentum).length() < 1e-10);
}

#[test]
fn a_run_resumed_from_a_snapshot_ends_in_the_same_state() {
    let text = slides("stiffness = 600\nrest = [0.1, 0.2]");
    for paradigm in Paradigm::ALL {
        let mut whole = run(&text, paradigm, 0.01);
        whole.run(0.5).unwrap();
        let snapshot = whole.snapshot();
        whole.run(1.0).unwrap();
        let mut other = run(&text, paradigm, 0.01);
        other.run(0.3).unwrap();
        other.restore(&snapshot).unwrap();
        other.run(1.0).unwrap();
        assert_eq!(other.state_hash(), whole.state_hash(), "{}", paradigm.name());
    }
}

#[test]
fn a_warm_step_allocates_nothing() {
    let mut simulation = run(&slides("stiffness = 600\ndamping = 1"), Paradigm::TimeStepping, 1e-3);
    let mut steps = |count: u32| (0..count).for_each(|_| simulation.step().unwrap());
    steps(20);
    assert_eq!(allocation_counter::measure(|| steps(100)).count_total, 0);
}

#[test]
fn invalid_tendons_are_refused_with_a_clear_message() {
    let refusal = |old: &str, new: &str| {
        let text = slides("stiffness = 1").replace(old, new);
        let scene = SceneSpec::from_toml(&text, "t.toml").and_then(|scene| scene.build(".").map(|_| ()));
        scene.expect_err(new).to_string()
    };
    for (old, new, expected) in [
        ("stiffness = 1", "stiffness = -1", "tendons[0].stiffness: must be finite and not negative, found -1"),
        ("stiffness = 1", "damping = inf", "tendons[0].damping: must be finite and not negative, found inf"),
        ("stiffness = 1", "rest = [1, 0]", "tendons[0].rest: the shortest length comes first, found [1, 0]"),
        ("coefficient = -1", "coefficient = nan", "tendons[0].joints[0].coefficient: must be finite, found NaN"),
        ("joint = 'a'", "joint = 'c'", "tendons[0].joints[0].joint: there is no body called 'c'; did you mean 'a'?"),
        (
            "joint = 'b'",
            "axis = 2, joint = 'b'",
            "tendons[0].joints[1].joint: the joint of 'b' has 1 axes, so there is no axis 2",
        ),
        (
            "type = 'prismatic', axis = [1, 0, 0], in_parent = { position = [0, 3, 0] }, position = 0.3",
            "type = 'spherical'",
            "tendons[0].joints[1].joint: the joint of 'b' turns freely; a tendon is over hinges and slides",
        ),
    ] {
        let found = refusal(old, new);
        assert!(found.ends_with(expected), "{found}\n{expected}");
    }
    let third = "[[bodies]]\nname = 'c'\nmass = 1\ninertia = [1, 1, 1]\njoint = { type = 'prismatic', axis = [1, 0, 0], in_parent = { position = [0, 6, 0] } }\n[[tendons]]";
    let text = slides("stiffness = 1").replace("[[tendons]]", third);
    let text = text.replace("coefficient = 1 }]", "coefficient = 1 }, { joint = 'c', coefficient = 1 }]");
    let error = SceneSpec::from_toml(&text, "t.toml").unwrap().build(".").unwrap_err().to_string();
    assert!(error.contains("more than two bodies that do not hang together"), "{error}");
}
