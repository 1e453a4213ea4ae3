//! Display of one world on several walls, each of them a browser window: the room and its walls ([`Cave`]), what each
//! wall shows ([`projection`]), and the protocol by which all walls show the same frame ([`FrameLock`]). Nothing here
//! opens a socket or reads a clock: the server passes times in and sends what comes out.
//!
//! ```
//! use burgess_walls::{Cave, projection::WallProjection};
//!
//! let cave = Cave::preset("cube").unwrap();
//! let front = cave.wall("front").unwrap();
//! let seen = WallProjection::new(&front.rectangle(), cave.eye(), 0.05, 100.0);
//! // The middle of the wall at eye level is in the middle of the picture.
//! let point = seen.to_picture(glam::DVec3::new(0.0, 1.5, 1.5));
//! assert!(point.x.abs() < 1e-12 && point.y.abs() < 1e-12);
//! ```

mod cave;
pub mod clock;
pub mod frame;
mod lock;
pub mod menu;
pub mod message;
pub mod objects;
pub mod projection;
pub mod tracking;
pub mod tubes;

pub use cave::{Cave, CaveText, Detail, Lock, PRESETS, Start, Stereo, WallSpec};
pub use lock::{FrameLock, LockError, LockMode, LockSettings, Order, WallId, WallReport};

/// Version of the messages between the server and walls. A wall of another version is refused.
pub const PROTOCOL_VERSION: u32 = 1;
