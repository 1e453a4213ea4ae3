//! Paradigms of simulation (Erleben 2002, section 3): named choices of modules. The default, time stepping, is in
//! `burgess_simulation`; this crate adds impulse-based, analytical, penalty and hybrid simulation, with their time
//! controls, motion solvers, constraint solvers and collision solvers.
//!
//! ```
//! use burgess_geometry::shape::{HalfSpace, Sphere};
//! use burgess_geometry::{Pose, Shape};
//! use burgess_paradigms::Paradigm;
//! use burgess_simulation::{ColliderSpec, WorldBuilder};
//! use glam::DVec3;
//!
//! let mut builder = WorldBuilder::new();
//! builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
//! let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.1)?));
//! builder.body("ball", Pose::from_translation(DVec3::Z * 0.5), [ball])?;
//! let (world, state) = builder.build()?;
//! for paradigm in Paradigm::ALL {
//!     let mut simulation = paradigm.simulate(world.clone(), state.clone(), 1.0 / 240.0)?;
//!     simulation.run(0.5)?;
//!     println!("{}: {} m", paradigm.name(), simulation.state().q[2]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod collision_solver;
pub mod constraint_solver;
pub mod modules;
pub mod motion_solver;
mod paradigm;
pub mod time_control;

pub use motion_solver::{ContinuousMotion, FreeMotion, UpdateStrategy};
pub use paradigm::{
    ContactPoints, HybridSettings, ImpulseOrder, ImpulseSettings, Paradigm, analytical, force_data, hybrid, impulse,
    impulse_data, penalty,
};

/// The guide's example is tested.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/one-step.md")]
struct OneStep;
