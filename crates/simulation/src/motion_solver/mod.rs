//! Moving bodies (004 section 2.1.2).

mod continuous;
mod free;
mod stepped;
mod stiffness;

pub use continuous::{ContinuousMotion, UpdateStrategy};
pub use free::FreeMotion;
pub use stepped::SteppedMotion;
