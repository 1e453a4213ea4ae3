//! What files of all kinds share: errors that name the file, the line and the field, suggestions for misspelled words,
//! TOML whose errors know their place, and atomic writes.
//!
//! ```
//! use burgess_files::read_toml;
//!
//! #[derive(Debug, serde::Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Ball {
//!     radius: f64,
//! }
//!
//! let ball: Ball = read_toml("radius = 0.1", "ball.toml").unwrap();
//! assert_eq!(ball.radius, 0.1);
//!
//! let error = read_toml::<Ball>("\nradios = 0.1", "ball.toml").unwrap_err();
//! assert_eq!(error.to_string(), "ball.toml:2: radios: unknown field; did you mean 'radius'?");
//! ```

mod error;
mod fault;
mod field_path;
mod suggestion;
mod text;
mod toml;
mod write;

pub use error::{FieldError, FileError, Location};
pub use fault::{Fault, NameFault};
pub use field_path::{At, FieldPath, Step};
pub use suggestion::{closest, distance_if_close};
pub use text::{MAX_FILE_BYTES, read_text};
pub use toml::{fault_at, read_toml};
pub use write::{sync_folder, write_atomically};
