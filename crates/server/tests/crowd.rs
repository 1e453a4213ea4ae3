//! Many viewers, most of them without reading: their memory is bounded, and the others receive all frames.

use crate::client;
use std::io::Write;
use std::net::TcpStream;

use crate::client::viewer::{block_on, connect};
use crate::client::{assert_alive, get, options, post, start, start_with};
use burgess_server::session::Frame;
use burgess_server::{Handle, Limits};
use serde_json::{Value, json};

/// Number of clients that never read.
const DEAD: usize = 200;
/// Number of frames that the reading viewer receives: one second of them.
const FRAMES: usize = 60;

fn open(server: &Handle, source: Value) -> Value {
    let opened = post(server.address(), "/api/sessions", &json!({ "source": source }));
    assert_eq!(opened.status, 201, "{opened:?}");
    opened.json()
}

/// Connects a viewer that completes the handshake and never reads.
fn dead_viewer(server: &Handle, session: &str) -> TcpStream {
    let mut stream = client::connect(server.address());
    // With a small receive buffer the server soon notices that the client does not read.
    socket2::SockRef::from(&stream).set_recv_buffer_size(4 << 10).expect("a small buffer");
    let handshake = format!(
        "GET /api/sessions/{session}/socket HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address()
    );
    stream.write_all(handshake.as_bytes()).expect("a handshake");
    stream
}

/// Returns the resident memory of this process, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = status.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * 4096
}

#[test]
fn viewers_that_never_read_cost_bounded_memory_and_no_frames_of_others() {
    // Memory is that of the whole process, so the test runs in one of its own.
    const ALONE: &str = "BURGESS_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let name = "crowd::viewers_that_never_read_cost_bounded_memory_and_no_frames_of_others";
        let program = std::env::current_exe().expect("the test program");
        let mut command = std::process::Command::new(program);
        let output = command.args(["--exact", name, "--nocapture"]).env(ALONE, "1").output().expect("a process");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    let server = start(options());
    let session = open(&server, json!({"type": "bounce", "objects": 1000}));
    let id = session["id"].as_str().expect("an id").to_string();
    block_on(async {
        let mut healthy = connect(server.address(), &id).await;
        let frame_bytes = healthy.frame().await.expect("a frame").len();
        let before = resident();
        let dead: Vec<TcpStream> = (0..DEAD).map(|_| dead_viewer(&server, &id)).collect();
        // The server accepts all of them.
        healthy.message_where(|message| message["viewers"] == DEAD + 1).await;
        let mut last = None;
        for _ in 0..FRAMES {
            let frame = healthy.frame().await.expect("the reading viewer receives frames");
            let frame = Frame::decode(&frame).expect("a frame");
            assert!(last.is_none_or(|last| frame.step >= last), "frames come in order");
            last = Some(frame.step);
        }
        let after = resident();
        // Each has one frame in flight, socket buffers and a task; the factor 2 is for memory that allocators keep.
        let bound = DEAD * 2 * (frame_bytes + (64 << 10)) + (16 << 20);
        assert!(after.saturating_sub(before) < bound, "{before} to {after} bytes, at most {bound}");
        drop(dead);
    });
    assert_alive(server.address());
}

#[test]
fn a_viewer_that_never_reads_is_closed() {
    let soon = std::time::Duration::from_millis(200);
    let server = start_with(Limits { stalled: soon, send_buffer_bytes: 4 << 10, sockets: 1, ..Limits::default() });
    open(&server, json!({"type": "bounce", "objects": 1000}));
    let dead = dead_viewer(&server, "s1");
    // Then the only connection becomes free.
    block_on(async {
        let deadline = tokio::time::Instant::now() + client::TIMEOUT;
        while client::viewer::try_connect(server.address(), "s1").await.is_err() {
            assert!(tokio::time::Instant::now() < deadline, "the dead viewer stays connected");
            tokio::time::sleep(soon / 10).await;
        }
    });
    drop(dead);
}

#[test]
fn a_silent_viewer_is_closed() {
    let soon = std::time::Duration::from_millis(200);
    let server = start_with(Limits { silent: soon, ping: soon * 100, ..Limits::default() });
    open(&server, json!({"type": "scene", "name": "pendulum"}));
    block_on(async { assert!(connect(server.address(), "s1").await.is_closed().await) });
}

#[test]
fn several_viewers_share_a_clock() {
    let server = start(options());
    open(&server, json!({"type": "scene", "name": "stack"}));
    block_on(async {
        let mut first = connect(server.address(), "s1").await;
        let mut second = connect(server.address(), "s1").await;
        first.message_where(|message| message["say"] == "status" && message["viewers"] == 2).await;
        second.command(json!({"do": "pause"})).await;
        first.message_where(|message| message["say"] == "status" && message["playing"] == false).await;
        second.command(json!({"do": "seek", "step": 400})).await;
        for viewer in [&mut first, &mut second] {
            let step = loop {
                let frame = viewer.frame().await.expect("a frame");
                let frame = Frame::decode(&frame).expect("a frame");
                if frame.step == 400 {
                    break frame.step;
                }
            };
            assert_eq!(step, 400);
        }
    });
}

#[test]
fn viewers_are_disconnected_at_the_end_of_a_session() {
    let server = start(options());
    open(&server, json!({"type": "scene", "name": "pendulum"}));
    block_on(async {
        let mut viewer = connect(server.address(), "s1").await;
        viewer.frame().await.expect("a frame");
        assert_eq!(client::ask(server.address(), "DELETE", "/api/sessions/s1", &[], b"").status, 204);
        assert!(viewer.is_closed().await);
    });
    assert_eq!(get(server.address(), "/api/sessions/s1").status, 404);
    assert_eq!(client::ask(server.address(), "DELETE", "/api/sessions/s1", &[], b"").status, 404);
}

#[test]
fn viewers_are_disconnected_at_the_end_of_the_server() {
    let server = start(options());
    open(&server, json!({"type": "scene", "name": "pendulum"}));
    block_on(async {
        let mut viewer = connect(server.address(), "s1").await;
        viewer.frame().await.expect("a frame");
        let ended = tokio::task::spawn_blocking(|| server.stop());
        assert!(viewer.is_closed().await);
        ended.await.expect("it ends");
    });
}
