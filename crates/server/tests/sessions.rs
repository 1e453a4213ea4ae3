//! Worlds on stage: what is shown again is the same to the last bit, whatever people did to it.

use crate::support::{Stage, exact, place};
use burgess_creature::builtin as creatures;
use burgess_creature::evaluation::TrialPreview;
use burgess_creature::task::Task;
use burgess_paradigms::Paradigm;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use burgess_scene::{RunOptions, builtin};
use burgess_server::session::{ENDED, Frame, HASHED, SectionKind, Sessions};
use glam::DVec3;
use serde_json::{Value, json};

#[test]
fn a_scene_that_is_only_watched_is_the_one_that_is_simulated() {
    for (name, paradigm) in [("stack", None), ("pendulum", Some("impulse")), ("bouncing-balls", Some("hybrid"))] {
        let stage = Stage::scene(name, paradigm);
        let frame = stage.seek(200);
        let options = RunOptions { paradigm: paradigm.and_then(Paradigm::from_name), ..RunOptions::default() };
        let mut running = builtin::find(name).unwrap().spec().run("", &options).unwrap();
        for _ in 0..200 {
            running.simulation.step().unwrap();
        }
        assert_eq!(frame.hash, running.simulation.state_hash(), "{name}");
    }
}

#[test]
fn a_creature_does_what_it_does_in_its_evaluation() {
    let stage = Stage::open(json!({"source": {"type": "creature", "name": "quadruped", "seed": 3}}));
    let steps_per_frame = stage.session.about().steps_per_frame;
    let last = 40 * 10 * steps_per_frame;
    let frame = stage.seek(last);
    let preview = TrialPreview::new(&creatures::find("quadruped").unwrap().genome(), &Task::preset("walk").unwrap(), 3);
    let preview = preview.unwrap();
    let mut simulation = preview.run(&RunOptions::default()).unwrap().simulation;
    let rests = preview.settle_steps(simulation.step_length());
    assert!(rests.is_some_and(|rests| rests < last), "it has been brought to rest on the way");
    for _ in 0..last {
        simulation.step().unwrap();
    }
    assert_eq!((frame.flags & HASHED, frame.hash), (HASHED, simulation.state_hash()));
}

#[test]
fn going_back_and_forth_shows_the_same() {
    let stage = Stage::scene("bouncing-balls", None);
    stage.section(SectionKind::Contacts);
    let there = stage.seek(240);
    let back = stage.seek(7);
    let again = stage.seek(240);
    assert_eq!((back.step, again.latest), (7, 240));
    assert_eq!((there.poses, there.sections), (again.poses, again.sections));
    assert_eq!(
        stage.seek(40).hash,
        stage.session.take().hashes.iter().find(|(step, _)| *step == 40).map(hash).unwrap()
    );
    exact(&stage);
}

fn hash((_, text): &(u64, String)) -> u64 {
    u64::from_str_radix(text, 16).unwrap()
}

/// Everything that can be done to a world, between steps 20 and 260.
fn meddle(stage: &Stage, body: usize) {
    let free = |z: f64| json!([5.0, 5.0, z]);
    stage.seek(21);
    stage.command(json!({"do": "grab", "body": body, "point": [0, 0, 0], "to": [0.3, 0.2, 1.5]}));
    stage.seek(40);
    for height in [1.6, 1.7] {
        stage.command(json!({"do": "drag", "to": [0.3, 0.2, height]}));
    }
    stage.seek(61);
    stage.command(json!({"do": "release"}));
    stage.command(json!({"do": "throw", "from": free(3.0), "velocity": [-3, -3, 0], "radius": 0.1, "density": 500}));
    stage.seek(100);
    stage.command(json!({"do": "change", "gravity": [0, 0, -3], "friction": 0.1}));
    stage.seek(140);
    stage.command(json!({"do": "simulate", "step": 0.002}));
    stage.command(json!({"do": "throw", "from": free(6.0), "velocity": [0, 0, 0], "radius": 0.2, "density": 1000}));
    stage.seek(200);
    stage.command(json!({"do": "simulate", "paradigm": "penalty"}));
    stage.seek(260);
}

#[test]
fn what_people_did_is_done_again_at_its_step() {
    let sources = [
        json!({"type": "scene", "name": "stack"}),
        json!({"type": "scene", "name": "billiards"}),
        json!({"type": "scene", "name": "pendulum"}),
        json!({"type": "creature", "name": "walker"}),
    ];
    for source in sources {
        let mut stage = Stage::open(json!({"source": source}));
        meddle(&stage, 0);
        let refused = refusals(&mut stage);
        assert!(refused.is_empty(), "{source}: {refused:?}");
        let there = stage.frame();
        let middle = stage.seek(150);
        assert!(middle.epoch < there.epoch);
        stage.seek(3);
        let again = stage.seek(260);
        assert_eq!(again, Frame { flags: again.flags, ..there.clone() }, "{source}");
        assert_eq!(stage.seek(150).poses, middle.poses, "{source}");
        exact(&stage);

        let take = serde_json::to_value(stage.session.take()).unwrap();
        let copy = Stage::open(json!({"source": {"type": "take", "take": take}}));
        assert_eq!(copy.frame().latest, 260);
        let seen = copy.seek(260);
        assert_eq!((seen.poses, seen.hash, seen.time), (there.poses, there.hash, there.time), "{source}");
        exact(&copy);
        assert_eq!(serde_json::to_value(copy.session.take()).unwrap(), take, "{source}");
    }
}

/// Refusals so far.
fn refusals(stage: &mut Stage) -> Vec<Value> {
    let told = std::iter::from_fn(|| stage.viewer.says.try_recv().ok());
    told.filter_map(|text| serde_json::from_str(&text).ok()).filter(|said: &Value| said["say"] == "refused").collect()
}

#[test]
fn a_take_that_was_tampered_with_is_found_out() {
    let stage = Stage::scene("pendulum", None);
    stage.seek(80);
    let mut take = serde_json::to_value(stage.session.take()).unwrap();
    take["hashes"][1][1] = "0123456789abcdef".into();
    let copy = Stage::open(json!({"source": {"type": "take", "take": take}}));
    copy.seek(80);
    let status = copy.status();
    assert_eq!(status["exact"], json!({"checked": 3, "differing": 1}));
}

#[test]
fn a_ball_more_leaves_all_others_where_they_were() {
    let stage = Stage::scene("stack", None);
    let before = stage.seek(100);
    let ball = json!({"do": "throw", "from": [3, 0, 1], "velocity": [-9, 0, 0], "radius": 0.15, "density": 2000});
    stage.command(ball.clone());
    let after = stage.wait(|frame| frame.epoch == 1);
    assert_eq!((after.step, after.time, after.latest), (before.step, before.time, before.step));
    assert_eq!(after.bodies(), before.bodies() + 1);
    assert_eq!(after.poses[..before.poses.len()], before.poses);
    assert_eq!(place(&after, before.bodies()), [3.0, 0.0, 1.0]);
    let appearance: Value = serde_json::from_slice(&stage.session.appearance()).unwrap();
    assert_eq!(appearance["epoch"], 1);
    assert_eq!(appearance["bodies"].as_array().unwrap().len(), after.bodies());
    // It falls on the next step, and what stands stays.
    let next = stage.seek(101);
    assert!(place(&next, before.bodies())[0] < 3.0);
    for body in 0..before.bodies() {
        let moved: f32 = (0..3).map(|axis| (place(&next, body)[axis] - place(&before, body)[axis]).abs()).sum();
        assert!(moved < 1e-4, "body {body} moved by {moved} m in one step");
    }
    // Where something is, nothing can be thrown from.
    let [x, y, z] = stage.place(3);
    stage.command(json!({"do": "throw", "from": [x, y, z], "velocity": [0, 0, 0], "radius": 0.15, "density": 2000}));
    let mut stage = stage;
    let refused = stage.said("refused");
    assert!(refused["why"].as_str().unwrap().starts_with("the ball would overlap"), "{refused}");
    assert_eq!(stage.frame().epoch, 1);
}

#[test]
fn time_goes_on_when_the_step_changes() {
    let stage = Stage::scene("pendulum", None);
    let before = stage.seek(100);
    stage.command(json!({"do": "simulate", "step": 0.001, "paradigm": "impulse"}));
    stage.wait(|frame| frame.epoch == 1);
    let after = stage.seek(110);
    assert_eq!(after.time, before.time + 10.0 * 0.001);
    let about = stage.session.about();
    assert_eq!((about.step, about.steps_per_frame, about.paradigm), (0.001, 17, Some("impulse")));
    // What came before is as it was.
    stage.seek(60);
    let about = stage.session.about();
    assert_eq!((about.steps_per_frame, about.paradigm), (4, Some("time-stepping")));
}

#[test]
fn who_interferes_in_the_past_gives_up_what_came_after() {
    let stage = Stage::scene("bouncing-balls", None);
    stage.seek(200);
    stage.seek(100);
    stage.command(json!({"do": "change", "gravity": [0, 0, 0]}));
    let frame = stage.wait(|frame| frame.epoch == 1);
    assert_eq!((frame.step, frame.latest), (100, 100));
    let take = stage.session.take();
    assert_eq!((take.events.len(), take.latest), (1, 100));
    assert!(take.hashes.iter().all(|(step, _)| *step <= 100));
}

#[test]
fn hands_pull_what_they_hold() {
    let stage = Stage::scene("bouncing-balls", None);
    let [x, y, _] = stage.place(0);
    stage.command(json!({"do": "grab", "body": 0, "point": [0, 0, 0], "to": [x, y, 3.0]}));
    // Two seconds later it hangs a little below the hand: by its weight over the spring's stiffness, 9.81 / 15^2 m.
    let held = stage.seek(480);
    let height = place(&held, 0)[2];
    assert!((height - (3.0 - 9.81 / 225.0)).abs() < 0.01, "{height}");
    // Who goes lets go.
    let Stage { sessions, session, viewer } = stage;
    drop(viewer);
    let stage = Stage::of(sessions, session);
    let fallen = stage.seek(600);
    assert!(place(&fallen, 0)[2] < 2.5, "{:?}", place(&fallen, 0));
    let events = stage.session.take().events;
    assert_eq!(events.len(), 2, "{events:?}");
    stage.seek(10);
    stage.seek(600);
    exact(&stage);
}

#[test]
fn a_light_foot_of_a_heavy_creature_can_be_held() {
    for (creature, step) in [("hexapod", 1.0 / 240.0), ("centipede", 0.01)] {
        let request = json!({"source": {"type": "creature", "name": creature}, "step": step});
        let stage = Stage::open(request);
        stage.seek(100);
        for body in [0, 4, 8] {
            let [x, y, z] = stage.place(body);
            stage.command(json!({"do": "grab", "body": body, "point": [0, 0, 0.02], "to": [x, y, z + 0.5]}));
            let frame = stage.seek(stage.frame().step + 100);
            assert!(
                frame.flags & ENDED == 0 && frame.poses.iter().all(|number| number.is_finite()),
                "{creature} {body}"
            );
            assert!(frame.kinetic_energy < 1e3, "{creature} {body}: {} J", frame.kinetic_energy);
        }
    }
}

#[test]
fn a_failure_ends_the_motion_and_can_be_gone_back_from() {
    let mut scene = SceneSpec::new("drop", "A ball falls faster than it may.");
    scene.simulation.max_speed = Some(2.0);
    scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
    let sessions = Sessions::default();
    let session = sessions.open_scene(&scene, "drop", &RunOptions::default()).unwrap();
    let mut stage = Stage::of(sessions, session);
    stage.command(json!({"do": "pause"}));
    stage.command(json!({"do": "seek", "step": 1000}));
    let end = stage.wait(|frame| frame.flags & ENDED != 0);
    // 2 m/s are reached after 2 / 9.81 s.
    assert_eq!(end.step, (2.0 / 9.81 * 240.0) as u64);
    let status = stage.said_that("status", |said| !said["ended"].is_null());
    assert!(status["ended"].as_str().unwrap().contains("'ball' moves at"), "{status}");
    let back = stage.seek(10);
    assert_eq!((back.flags & ENDED, back.latest), (0, end.step));
    stage.command(json!({"do": "change", "gravity": [0, 0, 0]}));
    stage.seek(200);
    exact(&stage);
}

#[test]
fn a_world_that_fails_has_still_had_done_to_it_what_was_done() {
    let mut scene = SceneSpec::new("drop", "A ball falls faster than it may.");
    scene.simulation.max_speed = Some(2.0);
    scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
    let sessions = Sessions::default();
    let session = sessions.open_scene(&scene, "drop", &RunOptions::default()).unwrap();
    let stage = Stage::of(sessions, session);
    stage.command(json!({"do": "pause"}));
    // At the very step of the first copy; the end comes before the second.
    stage.command(json!({"do": "throw", "from": [3, 3, 3], "velocity": [0, 0, 0], "radius": 0.1, "density": 1000}));
    stage.command(json!({"do": "change", "gravity": [0, 0, -50]}));
    stage.wait(|frame| frame.epoch == 2);
    stage.command(json!({"do": "seek", "step": 1000}));
    let end = stage.wait(|frame| frame.flags & ENDED != 0);
    // 2 m/s are reached after 2 / 50 s.
    assert_eq!((end.step, end.epoch, end.bodies()), ((2.0 / 50.0 * 240.0) as u64, 2, 2));
    assert_eq!(stage.session.take().events.len(), 2);
    exact(&stage);
}

#[test]
fn contacts_carry_the_weight_of_what_stands() {
    let stage = Stage::scene("stack", None);
    stage.seek(400);
    let contacts = stage.section(SectionKind::Contacts);
    let appearance: Value = serde_json::from_slice(&stage.session.appearance()).unwrap();
    let weight: f64 =
        appearance["bodies"].as_array().unwrap().iter().map(|body| body["mass"].as_f64().unwrap()).sum::<f64>() * 9.81;
    // The normal is from a to b and the force is on b; the world is -1.
    let from_ground = |contact: &[f32]| match (contact[0], contact[1]) {
        (-1.0, _) => f64::from(contact[10]),
        (_, -1.0) => -f64::from(contact[10]),
        _ => 0.0,
    };
    let carried: f64 = contacts.chunks(12).map(from_ground).sum();
    assert!((carried - weight).abs() < 1e-3 * weight, "{carried} N for {weight} N");

    let mut stage = stage;
    stage.command(json!({"do": "probe", "body": 0}));
    let probe = stage.said("probe");
    // What the others press down and what the ground pushes up leave its own weight.
    let own = probe["mass"].as_f64().unwrap() * 9.81;
    assert!((probe["force"][2].as_f64().unwrap() - own).abs() < 1e-2 * weight, "{probe}");
    assert_eq!(probe["contacts"].as_array().unwrap().len(), 2);
    stage.command(json!({"do": "probe", "body": null}));
}

#[test]
fn overlays_are_there_for_those_who_asked() {
    let stage = Stage::scene("pendulum", None);
    assert!(stage.seek(40).sections.is_empty());
    let axes = stage.section(SectionKind::Joints);
    assert_eq!(axes.len() % 8, 0);
    assert!(!axes.is_empty() && axes.chunks(8).all(|axis| axis[1] == 1.0));
    let centre = stage.section(SectionKind::Centre);
    let mass: f64 =
        appearance_of(&stage)["bodies"].as_array().unwrap().iter().map(|body| body["mass"].as_f64().unwrap()).sum();
    assert!((f64::from(centre[3]) - mass).abs() < 1e-4 * mass);
    let boxes = stage.section(SectionKind::Boxes);
    assert!(boxes.chunks(7).all(|aabb| (0..3).all(|axis| aabb[1 + axis] <= aabb[4 + axis])));
    let other = Stage::of(stage.sessions.clone(), stage.session.clone());
    assert_eq!(other.frame().sections.len(), 1, "all see what one has asked for");
    drop(stage.viewer);
    other.wait(|frame| frame.sections.is_empty());
}

fn appearance_of(stage: &Stage) -> Value {
    serde_json::from_slice(&stage.session.appearance()).unwrap()
}

#[test]
fn a_brain_has_as_many_activations_as_nodes() {
    for name in ["walker", "quadruped"] {
        let stage = Stage::open(json!({"source": {"type": "creature", "name": name}}));
        // It has settled by then.
        stage.seek(800);
        let about = stage.session.about();
        assert!(about.can.brain && about.neurons > 0);
        let brain = stage.session.brain().unwrap();
        assert_eq!(brain.neurons.len(), about.neurons, "{name}");
        assert!(brain.links.iter().all(|link| link.from < about.neurons && link.to < about.neurons));
        let activations = stage.section(SectionKind::Activations);
        assert_eq!(activations.len(), about.neurons, "{name}");
        assert!(activations.iter().any(|number| *number != 0.0), "{name} does something");
        assert_eq!(brain.spectra.is_empty(), name == "walker");
        let appearance = appearance_of(&stage);
        assert!(appearance["followed"].is_u64());
    }
}
