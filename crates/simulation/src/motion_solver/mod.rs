//! Moving bodies (Erleben 2002, section 2.1.2).

mod held_limits;
mod stepped;

pub use held_limits::HeldLimit;
pub use stepped::SteppedMotion;
