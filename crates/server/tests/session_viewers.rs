//! Viewers: many, slow, and hostile.

use crate::support::Stage;
use burgess_server::session::{MAX_COMMAND_BYTES, PLAYING};
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::TryRecvError;

#[test]
fn who_is_slow_misses_frames_and_nobody_waits_for_them() {
    let stage = Stage::scene("pendulum", None);
    let sleepers: Vec<_> = (0..200).map(|_| stage.session.join().unwrap()).collect();
    assert_eq!(stage.session.viewers(), 201);
    stage.command(json!({"do": "speed", "speed": 100}));
    stage.command(json!({"do": "play"}));
    stage.wait(|frame| frame.step > 1000);
    // Far more is said than a viewer may let wait.
    for _ in 0..100 {
        let step = stage.frame().step;
        stage.command(json!({"do": "pause"}));
        stage.wait(|frame| frame.flags & PLAYING == 0);
        stage.command(json!({"do": "play"}));
        stage.wait(|frame| frame.step > step);
    }
    for mut sleeper in sleepers {
        assert!(matches!(sleeper.says.try_recv(), Err(TryRecvError::Lagged(_))));
        assert!(!sleeper.frames.borrow_and_update().is_empty());
    }
    stage.wait(|_| stage.session.viewers() == 1);
}

#[test]
fn nothing_moves_while_nobody_watches() {
    let stage = Stage::scene("pendulum", None);
    stage.command(json!({"do": "play"}));
    stage.wait(|frame| frame.step > 0);
    let Stage { sessions, session, viewer } = stage;
    let frames = viewer.frames.clone();
    drop(viewer);
    // It stops within a frame or two; after that not even a long look changes anything.
    let step = || burgess_server::session::Frame::decode(&frames.borrow()).unwrap().step;
    let mut last = step();
    loop {
        std::thread::sleep(std::time::Duration::from_millis(200));
        if step() == last {
            break;
        }
        last = step();
    }
    let again = Stage::of(sessions, session);
    again.wait(|frame| frame.step > last);
}

#[test]
fn of_many_seeks_the_last_one_counts() {
    let stage = Stage::scene("stack", None);
    stage.command(json!({"do": "seek", "step": 900000}));
    for step in 0..100 {
        stage.command(json!({"do": "seek", "step": step}));
    }
    let frame = stage.seek(50);
    assert!(frame.latest < 100_000, "nobody waited for {}", frame.latest);
    stage.command(json!({"do": "step", "steps": -3}));
    stage.wait(|frame| frame.step == 47);
    stage.command(json!({"do": "step", "steps": 5}));
    stage.wait(|frame| frame.step == 52);
    stage.command(json!({"do": "restart"}));
    stage.wait(|frame| frame.step == 0);
}

#[test]
fn at_the_speed_of_time_frames_are_whole() {
    let stage = Stage::scene("pendulum", None);
    stage.seek(3);
    stage.command(json!({"do": "play"}));
    // From wherever it starts it comes to multiples of four steps, of which every tenth has a hash.
    let frame = stage.wait(|frame| frame.flags & burgess_server::session::HASHED != 0 && frame.step > 0);
    assert_eq!(frame.step % 40, 0);
    let known: Vec<_> = stage.session.take().hashes.into_iter().filter(|(step, _)| *step == frame.step).collect();
    assert_eq!(known, [(frame.step, format!("{:016x}", frame.hash))]);
}

#[test]
fn orders_that_make_no_sense_are_refused_with_a_sentence() {
    let stage = Stage::scene("stack", None);
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
    ];
    for text in refused {
        let why = stage.viewer.command(text).expect_err(text).0;
        assert!(why.len() > 10 && why.len() < 500, "{text}: {why}");
    }
    let long = format!("{{\"do\": \"play\", \"x\": \"{}\"}}", "x".repeat(MAX_COMMAND_BYTES));
    assert!(stage.viewer.command(&long).unwrap_err().0.contains("expected at most 4096"));
    let deep = "[".repeat(2000);
    assert!(stage.viewer.command(&deep).is_err());
    // The world refuses what only it can know.
    let mut stage = stage;
    for order in [
        json!({"do": "grab", "body": 99999, "point": [0, 0, 0], "to": [0, 0, 0]}),
        json!({"do": "drag", "to": [0, 0, 0]}),
        json!({"do": "release"}),
        json!({"do": "hashing", "on": true}),
    ] {
        stage.command(order);
        stage.said("refused");
    }
    assert_eq!(stage.frame().latest, 0);
}

/// Any JSON that looks a little like an order.
fn orders() -> impl Strategy<Value = Value> {
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
        let mut order = json!({"do": name});
        fields.into_iter().for_each(|(field, value)| order[field] = value);
        order
    })
}

/// Orders that will be obeyed, in any order and at any step.
fn sensible() -> impl Strategy<Value = Value> {
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
    fn no_text_breaks_anything(text in ".{0,200}", order in orders()) {
        let stage = Stage::scene("pendulum", None);
        for text in [text, order.to_string()] {
            if let Err(refused) = stage.viewer.command(&text) {
                prop_assert!(!refused.0.is_empty());
            }
        }
        // It is still there, and answers.
        stage.command(json!({"do": "pause"}));
        stage.seek(3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_people_do_is_shown_again_exactly(orders in prop::collection::vec(sensible(), 1..12)) {
        let mut stage = Stage::scene("brick-wall", None);
        for order in orders {
            stage.command(order);
            // Until the thread has nothing on its way any more.
            stage.command(json!({"do": "pause"}));
            stage.said("status");
        }
        let latest = stage.frame().latest;
        let there = stage.seek(latest);
        stage.seek(0);
        let again = stage.seek(latest);
        if again.latest == latest {
            prop_assert_eq!(&there.poses, &again.poses);
        }
        let status = stage.status();
        prop_assert_eq!(&status["exact"]["differing"], 0);
    }
}
