//! MJCF, the model format of MuJoCo.

mod export;

pub use export::export;
