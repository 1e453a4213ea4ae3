//! A session with one viewer, driven step by step.

use std::sync::Arc;
use std::time::{Duration, Instant};

use burgess_server::session::{Frame, Library, OpenRequest, Session, Sessions, Viewer};
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
    pub fn open(mut request: Value) -> Self {
        request["paused"] = true.into();
        let request: OpenRequest = serde_json::from_value(request).unwrap();
        let sessions = Sessions::default();
        let session = sessions.open(request, &Library::new("/nowhere")).unwrap();
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

    /// Gives an order.
    pub fn order(&self, order: Value) {
        self.viewer.order(&order.to_string()).unwrap();
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
        self.order(json!({"do": "seek", "step": step}));
        self.wait(|frame| frame.step == step)
    }

    /// The next thing that is said of a kind.
    pub fn said(&mut self, kind: &str) -> Value {
        let start = Instant::now();
        loop {
            match self.viewer.says.try_recv() {
                Ok(text) => {
                    let said: Value = serde_json::from_str(&text).unwrap();
                    if said["say"] == kind {
                        return said;
                    }
                }
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
            assert!(start.elapsed() < PATIENCE, "nothing said of {kind}");
        }
    }
}

/// Some hashes were compared and none differ.
pub fn exact(stage: &Stage) {
    let mut viewer = stage.session.join().unwrap();
    let start = Instant::now();
    loop {
        if let Ok(text) = viewer.says.try_recv() {
            let said: Value = serde_json::from_str(&text).unwrap();
            if said["say"] == "status" {
                assert!(said["exact"]["checked"].as_u64() > Some(0), "{said}");
                assert_eq!(said["exact"]["differing"], 0, "{said}");
                return;
            }
        }
        assert!(start.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(1));
    }
}
