//! When and in what order the modules act (Erleben 2002, section 2.1.1).

mod fixed_step;
mod turning;

pub use fixed_step::FixedStep;
