//! The velocity-level contact problem in dense form: given a symmetric positive semi-definite matrix `G` (inverse
//! inertia of the rows) and velocities `b` (those of the rows without impulses), find impulses `x` such that
//! `w = G x + b` and `x` obey the [`Law`] of every block of rows. The module does not depend on worlds or bodies.
//!
//! The friction law is the true Coulomb cone, not its convex relaxation: a sliding contact does not lift. `G` may be
//! singular (a box on four corners has twelve rows and rank six); then the laws determine `w`, and `x` is the solution
//! near the start. Rows that contradict each other (two pins with different targets on one body, a body between two
//! walls that both push) have no solution; the caller adds a small compliance to their diagonal entries.
//!
//! [`ContactSolver`] solves a problem in motion by sweeps and exact solutions in turn. For one at rest it tries, in this
//! order: the warm start as it is; all rows stick, solved directly; a semi-smooth Newton iteration over contact modes; an
//! interior point that finds the modes from which Newton converges; block Gauss-Seidel. [`ExactSolver`] is slow and
//! exhaustive, as a reference for tests.
//!
//! ```
//! use burgess_simulation::constraint_solver::contact_problem::{ContactSolver, DenseProblem, Law, Path};
//!
//! // A 2 kg point falls at 1 m/s on a floor with friction 0.5 and drifts at 0.1 m/s: it sticks.
//! let mut problem = DenseProblem::default();
//! problem.push_block(Law::Contact { friction: 0.5 });
//! for row in 0..3 {
//!     problem.row_mut(row)[row] = 1.0 / 2.0;
//! }
//! problem.velocities_mut().copy_from_slice(&[-1.0, 0.1, 0.0]);
//!
//! let mut impulses = Vec::new();
//! let report = ContactSolver::default().solve(&problem, &mut impulses);
//! assert_eq!(report.path, Path::AllStick);
//! assert!((impulses[0] - 2.0).abs() < 1e-12 && (impulses[1] + 0.2).abs() < 1e-12);
//! ```

mod active_set;
mod alternation;
mod contact_block;
mod contact_solver;
mod dense_problem;
mod exact_solver;
mod factorization;
mod gauss_seidel;
mod interior_point;
mod law;
mod mode;
mod mode_system;
mod reduced_system;
mod residuals;

pub use contact_block::{ContactBlock, solve_contact};
pub use contact_solver::{ContactSolver, Path, SolveReport, SolverSettings};
pub use dense_problem::{Block, DenseProblem};
pub use exact_solver::ExactSolver;
pub use law::Law;
pub use residuals::{ContactResiduals, Residuals};
