//! Starting from a keyframe: free bodies, all kinds of joints, and controls.

use burgess_scene::spec::{BodyStart, KeyframeSpec, Orientation, SceneSpec};
use burgess_scene::{RunOptions, RunningScene};
use glam::{DQuat, DVec3};

use crate::support::scene;

const SCENE: &str = "
gravity = [0, 0, 0]
actuators = [{ name = 'drive', joint = 'hinge' }, { name = 'other', joint = 'hinge', control = 7 }]
[[bodies]]
name = 'box'
position = [9, 9, 9]
mass = 1
inertia = [1, 1, 1]
[[bodies]]
name = 'damped'
mass = 1
inertia = [1, 1, 1]
joint = { type = 'free', linear_damping = 1 }
[[bodies]]
name = 'hinge'
mass = 1
inertia = [1, 1, 1]
joint = { type = 'revolute', axis = [0, 0, 1], angle_unit = 'degrees', position = 10, velocity = 10 }
[[bodies]]
name = 'stack'
mass = 1
inertia = [1, 1, 1]
[bodies.joint]
type = 'stack'
angle_unit = 'degrees'
axes = [{ type = 'slide', axis = [1, 0, 0], position = 5 }, { type = 'hinge', axis = [0, 0, 1], position = 20 }]
[[bodies]]
name = 'universal'
mass = 1
inertia = [1, 1, 1]
joint = { type = 'universal', first = { axis = [1, 0, 0] }, second = { axis = [0, 1, 0], velocity = 3 } }
[[bodies]]
name = 'ball'
mass = 1
inertia = [1, 1, 1]
joint = { type = 'spherical', angle_unit = 'degrees', velocity = [1, 2, 3] }
[[bodies]]
name = 'untouched'
mass = 1
inertia = [1, 1, 1]
joint = { type = 'revolute', axis = [0, 0, 1], position = 0.25 }
[[bodies]]
name = 'wall'
fixed = true
shapes = [{ type = 'half_space' }]

[[keyframes]]
name = 'home'
controls = { drive = -2 }
[keyframes.bodies]
box = { position = [1, 2, 3], orientation = { quaternion = [0.5, 0.5, 0.5, 0.5] }, velocity = [4, 5, 6], angular_velocity = [7, 8, 9] }
damped = { position = [0, 0, 1] }
hinge = { positions = [1.5], velocities = [0.5] }
stack = { positions = [0.1, 0.2] }
universal = { positions = [0.3, 0.4], velocities = [0.5, 0.6] }
ball = { orientation = { quaternion = [0, 0, 0.6, 0.8] }, angular_velocity = [0.1, 0.2, 0.3] }
";

fn run(keyframe: Option<&str>) -> RunningScene {
    let keyframe = keyframe.map(str::to_string);
    scene(SCENE).run(".", &RunOptions { keyframe, ..RunOptions::default() }).unwrap()
}

#[test]
fn a_run_starts_in_the_state_of_the_keyframe() {
    let run = run(Some("home"));
    let state = run.simulation.state();
    let turn = [0.5, 0.5, 0.5, 0.5];
    let straight = [0.0, 0.0, 0.0, 1.0];
    let mut q = [1.0, 2.0, 3.0].to_vec();
    q.extend(turn);
    q.extend([0.0, 0.0, 1.0]);
    q.extend(straight);
    q.extend([1.5, 0.1, 0.2, 0.3, 0.4, 0.0, 0.0, 0.6, 0.8, 0.25]);
    let mut v = [7.0, 8.0, 9.0, 4.0, 5.0, 6.0].to_vec();
    v.extend([0.0; 6]);
    v.extend([0.5, 0.0, 0.0, 0.5, 0.6, 0.1, 0.2, 0.3, 0.0]);
    // Converting to degrees and back causes rounding errors.
    for (found, expected) in state.q.iter().zip(&q).chain(state.v.iter().zip(&v)) {
        assert!((found - expected).abs() < 1e-15, "{:?}\n{q:?}\n{:?}\n{v:?}", state.q, state.v);
    }
    assert_eq!((state.q.len(), state.v.len()), (q.len(), v.len()));
    assert_eq!(run.controls(), [-2.0, 7.0]);
    // Without a keyframe the bodies' own values apply.
    let run = self::run(None);
    assert_eq!(run.simulation.state().q[0], 9.0);
    assert_eq!(run.controls(), [0.0, 7.0]);
}

#[test]
fn a_scene_with_an_applied_keyframe_survives_writing_and_reading() {
    let mut changed = scene(SCENE);
    changed.start_from("home").unwrap();
    let read = scene(&changed.to_toml().unwrap());
    assert_eq!(read, changed);
    let (ours, theirs) = (read.run(".", &RunOptions::default()).unwrap(), run(Some("home")));
    assert_eq!(ours.simulation.state_hash(), theirs.simulation.state_hash());
    assert_eq!(read.keyframes, scene(SCENE).keyframes);
}

#[test]
fn a_reached_state_can_become_a_keyframe() {
    let mut first = run(Some("home"));
    first.simulation.run(0.3).unwrap();
    let state = first.simulation.state();
    let mut scene = scene(SCENE);
    let q = &state.q;
    let free = BodyStart {
        position: DVec3::from_slice(q),
        orientation: Orientation::from_quaternion(DQuat::from_slice(&q[3..])),
        velocity: DVec3::from_slice(&state.v[3..]),
        angular_velocity: DVec3::from_slice(&state.v),
        ..BodyStart::default()
    };
    let bodies = [("box".to_string(), free)].into();
    scene.keyframes.push(KeyframeSpec { name: "later".to_string(), bodies, ..KeyframeSpec::default() });
    let options = RunOptions { keyframe: Some("later".to_string()), ..RunOptions::default() };
    let run = scene.run(".", &options).unwrap();
    // Reading normalises the orientation, which rounds.
    let differences = run.simulation.state().q[..7].iter().zip(&q[..7]).map(|(own, first)| (own - first).abs());
    assert!(differences.fold(0.0, f64::max) < 1e-15);
    assert_eq!(run.simulation.state().v[..6], state.v[..6]);
}

#[test]
fn invalid_keyframes_are_refused_with_a_clear_message() {
    let refusal = |old: &str, new: &str| {
        assert!(SCENE.contains(old), "{old}");
        let text = SCENE.replace(old, new);
        let built = SceneSpec::from_toml(&text, "s.toml").and_then(|scene| scene.build(".").map(|_| ()));
        built.expect_err(new).to_string()
    };
    for (old, new, expected) in [
        ("positions = [1.5]", "positions = [nan]", "keyframes[0].bodies.hinge.positions[0]: must be finite, found NaN"),
        (
            "positions = [1.5]",
            "positions = [1, 2]",
            "keyframes[0].bodies.hinge.positions: must be as many as the joint has axes, or none, found 2",
        ),
        (
            "positions = [1.5]",
            "position = [1, 2, 3]",
            "keyframes[0].bodies.hinge: 'hinge' is on a joint: it has positions and velocities of its axes",
        ),
        (
            "damped = { position = [0, 0, 1] }",
            "damped = { positions = [1] }",
            "keyframes[0].bodies.damped: 'damped' is free: it has a position and an orientation, no positions of axes",
        ),
        (
            "ball = { orientation",
            "ball = { positions = [1, 2, 3], orientation",
            "keyframes[0].bodies.ball: 'ball' is on a ball joint: it has an orientation and an angular_velocity",
        ),
        (
            "damped = { position",
            "wall = { position",
            "keyframes[0].bodies.wall: 'wall' is fixed or scripted: a keyframe cannot set its start",
        ),
        (
            "damped = { position",
            "damped2 = { position",
            "keyframes[0].bodies.damped2: there is no body called 'damped2'; did you mean 'damped'?",
        ),
        (
            "controls = { drive",
            "controls = { drve",
            "keyframes[0].controls.drve: there is no actuator called 'drve'; did you mean 'drive'?",
        ),
        (
            "[[keyframes]]",
            "[[keyframes]]\nname = 'home'\n[[keyframes]]",
            "keyframes[1].name: there is another keyframe called 'home'",
        ),
    ] {
        let found = refusal(old, new);
        assert!(found.ends_with(expected), "{found}\n{expected}");
    }
    let options = RunOptions { keyframe: Some("hme".to_string()), ..RunOptions::default() };
    let error = scene(SCENE).run(".", &options).unwrap_err().to_string();
    assert_eq!(error, "scene: keyframes: there is no keyframe called 'hme'; did you mean 'home'?");
}
