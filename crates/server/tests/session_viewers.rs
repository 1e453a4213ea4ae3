//! Viewers: many, slow ones, and invalid or random commands.

use crate::support::TestSession;
use burgess_server::session::{MAX_COMMAND_BYTES, PLAYING};
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::TryRecvError;

#[test]
fn slow_viewers_miss_frames_and_do_not_delay_others() {
    let test = TestSession::scene("pendulum", None);
    let idle_viewers: Vec<_> = (0..200).map(|_| test.session.join().unwrap()).collect();
    assert_eq!(test.session.viewers(), 201);
    test.command(json!({"do": "speed", "speed": 100}));
    test.command(json!({"do": "play"}));
    test.wait(|frame| frame.step > 1000);
    // Far more messages than the queue of a viewer holds.
    for _ in 0..100 {
        let step = test.frame().step;
        test.command(json!({"do": "pause"}));
        test.wait(|frame| frame.flags & PLAYING == 0);
        test.command(json!({"do": "play"}));
        test.wait(|frame| frame.step > step);
    }
    for mut viewer in idle_viewers {
        assert!(matches!(viewer.says.try_recv(), Err(TryRecvError::Lagged(_))));
        assert!(!viewer.frames.borrow_and_update().is_empty());
    }
    test.wait(|_| test.session.viewers() == 1);
}

#[test]
fn simulation_stops_without_viewers() {
    let test = TestSession::scene("pendulum", None);
    test.command(json!({"do": "play"}));
    test.wait(|frame| frame.step > 0);
    let TestSession { sessions, session, viewer } = test;
    let frames = viewer.frames.clone();
    drop(viewer);
    // The simulation stops within a frame or two.
    let step = || burgess_server::session::Frame::decode(&frames.borrow()).unwrap().step;
    let mut last = step();
    loop {
        std::thread::sleep(std::time::Duration::from_millis(200));
        if step() == last {
            break;
        }
        last = step();
    }
    let again = TestSession::of(sessions, session);
    again.wait(|frame| frame.step > last);
}

#[test]
fn the_last_of_many_seeks_wins() {
    let test = TestSession::scene("stack", None);
    test.command(json!({"do": "seek", "step": 900000}));
    for step in 0..100 {
        test.command(json!({"do": "seek", "step": step}));
    }
    let frame = test.seek(50);
    assert!(frame.latest < 100_000, "it simulated up to step {}", frame.latest);
    test.command(json!({"do": "step", "steps": -3}));
    test.wait(|frame| frame.step == 47);
    test.command(json!({"do": "step", "steps": 5}));
    test.wait(|frame| frame.step == 52);
    test.command(json!({"do": "restart"}));
    test.wait(|frame| frame.step == 0);
}

#[test]
fn in_real_time_frames_are_at_multiples_of_their_length() {
    let test = TestSession::scene("pendulum", None);
    test.seek(3);
    test.command(json!({"do": "play"}));
    // From any first step, frames are at multiples of four steps, and every tenth frame has a hash.
    let frame = test.wait(|frame| frame.flags & burgess_server::session::HASHED != 0 && frame.step > 0);
    assert_eq!(frame.step % 40, 0);
    let known: Vec<_> = test.session.take().hashes.into_iter().filter(|(step, _)| *step == frame.step).collect();
    assert_eq!(known, [(frame.step, format!("{:016x}", frame.hash))]);
}

#[test]
fn invalid_commands_are_refused_with_a_message() {
    let test = TestSession::scene("stack", None);
    let refused = [
        "",
        "play",
        "{}",
        "[]",
        "null",
        "{\"do\": \"dance\"}",
        "{\"do\": \"play\", \"loud\": true}",
        "{\"do\": \"speed\"}",
        "{\"do\": \"speed\", \"speed\": 0}",
        "{\"do\": \"speed\", \"speed\": 1e999}",
        "{\"do\": \"speed\", \"speed\": NaN}",
        "{\"do\": \"speed\", \"speed\": \"fast\"}",
        "{\"do\": \"seek\", \"step\": -1}",
        "{\"do\": \"seek\", \"step\": 1.5}",
        "{\"do\": \"seek\", \"step\": 99999999999999999999999}",
        "{\"do\": \"seek\", \"step\": 18446744073709551615}",
        "{\"do\": \"step\", \"steps\": 9223372036854775807}",
        "{\"do\": \"step\", \"steps\": -9223372036854775808}",
        "{\"do\": \"overlays\", \"overlays\": [\"ghosts\"]}",
        "{\"do\": \"overlays\"}",
        "{\"do\": \"probe\", \"body\": -1}",
        "{\"do\": \"grab\", \"body\": 0, \"point\": [0, 0], \"to\": [0, 0, 0]}",
        "{\"do\": \"grab\", \"body\": 0, \"point\": [0, 0, 1e300], \"to\": [0, 0, 0]}",
        "{\"do\": \"throw\", \"from\": [0, 0, 0], \"velocity\": [0, 0, 0], \"radius\": -1, \"density\": 1}",
        "{\"do\": \"throw\", \"from\": [0, 0, 0], \"velocity\": [1e9, 0, 0], \"radius\": 1, \"density\": 1}",
        "{\"do\": \"change\"}",
        "{\"do\": \"change\", \"friction\": -0.1}",
        "{\"do\": \"change\", \"restitution\": 2}",
        "{\"do\": \"simulate\"}",
        "{\"do\": \"simulate\", \"paradigm\": \"magic\"}",
        "{\"do\": \"simulate\", \"step\": 1e-9}",
        "{\"do\": \"hashing\"}",
        "{\"do\": \"plot\"}",
        "{\"do\": \"plot\", \"signals\": [{\"of\": \"soul\"}]}",
        "{\"do\": \"plot\", \"signals\": [{\"of\": \"body\", \"body\": -1, \"quantity\": \"speed\"}]}",
        "{\"do\": \"control\", \"actuator\": 0, \"control\": 1e300}",
        "{\"do\": \"push\", \"body\": 0, \"impulse\": [0, 0, 1e300]}",
        "{\"do\": \"twist\", \"body\": 0, \"torque\": [0, 0]}",
        "{\"do\": \"keyframe\"}",
        "{\"do\": \"measure\"}",
        "{\"do\": \"profile\", \"on\": 1}",
    ];
    for text in refused {
        let why = test.viewer.command(text).expect_err(text).0;
        assert!(why.len() > 10 && why.len() < 500, "{text}: {why}");
    }
    let long = format!("{{\"do\": \"play\", \"x\": \"{}\"}}", "x".repeat(MAX_COMMAND_BYTES));
    assert!(test.viewer.command(&long).unwrap_err().0.contains("expected at most 4096"));
    let deep = "[".repeat(2000);
    assert!(test.viewer.command(&deep).is_err());
    // These are valid commands, but the world refuses them.
    let mut test = test;
    for command in [
        json!({"do": "grab", "body": 99999, "point": [0, 0, 0], "to": [0, 0, 0]}),
        json!({"do": "drag", "to": [0, 0, 0]}),
        json!({"do": "release"}),
        json!({"do": "hashing", "on": true}),
    ] {
        test.command(command);
        test.message("refused");
    }
    assert_eq!(test.frame().latest, 0);
}

/// JSON that resembles a command.
fn commands() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        Just(json!(0)),
        Just(json!(-1)),
        Just(json!(0.3)),
        Just(json!(1e300)),
        Just(json!(u64::MAX)),
        Just(json!(i64::MIN)),
        any::<i32>().prop_map(|number| json!(number)),
        any::<f64>().prop_map(|number| json!(number)),
    ];
    let vector = prop::collection::vec(number.clone(), 0..5).prop_map(Value::from);
    let near = (-3.0..3.0, -3.0..3.0, 0.0..3.0).prop_map(|(x, y, z)| json!([x, y, z]));
    let value = prop_oneof![
        number,
        vector,
        near,
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop::sample::select(vec!["impulse", "penalty", "time-stepping", "analytical", "hybrid"]).prop_map(Value::from),
        prop::sample::select(vec!["contacts", "closest", "boxes", "tiles", "groups", "centre", "joints", "counters"])
            .prop_map(|name| json!([name])),
    ];
    let names = vec![
        "play", "pause", "speed", "restart", "step", "seek", "overlays", "probe", "grab", "drag", "release", "throw",
        "change", "simulate", "hashing", "fly",
    ];
    let fields = vec![
        "speed",
        "steps",
        "step",
        "overlays",
        "body",
        "point",
        "to",
        "from",
        "velocity",
        "radius",
        "density",
        "gravity",
        "friction",
        "restitution",
        "paradigm",
        "on",
        "other",
    ];
    let fields = prop::collection::vec((prop::sample::select(fields), value), 0..4);
    (prop::sample::select(names), fields).prop_map(|(name, fields)| {
        let mut command = json!({"do": name});
        fields.into_iter().for_each(|(field, value)| command[field] = value);
        command
    })
}

/// Valid commands.
fn valid_commands() -> impl Strategy<Value = Value> {
    let place = || (-2.0..2.0, -2.0..2.0, 0.0..3.0).prop_map(|(x, y, z)| json!([x, y, z]));
    prop_oneof![
        (0_u64..120).prop_map(|step| json!({"do": "seek", "step": step})),
        (-30_i64..30).prop_map(|steps| json!({"do": "step", "steps": steps})),
        (0_usize..12, place(), place()).prop_map(|(body, point, to)| json!({"do": "grab", "body": body, "point": point, "to": to})),
        place().prop_map(|to| json!({"do": "drag", "to": to})),
        Just(json!({"do": "release"})),
        (place(), place(), 0.05..0.3)
            .prop_map(|(from, velocity, radius)| json!({"do": "throw", "from": from, "velocity": velocity, "radius": radius, "density": 700})),
        (place(), 0.0..1.0).prop_map(|(gravity, friction)| json!({"do": "change", "gravity": gravity, "friction": friction})),
        (0.001..0.01).prop_map(|step| json!({"do": "simulate", "step": step})),
        prop::sample::select(vec!["impulse", "penalty", "time-stepping"]).prop_map(|name| json!({"do": "simulate", "paradigm": name})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_does_no_harm(text in ".{0,200}", command in commands()) {
        let test = TestSession::scene("pendulum", None);
        for text in [text, command.to_string()] {
            if let Err(refused) = test.viewer.command(&text) {
                prop_assert!(!refused.0.is_empty());
            }
        }
        // The session still answers.
        test.command(json!({"do": "pause"}));
        test.seek(3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_edits_are_replayed_exactly(commands in prop::collection::vec(valid_commands(), 1..12)) {
        let mut test = TestSession::scene("brick-wall", None);
        for command in commands {
            test.command(command);
            // Wait until the thread has handled all commands.
            test.command(json!({"do": "pause"}));
            test.message("status");
        }
        let latest = test.frame().latest;
        let there = test.seek(latest);
        test.seek(0);
        let again = test.seek(latest);
        if again.latest == latest {
            prop_assert_eq!(&there.poses, &again.poses);
        }
        let status = test.status();
        prop_assert_eq!(&status["exact"]["differing"], 0);
    }
}
