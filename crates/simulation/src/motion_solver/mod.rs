//! Moving bodies (Erleben 2002, section 2.1.2).

mod stepped;

pub use stepped::SteppedMotion;
