//! A server on a free port, and a client that sends arbitrary bytes.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod viewer;
pub mod wall;

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use burgess_server::{Handle, Limits, Server, ServerOptions};
use serde_json::Value;

/// Timeout for an answer on loopback. It is reached only if something hangs.
pub const TIMEOUT: Duration = Duration::from_secs(20);

/// Options of a server on a free loopback port with its own run directory.
pub fn options() -> ServerOptions {
    ServerOptions { listen: SocketAddr::from(([127, 0, 0, 1], 0)), runs: own_folder(), ..ServerOptions::default() }
}

pub fn start(options: ServerOptions) -> Handle {
    let server = Server::bind(options).expect("a free port");
    server.run_in_background().expect("threads")
}

pub fn start_with(limits: Limits) -> Handle {
    start(ServerOptions { limits, ..options() })
}

/// Returns a unique path for a run directory, which does not exist yet.
pub fn own_folder() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("runs-{}-{number}", std::process::id()))
}

/// An HTTP response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the message of an error.
    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_else(|| panic!("no error: {self:?}")).to_string()
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// Sends a GET request.
pub fn get(address: SocketAddr, path: &str) -> Answer {
    ask(address, "GET", path, &[], b"")
}

/// Sends a request. A `Host` among the headers replaces the default one.
pub fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head += &format!("Host: {address}\r\n");
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    let bytes = send(address, &[head.as_bytes(), body].concat());
    parse(&bytes).unwrap_or_else(|| panic!("no answer to {method} {path}: {:?}", String::from_utf8_lossy(&bytes)))
}

pub fn post(address: SocketAddr, path: &str, body: &Value) -> Answer {
    let body = body.to_string();
    ask(address, "POST", path, &[("Content-Type", "application/json")], body.as_bytes())
}

/// Writes bytes, and reads the response until the server closes or the timeout.
pub fn send(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connect(address);
    // A server that has refused the request does not read the rest.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// Writes bytes, closes the sending side, and reads the response.
pub fn send_all(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut stream = connect(address);
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a timeout");
    stream.set_write_timeout(Some(TIMEOUT)).expect("a timeout");
    stream
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let split = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, head, body: bytes[split + 4..].to_vec() })
}

/// Checks that the server still answers.
pub fn assert_alive(address: SocketAddr) {
    let answer = get(address, "/api");
    assert_eq!((answer.status, answer.json()["program"].as_str()), (200, Some("burgess")));
}
