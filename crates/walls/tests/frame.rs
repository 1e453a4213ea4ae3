//! Wall frames and the objects in them.

use burgess_walls::frame::{NetworkObject, Part, WallFrame};
use burgess_walls::message::{Received, WallCommand};
use burgess_walls::objects::{Hand, Motion, Pose, Room, User};
use burgess_walls::tubes::Tubes;
use glam::{DQuat, DVec3};
use proptest::prelude::*;

fn user() -> User {
    let pose = Pose { position: DVec3::new(0.1, -0.2, 1.7), orientation: DQuat::from_rotation_z(0.3) };
    User { head: pose, hands: vec![Hand { pose, grabs: true }, Hand::default()] }
}

fn frame() -> WallFrame {
    let room = Room { position: DVec3::new(1.0, 2.0, 3.0), heading: -0.5 };
    let world = Part { name: "world".to_string(), version: 1, bytes: vec![1, 2, 3] };
    WallFrame { number: 70_000_000_000, key: true, show_at: 1.5, parts: vec![world, room.part(), user().part()] }
}

#[test]
fn decoding_inverts_encoding() {
    let bytes = frame().encode();
    assert_eq!(WallFrame::decode(&bytes), Ok(frame()));
    let mut found = User::default();
    found.take(&frame().part("user").expect("a user").bytes).expect("a user");
    assert_eq!(found, user());
    let mut room = Room::default();
    room.take(&frame().part("room").expect("a room").bytes).expect("a room");
    assert_eq!(room.heading, -0.5);
    assert!(frame().part("nothing").is_none());
}

#[test]
fn data_of_objects_is_aligned() {
    let bytes = frame().encode();
    assert_eq!(bytes.len() % 8, 0);
    let place = bytes.windows(8).position(|window| window == 1.0_f64.to_le_bytes()).expect("the room's position");
    assert_eq!(place % 8, 0);
}

#[test]
fn truncated_bytes_are_rejected() {
    let bytes = frame().encode();
    for length in 0..bytes.len() {
        assert!(WallFrame::decode(&bytes[..length]).is_err(), "{length}");
    }
}

#[test]
fn the_room_turns_about_the_head_and_moves_along_its_axes() {
    let head = DVec3::new(0.5, -0.25, 1.7);
    let mut room = Room { position: DVec3::new(1.0, 2.0, 0.0), heading: 0.4 };
    let before = room.to_world(head);
    room.travel(&Motion { turn: 1.0, ..Motion::default() }, head, 1.5, 0.5);
    assert!(room.to_world(head).distance(before) < 1e-12);
    assert!((room.heading - 1.0).abs() < 1e-12);
    let mut room = Room { heading: std::f64::consts::FRAC_PI_2, ..Room::default() };
    room.travel(&Motion { velocity: [0.0, 1.0, 0.0], turn: 0.0 }, head, 2.0, 0.5);
    // Forward is the room's y axis, which a quarter turn to the left takes to the world's -x.
    assert!(room.position.distance(DVec3::new(-1.0, 0.0, 0.0)) < 1e-12);
}

#[test]
fn commands_to_the_session_are_recognised() {
    let session = r#"{"do": "grab", "body": 1, "point": [0, 0, 0], "to": [0, 0, 0]}"#;
    assert_eq!(WallCommand::parse(session), Ok(Received::Session(session)));
    let ready = WallCommand::parse(r#"{"do": "ready", "frame": 7}"#);
    assert_eq!(ready, Ok(Received::Wall(WallCommand::Ready { frame: 7 })));
    for bad in [
        "",
        "7",
        "{}",
        r#"{"do": "ready"}"#,
        r#"{"do": "ready", "frame": -1}"#,
        r#"{"do": "ready", "frame": 1, "extra": 2}"#,
        r#"{"do": "move", "velocity": [2, 0, 0], "turn": 0}"#,
        r#"{"do": "move", "velocity": [0, 0], "turn": 0}"#,
    ] {
        assert!(WallCommand::parse(bad).is_err(), "{bad}");
    }
    assert!(WallCommand::parse(&format!("{{\"do\": \"ready\", \"frame\": {}}}", " ".repeat(5000))).is_err());
}

proptest! {
    #[test]
    fn garbage_is_rejected_and_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..400), place in 0_usize..400) {
        let _ = WallFrame::decode(&bytes);
        let _ = User::default().take(&bytes);
        let _ = Room::default().take(&bytes);
        let mut changed = frame().encode();
        if let (Some(byte), Some(new)) = (changed.get_mut(place), bytes.first()) {
            *byte = *new;
        }
        let _ = WallFrame::decode(&changed);
        let _ = WallCommand::parse(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn tubes_give_what_they_take() {
    let step: Vec<u8> = (0..100).collect();
    let tubes = Tubes { scale: 0.5, origin: DVec3::new(1.0, 2.0, 3.0), range: [0.1, 0.9], step };
    let part = tubes.part();
    let mut taken = Tubes::default();
    taken.take(&part.bytes).expect("tubes");
    assert_eq!(taken, tubes);
    for length in 0..48 {
        assert!(taken.take(&part.bytes[..length]).is_err_and(|why| why.contains("expected at least 48")));
    }
    assert_eq!(taken, tubes, "refused bytes change nothing");
}
