//! Controls, pushes, twists and keyframes: their physics, and their exact replay.

use crate::support::{TestSession, assert_exact};
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use burgess_server::session::{PLAYING, SectionKind, Sessions};
use serde_json::{Value, json};

/// A ball in empty space: 2 kg with an inertia of 0.5 kg m^2, and a driven wheel of 1 kg m^2.
const SPACE: &str = "
gravity = [0, 0, 0]
actuators = [{ name = 'drive', joint = 'wheel', control_range = [-1, 1], control = 0.25 }]

[[bodies]]
name = 'ball'
mass = 2
inertia = [0.5, 0.5, 0.5]

[[bodies]]
name = 'wheel'
mass = 1
inertia = [1, 1, 1]
joint = { type = 'revolute', axis = [0, 0, 1], in_parent = { position = [5, 0, 0] } }

[[keyframes]]
name = 'away'
bodies.ball = { position = [1, 2, 3], velocity = [0, 0, 4] }
bodies.wheel = { positions = [0.5], velocities = [1] }
controls.drive = -0.5
";

fn open() -> TestSession {
    let scene = SceneSpec::from_toml(SPACE, "space.toml").unwrap();
    let sessions = Sessions::default();
    let session = sessions.open_scene(&scene, "test", &RunOptions::default()).unwrap();
    let test = TestSession::of(sessions, session);
    test.command(json!({"do": "pause"}));
    // An edit during a seek would be refused.
    if test.wait(|frame| frame.flags & PLAYING == 0).step > 0 {
        test.seek(0);
    }
    test
}

fn probe(test: &mut TestSession, body: usize) -> Value {
    let step = test.frame().step;
    test.command(json!({"do": "probe", "body": body}));
    assert_eq!(test.frame().step, step);
    test.message_where("probe", |message| message["body"] == body)
}

fn vector(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|axis| value[axis].as_f64().unwrap())
}

fn assert_near(found: [f64; 3], expected: [f64; 3], what: &str) {
    // Integration errors of steps of 1/240 s.
    let is_near = (0..3).all(|axis| (found[axis] - expected[axis]).abs() < 1e-9);
    assert!(is_near, "{what}: {found:?}, expected {expected:?}");
}

#[test]
fn an_impulse_changes_momentum_by_itself() {
    let mut test = open();
    test.command(json!({"do": "push", "body": 0, "impulse": [2, -4, 6], "angular_impulse": [0, 0, 1]}));
    test.seek(48);
    let ball = probe(&mut test, 0);
    assert_near(vector(&ball["velocity"]), [1.0, -2.0, 3.0], "velocity");
    assert_near(vector(&ball["angular_velocity"]), [0.0, 0.0, 2.0], "angular velocity");
    assert_near(vector(&ball["position"]), [0.2, -0.4, 0.6], "position");
}

#[test]
fn a_twist_is_a_torque_until_it_is_released() {
    let mut test = open();
    test.command(json!({"do": "twist", "body": 0, "torque": [0, 0, 1.5]}));
    test.seek(120);
    test.command(json!({"do": "release"}));
    test.seek(240);
    // 1.5 N m for 0.5 s on 0.5 kg m^2.
    let ball = probe(&mut test, 0);
    assert_near(vector(&ball["angular_velocity"]), [0.0, 0.0, 1.5], "angular velocity");
    assert_near(vector(&ball["velocity"]), [0.0; 3], "velocity");
    test.command(json!({"do": "drag", "to": [0, 0, 0]}));
    assert!(test.message("refused")["why"].as_str().unwrap().contains("holds no body"));
}

#[test]
fn an_override_drives_the_actuator_within_its_range() {
    let mut test = open();
    test.seek(60);
    test.command(json!({"do": "control", "actuator": 0, "control": 7}));
    test.seek(180);
    assert_eq!(test.section(SectionKind::Controls), [1.0, 1.0, 1.0]);
    test.command(json!({"do": "control", "actuator": 0, "control": null}));
    test.seek(240);
    assert_eq!(test.section(SectionKind::Controls), [0.25, 0.25, 0.0]);
    // The torque is 0.25 N m for 0.25 s, 1 N m for 0.5 s and again 0.25 N m for 0.25 s.
    let wheel = probe(&mut test, 1);
    assert!((wheel["joint"]["velocities"][0].as_f64().unwrap() - 0.625).abs() < 1e-9, "{wheel}");
    test.command(json!({"do": "control", "actuator": 1, "control": 0}));
    assert!(test.message("refused")["why"].as_str().unwrap().contains("there is no actuator 1"));
}

#[test]
fn a_keyframe_sets_positions_velocities_and_controls() {
    let mut test = open();
    test.seek(100);
    test.command(json!({"do": "keyframe", "name": "away"}));
    test.seek(124);
    let ball = probe(&mut test, 0);
    assert_near(vector(&ball["position"]), [1.0, 2.0, 3.4], "position");
    let wheel = probe(&mut test, 1);
    // 1 rad/s, and -0.5 N m for 0.1 s.
    assert!((wheel["joint"]["velocities"][0].as_f64().unwrap() - 0.95).abs() < 1e-9, "{wheel}");
    assert_eq!(test.section(SectionKind::Controls)[0], -0.5);
    test.command(json!({"do": "keyframe", "name": "nowhere"}));
    assert!(test.message("refused")["why"].as_str().unwrap().contains("nowhere"));
    test.seek(40);
    test.seek(124);
    assert_exact(&test);
}

/// Hashes after going back to the start and forth again, and in a session of the take.
fn assert_replays(test: &TestSession, last: u64) {
    let hash = test.seek(last).hash;
    assert_ne!(hash, 0);
    for back in [0, last / 3, last / 2 + 1] {
        test.seek(back);
        assert_eq!(test.seek(last).hash, hash, "after going back to {back}");
    }
    assert_exact(test);
    let take = serde_json::to_value(test.session.take()).unwrap();
    let again = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    assert_eq!(again.seek(last).hash, hash, "in the take");
    assert_exact(&again);
}

#[test]
fn overrides_of_a_creature_replay_to_the_same_hash() {
    let test = TestSession::open(json!({"source": {"type": "creature", "name": "quadruped"}}));
    let plain = test.seek(480).hash;
    test.seek(120);
    let before = test.section(SectionKind::Controls);
    assert!(before.len() > 3);
    // Sliders: several values at one step, others later, one override ended.
    for (step, actuator, control) in
        [(120, 0, json!(0.9)), (120, 0, json!(-0.6)), (160, 1, json!(0.5)), (240, 0, json!(null)), (300, 2, json!(0.1))]
    {
        if test.frame().step != step {
            test.seek(step);
        }
        test.command(json!({"do": "control", "actuator": actuator, "control": control}));
    }
    // The brain does not change what is overridden.
    test.seek(440);
    let now = test.section(SectionKind::Controls);
    assert_eq!(now.chunks(3).map(|row| row[2]).take(3).collect::<Vec<_>>(), [0.0, 1.0, 1.0]);
    assert_eq!(test.session.take().events.len(), 4, "two values at one step are one edit");
    test.command(json!({"do": "push", "body": 0, "impulse": [0, 3, 0]}));
    assert_ne!(test.seek(480).hash, plain);
    assert_replays(&test, 480);
}

#[test]
fn pushes_twists_and_overrides_survive_other_edits() {
    let test = open();
    test.command(json!({"do": "control", "actuator": 0, "control": 0.75}));
    test.seek(40);
    test.command(json!({"do": "twist", "body": 0, "torque": [0.1, 0.2, 0.3]}));
    test.seek(60);
    test.command(json!({"do": "throw", "from": [0, 5, 0], "velocity": [0, -2, 0], "radius": 0.1, "density": 100}));
    test.seek(80);
    assert_eq!(test.section(SectionKind::Controls), [0.75, 0.75, 1.0]);
    test.command(json!({"do": "release"}));
    test.command(json!({"do": "keyframe", "name": "away"}));
    test.seek(120);
    assert_eq!(test.section(SectionKind::Controls), [0.75, 0.75, 1.0]);
    let scene = test.session.take();
    assert_eq!(scene.events.len(), 5);
    test.seek(200);
    test.seek(0);
    test.seek(200);
    assert_exact(&test);
}
