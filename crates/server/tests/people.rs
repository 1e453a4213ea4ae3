//! Changes of crowds by viewers: people are sent somewhere, ways are blocked, gates open and close, people join and
//! hurry. Each belongs to a step, so that a take gives the same bits.

use burgess_server::session::SectionKind;
use serde_json::{Value, json};

use crate::support::{TestSession, assert_exact, position};

fn names(test: &TestSession) -> Vec<String> {
    let appearance: Value = serde_json::from_slice(&test.session.appearance()).unwrap();
    let bodies = appearance["bodies"].as_array().unwrap();
    bodies.iter().map(|body| body["name"].as_str().unwrap().to_string()).collect()
}

fn body(test: &TestSession, name: &str) -> usize {
    names(test).iter().position(|known| known == name).unwrap()
}

/// The reasons of all refusals so far.
fn refusals(test: &mut TestSession) -> Vec<String> {
    let messages = std::iter::from_fn(|| test.viewer.says.try_recv().ok());
    let values = messages.filter_map(|text| serde_json::from_str::<Value>(&text).ok());
    let refused = values.filter(|message| message["say"] == "refused");
    refused.map(|message| message["why"].as_str().unwrap().to_string()).collect()
}

#[test]
fn changes_of_a_crowd_are_replayed_at_their_steps() {
    let mut test = TestSession::scene("crossing", None);
    test.seek(30);
    test.command(json!({"do": "guide", "person": "person 25", "to": [-12.5, 5.5]}));
    test.seek(60);
    test.command(json!({"do": "block", "at": [-6, 5]}));
    test.command(json!({"do": "join", "at": [13.5, 5.5]}));
    test.seek(90);
    test.command(json!({"do": "gate", "gate": "north crosswalk", "open": false}));
    test.command(json!({"do": "hurry", "factor": 1.5}));
    test.command(json!({"do": "guide", "person": "joined-1", "to": [12, 4]}));
    let there = test.seek(400);
    assert_eq!(refusals(&mut test), Vec::<String>::new());
    let names = names(&test);
    assert!(names.contains(&"joined-1".to_string()), "{names:?}");

    let middle = test.seek(75);
    test.seek(3);
    assert_eq!(test.seek(400).poses, there.poses);
    assert_eq!(test.seek(75).poses, middle.poses);
    assert_exact(&test);
    let take = serde_json::to_value(test.session.take()).unwrap();
    let copy = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    let seen = copy.seek(400);
    assert_eq!((seen.poses, seen.hash), (there.poses, there.hash));
    assert_exact(&copy);
}

/// Dogs keep their brains when somebody joins the people round them.
#[test]
fn people_join_in_a_scene_with_creatures() {
    let mut test = TestSession::scene("park", None);
    test.seek(240);
    test.command(json!({"do": "join", "at": [5, -9]}));
    let there = test.seek(720);
    assert_eq!(refusals(&mut test), Vec::<String>::new());
    let dog = names(&test).iter().position(|name| name.starts_with("dog 0")).unwrap();
    let [x, y, _] = position(&there, dog);
    assert!((x + 12.0).hypot(y - 2.5) > 0.3, "the dog stands still at {x}, {y}");
    test.seek(100);
    assert_eq!(test.seek(720).poses, there.poses);
    assert_exact(&test);
}

/// Blocks and people are not put into what moves: balls, and random parts of dogs.
#[test]
fn nothing_is_added_inside_balls_and_dogs() {
    let mut test = TestSession::scene("park", None);
    let frame = test.seek(120);
    let is_low = |name: &&String| name.starts_with("dog") || name.starts_with("ball");
    let all = names(&test);
    let low: Vec<&String> = all.iter().filter(is_low).collect();
    assert!(low.len() > 10, "{all:?}");
    for (index, name) in low.iter().enumerate().filter(|(index, _)| index % 4 == 1 || index + 3 > low.len()) {
        let [x, y, _] = position(&frame, body(&test, name));
        let does = if name.starts_with("dog") && index % 2 == 1 { "block" } else { "join" };
        test.command(json!({"do": does, "at": [x, y]}));
        let why = test.message("refused")["why"].as_str().unwrap().to_string();
        assert!(why.contains("would overlap") || why.contains("somebody stands") || why.contains("no room"), "{why}");
    }
    assert_eq!(names(&test), all);
    // Away from all of them there is room.
    test.command(json!({"do": "join", "at": [5, -9]}));
    test.seek(121);
    assert_eq!(names(&test).len(), all.len() + 1);
}

#[test]
fn people_who_are_sent_go_there() {
    let test = TestSession::scene("crossing", None);
    test.seek(10);
    test.command(json!({"do": "guide", "person": "person 20", "to": [-12.5, 5.5]}));
    let person = body(&test, "person 20");
    let least = (1..=9).map(|second| {
        let [x, y, _] = position(&test.seek(10 + 100 * second), person);
        (x + 12.5).hypot(y - 5.5)
    });
    let least = least.fold(f32::INFINITY, f32::min);
    assert!(least < 0.7, "{least}");
}

/// Nobody leaves the hall while all its doors are closed, and people do once one is open.
#[test]
fn doors_are_closed_and_opened() {
    let test = TestSession::scene("evacuation", None);
    test.seek(1);
    let contents: Value = serde_json::from_slice(&test.session.contents()).unwrap();
    let gates: Vec<&str> =
        contents["crowds"][0]["gates"].as_array().unwrap().iter().map(|gate| gate["name"].as_str().unwrap()).collect();
    assert_eq!(gates.len(), 4);
    for gate in &gates {
        test.command(json!({"do": "gate", "gate": gate, "open": false}));
    }
    let outside = |step: u64| {
        let frame = test.seek(step);
        (0..200).filter(|&body| position(&frame, body)[1].abs() > 7.2).count()
    };
    assert_eq!(outside(600), 0);
    assert_eq!(test.section(SectionKind::Crowd)[..4], [0.0; 4]);
    test.command(json!({"do": "gate", "gate": gates[0], "open": true}));
    assert!(outside(1000) > 2);
    assert_eq!(test.section(SectionKind::Crowd)[..4], [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn impossible_changes_are_refused_with_a_reason() {
    let mut test = TestSession::scene("crossing", None);
    test.seek(5);
    let [x, y, _] = test.position(body(&test, "person 0"));
    let cases = [
        (json!({"do": "guide", "person": "nobody", "to": [0, 0]}), "'nobody' is no person"),
        (json!({"do": "guide", "person": "person 0", "to": [8, 10]}), "nobody can stand there"),
        (json!({"do": "block", "at": [x, y]}), "somebody stands there"),
        (json!({"do": "block", "at": [500, 0]}), "nobody walks there"),
        (json!({"do": "gate", "gate": "exit", "open": true}), "there is no gate 'exit'"),
        (json!({"do": "join", "at": [x, y]}), "there is no room"),
    ];
    for (command, why) in cases {
        test.command(command.clone());
        let refused = test.message("refused");
        assert!(refused["why"].as_str().unwrap().contains(why), "{command}: {refused}");
    }
    let error = test.viewer.command("{\"do\": \"hurry\", \"factor\": 0}").unwrap_err();
    assert_eq!(error.to_string(), "factor must be from 0.1 to 10, found 0");
    let mut other = TestSession::scene("pendulum", None);
    other.command(json!({"do": "hurry", "factor": 2}));
    assert_eq!(other.message("refused")["why"], "nobody walks in this world");
    let mut bounce = TestSession::open(json!({"source": {"type": "bounce", "objects": 5}}));
    bounce.command(json!({"do": "block", "at": [0, 0]}));
    bounce.message("refused");
}
