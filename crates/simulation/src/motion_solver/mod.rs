//! Moving bodies (004 section 2.1.2).

mod stepped;

pub use stepped::SteppedMotion;
