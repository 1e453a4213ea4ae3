//! The body of a user: a capsule that bodies bounce off.

use burgess_server::session::Frame;
use serde_json::json;

use crate::support::{TestSession, assert_exact};

/// Height and radius of the user, in m.
const SIZE: [f64; 2] = [1.8, 0.25];

fn stand(test: &TestSession, foot: [f64; 3]) {
    test.command(json!({"do": "body", "foot": foot, "height": SIZE[0], "radius": SIZE[1]}));
}

/// An empty world without gravity, in which balls are thrown.
fn space() -> TestSession {
    let text = "name = \"space\"\ngravity = [0, 0, 0]\n[[bodies]]\nname = \"far\"\nposition = [100, 0, 0]\n\
                shapes = [{ type = \"sphere\", radius = 0.1 }]\n";
    TestSession::open(json!({"source": {"type": "text", "name": "space", "text": text}}))
}

/// Position of the last body.
fn last_body(frame: &Frame) -> [f64; 3] {
    let poses = &frame.poses[frame.poses.len() - 7..];
    [0, 1, 2].map(|axis| f64::from(poses[axis]))
}

#[test]
fn a_ball_bounces_off_the_user_and_loses_energy() {
    let test = space();
    stand(&test, [0.0, 0.0, 0.0]);
    test.command(json!({"do": "throw", "from": [-2, 0, 1], "velocity": [6, 0, 0], "radius": 0.1, "density": 1000}));
    let mut nearest = f64::NEG_INFINITY;
    for step in (4..=240).step_by(4) {
        let [x, y, z] = last_body(&test.seek(step));
        nearest = nearest.max(x);
        assert!(y.abs() < 1e-4 && (z - 1.0).abs() < 1e-4, "a central impact has no side: {y} {z}");
    }
    // The springs give way by the speed over their frequency, a quarter of the step rate, at most.
    let give = 6.0 / (0.25 * 240.0);
    assert!(nearest > -0.35 - 1e-3 && nearest < -0.35 + give, "the ball came to {nearest}");
    let [before, after] = [last_body(&test.seek(200))[0], last_body(&test.seek(240))[0]];
    let speed = (before - after) / (40.0 / 240.0);
    assert!(speed > 1.0 && speed < 6.0, "the ball leaves at {speed} m/s");
    assert_replays(&test, 240);
}

#[test]
fn a_user_who_walks_pushes_what_stands_in_the_way() {
    let test = space();
    test.command(json!({"do": "throw", "from": [0.6, 0, 1], "velocity": [0, 0, 0], "radius": 0.1, "density": 1000}));
    stand(&test, [0.0, 0.0, 0.0]);
    test.seek(10);
    let start = last_body(&test.frame())[0];
    assert!((start - 0.6).abs() < 1e-6, "a user who does not touch a body does not move it: {start}");
    // One metre at 2 m/s.
    for part in 1..=10 {
        test.seek(10 + 12 * part);
        stand(&test, [0.1 * part as f64, 0.0, 0.0]);
    }
    let reached = last_body(&test.seek(160))[0];
    assert!(reached > 1.0 + SIZE[1] + 0.1 - 0.02, "the ball was pushed to {reached}");
    assert_replays(&test, 160);
}

#[test]
fn a_user_far_away_and_one_who_left_touch_nothing() {
    let alone = space();
    let ball = json!({"do": "throw", "from": [-2, 0, 1], "velocity": [6, 0, 0], "radius": 0.1, "density": 1000});
    alone.command(ball.clone());
    let expected = last_body(&alone.seek(240));
    let near = |found: [f64; 3]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
    let far = space();
    stand(&far, [0.0, 5.0, 0.0]);
    far.command(ball.clone());
    assert!(near(last_body(&far.seek(240))));
    let left = space();
    stand(&left, [0.0, 0.0, 0.0]);
    left.command(ball);
    left.command(json!({"do": "release"}));
    assert!(near(last_body(&left.seek(240))));
}

#[test]
fn a_body_that_is_pinned_is_squeezed_without_ending_the_simulation() {
    let text = "name = \"pinned\"\ngravity = [0, 0, 0]\n[[bodies]]\nname = \"wall\"\nfixed = true\nposition = [1, 0, 1]\n\
                shapes = [{ type = \"box\", size = [0.2, 2, 2] }]\n[[bodies]]\nname = \"ball\"\nposition = [0.75, 0, 1]\n\
                shapes = [{ type = \"sphere\", radius = 0.1 }]\n";
    let test = TestSession::open(json!({"source": {"type": "text", "name": "pinned", "text": text}}));
    for part in 0..=20 {
        test.seek(10 * part);
        stand(&test, [0.05 * part as f64, 0.0, 0.0]);
    }
    let frame = test.seek(400);
    assert_eq!((frame.step, frame.flags & burgess_server::session::ENDED), (400, 0));
    assert_replays(&test, 400);
}

#[test]
fn several_places_at_one_step_replay() {
    let test = TestSession::scene("stack", None);
    test.command(json!({"do": "simulate", "sleeping": true}));
    for step in [600, 640] {
        test.seek(step);
        for place in [[-0.6, 0.0, 0.0], [-0.3, 0.0, 0.0], [-0.35, 0.1, 0.0], [5.0, 0.0, 0.0], [-0.2, 0.0, 0.0]] {
            stand(&test, place);
        }
    }
    assert_replays(&test, 880);
}

#[test]
fn a_body_does_not_discard_what_was_recorded() {
    let mut test = TestSession::scene("stack", None);
    test.seek(240);
    test.seek(100);
    test.command(json!({"do": "body", "foot": [0, 0, 0], "height": 1.7, "radius": 0.2}));
    assert!(test.message("refused")["why"].as_str().is_some_and(|why| why.contains("at the latest step")));
    assert_eq!(test.session.take().events.len(), 0);
}

#[test]
fn sleeping_bodies_wake_when_the_user_comes() {
    let test = TestSession::scene("stack", None);
    test.command(json!({"do": "simulate", "sleeping": true}));
    let start = test.seek(600).poses.clone();
    stand(&test, [-0.6, 0.0, 0.0]);
    for part in 1..=10 {
        test.seek(600 + 12 * part);
        stand(&test, [-0.6 + 0.06 * part as f64, 0.0, 0.0]);
    }
    let moved = test.seek(880).poses.iter().zip(start).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(moved > 0.05, "bodies moved by {moved} m");
    assert_replays(&test, 880);
}

#[test]
fn impossible_users_are_refused_in_words() {
    let test = space();
    for (body, expected) in [
        (json!({"do": "body", "foot": [0, 0, 0], "height": 9, "radius": 0.2}), "height must be from 0.2 to 3 m"),
        (json!({"do": "body", "foot": [0, 0, 0], "height": 1, "radius": 0}), "radius must be from 0.05 to 0.5 m"),
        (json!({"do": "body", "foot": [1e9, 0, 0], "height": 1, "radius": 0.2}), "foot must be within"),
        (json!({"do": "release", "velocity": [1e9, 0, 0]}), "velocity must be within"),
        (json!({"do": "reach", "from": [0, 0, 0], "along": [0, 1, 0], "length": 1, "push": -1}), "push must be from 0"),
    ] {
        let why = test.viewer.command(&body.to_string()).expect_err("refused").0;
        assert!(why.contains(expected), "{why}");
    }
}

/// The session goes back and forth, and its take is played, with the same hash at the end.
fn assert_replays(test: &TestSession, last: u64) {
    let hash = test.seek(last).hash;
    assert_ne!(hash, 0);
    test.seek(last / 2);
    assert_eq!(test.seek(last).hash, hash);
    assert_exact(test);
    let take = serde_json::to_value(test.session.take()).expect("a take");
    let again = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    assert_eq!(again.seek(last).hash, hash);
    assert_exact(&again);
}
