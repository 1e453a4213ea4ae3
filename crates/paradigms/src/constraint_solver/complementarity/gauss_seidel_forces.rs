//! Contact forces by projected Gauss-Seidel on the round friction cone.
//! A sliding contact is one row, since its friction follows from its normal force; a resting one is three, the
//! tangential two bounded by the disc of radius `mu f_n`. The iteration starts from the given forces.

use glam::{DVec2, DVec3};

use super::contact_force_problem::tangential;
use super::contact_force_solver::{admissible, check_size};
use super::{
    Bound, ContactForceError, ContactForceProblem, ContactForceReport, ContactForceSolver, ContactMode,
    GaussSeidelError, ProjectedGaussSeidel,
};

/// The solver with its buffers. Tolerance in m/s^2.
#[derive(Debug, Clone, Default)]
pub struct GaussSeidelForces {
    /// Relaxation, tolerance and maximum number of sweeps.
    pub method: ProjectedGaussSeidel,
    rows: Vec<Row>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    bounds: Vec<Bound>,
    solution: Vec<f64>,
    forces: Vec<DVec3>,
}

/// A variable: a multiple of a force at a contact, against an acceleration along a direction.
#[derive(Debug, Clone, Copy)]
struct Row {
    contact: usize,
    force: DVec3,
    direction: DVec3,
}

impl ContactForceSolver for GaussSeidelForces {
    fn solve(
        &mut self,
        problem: &ContactForceProblem<'_>,
        forces: &mut [DVec3],
    ) -> Result<ContactForceReport, ContactForceError> {
        check_size(problem, forces)?;
        self.assemble(problem, forces);
        let sweeps = match self.method.solve(&self.matrix, &self.vector, &self.bounds, &mut self.solution) {
            Ok(report) => report.sweeps,
            Err(GaussSeidelError::Diagonal { .. }) => return Err(ContactForceError::Inconsistent),
            Err(GaussSeidelError::Relaxation { .. }) => {
                return Err(ContactForceError::Setting("the relaxation must lie between 0 and 2"));
            }
            Err(GaussSeidelError::Bound { .. } | GaussSeidelError::Size { .. }) => {
                return Err(ContactForceError::Setting("the rows do not fit together"));
            }
        };
        self.forces.clear();
        self.forces.resize(problem.len(), DVec3::ZERO);
        for (row, amount) in self.rows.iter().zip(&self.solution) {
            self.forces[row.contact] += row.force * *amount;
        }
        if !self.forces.iter().all(|force| force.is_finite()) {
            return Err(ContactForceError::IterationBound { iterations: sweeps });
        }
        forces.copy_from_slice(&self.forces);
        let residual = problem.residual(forces);
        Ok(ContactForceReport { iterations: sweeps, residual, converged: residual <= self.method.tolerance })
    }
}

impl GaussSeidelForces {
    fn assemble(&mut self, problem: &ContactForceProblem<'_>, guess: &[DVec3]) {
        self.rows.clear();
        self.bounds.clear();
        self.solution.clear();
        for contact in 0..problem.len() {
            let guess = admissible(problem, contact, guess[contact]);
            let normal = self.rows.len();
            let force = problem.unit_normal_force(contact);
            self.rows.push(Row { contact, force, direction: DVec3::X });
            self.bounds.push(Bound::NON_NEGATIVE);
            self.solution.push(guess.x);
            if problem.mode(contact) == ContactMode::Resting {
                for axis in [DVec2::X, DVec2::Y].map(tangential) {
                    self.rows.push(Row { contact, force: axis, direction: axis });
                    self.solution.push(guess.dot(axis));
                }
                let coefficient = problem.friction(contact);
                self.bounds.extend([Bound::Disc { of: normal, coefficient }, Bound::DiscSecond]);
            }
        }
        self.matrix.clear();
        self.vector.clear();
        for row in &self.rows {
            self.vector.push(row.direction.dot(problem.free_acceleration(row.contact)));
            let response = |column: &Row| row.direction.dot(problem.block(row.contact, column.contact) * column.force);
            self.matrix.extend(self.rows.iter().map(response));
        }
    }
}
