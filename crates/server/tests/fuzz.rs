//! Random and malformed input: the server refuses it and keeps running.

use crate::client;
use std::io::Write;

use crate::client::viewer::{Viewer, connect};
use crate::client::{assert_alive, options, post, send_all, start, start_with};
use burgess_server::{Handle, Limits};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

/// Number of inputs: enough to reach every branch in about a second.
const ROUNDS: usize = 300;

fn with_session() -> Handle {
    let server = start(options());
    let opened = post(server.address(), "/api/sessions", &json!({"source": {"type": "scene", "name": "pendulum"}}));
    assert_eq!(opened.status, 201, "{opened:?}");
    assert_eq!(opened.json()["id"], "s1");
    server
}

fn bytes(random: &mut Pcg64Mcg, most: usize) -> Vec<u8> {
    (0..random.random_range(0..most)).map(|_| random.random()).collect()
}

#[test]
fn random_bytes_on_the_port_do_no_harm() {
    let server = start(options());
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for round in 0..ROUNDS {
        let mut garbage = bytes(&mut random, 2000);
        // Some begin like HTTP.
        if round % 3 == 0 {
            garbage = [b"GET /api HTTP/1.1\r\n".to_vec(), garbage].concat();
        }
        // Half of the clients do not wait for an answer.
        if round % 2 == 0 {
            send_all(server.address(), &garbage);
        } else {
            let _ = client::connect(server.address()).write_all(&garbage);
        }
    }
    assert_alive(server.address());
}

#[test]
fn malformed_requests_are_refused() {
    let server = with_session();
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let body = r#"{"source": {"type": "scene", "name": "pendulum"}, "paused": true}"#;
    let whole = format!(
        "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    for _ in 0..ROUNDS {
        let mut request = whole.clone().into_bytes();
        for _ in 0..random.random_range(1..4) {
            let place = random.random_range(0..request.len());
            request[place] = random.random();
        }
        let answer = send_all(server.address(), &request);
        let answer = String::from_utf8_lossy(&answer);
        assert!(!answer.starts_with("HTTP/1.1 500"), "{}: {answer}", String::from_utf8_lossy(&request));
    }
    assert_alive(server.address());
}

/// A random command, with any number in any field.
fn command(random: &mut Pcg64Mcg) -> String {
    let mut number = || match random.random_range(0..8) {
        0 => json!(1e308),
        1 => json!(-1),
        2 => json!(null),
        3 => json!(u64::MAX),
        4 => json!("NaN"),
        5 => json!(0.1),
        6 => json!([1]),
        _ => json!(3),
    };
    let vector = json!([number(), number(), number()]);
    let commands = [
        json!({"do": "play"}),
        json!({"do": "pause"}),
        json!({"do": "restart"}),
        json!({"do": "speed", "speed": number()}),
        json!({"do": "step", "steps": number()}),
        json!({"do": "seek", "step": number()}),
        json!({"do": "overlays", "overlays": ["contacts", number(), "boxes"]}),
        json!({"do": "probe", "body": number()}),
        json!({"do": "grab", "body": number(), "point": vector, "to": vector}),
        json!({"do": "drag", "to": vector}),
        json!({"do": "release"}),
        json!({"do": "throw", "from": vector, "velocity": vector, "radius": number(), "density": number()}),
        json!({"do": "change", "gravity": vector, "friction": number(), "restitution": number()}),
        json!({"do": "simulate", "paradigm": "impulse", "step": number()}),
        json!({"do": "hashing", "on": number()}),
        json!({"do": "twist", "body": number(), "torque": vector}),
        json!({"do": "push", "body": number(), "impulse": vector, "angular_impulse": vector}),
        json!({"do": "control", "actuator": number(), "control": number()}),
        json!({"do": "keyframe", "name": number()}),
        json!({"do": "keyframe", "name": "nowhere"}),
        json!({"do": "measure", "paradigm": "penalty", "step": number(), "sleeping": number()}),
        json!({"do": "profile", "on": number()}),
        json!({"do": "plot", "signals": [{"of": "body", "body": number(), "quantity": "speed"}]}),
        json!({"do": "plot", "signals": [{"of": "joint", "body": number(), "axis": number(), "quantity": "effort"}]}),
        json!({"do": "plot", "signals": [{"of": number(), "sensor": number(), "component": number()}, number()]}),
        json!({"do": number()}),
    ];
    commands[random.random_range(0..commands.len())].to_string()
}

#[test]
fn random_messages_on_a_socket_are_refused() {
    let server = with_session();
    let mut random = Pcg64Mcg::seed_from_u64(3);
    client::viewer::block_on(async {
        let mut viewer = connect(server.address(), "s1").await;
        for round in 0..ROUNDS {
            let message = match round % 4 {
                0 => Message::text(String::from_utf8_lossy(&bytes(&mut random, 500)).into_owned()),
                1 => Message::binary(bytes(&mut random, 500)),
                2 => Message::Ping(bytes(&mut random, 100).into()),
                _ => Message::text(command(&mut random)),
            };
            viewer.send(message).await;
            viewer.drain();
        }
        viewer.send(Message::text("this is no command")).await;
        let refused = viewer.message_where(|message| message["say"] == "refused").await;
        assert!(refused["why"].as_str().is_some_and(|why| !why.is_empty()), "{refused}");
    });
    assert_alive(server.address());
    client::viewer::block_on(async {
        let mut viewer = connect(server.address(), "s1").await;
        assert!(viewer.frame().await.is_some(), "new viewers receive frames");
    });
}

#[test]
fn random_texts_of_scenes_are_refused_or_shown() {
    let server = with_session();
    let address = server.address();
    let mut random = Pcg64Mcg::seed_from_u64(5);
    let text = client::get(address, "/api/sessions/s1/scene").json()["text"].as_str().unwrap().to_string();
    // Shorter rounds than elsewhere: a text that stays valid is built.
    for round in 0..ROUNDS / 3 {
        let mut changed = text.clone().into_bytes();
        for _ in 0..random.random_range(1..4) {
            let place = random.random_range(0..changed.len());
            match round % 3 {
                0 => changed[place] = random.random_range(b' '..=b'~'),
                1 => drop(changed.drain(place..(place + 20).min(changed.len()))),
                _ => changed.splice(place..place, b"9e99".iter().copied()).for_each(drop),
            }
        }
        let changed = String::from_utf8_lossy(&changed).into_owned();
        let answer = post(address, "/api/sessions/s1/scene", &json!({"name": "x.toml", "text": changed}));
        assert_eq!(answer.status, 200, "{changed}: {answer:?}");
        let fault = &answer.json()["fault"];
        assert!(fault.is_null() || fault["message"].as_str().is_some_and(|message| !message.is_empty()), "{fault}");
    }
    let mut number = || match random.random_range(0..6) {
        0 => json!(null),
        1 => json!(-1),
        2 => json!(["x"]),
        3 => json!("\u{0}../x"),
        4 => json!({"a": 1}),
        _ => json!("x".repeat(2000)),
    };
    for _ in 0..ROUNDS / 3 {
        let body = json!({"name": number(), "text": number(), "overwrite": number()});
        for route in ["/api/sessions/s1/scene", "/api/scene-files"] {
            let answer = post(address, route, &body);
            assert!((400..500).contains(&answer.status), "{route} {body}: {answer:?}");
        }
        let source = json!({"source": {"type": "text", "name": number(), "text": number()}});
        assert!((400..500).contains(&post(address, "/api/sessions", &source).status), "{source}");
    }
    assert_alive(address);
}

#[test]
fn random_queries_of_run_data_are_refused() {
    let options = options();
    crate::runs::make_run(&options.runs, "one", 1);
    let server = start(options.clone());
    let mut random = Pcg64Mcg::seed_from_u64(6);
    let words = [
        "mass",
        "fitness",
        "id",
        "NaN",
        "inf",
        "-1",
        "1e400",
        "%00",
        "%27%20OR%201",
        "",
        "csv",
        "0.1",
        "9999999999999999999999",
    ];
    let names = ["x", "y", "x_low", "x_high", "y_low", "y_high", "offset", "limit", "to", "sort"];
    for _ in 0..ROUNDS {
        let mut word = |from: &[&'static str]| from[random.random_range(0..from.len())];
        let route = word(&["points", "table", "individuals", "history"]);
        let query: Vec<String> = (0..4).map(|_| format!("{}={}", word(&names), word(&words))).collect();
        let answer = client::get(server.address(), &format!("/api/runs/one/{route}?{}", query.join("&")));
        assert!(answer.status < 500, "{route} {query:?}: {answer:?}");
    }
    assert_alive(server.address());
    drop(server);
    std::fs::remove_dir_all(options.runs).unwrap();
}

#[test]
fn raw_bytes_after_the_handshake_do_no_harm() {
    let server = with_session();
    let mut random = Pcg64Mcg::seed_from_u64(4);
    for _ in 0..100 {
        let handshake = format!(
            "GET /api/sessions/s1/socket HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            server.address()
        );
        let mut stream = client::connect(server.address());
        let _ = stream.write_all(handshake.as_bytes());
        let _ = stream.write_all(&bytes(&mut random, 1000));
    }
    assert_alive(server.address());
}

#[test]
fn an_oversized_message_closes_only_its_socket() {
    let server = with_session();
    client::viewer::block_on(async {
        for bytes in [100 << 10, 1 << 20] {
            for message in [Message::text("a".repeat(bytes)), Message::binary(vec![0; bytes])] {
                let mut viewer = connect(server.address(), "s1").await;
                viewer.send(message).await;
                let code = viewer.close_code().await;
                // Of a huge message the client may see only that the socket is closed.
                assert!(code == Some(1009) || code.is_none() && bytes == 1 << 20, "{bytes} bytes: {code:?}");
            }
        }
    });
    assert_alive(server.address());
}

#[test]
fn invalid_or_deeply_nested_json_is_refused() {
    let server = with_session();
    let deep = "[".repeat(100_000);
    let mut bodies =
        vec![String::new(), "null".into(), "{".into(), deep, "\u{feff}{}".into(), "{\"source\": 1}".into()];
    bodies.push(json!({"source": {"type": "bounce", "objects": u64::MAX}}).to_string());
    bodies.push(json!({"source": {"type": "bounce", "world": -1.0}}).to_string());
    bodies.push(json!({"source": {"type": "scene", "name": "stack"}, "step": -1.0}).to_string());
    bodies.push(json!({"source": {"type": "creature", "name": "quadruped", "task": "../walk"}}).to_string());
    bodies.push(json!({"source": {"type": "file", "name": "/etc/passwd"}}).to_string());
    bodies.push(
        json!({"source": {"type": "take", "take": {"source": {"type": "file", "name": "/etc/passwd"}}}}).to_string(),
    );
    for body in bodies {
        let headers = [("Content-Type", "application/json")];
        let answer = client::ask(server.address(), "POST", "/api/sessions", &headers, body.as_bytes());
        assert!((400..500).contains(&answer.status), "{}: {answer:?}", &body[..body.len().min(80)]);
        assert!(answer.json()["error"].is_string());
    }
    let chunked = "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\
                   Content-Type: application/json\r\nConnection: close\r\n\r\nffffffffffffffff\r\n";
    send_all(server.address(), chunked.as_bytes());
    assert_alive(server.address());
}

#[test]
fn sockets_beyond_the_limit_are_refused() {
    let server = start_with(Limits { sockets: 2, ..Limits::default() });
    post(server.address(), "/api/sessions", &json!({"source": {"type": "scene", "name": "pendulum"}}));
    client::viewer::block_on(async {
        let _first: Viewer = connect(server.address(), "s1").await;
        let _second = connect(server.address(), "s1").await;
        let status = client::viewer::try_connect(server.address(), "s1").await.err();
        assert_eq!(status, Some(503));
    });
    let sessions: Value = client::get(server.address(), "/api/sessions").json();
    assert_eq!(sessions.as_array().map(Vec::len), Some(1));
}
