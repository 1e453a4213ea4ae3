//! Sessions: simulations and recordings that viewers watch (`docs/protocol.md`).
//!
//! ```text
//!   Sessions ── Session (a handle) ── SessionThread (owns the world, paces the frames)
//!                    │                    │ player: live | recorded | bouncing
//!                  Viewer                 │ history: snapshots, hashes, edits
//!     frames:  watch, the newest only <───┤
//!     says:    broadcast, bounded     <───┘
//!     command: checked, queued, never blocks ──> SessionThread
//! ```
//!
//! Time is counted in steps. To show an earlier step, the thread restores the last snapshot before it and simulates
//! from there. Edits are repeated at their steps, so that the result is the same bit for bit; the hash of every tenth
//! frame verifies this.
//!
//! ```
//! use burgess_server::session::{Frame, Library, OpenRequest, Sessions};
//!
//! let sessions = Sessions::default();
//! let text = r#"{"source": {"type": "scene", "name": "pendulum"}, "paused": true}"#;
//! let request: OpenRequest = serde_json::from_str(text).unwrap();
//! let session = sessions.open(request, &Library::new("runs")).unwrap();
//! let viewer = session.join().unwrap();
//! viewer.command(r#"{"do": "seek", "step": 40}"#).unwrap();
//! let mut frame = Frame::decode(&viewer.frames.borrow()).unwrap();
//! while frame.step < 40 {
//!     std::thread::sleep(std::time::Duration::from_millis(1));
//!     frame = Frame::decode(&viewer.frames.borrow()).unwrap();
//! }
//! assert_eq!(session.take().hashes.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [0, 40]);
//! ```

pub mod appearance;
mod apply_edit;
mod bouncing;
pub mod brain;
mod command;
pub mod contents;
mod crowd;
mod crowd_edits;
mod current_world;
mod edit;
pub mod export;
pub(crate) mod frame;
mod grab;
mod history;
mod initial_state;
mod library;
mod live;
mod live_edits;
mod marks;
mod measurement;
mod message;
mod motion;
mod opening;
mod overlay;
mod picture;
mod playback;
mod player;
mod probe;
mod reach;
mod recorded;
mod sample;
mod scene_text;
mod section;
#[allow(clippy::module_inception)]
mod session;
mod sessions;
pub mod signal;
mod signal_log;
mod source;
mod take;
mod thread;
mod user_body;

pub use appearance::Appearance;
pub use brain::BrainGraph;
#[cfg(test)]
pub(crate) use command::WireCommand;
pub use command::{MAX_BYTES as MAX_COMMAND_BYTES, Refused};
pub use contents::Contents;
pub use current_world::{Original, OriginalSubject};
pub use edit::{Edit, RecordedEdit};
pub use export::{ExportError, Exported, Format};
pub use frame::{AGAIN, ENDED, Frame, FrameError, HASHED, PLAYING, Section};
pub(crate) use history::EditLog;
pub use history::Exactness;
pub use library::{Library, LibraryError, SCENE_SUFFIX};
pub use message::{SessionMessage, Status};
pub use motion::{Motion, MotionOptions};
pub use opening::{OpenError, record_take};
pub(crate) use opening::{motion_of_subject, world};
pub(crate) use picture::picture;
pub use player::Kind;
pub(crate) use player::Player;
pub use probe::Probe;
pub use scene_text::{MAX_TEXT_BYTES, TextFault, read_scene};
pub use section::SectionKind;
pub use session::{About, Capabilities, Session, Viewer};
pub use sessions::{Limits, Sessions};
pub use source::{BounceSource, FileSource, OpenRequest, Source};
pub use take::Take;
