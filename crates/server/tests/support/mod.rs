//! A session with one viewer, driven step by step.

#![allow(dead_code)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use burgess_server::session::{Frame, Library, OpenRequest, SectionKind, Session, Sessions, Viewer};
use serde_json::{Value, json};

/// No answer takes longer than this unless something hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session and somebody who watches it.
pub struct Stage {
    pub sessions: Sessions,
    pub session: Arc<Session>,
    pub viewer: Viewer,
}

impl Stage {
    /// Opens what a request says; it waits for orders.
    pub fn open(request: Value) -> Self {
        Self::open_in(request, &Library::new("/nowhere"))
    }

    /// The same with a folder of runs.
    pub fn open_in(mut request: Value, library: &Library) -> Self {
        request["paused"] = true.into();
        let request: OpenRequest = serde_json::from_value(request).unwrap();
        let sessions = Sessions::default();
        let session = sessions.open(request, library).unwrap();
        Self::of(sessions, session)
    }

    /// Watches a session.
    pub fn of(sessions: Sessions, session: Arc<Session>) -> Self {
        let viewer = session.join().unwrap();
        Self { sessions, session, viewer }
    }

    /// A built-in scene.
    pub fn scene(name: &str, paradigm: Option<&str>) -> Self {
        Self::open(json!({"source": {"type": "scene", "name": name}, "paradigm": paradigm}))
    }

    /// The newest frame.
    pub fn frame(&self) -> Frame {
        Frame::decode(&self.viewer.frames.borrow()).unwrap()
    }

    /// Sends a command.
    pub fn command(&self, command: Value) {
        self.viewer.command(&command.to_string()).unwrap();
    }

    /// Waits for a frame.
    pub fn wait(&self, what: impl Fn(&Frame) -> bool) -> Frame {
        let start = Instant::now();
        loop {
            let frame = self.frame();
            if what(&frame) {
                return frame;
            }
            assert!(start.elapsed() < PATIENCE, "step {} of {} after a minute", frame.step, frame.latest);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Shows a step.
    pub fn seek(&self, step: u64) -> Frame {
        self.command(json!({"do": "seek", "step": step}));
        self.wait(|frame| frame.step == step)
    }

    /// A section of the present frame.
    pub fn section(&self, kind: SectionKind) -> Vec<f32> {
        self.command(json!({"do": "overlays", "overlays": [kind.name()]}));
        let frame = self.wait(|frame| frame.sections.iter().any(|section| section.kind == kind));
        frame.sections.into_iter().find(|section| section.kind == kind).unwrap().numbers
    }

    /// The next thing that is said of a kind.
    pub fn said(&mut self, kind: &str) -> Value {
        self.said_that(kind, |_| true)
    }

    /// The same, with a condition.
    pub fn said_that(&mut self, kind: &str, is: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            match self.viewer.says.try_recv() {
                Ok(text) => {
                    let said: Value = serde_json::from_str(&text).unwrap();
                    if said["say"] == kind && is(&said) {
                        return said;
                    }
                }
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
            assert!(start.elapsed() < PATIENCE, "nothing said of {kind}");
        }
    }

    /// What another viewer would be told now.
    pub fn status(&self) -> Value {
        let mut other = Self::of(self.sessions.clone(), self.session.clone());
        other.said("status")
    }

    /// Where a body of the present frame is.
    pub fn place(&self, body: usize) -> [f32; 3] {
        place(&self.frame(), body)
    }
}

/// Where a body of a frame is.
pub fn place(frame: &Frame, body: usize) -> [f32; 3] {
    [0, 1, 2].map(|axis| frame.poses[7 * body + axis])
}

/// Some hashes were compared and none differ.
#[track_caller]
pub fn exact(stage: &Stage) {
    let status = stage.status();
    assert!(status["exact"]["checked"].as_u64() > Some(0), "{status}");
    assert_eq!(status["exact"]["differing"], 0, "{status}");
}

/// A folder that is there until it is dropped.
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
