//! When and in what order the modules act (004 section 2.1.1).

mod fixed_step;

pub use fixed_step::FixedStep;
