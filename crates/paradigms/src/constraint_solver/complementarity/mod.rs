//! Complementarity problems in dense form, and contact forces as such problems (Timchenko 2007, section IV.B.3; Arnold
//! 1997, section 2.4.4): pure mathematics, without worlds or bodies.
//! [`Lemke`] and [`ProjectedGaussSeidel`] solve general complementarity problems. A [`ContactForceProblem`] describes
//! the forces at lasting contacts, at the acceleration level; three [`ContactForceSolver`]s solve it:
//!
//! | solver | method | where it fails |
//! |---|---|---|
//! | [`LemkeForces`] | Lemke on a polyhedral cone whose directions are refined to the round one | large problems:
//! `O(n^3)` |
//! | [`GaussSeidelForces`] | projected Gauss-Seidel on the round cone | slow for stacks and very different masses |
//! | [`ArnoldIteration`] | the most violated contact gets a force, repeatedly | the same, sooner |
//!
//! ```
//! use burgess_paradigms::constraint_solver::complementarity::{
//!     ContactForceProblem, ContactForceSolver, LemkeForces,
//! };
//! use glam::{DVec2, DVec3};
//!
//! // A particle of 2 kg at rest on a slope of 30 degrees, friction 0.3: it slides off with g (sin - mu cos).
//! let inverse_mass = 0.5;
//! let mut matrix = [0.0; 9];
//! (0..3).for_each(|i| matrix[4 * i] = inverse_mass);
//! let free = [DVec3::new(-9.81 * 0.75_f64.sqrt(), 9.81 * 0.5, 0.0)];
//! let problem = ContactForceProblem::new(&matrix, &free, &[DVec2::ZERO], &[0.3]).unwrap();
//!
//! let mut forces = [DVec3::ZERO];
//! LemkeForces::default().solve(&problem, &mut forces).unwrap();
//! let downhill = free[0].y + inverse_mass * forces[0].y;
//! assert!((downhill - 9.81 * (0.5 - 0.3 * 0.75_f64.sqrt())).abs() < 1e-12);
//! ```

mod arnold_iteration;
mod contact_force_problem;
mod contact_force_solver;
mod gauss_seidel_forces;
mod lemke;
mod lemke_forces;
mod projected_gauss_seidel;

pub use arnold_iteration::ArnoldIteration;
pub use contact_force_problem::{ContactForceProblem, ContactMode, ContactProblemError};
pub use contact_force_solver::{ContactForceError, ContactForceReport, ContactForceSolver};
pub use gauss_seidel_forces::GaussSeidelForces;
pub use lemke::{Lemke, LemkeError, LemkeReport};
pub use lemke_forces::LemkeForces;
pub use projected_gauss_seidel::{Bound, GaussSeidelError, GaussSeidelReport, ProjectedGaussSeidel};
