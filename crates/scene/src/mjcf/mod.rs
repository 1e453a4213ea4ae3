//! MJCF, the model format of MuJoCo.

mod export;

pub use export::export;
pub(crate) use export::names::Names;
