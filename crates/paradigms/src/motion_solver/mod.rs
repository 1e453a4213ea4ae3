//! Motion solvers: integration of forces, and motion between impulses (Erleben 2002, section 2.1.2).

mod continuous;
mod free;
mod stiffness;

pub use continuous::{ContinuousMotion, UpdateStrategy};
pub use free::FreeMotion;
