//! `burgess serve` and `burgess watch --listen`: the page from the command line, each on a free port of the loopback
//! interface.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{burgess, folder, path, refusal, text};

/// A process that serves until it is dropped.
pub struct Serving {
    child: Child,
    url: String,
}

impl Serving {
    /// Starts on a free port.
    pub fn start(arguments: &[&str], folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_burgess"));
        command.args(arguments).args(["--listen", "127.0.0.1:0", "--no-browser"]).current_dir(folder);
        command.env_remove("BURGESS_TOKEN").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let Some(url) = line.strip_prefix("Burgess is at ") else {
            let _ = child.kill();
            let mut error = String::new();
            child.stderr.as_mut().unwrap().read_to_string(&mut error).unwrap();
            panic!("{arguments:?}: {line}{error}");
        };
        Self { url: url.trim().to_string(), child }
    }

    fn get(&self, path: &str) -> String {
        let address = self.url.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn serves_until_it_is_interrupted() {
    let mut serving = Serving::start(&["serve", "--runs", "mine"], &folder("serve"));
    assert!(serving.get("/api").contains(r#""folder":"mine""#));
    assert!(serving.get("/").contains("<!doctype html>"));
    let kill = Command::new("kill").args(["-INT", &serving.child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(serving.child.wait().unwrap().code(), Some(0));
}

#[test]
fn watches_on_the_page_what_was_named() {
    let folder = folder("watch-on-page");
    let recording = folder.join("fall.bur");
    let recorded = burgess(&["simulate", "stack", "--seconds", "0.1", "--record", path(&recording)]);
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let written = burgess(&["scenes", "--write", "pendulum", "-o", path(&folder.join("mine.toml"))]);
    assert!(written.status.success());
    for (what, kind) in [("stack", "scene"), ("mine.toml", "scene"), ("fall.bur", "recording")] {
        let serving = Serving::start(&["watch", what], &folder);
        assert!(serving.url.ends_with("/#/stage/s1"), "{}", serving.url);
        let session = serving.get("/api/sessions/s1");
        assert!(session.contains(&format!(r#""kind":"{kind}""#)), "{what}: {session}");
    }
    let creatures = text(&burgess(&["creatures"]).stdout);
    let creature = creatures.split(' ').next().unwrap();
    let serving = Serving::start(&["watch", creature], &folder);
    assert!(serving.get("/api/sessions/s1").contains(r#""kind":"creature""#));
}

#[test]
fn what_cannot_be_served_is_told() {
    let error = refusal(&["serve", "--listen", "0.0.0.0:0"]);
    assert!(error.contains("token") && error.contains("127.0.0.1"), "{error}");
    let error = refusal(&["serve", "--listen", "127.0.0.1:0", "--token", "short"]);
    assert!(error.contains("8 to 200"), "{error}");
    let error = refusal(&["serve", "--listen", "nonsense"]);
    assert!(error.contains("127.0.0.1:7380"), "{error}");
    refusal(&["serve", "--tls", "--tls-certificate", "a", "--tls-key", "b"]);
    refusal(&["serve", "--tls-certificate", "a"]);
    refusal(&["watch", "stack", "--still", "--listen", "127.0.0.1:0"]);
    let error = refusal(&["watch", "no-such-thing", "--listen", "127.0.0.1:0"]);
    assert!(error.contains("no-such-thing"), "{error}");

    let taken = Serving::start(&["serve"], &folder("serve-taken"));
    let address = taken.url.trim_start_matches("http://").trim_end_matches('/');
    let output = burgess(&["serve", "--listen", address, "--no-browser"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("is in use") && error.contains("--listen 127.0.0.1:0"), "{error}");
}

#[test]
fn a_cave_is_opened_with_its_scene() {
    let serving = Serving::start(&["serve", "--runs", "mine", "--cave", "two"], &folder("serve-cave"));
    assert!(serving.url.ends_with("/#/cave"), "{}", serving.url);
    let answer = serving.get("/api/cave");
    assert!(answer.contains(r#""session":"s1""#) && answer.contains(r#""file":"cave.toml""#), "{answer}");
}

#[test]
fn bad_caves_are_refused_in_words() {
    let folder = folder("serve-bad-cave");
    let file = folder.join("bad.toml");
    std::fs::write(&file, "name = \"bad\"\neye = [0, 3, 1]\n[[walls]]\nname = \"front\"\nlower_left = [-1, 1, 0]\nlower_right = [1, 1, 0]\nupper_left = [-1, 1, 2]\n").unwrap();
    let error = refusal(&["serve", "--listen", "127.0.0.1:0", "--cave", path(&file)]);
    assert!(error.contains("bad.toml:3: walls[0]: the eyes are -2.000 m in front of the wall 'front'"), "{error}");
    let error = refusal(&["serve", "--listen", "127.0.0.1:0", "--cave", "pyramid"]);
    assert!(error.contains("expected a cave file, or one of screen, two, cube, cylinder, dome"), "{error}");
}
