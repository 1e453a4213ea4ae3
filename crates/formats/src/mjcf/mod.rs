//! MJCF, the model format of MuJoCo.

mod export;
mod import;
mod state_map;

pub use export::export;
pub(crate) use import::import;
pub use import::{MjcfModel, import_file, import_text};
pub use state_map::{MappedJoint, MappedKind, StateMap, StateMapError};
