//! Moving bodies (004 section 2.1.2).

mod continuous;
mod stepped;

pub use continuous::{ContinuousMotion, UpdateStrategy};
pub use stepped::SteppedMotion;
