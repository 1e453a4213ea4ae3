//! When and in what order the modules act (Erleben 2002, section 2.1.1).

mod divided_step;
mod fixed_step;
mod impact_time;
mod turning;

pub use divided_step::DividedStep;
pub use fixed_step::FixedStep;
