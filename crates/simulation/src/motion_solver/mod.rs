//! Moving bodies (004 section 2.1.2).

mod free;
mod stepped;

pub use free::FreeMotion;
pub use stepped::SteppedMotion;
