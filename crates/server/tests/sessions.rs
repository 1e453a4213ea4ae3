//! Sessions: simulation, edits, and replays that give the same bits.

use crate::support::{TestSession, assert_exact, position};
use burgess_creature::builtin as creatures;
use burgess_creature::evaluation::TrialPreview;
use burgess_creature::task::Task;
use burgess_paradigms::Paradigm;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use burgess_scene::{RunOptions, builtin};
use burgess_server::session::{ENDED, Frame, HASHED, Original, SectionKind, Sessions};
use glam::DVec3;
use serde_json::{Value, json};

#[test]
fn a_session_without_edits_gives_the_bits_of_a_plain_simulation() {
    for (name, paradigm) in [("stack", None), ("pendulum", Some("impulse")), ("bouncing-balls", Some("hybrid"))] {
        let test = TestSession::scene(name, paradigm);
        let frame = test.seek(200);
        let options = RunOptions { paradigm: paradigm.and_then(Paradigm::from_name), ..RunOptions::default() };
        let mut running = builtin::find(name).unwrap().spec().run("", &options).unwrap();
        for _ in 0..200 {
            running.simulation.step().unwrap();
        }
        assert_eq!(frame.hash, running.simulation.state_hash(), "{name}");
    }
}

#[test]
fn a_creature_moves_as_in_its_evaluation() {
    let test = TestSession::open(json!({"source": {"type": "creature", "name": "quadruped", "seed": 3}}));
    let steps_per_frame = test.session.about().steps_per_frame;
    let last = 40 * 10 * steps_per_frame;
    let frame = test.seek(last);
    let preview = TrialPreview::new(&creatures::find("quadruped").unwrap().genome(), &Task::preset("walk").unwrap(), 3);
    let preview = preview.unwrap();
    let mut simulation = preview.run(&RunOptions::default()).unwrap().simulation;
    let rests = preview.settle_steps(simulation.step_length());
    assert!(rests.is_some_and(|rests| rests < last), "it was brought to rest before the last step");
    for _ in 0..last {
        simulation.step().unwrap();
    }
    assert_eq!((frame.flags & HASHED, frame.hash), (HASHED, simulation.state_hash()));
}

#[test]
fn a_session_on_a_state_continues_from_there() {
    let preview = TrialPreview::new(&creatures::find("quadruped").unwrap().genome(), &Task::preset("walk").unwrap(), 3);
    let (preview, scene) = (preview.unwrap(), builtin::find("bowling").unwrap().spec());
    let creature = json!({"source": {"type": "creature", "name": "quadruped", "seed": 3}});
    let bowling = json!({"source": {"type": "scene", "name": "bowling"}});
    let options = RunOptions::default();
    let walking = (preview.run(&options).unwrap(), Original::of_creature(preview), creature);
    let rolling = (scene.run("", &options).unwrap(), Original::of_scene(scene), bowling);
    for (mut running, original, request) in [walking, rolling] {
        // The creature has settled and walks.
        for _ in 0..600 {
            running.simulation.step().unwrap();
        }
        let sessions = Sessions::default();
        let session = sessions.open_state(original, &options, running.simulation.snapshot()).unwrap();
        let test = TestSession::of(sessions, session);
        test.command(json!({"do": "pause"}));
        let whole = TestSession::open(request);
        for step in [40, 0, 12] {
            assert_eq!(test.seek(step).poses, whole.seek(600 + step).poses, "{step}");
        }
        // An edit rebuilds the world in its present state.
        test.command(json!({"do": "change", "gravity": [0, 0, -1]}));
        test.seek(30);
        assert_exact(&test);
    }
}

#[test]
fn seeking_back_and_forth_gives_the_same_frames() {
    let test = TestSession::scene("bouncing-balls", None);
    test.section(SectionKind::Contacts);
    let there = test.seek(240);
    let back = test.seek(7);
    let again = test.seek(240);
    assert_eq!((back.step, again.latest), (7, 240));
    assert_eq!((there.poses, there.sections), (again.poses, again.sections));
    assert_eq!(test.seek(40).hash, test.session.take().hashes.iter().find(|(step, _)| *step == 40).map(hash).unwrap());
    assert_exact(&test);
}

fn hash((_, text): &(u64, String)) -> u64 {
    u64::from_str_radix(text, 16).unwrap()
}

/// Applies edits of every kind between steps 20 and 260.
fn apply_edits(test: &TestSession, body: usize) {
    let free = |z: f64| json!([5.0, 5.0, z]);
    test.seek(21);
    test.command(json!({"do": "grab", "body": body, "point": [0, 0, 0], "to": [0.3, 0.2, 1.5]}));
    test.seek(40);
    for height in [1.6, 1.7] {
        test.command(json!({"do": "drag", "to": [0.3, 0.2, height]}));
    }
    test.seek(61);
    test.command(json!({"do": "release"}));
    test.command(json!({"do": "throw", "from": free(3.0), "velocity": [-3, -3, 0], "radius": 0.1, "density": 500}));
    test.seek(100);
    test.command(json!({"do": "change", "gravity": [0, 0, -3], "friction": 0.1}));
    test.seek(140);
    test.command(json!({"do": "simulate", "step": 0.002}));
    test.command(json!({"do": "throw", "from": free(6.0), "velocity": [0, 0, 0], "radius": 0.2, "density": 1000}));
    test.seek(200);
    test.command(json!({"do": "simulate", "paradigm": "penalty"}));
    test.seek(260);
}

#[test]
fn edits_are_replayed_at_their_steps() {
    let sources = [
        json!({"type": "scene", "name": "stack"}),
        json!({"type": "scene", "name": "billiards"}),
        json!({"type": "scene", "name": "pendulum"}),
        json!({"type": "creature", "name": "walker"}),
    ];
    for source in sources {
        let mut test = TestSession::open(json!({"source": source}));
        apply_edits(&test, 0);
        let refused = refusals(&mut test);
        assert!(refused.is_empty(), "{source}: {refused:?}");
        let there = test.frame();
        let middle = test.seek(150);
        assert!(middle.epoch < there.epoch);
        test.seek(3);
        let again = test.seek(260);
        assert_eq!(again, Frame { flags: again.flags, ..there.clone() }, "{source}");
        assert_eq!(test.seek(150).poses, middle.poses, "{source}");
        assert_exact(&test);

        let take = serde_json::to_value(test.session.take()).unwrap();
        let copy = TestSession::open(json!({"source": {"type": "take", "take": take}}));
        assert_eq!(copy.frame().latest, 260);
        let seen = copy.seek(260);
        assert_eq!((seen.poses, seen.hash, seen.time), (there.poses, there.hash, there.time), "{source}");
        assert_exact(&copy);
        assert_eq!(serde_json::to_value(copy.session.take()).unwrap(), take, "{source}");
    }
}

/// Returns the refusals received so far.
fn refusals(test: &mut TestSession) -> Vec<Value> {
    let messages = std::iter::from_fn(|| test.viewer.says.try_recv().ok());
    let values = messages.filter_map(|text| serde_json::from_str(&text).ok());
    values.filter(|message: &Value| message["say"] == "refused").collect()
}

#[test]
fn a_changed_hash_of_a_take_is_detected() {
    let test = TestSession::scene("pendulum", None);
    test.seek(80);
    let mut take = serde_json::to_value(test.session.take()).unwrap();
    take["hashes"][1][1] = "0123456789abcdef".into();
    let copy = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    copy.seek(80);
    let status = copy.status();
    assert_eq!(status["exact"], json!({"checked": 3, "differing": 1}));
}

#[test]
fn a_thrown_ball_does_not_move_the_other_bodies() {
    let test = TestSession::scene("stack", None);
    let before = test.seek(100);
    let ball = json!({"do": "throw", "from": [3, 0, 1], "velocity": [-9, 0, 0], "radius": 0.15, "density": 2000});
    test.command(ball.clone());
    let after = test.wait(|frame| frame.epoch == 1);
    assert_eq!((after.step, after.time, after.latest), (before.step, before.time, before.step));
    assert_eq!(after.bodies(), before.bodies() + 1);
    assert_eq!(after.poses[..before.poses.len()], before.poses);
    assert_eq!(position(&after, before.bodies()), [3.0, 0.0, 1.0]);
    let appearance: Value = serde_json::from_slice(&test.session.appearance()).unwrap();
    assert_eq!(appearance["epoch"], 1);
    assert_eq!(appearance["bodies"].as_array().unwrap().len(), after.bodies());
    // The ball falls in the next step, and the other bodies stay at rest.
    let next = test.seek(101);
    assert!(position(&next, before.bodies())[0] < 3.0);
    for body in 0..before.bodies() {
        let moved: f32 = (0..3).map(|axis| (position(&next, body)[axis] - position(&before, body)[axis]).abs()).sum();
        assert!(moved < 1e-4, "body {body} moved by {moved} m in one step");
    }
    // A ball cannot start inside another body.
    let [x, y, z] = test.position(3);
    test.command(json!({"do": "throw", "from": [x, y, z], "velocity": [0, 0, 0], "radius": 0.15, "density": 2000}));
    let mut test = test;
    let refused = test.message("refused");
    assert!(refused["why"].as_str().unwrap().starts_with("the ball would overlap"), "{refused}");
    assert_eq!(test.frame().epoch, 1);
}

#[test]
fn time_continues_when_the_step_changes() {
    let test = TestSession::scene("pendulum", None);
    let before = test.seek(100);
    test.command(json!({"do": "simulate", "step": 0.001, "paradigm": "impulse"}));
    test.wait(|frame| frame.epoch == 1);
    let after = test.seek(110);
    assert_eq!(after.time, before.time + 10.0 * 0.001);
    let about = test.session.about();
    assert_eq!((about.step, about.steps_per_frame, about.paradigm), (0.001, 17, Some("impulse")));
    // Earlier steps are unchanged.
    test.seek(60);
    let about = test.session.about();
    assert_eq!((about.steps_per_frame, about.paradigm), (4, Some("time-stepping")));
}

#[test]
fn an_edit_in_the_past_discards_the_later_steps() {
    let test = TestSession::scene("bouncing-balls", None);
    test.seek(200);
    test.seek(100);
    test.command(json!({"do": "change", "gravity": [0, 0, 0]}));
    let frame = test.wait(|frame| frame.epoch == 1);
    assert_eq!((frame.step, frame.latest), (100, 100));
    let take = test.session.take();
    assert_eq!((take.events.len(), take.latest), (1, 100));
    assert!(take.hashes.iter().all(|(step, _)| *step <= 100));
}

#[test]
fn a_grabbed_body_follows_the_target_point() {
    let test = TestSession::scene("bouncing-balls", None);
    let [x, y, _] = test.position(0);
    test.command(json!({"do": "grab", "body": 0, "point": [0, 0, 0], "to": [x, y, 3.0]}));
    // After two seconds it is below the target point by its weight over the stiffness, 9.81 / 15^2 m.
    let held = test.seek(480);
    let height = position(&held, 0)[2];
    assert!((height - (3.0 - 9.81 / 225.0)).abs() < 0.01, "{height}");
    // A viewer that leaves releases its body.
    let TestSession { sessions, session, viewer } = test;
    drop(viewer);
    let test = TestSession::of(sessions, session);
    let fallen = test.seek(600);
    assert!(position(&fallen, 0)[2] < 2.5, "{:?}", position(&fallen, 0));
    let events = test.session.take().events;
    assert_eq!(events.len(), 2, "{events:?}");
    test.seek(10);
    test.seek(600);
    assert_exact(&test);
}

#[test]
fn a_light_part_of_a_heavy_creature_can_be_grabbed() {
    for (creature, step) in [("hexapod", 1.0 / 240.0), ("centipede", 0.01)] {
        let request = json!({"source": {"type": "creature", "name": creature}, "step": step});
        let test = TestSession::open(request);
        test.seek(100);
        for body in [0, 4, 8] {
            let [x, y, z] = test.position(body);
            test.command(json!({"do": "grab", "body": body, "point": [0, 0, 0.02], "to": [x, y, z + 0.5]}));
            let frame = test.seek(test.frame().step + 100);
            assert!(
                frame.flags & ENDED == 0 && frame.poses.iter().all(|number| number.is_finite()),
                "{creature} {body}"
            );
            assert!(frame.kinetic_energy < 1e3, "{creature} {body}: {} J", frame.kinetic_energy);
        }
    }
}

#[test]
fn after_a_failure_earlier_steps_can_be_shown() {
    let mut scene = SceneSpec::new("drop", "A ball falls faster than it may.");
    scene.simulation.max_speed = Some(2.0);
    scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
    let sessions = Sessions::default();
    let session = sessions.open_scene(&scene, "drop", &RunOptions::default()).unwrap();
    let mut test = TestSession::of(sessions, session);
    test.command(json!({"do": "pause"}));
    test.command(json!({"do": "seek", "step": 1000}));
    let end = test.wait(|frame| frame.flags & ENDED != 0);
    // 2 m/s are reached after 2 / 9.81 s.
    assert_eq!(end.step, (2.0 / 9.81 * 240.0) as u64);
    let status = test.message_where("status", |said| !said["ended"].is_null());
    assert!(status["ended"].as_str().unwrap().contains("'ball' moves at"), "{status}");
    let back = test.seek(10);
    assert_eq!((back.flags & ENDED, back.latest), (0, end.step));
    test.command(json!({"do": "change", "gravity": [0, 0, 0]}));
    test.seek(200);
    assert_exact(&test);
}

#[test]
fn edits_at_the_step_of_a_failure_are_kept() {
    let mut scene = SceneSpec::new("drop", "A ball falls faster than it may.");
    scene.simulation.max_speed = Some(2.0);
    scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
    let sessions = Sessions::default();
    let session = sessions.open_scene(&scene, "drop", &RunOptions::default()).unwrap();
    let test = TestSession::of(sessions, session);
    test.command(json!({"do": "pause"}));
    // The failure is at the step of the first edit, before the second one.
    test.command(json!({"do": "throw", "from": [3, 3, 3], "velocity": [0, 0, 0], "radius": 0.1, "density": 1000}));
    test.command(json!({"do": "change", "gravity": [0, 0, -50]}));
    test.wait(|frame| frame.epoch == 2);
    test.command(json!({"do": "seek", "step": 1000}));
    let end = test.wait(|frame| frame.flags & ENDED != 0);
    // 2 m/s are reached after 2 / 50 s.
    assert_eq!((end.step, end.epoch, end.bodies()), ((2.0 / 50.0 * 240.0) as u64, 2, 2));
    assert_eq!(test.session.take().events.len(), 2);
    assert_exact(&test);
}

#[test]
fn contact_forces_balance_the_weight() {
    let test = TestSession::scene("stack", None);
    test.seek(400);
    let contacts = test.section(SectionKind::Contacts);
    let appearance: Value = serde_json::from_slice(&test.session.appearance()).unwrap();
    let weight: f64 =
        appearance["bodies"].as_array().unwrap().iter().map(|body| body["mass"].as_f64().unwrap()).sum::<f64>() * 9.81;
    // The normal points from a to b, the force acts on b, and the index of the world is -1.
    let from_ground = |contact: &[f32]| match (contact[0], contact[1]) {
        (-1.0, _) => f64::from(contact[10]),
        (_, -1.0) => -f64::from(contact[10]),
        _ => 0.0,
    };
    let carried: f64 = contacts.chunks(12).map(from_ground).sum();
    assert!((carried - weight).abs() < 1e-3 * weight, "{carried} N for {weight} N");

    let mut test = test;
    test.command(json!({"do": "probe", "body": 0}));
    let probe = test.message("probe");
    // The forces of the body above and of the ground add up to its own weight.
    let own = probe["mass"].as_f64().unwrap() * 9.81;
    assert!((probe["force"][2].as_f64().unwrap() - own).abs() < 1e-2 * weight, "{probe}");
    assert_eq!(probe["contacts"].as_array().unwrap().len(), 2);
    test.command(json!({"do": "probe", "body": null}));
}

#[test]
fn overlays_are_sent_on_request() {
    let test = TestSession::scene("pendulum", None);
    assert!(test.seek(40).sections.is_empty());
    let axes = test.section(SectionKind::Joints);
    assert_eq!(axes.len() % 8, 0);
    assert!(!axes.is_empty() && axes.chunks(8).all(|axis| axis[1] == 1.0));
    let centre = test.section(SectionKind::Centre);
    let mass: f64 =
        appearance_of(&test)["bodies"].as_array().unwrap().iter().map(|body| body["mass"].as_f64().unwrap()).sum();
    assert!((f64::from(centre[3]) - mass).abs() < 1e-4 * mass);
    let boxes = test.section(SectionKind::Boxes);
    assert!(boxes.chunks(7).all(|aabb| (0..3).all(|axis| aabb[1 + axis] <= aabb[4 + axis])));
    let other = TestSession::of(test.sessions.clone(), test.session.clone());
    assert_eq!(other.frame().sections.len(), 1, "frames contain the overlays of all viewers");
    drop(test.viewer);
    other.wait(|frame| frame.sections.is_empty());
}

fn appearance_of(test: &TestSession) -> Value {
    serde_json::from_slice(&test.session.appearance()).unwrap()
}

#[test]
fn a_brain_has_one_activation_per_node() {
    for name in ["walker", "quadruped"] {
        let test = TestSession::open(json!({"source": {"type": "creature", "name": name}}));
        // The creature has settled by then.
        test.seek(800);
        let about = test.session.about();
        assert!(about.can.brain && about.neurons > 0);
        let brain = test.session.brain().unwrap();
        assert_eq!(brain.neurons.len(), about.neurons, "{name}");
        assert!(brain.links.iter().all(|link| link.from < about.neurons && link.to < about.neurons));
        let activations = test.section(SectionKind::Activations);
        assert_eq!(activations.len(), about.neurons, "{name}");
        assert!(activations.iter().any(|number| *number != 0.0), "all activations of {name} are 0");
        assert_eq!(brain.spectra.is_empty(), name == "walker");
        let appearance = appearance_of(&test);
        assert!(appearance["followed"].is_u64());
    }
}
