//! Sessions: worlds on stage that several viewers may watch (`docs/protocol.md`).
//!
//! ```text
//!   Sessions (the hub) ── Session (a handle) ── conductor (a thread: owns the world, keeps the pace)
//!                              │                    │ player: live | recorded | bouncing
//!                            Viewer                 │ history: copies, hashes, what people did
//!     frames: watch, the newest only  <─────────────┤
//!     says:   broadcast, bounded      <─────────────┘
//!     order:  checked, queued, never waits ───────> conductor
//! ```
//!
//! Time is counted in steps. To show an earlier step, the last copy before it is brought back and stepped on; what people did
//! is done again at its step, so that the same bits follow, which the hash of every tenth frame is there to tell.
//!
//! ```
//! use burgess_server::session::{Frame, Library, OpenRequest, Sessions};
//!
//! let sessions = Sessions::default();
//! let request: OpenRequest = serde_json::from_str(r#"{"source": {"type": "scene", "name": "pendulum"}, "paused": true}"#).unwrap();
//! let session = sessions.open(request, &Library::new("runs")).unwrap();
//! let viewer = session.join().unwrap();
//! viewer.order(r#"{"do": "seek", "step": 40}"#).unwrap();
//! let mut frame = Frame::decode(&viewer.frames.borrow()).unwrap();
//! while frame.step < 40 {
//!     std::thread::sleep(std::time::Duration::from_millis(1));
//!     frame = Frame::decode(&viewer.frames.borrow()).unwrap();
//! }
//! assert_eq!(session.take().hashes.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [0, 40]);
//! ```

pub mod appearance;
mod bouncing;
pub mod brain;
mod conductor;
mod edit;
pub mod export;
mod frame;
mod grab;
mod history;
mod hub;
mod interference;
mod library;
mod live;
mod order;
mod overlay;
mod player;
mod probe;
mod recorded;
mod script;
#[allow(clippy::module_inception)]
mod session;
mod source;
mod staged;
mod take;

pub use appearance::Appearance;
pub use brain::BrainGraph;
pub use export::{ExportError, Exported, Format};
pub use frame::{AGAIN, ENDED, Frame, FrameError, HASHED, PLAYING, Section, SectionKind};
pub use history::Exactness;
pub use hub::{Limits, OpenError, Sessions};
pub use interference::{Deed, Event};
pub use library::{Found, Library, LibraryError, RUN_ENDING};
pub use order::{MOST_BYTES as MOST_ORDER_BYTES, Refused};
pub use player::Kind;
pub use probe::Probe;
pub use session::{About, Can, Session, Viewer};
pub use source::{BounceSource, OpenRequest, Source};
pub use take::Take;
