//! Walls over real sockets: the lock, refusals, tracking, and the same hashes with walls and without.

use std::net::SocketAddr;
use std::path::PathBuf;

use burgess_server::session::Frame;
use burgess_server::{Handle, Server, ServerOptions};
use burgess_walls::CaveText;
use burgess_walls::frame::NetworkObject;
use burgess_walls::objects::User;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::client::viewer::block_on;
use crate::client::wall::Wall;
use crate::client::{ask, assert_alive, get, options, own_folder, post, start};
use crate::support::TestSession;

const VERSION: &str = "version=1";

/// A server whose walls show a paused scene on the preset `two`, with a short period.
fn with_walls(scene: &str) -> Handle {
    with_options(scene, options())
}

fn with_options(scene: &str, options: ServerOptions) -> Handle {
    let server = Server::bind(options).expect("a free port");
    server.hub().walls.open(cave("0.1"), cave_file());
    let request = json!({"source": {"type": "scene", "name": scene}, "paused": true});
    let request = serde_json::from_value(request).expect("a request");
    let session = server.hub().sessions.open(request, &server.hub().library).expect("a session");
    server.hub().walls.show(session).expect("shown");
    server.run_in_background().expect("threads")
}

fn cave(period: &str) -> CaveText {
    let text = CaveText::preset("two").expect("a preset").text.replace("0.0333", period);
    CaveText::read(text, "two.toml").expect("a cave")
}

fn cave_file() -> PathBuf {
    let folder = own_folder();
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join("cave.toml")
}

#[test]
fn two_walls_are_locked_and_show_every_frame() {
    let server = with_walls("pendulum");
    block_on(async {
        let mut left = Wall::connect(server.address(), "left", VERSION).await;
        let mut right = Wall::connect(server.address(), "right", VERSION).await;
        let welcome = left.message_where(|message| message["say"] == "welcome").await;
        assert_eq!((welcome["number"].as_u64(), welcome["session"].as_str()), (Some(1), Some("s1")), "{welcome}");
        assert_eq!(welcome["wall"]["name"], "left");
        // Frames are compared where both are locked.
        while !(left.locked && right.locked) {
            tokio::select! { _ = left.obey() => {}, _ = right.obey() => {} }
        }
        let first = *left.shown.last().expect("frames").max(right.shown.last().expect("frames")) + 1;
        tokio::join!(left.show_until(first + 20), right.show_until(first + 20));
        for wall in [&left, &right] {
            let frames: Vec<u64> = wall.shown.iter().copied().filter(|frame| *frame >= first).collect();
            assert!(frames.windows(2).all(|pair| pair[1] == pair[0] + 1), "{frames:?}");
        }
        // The paused world is only in key frames; the second frame of a wall omits what has not changed.
        assert!(left.frame.expect("a frame").parts.is_empty());
        let status = get(server.address(), "/api/cave").json();
        assert_eq!(status["walls"][0]["locked"], true, "{status}");
    });
}

#[test]
fn a_wall_that_stops_answering_is_left_behind_and_may_return() {
    let server = with_walls("pendulum");
    block_on(async {
        let mut left = Wall::connect(server.address(), "left", VERSION).await;
        let mut right = Wall::connect(server.address(), "right", VERSION).await;
        while !(left.locked && right.locked) {
            tokio::select! { _ = left.obey() => {}, _ = right.obey() => {} }
        }
        // The right wall answers no more, but frames go on for the left one.
        let reached = *left.shown.last().expect("frames");
        left.show_until(reached + 10).await;
        let late = right.message_where(|message| message["say"] == "lock").await;
        assert_eq!(late["locked"], false);
        // A window that was closed makes room for another.
        drop(right);
        let mut again = loop {
            let mut wall = Wall::connect(server.address(), "right", VERSION).await;
            let first = wall.message_where(|_| true).await;
            if first["say"] == "welcome" {
                break wall;
            }
        };
        while !again.locked {
            tokio::select! { _ = left.obey() => {}, _ = again.obey() => {} }
        }
        assert!(again.frame.is_some());
    });
}

#[test]
fn windows_are_refused_in_words() {
    let server = with_walls("pendulum");
    let address = server.address();
    block_on(async {
        let mut first = Wall::connect(address, "left", VERSION).await;
        first.message_where(|message| message["say"] == "welcome").await;
        let mut second = Wall::connect(address, "left", VERSION).await;
        assert!(second.refusal().await.starts_with("another window of this machine shows the wall 'left'"));
        assert!(second.next().await.is_none(), "the socket closes");
        let mut unknown = Wall::connect(address, "ceiling", VERSION).await;
        assert_eq!(unknown.refusal().await, "the cave 'two' has no wall 'ceiling'; it has left, right");
        let mut old = Wall::connect(address, "right", "version=0").await;
        assert_eq!(old.refusal().await, "the wall speaks version 0, expected version 1; reload its page");
        let mut none = Wall::connect(address, "right", "").await;
        assert!(none.refusal().await.starts_with("the wall speaks no version"));
    });
    let server = start(options());
    block_on(async {
        let mut wall = Wall::connect(server.address(), "left", VERSION).await;
        assert!(wall.refusal().await.starts_with("there is no cave: choose one at /cave"));
    });
    let token = ServerOptions { token: Some("correct-horse".to_string()), ..options() };
    let server = start(token);
    let upgrade = [
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ];
    let answer = ask(server.address(), "GET", "/api/cave/walls/left/socket?version=1", &upgrade, b"");
    assert_eq!(answer.status, 401, "{answer:?}");
    assert!(answer.error().contains("token"), "{}", answer.error());
}

#[test]
fn bad_caves_and_reports_are_refused_in_words() {
    let server = start(options());
    let address = server.address();
    let refused = |path: &str, body: Value, expected: &str| {
        let answer = post(address, path, &body);
        assert!(answer.status >= 400 && answer.error().contains(expected), "{}: {answer:?}", answer.error());
    };
    refused("/api/cave", json!({"preset": "pyramid"}), "there is no built-in cave 'pyramid'");
    refused("/api/cave", json!({}), "expected either a preset or a text");
    refused("/api/cave", json!({"text": "eye = [0, 0]"}), "cave.toml:1:");
    refused("/api/cave/session", json!({"session": "s9"}), "there is no session 's9'");
    refused("/api/cave/tracking", json!({"head": {"position": [0, 0, 1]}}), "there is no cave");
    assert_eq!(post(address, "/api/cave", &json!({"preset": "cube"})).status, 200);
    refused("/api/cave/tracking", json!({"head": {"position": [0, 0, 1e9]}}), "within 1000 m");
    refused("/api/cave/tracking", json!({"heads": []}), "unknown field");
    let point = |tracker: [f64; 3], room: [f64; 3]| json!({"tracker": tracker, "room": room});
    let line = json!({"points": [point([0.0; 3], [0.0; 3]), point([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), point([2.0, 0.0, 0.0], [2.0, 0.0, 0.0])]});
    refused("/api/cave/calibration", line, "nearly in line");
    let good = json!({"points": [point([0.0; 3], [0.0; 3]), point([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), point([-1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]});
    let answer = post(address, "/api/cave/calibration", &good);
    assert_eq!(answer.json()[0], json!([0.0, 1.0, 0.0, 0.0]), "{answer:?}");
    let status = get(address, "/api/cave").json();
    assert_eq!(status["cave"]["tracker"][1], json!([-1.0, 0.0, 0.0, 0.0]), "{status}");
    assert_eq!(get(address, "/wall/left?a=b").header("location"), Some("/?a=b#/wall/left"));
}

#[test]
fn the_head_and_hands_reach_all_walls() {
    let tracker: SocketAddr = "127.0.0.1:0".parse().expect("an address");
    let server = Server::bind(ServerOptions { tracker: Some(tracker), ..options() }).expect("a free port");
    let udp = server.tracker_address().expect("a port");
    server.hub().walls.open(cave("0.1"), cave_file());
    let server = server.run_in_background().expect("threads");
    let user = |wall: &Wall| {
        let part = wall.frame.as_ref()?.part("user")?;
        let mut user = User::default();
        user.take(&part.bytes).expect("a user");
        Some(user)
    };
    block_on(async {
        let mut wall = Wall::connect(server.address(), "left", VERSION).await;
        let body =
            json!({"head": {"position": [0.1, 0.2, 1.5]}, "hands": [{"position": [0.3, 0.4, 1.0], "grab": true}]});
        assert_eq!(post(server.address(), "/api/cave/tracking", &body).status, 204);
        while user(&wall).is_none_or(|user| user.hands.is_empty()) {
            wall.obey().await;
        }
        let found = user(&wall).expect("a user");
        assert!(found.hands[0].grabs && found.head.position.x == 0.1, "{found:?}");
        // OpenTrack: 10 cm to the right, 150 cm up, 20 cm back.
        let report: Vec<u8> =
            [10.0, 150.0, 20.0, 0.0, 0.0, 0.0_f64].iter().flat_map(|part| part.to_le_bytes()).collect();
        let socket = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
        socket.send_to(&report[..40], udp).expect("sent");
        socket.send_to(&report, udp).expect("sent");
        while user(&wall).is_none_or(|user| (user.head.position.y + 0.2).abs() > 1e-9) {
            wall.obey().await;
        }
    });
    assert_alive(server.address());
}

/// Edits that a user makes, and the steps at which they are made.
fn inputs() -> Vec<(u64, Value)> {
    vec![
        (20, json!({"do": "reach", "from": [0.0, 0.0, 3.0], "along": [0.0, 0.0, -1.0], "length": 4.0})),
        (30, json!({"do": "drag", "to": [0.1, 0.3, 1.8]})),
        (60, json!({"do": "drag", "to": [0.4, 0.3, 1.6]})),
        (80, json!({"do": "release"})),
        (
            90,
            json!({"do": "throw", "from": [0.5, -2.0, 1.0], "velocity": [0.0, 6.0, 0.0], "radius": 0.1, "density": 800.0}),
        ),
        (120, json!({"do": "push", "body": 0, "impulse": [0.5, 0.0, 0.5]})),
    ]
}

const LAST_STEP: u64 = 400;

#[test]
fn the_same_inputs_give_the_same_hash_with_walls_and_without() {
    let alone = TestSession::scene("stack", None);
    for (step, input) in inputs() {
        alone.seek(step);
        alone.command(input);
    }
    let expected = alone.seek(LAST_STEP);
    assert_ne!(expected.hash, 0);
    let events = alone.session.take().events;
    assert_eq!(events.len(), inputs().len(), "{events:?}");

    let server = with_walls("stack");
    let session = server.hub().sessions.get("s1").expect("a session");
    let hash = block_on(async {
        let mut left = Wall::connect(server.address(), "left", VERSION).await;
        let mut right = Wall::connect(server.address(), "right", VERSION).await;
        let step_of = |session: &burgess_server::session::Session| Frame::decode(&session.frame()).expect("a frame");
        for (step, input) in inputs().into_iter().chain([(LAST_STEP, json!({"do": "pause"}))]) {
            left.command(json!({"do": "seek", "step": step})).await;
            while step_of(&session).step != step {
                tokio::select! { _ = left.obey() => {}, _ = right.obey() => {} }
            }
            let before = session.take().events.len();
            left.command(input.clone()).await;
            while input["do"] != "pause" && session.take().events.len() == before {
                tokio::select! { _ = left.obey() => {}, _ = right.obey() => {} }
            }
        }
        step_of(&session).hash
    });
    assert_eq!(hash, expected.hash);
    // A replay of the take checks every tenth frame.
    let take = serde_json::to_value(session.take()).expect("a take");
    let replay = TestSession::open(json!({"source": {"type": "take", "take": take}}));
    assert_eq!(replay.seek(LAST_STEP).hash, expected.hash);
    crate::support::assert_exact(&replay);
}

#[test]
fn garbage_on_the_socket_of_a_wall_is_refused() {
    let server = with_walls("pendulum");
    let mut random = Pcg64Mcg::seed_from_u64(22);
    let whole = json!({"do": "move", "velocity": [0.5, 0.0, 0.0], "turn": 0.1}).to_string();
    block_on(async {
        let mut wall = Wall::connect(server.address(), "left", VERSION).await;
        for round in 0..300 {
            let mut text = whole.clone().into_bytes();
            for _ in 0..random.random_range(1..6) {
                let place = random.random_range(0..text.len());
                text[place] = random.random_range(32..127);
            }
            let message = match round % 4 {
                0 => Message::Binary(text.into()),
                1 => Message::text(json!({"do": "ready", "frame": random.random::<u32>()}).to_string()),
                2 => Message::text(json!({"do": "shown", "frame": random.random::<u32>(), "time": 1}).to_string()),
                _ => Message::text(String::from_utf8(text).expect("ASCII")),
            };
            wall.send(message).await;
            if round % 20 == 0 {
                wall.obey().await;
            }
        }
        let corners = json!({"do": "corners", "corners": [[0, 0], [0, 1], [1, 1], [1, 0]]});
        wall.command(corners).await;
        wall.message_where(|message| message["why"].as_str().is_some_and(|why| why.contains("convex"))).await;
        // The wall still receives frames.
        let reached = wall.shown.last().copied().unwrap_or(0);
        wall.show_until(reached + 3).await;
    });
    assert_alive(server.address());
}
