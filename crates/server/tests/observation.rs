//! Plots, marks, the profile and measurements: they show what a direct simulation computes, and change nothing.

use crate::support::{Folder, TestSession, assert_exact};
use burgess_catalog::{Arena, Creature};
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene, builtin};
use burgess_server::session::{Library, PLAYING, SectionKind, Sessions};
use serde_json::{Value, json};

/// The frames of a session are four steps of 1/240 s.
const FRAME: u64 = 4;

/// Requests signals, and returns the first message about them.
fn plot(test: &mut TestSession, signals: &Value) -> Value {
    test.command(json!({"do": "plot", "signals": signals}));
    test.message_where("plot", |message| message["after"].is_null() && message["signals"] == *signals)
}

fn numbers(list: &Value) -> Vec<f32> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().map_or(f32::NAN, |number| number as f32)).collect()
}

fn steps(message: &Value) -> Vec<u64> {
    message["steps"].as_array().unwrap().iter().map(|step| step.as_u64().unwrap()).collect()
}

fn body(body: usize, quantity: &str) -> Value {
    json!({"of": "body", "body": body, "quantity": quantity})
}

/// Bodies of a scene in the order of frames.
fn shown(scene: &SceneSpec, running: &RunningScene) -> Vec<usize> {
    let is_shown = |index: &usize| !scene.bodies[*index].fixed || running.bodies[*index].link.is_some();
    (0..scene.bodies.len()).filter(is_shown).collect()
}

/// Compares plots of heights, speeds and energy with a simulation outside of any session, at every frame.
fn compare_with_direct(test: &mut TestSession, scene: &SceneSpec, mut running: RunningScene, frames: u64) {
    let bodies: Vec<usize> = shown(scene, &running).into_iter().take(3).collect();
    let frame_steps = test.session.about().steps_per_frame;
    test.seek(frames * frame_steps);
    // The signals are chosen after the time that they show.
    let mut signals: Vec<Value> = (0..bodies.len()).map(|place| body(place, "position_z")).collect();
    signals.extend((0..bodies.len()).map(|place| body(place, "speed")));
    signals.push(json!({"of": "world", "quantity": "total_energy"}));
    let message = plot(test, &json!(signals));
    assert_eq!(steps(&message), (0..=frames).map(|frame| frame * frame_steps).collect::<Vec<_>>());
    let values: Vec<Vec<f32>> = message["values"].as_array().unwrap().iter().map(numbers).collect();
    for frame in 0..=frames as usize {
        while running.simulation.steps() < frame as u64 * frame_steps {
            running.simulation.step().unwrap();
        }
        running.simulation.data_mut().update_kinematics();
        let name = &scene.name;
        for (place, &index) in bodies.iter().enumerate() {
            let pose = running.body_pose(index).unwrap();
            assert_eq!(values[place][frame], pose.translation.z as f32, "{name}, frame {frame}, body {place}");
            let link = running.link_index(index);
            let velocity = |link| running.simulation.data().workspace.velocity_at(link, pose.translation).linear;
            let speed = link.map_or(0.0, |link| velocity(link).length());
            assert_eq!(values[bodies.len() + place][frame], speed as f32, "{name}, frame {frame}, body {place}");
        }
        let energy = running.simulation.energy();
        let shown = f64::from(*values.last().unwrap().get(frame).unwrap());
        // Kinetic and potential energy are rounded to single precision.
        assert!((shown - energy).abs() <= 1e-6 * (1.0 + energy.abs()), "{name}, frame {frame}: {shown} and {energy}");
    }
}

#[test]
fn plots_of_scenes_equal_a_direct_simulation() {
    for name in ["pendulum", "bouncing-balls", "stack", "quadruped-standing", "car-track"] {
        let scene = builtin::find(name).unwrap().spec();
        let running = scene.run("", &RunOptions::default()).unwrap();
        compare_with_direct(&mut TestSession::scene(name, None), &scene, running, 60);
    }
}

#[test]
fn plots_of_a_creature_equal_a_direct_simulation() {
    let mut test = TestSession::open(json!({"source": {"type": "creature", "name": "quadruped"}}));
    let preview = Arena::default().show(&Creature::builtin("quadruped").unwrap()).unwrap();
    let running = preview.run(&RunOptions::default()).unwrap();
    compare_with_direct(&mut test, preview.scene(), running, 90);
    // Nodes of the brain, joints and actuators, compared with a second direct simulation.
    let mut running = preview.run(&RunOptions::default()).unwrap();
    test.seek(960);
    let contents: Value = serde_json::from_slice(&test.session.contents()).unwrap();
    let driven = contents["actuators"][1]["body"].as_u64().unwrap() as usize;
    let signals = json!([
        {"of": "joint", "body": driven, "axis": contents["actuators"][1]["axis"], "quantity": "velocity"},
        {"of": "actuator", "actuator": 1, "quantity": "control"},
        {"of": "actuator", "actuator": 1, "quantity": "force"},
        {"of": "neuron", "neuron": 0},
        {"of": "neuron", "neuron": 1},
        {"of": "neuron", "neuron": 2},
    ]);
    let message = plot(&mut test, &signals);
    let values: Vec<Vec<f32>> = message["values"].as_array().unwrap().iter().map(numbers).collect();
    for (row, step) in steps(&message).into_iter().enumerate() {
        while running.simulation.steps() < step {
            running.simulation.step().unwrap();
        }
        assert_eq!(values[1][row], running.control(1) as f32, "step {step}");
        assert_eq!(values[2][row], running.actuator_force(1) as f32, "step {step}");
    }
    let last: Vec<f32> = values[3..].iter().map(|list| *list.last().unwrap()).collect();
    assert_eq!(test.section(SectionKind::Activations)[..3], last);
    let changes = |list: &Vec<f32>| list.iter().any(|value| *value != list[0]);
    assert!(values[..3].iter().all(changes) && values[3..].iter().any(changes), "the creature moves");
}

const SENSORS: &str = "
gravity = [0, 0, -10]
actuators = [{ name = 'drive', joint = 'arm', control_range = [-2, 2], control = 0.5 }]

[[bodies]]
name = 'ground'
fixed = true
shapes = [{ type = 'half_space' }]

[[bodies]]
name = 'arm'
mass = 1
inertia = [0.5, 0.5, 0.5]
joint = { type = 'revolute', axis = [0, 1, 0], in_parent = { position = [0, 0, 3] } }

[[bodies]]
name = 'box'
position = [2, 0, 1.5]
mass = 2
shapes = [{ type = 'box', size = [1, 1, 1] }]

[[sensors]]
type = 'center_of_mass'
name = 'middle'
body = 'box'

[[sensors]]
type = 'touch'
name = 'weight'
body = 'box'

[[keyframes]]
name = 'high'
bodies.box = { position = [2, 0, 5] }
controls.drive = 1.5
";

fn sensor_scene() -> SceneSpec {
    SceneSpec::from_toml(SENSORS, "sensors.toml").unwrap()
}

/// Opens a scene, paused at the start.
fn open(scene: &SceneSpec) -> TestSession {
    let sessions = Sessions::default();
    let session = sessions.open_scene(scene, "test", &RunOptions::default()).unwrap();
    let test = TestSession::of(sessions, session);
    test.command(json!({"do": "pause"}));
    // An edit during a seek would be refused.
    if test.wait(|frame| frame.flags & PLAYING == 0).step > 0 {
        test.seek(0);
    }
    test
}

#[test]
fn plots_of_sensors_and_contact_forces_show_the_weight() {
    let scene = sensor_scene();
    let mut test = open(&scene);
    test.seek(480);
    let signals = json!([
        {"of": "sensor", "sensor": 0, "component": 2},
        {"of": "sensor", "sensor": 1, "component": 0},
        body(1, "contact_force_z"),
        {"of": "world", "quantity": "contacts"},
    ]);
    let message = plot(&mut test, &signals);
    let values: Vec<Vec<f32>> = message["values"].as_array().unwrap().iter().map(numbers).collect();
    let mut running = scene.run("", &RunOptions::default()).unwrap();
    let mut direct = vec![0.0; running.sensors.dimension()];
    for (row, step) in steps(&message).into_iter().enumerate() {
        while running.simulation.steps() < step {
            running.simulation.step().unwrap();
        }
        running.read_sensors(&mut direct);
        assert_eq!([values[0][row], values[1][row]], [direct[2] as f32, direct[3] as f32], "step {step}");
    }
    // At rest the ground carries 2 kg.
    for list in &values[1..3] {
        assert!((list.last().unwrap() - 20.0).abs() < 0.01, "{list:?}");
    }
    assert_eq!(values[2][0], 0.0);
    assert!(*values[3].last().unwrap() >= 3.0);
}

#[test]
fn new_values_are_sent_and_an_edit_discards_what_came_after_it() {
    let mut test = TestSession::scene("bouncing-balls", None);
    test.seek(40);
    let signals = json!([body(0, "position_z")]);
    let first = plot(&mut test, &signals);
    assert_eq!(*steps(&first).last().unwrap(), 40);
    test.seek(80);
    let next = test.message("plot");
    assert_eq!(next["after"], 40);
    let mut known = steps(&next);
    while *known.last().unwrap() < 80 {
        let more = test.message("plot");
        assert_eq!(more["after"], *known.last().unwrap());
        known.extend(steps(&more));
    }
    assert_eq!(known, (11..=20).map(|frame| frame * FRAME).collect::<Vec<_>>());
    // Going back sends nothing; the past is the same afterwards.
    test.seek(20);
    let again = plot(&mut test, &signals);
    assert_eq!(steps(&again), (0..=20).map(|frame| frame * FRAME).collect::<Vec<_>>());
    test.command(json!({"do": "change", "gravity": [0, 0, 5]}));
    test.wait(|frame| frame.epoch == 1);
    test.seek(30);
    let message = test.message("plot");
    assert_eq!((&message["after"], steps(&message)), (&json!(20), vec![24, 28]));
    assert_ne!(numbers(&message["values"][0])[1], numbers(&again["values"][0])[7]);
}

#[test]
fn unknown_signals_are_refused_and_new_bodies_have_no_past() {
    let mut test = TestSession::scene("stack", None);
    let bodies = test.frame().bodies();
    for signal in [
        body(bodies, "speed"),
        json!({"of": "joint", "body": 0, "axis": 0, "quantity": "position"}),
        json!({"of": "actuator", "actuator": 0, "quantity": "control"}),
        json!({"of": "sensor", "sensor": 0, "component": 0}),
        json!({"of": "neuron", "neuron": 0}),
        body(usize::MAX, "tilt"),
    ] {
        test.command(json!({"do": "plot", "signals": [signal]}));
        let refused = test.message("refused");
        assert!(refused["why"].as_str().unwrap().starts_with("there is no signal"), "{refused}");
    }
    let too_many = json!({"do": "plot", "signals": vec![body(0, "speed"); 17]});
    assert!(test.viewer.command(&too_many.to_string()).is_err());
    test.seek(20);
    let ball = json!({"do": "throw", "from": [5, 5, 3], "velocity": [0, 0, 0], "radius": 0.2, "density": 100});
    test.command(ball);
    test.wait(|frame| frame.epoch == 1);
    test.seek(40);
    let message = plot(&mut test, &json!([body(bodies, "position_z"), body(0, "position_z")]));
    let values = numbers(&message["values"][0]);
    assert!(values[..=5].iter().all(|value| value.is_nan()), "{values:?}");
    assert!(values[6..].iter().all(|value| *value <= 3.0), "{values:?}");
    assert!(numbers(&message["values"][1]).iter().all(|value| value.is_finite()));
}

#[test]
fn plots_of_a_recording_show_all_of_it() {
    let folder = Folder::new();
    crate::session_sources::record(&folder, "pendulum");
    let library = Library::new(&folder.0);
    let mut test = TestSession::open_in(json!({"source": {"type": "recording", "name": "pendulum.bur"}}), &library);
    let signals = json!([body(0, "position_z")]);
    let mut message = plot(&mut test, &signals);
    let mut values: Vec<f32> = Vec::new();
    loop {
        values.extend(numbers(&message["values"][0]));
        if values.len() as u64 == test.frame().latest + 1 {
            break;
        }
        message = test.message("plot");
    }
    for step in [0, values.len() as u64 / 2, values.len() as u64 - 1] {
        assert_eq!(test.seek(step).poses[2], values[step as usize], "frame {step}");
    }
}

#[test]
fn marks_name_edits_contacts_falls_and_faults() {
    let text = "
gravity = [0, 0, -10]
simulation = { max_speed = 30 }
display = { cameras = [{ name = 'ball', position = [0, -3, 1], target = [0, 0, 0], follow = 'ball' }] }

[materials.default]
restitution = 0

[[bodies]]
name = 'ground'
fixed = true
shapes = [{ type = 'half_space' }]

[[bodies]]
name = 'ball'
position = [0, 0, 1.35]
shapes = [{ type = 'sphere', radius = 0.1 }]
";
    let mut test = open(&SceneSpec::from_toml(text, "ball.toml").unwrap());
    test.seek(240);
    let marks = test.message_where("marks", |message| message["marks"].as_array().unwrap().len() >= 2);
    let kinds: Vec<(&str, u64)> = marks["marks"].as_array().unwrap().iter().map(of).collect();
    // A fall of 1.25 m takes 0.5 s: 120 steps. Half the height is reached after sqrt(1.35 / 10) s, 88 steps.
    let step = |kind: &str| kinds.iter().find(|(other, _)| *other == kind).map(|(_, step)| *step).unwrap();
    assert!(step("contact").abs_diff(120) <= 2, "{kinds:?}");
    assert!(step("fall").abs_diff(88) <= FRAME, "{kinds:?}");
    test.command(json!({"do": "push", "body": 0, "impulse": [0, 0, 400]}));
    let marks = test.message_where("marks", |message| message.to_string().contains("push"));
    assert_eq!(of(marks["marks"].as_array().unwrap().last().unwrap()), ("edit", 240));
    test.command(json!({"do": "step", "steps": 20}));
    let marks = test.message_where("marks", |message| message.to_string().contains("fault"));
    assert_eq!(of(marks["marks"].as_array().unwrap().last().unwrap()), ("fault", 240), "{marks}");
}

fn of(mark: &Value) -> (&str, u64) {
    (mark["kind"].as_str().unwrap(), mark["step"].as_u64().unwrap())
}

#[test]
fn the_profile_changes_no_bit() {
    for name in ["stack", "demolition-chain-wall", "car-track"].into_iter().filter(|name| builtin::find(name).is_some())
    {
        let plain = TestSession::scene(name, None).seek(80);
        let mut test = TestSession::scene(name, None);
        test.command(json!({"do": "profile", "on": true}));
        let measured = test.seek(80);
        assert_eq!((plain.hash, &plain.poses), (measured.hash, &measured.poses), "{name}");
        let profile = test.message_where("profile", |message| message["steps"].as_u64() > Some(0));
        assert!(profile["collision_detection"].as_f64().unwrap() > 0.0, "{profile}");
        test.command(json!({"do": "profile", "on": false}));
        test.seek(120);
    }
}

#[test]
fn a_measurement_changes_nothing() {
    let mut test = TestSession::scene("stack", None);
    let before = test.seek(40);
    for change in [json!({"paradigm": "impulse"}), json!({"step": 0.01}), json!({"sleeping": true})] {
        let mut command = change.clone();
        command["do"] = "measure".into();
        test.command(command);
        let measured = test.message("measured");
        assert!(measured["factor"].as_f64().unwrap() > 0.0 && measured["steps"].as_u64() > Some(0), "{measured}");
        for (name, value) in change.as_object().unwrap() {
            assert_eq!(measured[name], *value, "{measured}");
        }
    }
    let after = test.frame();
    assert_eq!((after.hash, after.epoch, after.poses), (before.hash, 0, before.poses));
    assert!(test.session.take().events.is_empty());
    test.seek(80);
    test.seek(10);
    test.seek(80);
    assert_exact(&test);
    let refused = json!({"do": "measure", "paradigm": "magic"});
    assert!(test.viewer.command(&refused.to_string()).is_err());
}

#[test]
fn the_contents_name_what_can_be_plotted_and_controlled() {
    let contents: Value = serde_json::from_slice(&open(&sensor_scene()).session.contents()).unwrap();
    assert_eq!(contents["joints"], json!([{"body": 0, "kind": "revolute", "units": ["rad"]}]));
    let drive = json!([{"name": "drive", "body": 0, "axis": 0, "range": [-2.0, 2.0], "unit": ""}]);
    assert_eq!(contents["actuators"], drive);
    assert_eq!(contents["sensors"][1], json!({"name": "weight", "kind": "touch", "body": 1, "values": 1, "unit": "N"}));
    assert_eq!(contents["keyframes"], json!(["high"]));
    let car: Value = serde_json::from_slice(&TestSession::scene("car-track", None).session.contents()).unwrap();
    let cameras = car["cameras"].as_array().unwrap();
    assert_eq!(cameras.iter().map(|camera| &camera["name"]).collect::<Vec<_>>(), ["overview", "car"]);
    assert!(cameras[0]["follow"].is_null() && cameras[1]["follow"].is_u64());
}
