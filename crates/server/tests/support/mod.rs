//! A session with one viewer, driven step by step.

#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use burgess_server::session::{Frame, Library, OpenRequest, SectionKind, Session, Sessions, Viewer};
use serde_json::{Value, json};

/// Timeout for an answer. It is reached only if something hangs.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A session with one viewer.
pub struct TestSession {
    pub sessions: Sessions,
    pub session: Arc<Session>,
    pub viewer: Viewer,
}

impl TestSession {
    /// Opens a session from a request, paused.
    pub fn open(request: Value) -> Self {
        Self::open_in(request, &Library::new("/nowhere"))
    }

    /// Opens a session from a request with a run directory, paused.
    pub fn open_in(mut request: Value, library: &Library) -> Self {
        request["paused"] = true.into();
        let request: OpenRequest = serde_json::from_value(request).unwrap();
        let sessions = Sessions::default();
        let session = sessions.open(request, library).unwrap();
        Self::of(sessions, session)
    }

    /// Joins a session.
    pub fn of(sessions: Sessions, session: Arc<Session>) -> Self {
        let viewer = session.join().unwrap();
        Self { sessions, session, viewer }
    }

    /// Opens a built-in scene, paused.
    pub fn scene(name: &str, paradigm: Option<&str>) -> Self {
        Self::open(json!({"source": {"type": "scene", "name": name}, "paradigm": paradigm}))
    }

    /// Returns the newest frame.
    pub fn frame(&self) -> Frame {
        Frame::decode(&self.viewer.frames.borrow()).unwrap()
    }

    /// Sends a command.
    pub fn command(&self, command: Value) {
        self.viewer.command(&command.to_string()).unwrap();
    }

    /// Waits for a frame that fulfils a condition, and returns it.
    pub fn wait(&self, is_wanted: impl Fn(&Frame) -> bool) -> Frame {
        let start = Instant::now();
        loop {
            let frame = self.frame();
            if is_wanted(&frame) {
                return frame;
            }
            assert!(start.elapsed() < TIMEOUT, "timeout at step {} of {}", frame.step, frame.latest);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Seeks a step, and returns its frame.
    pub fn seek(&self, step: u64) -> Frame {
        self.command(json!({"do": "seek", "step": step}));
        self.wait(|frame| frame.step == step)
    }

    /// Requests a section, and returns it from the next frame that contains it.
    pub fn section(&self, kind: SectionKind) -> Vec<f32> {
        self.command(json!({"do": "overlays", "overlays": [kind.name()]}));
        let frame = self.wait(|frame| frame.sections.iter().any(|section| section.kind == kind));
        frame.sections.into_iter().find(|section| section.kind == kind).unwrap().numbers
    }

    /// Waits for a message of a kind.
    pub fn message(&mut self, kind: &str) -> Value {
        self.message_where(kind, |_| true)
    }

    /// Waits for a message of a kind that fulfils a condition.
    pub fn message_where(&mut self, kind: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            match self.viewer.says.try_recv() {
                Ok(text) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    if message["say"] == kind && is_wanted(&message) {
                        return message;
                    }
                }
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
            assert!(start.elapsed() < TIMEOUT, "timeout while waiting for a message '{kind}'");
        }
    }

    /// Returns the status that a new viewer receives.
    pub fn status(&self) -> Value {
        let mut other = Self::of(self.sessions.clone(), self.session.clone());
        other.message("status")
    }

    /// Returns the position of a body in the newest frame, in m.
    pub fn position(&self, body: usize) -> [f32; 3] {
        position(&self.frame(), body)
    }
}

/// Returns the position of a body in a frame, in m.
pub fn position(frame: &Frame, body: usize) -> [f32; 3] {
    [0, 1, 2].map(|axis| frame.poses[7 * body + axis])
}

/// Checks that hashes were compared and none differ.
#[track_caller]
pub fn assert_exact(session: &TestSession) {
    let status = session.status();
    assert!(status["exact"]["checked"].as_u64() > Some(0), "{status}");
    assert_eq!(status["exact"]["differing"], 0, "{status}");
}

/// A temporary folder, which is removed when this is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("burgess-sessions-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
