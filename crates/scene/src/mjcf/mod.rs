//! MuJoCo's models (MJCF).

mod import;
mod state_map;

pub(crate) use import::import;
pub use import::{MjcfModel, import_file, import_text};
pub use state_map::{MappedJoint, MappedKind, StateMap, StateMapError};
