//! One contact group at the acceleration level: `a = A f + a_0` for contacts (three rows each) and other rows, reduced
//! to the form of a [`ContactForceSolver`](super::complementarity::ContactForceSolver).
//! Rows with unbounded forces are eliminated: with e such a row and `f_e = -(a_e + sum of A_ej f_j) / A_ee`, the others
//! become
//!
//! ```text
//!   A_ij <- A_ij - A_ie A_ej / A_ee          a_i <- a_i - A_ie a_e / A_ee
//! ```
//! (the Schur complement, row after row; redundant rows are dropped). Rows that only push become contacts without
//! friction. Dry friction of joints is tried as a holding row, and becomes a known force where its limit is exceeded.

use glam::{DVec2, DVec3};

use super::acceleration_rows::RowForce;
use super::complementarity::{ContactForceError, ContactForceProblem, ContactForceReport, ContactForceSolver};

/// Remaining part of a row's own inverse inertia below which it is redundant.
const REDUNDANT_FRACTION: f64 = 1e-9;

/// A contact of a group, in its own frame: x along the normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupContact {
    /// Acceleration without constraint forces, with the feedback added, in m/s^2.
    pub free: DVec3,
    /// Velocity, in m/s.
    pub slip: DVec2,
    pub friction: f64,
    /// Initial guess, then the result, in N.
    pub force: DVec3,
}

/// Status of a row of the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Standing {
    /// Solved by the contact force solver.
    Kept,
    /// Eliminated, with this pivot.
    Eliminated(f64),
    /// Its force is known.
    Known(f64),
}

/// The group with scratch memory.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupProblem {
    pub contacts: Vec<GroupContact>,
    /// Allowed forces of the rows, and their free accelerations.
    pub rows: Vec<(RowForce, f64)>,
    /// Resulting forces: three for each contact, then one for each row.
    forces_by_row: Vec<f64>,
    matrix: Vec<f64>,
    /// Diagonal of the original matrix.
    diagonal: Vec<f64>,
    free: Vec<f64>,
    standing: Vec<Standing>,
    order: Vec<usize>,
    yielding: Vec<Option<f64>>,
    kept: Vec<KeptContact>,
    small_matrix: Vec<f64>,
    accelerations: Vec<DVec3>,
    slips: Vec<DVec2>,
    friction: Vec<f64>,
    forces: Vec<DVec3>,
}

/// A contact of the reduced problem: the first of three rows, or a single one.
#[derive(Debug, Clone, Copy)]
struct KeptContact {
    first: usize,
    rows: usize,
}

impl GroupProblem {
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.rows.clear();
    }

    /// Computes all forces. `matrix` is that of the contacts (three rows each) and then the rows, row by row.
    pub fn solve(
        &mut self,
        matrix: &[f64],
        rest_speed: f64,
        solver: &mut dyn ContactForceSolver,
    ) -> Result<ContactForceReport, ContactForceError> {
        self.yielding.clear();
        self.yielding.resize(self.rows.len(), None);
        loop {
            self.load(matrix);
            self.eliminate();
            let report = self.solve_kept(rest_speed, solver)?;
            self.find_row_forces();
            if !self.let_yield() {
                return Ok(report);
            }
        }
    }

    fn size(&self) -> usize {
        3 * self.contacts.len() + self.rows.len()
    }

    fn load(&mut self, matrix: &[f64]) {
        let first_row = 3 * self.contacts.len();
        self.matrix.clear();
        self.matrix.extend_from_slice(matrix);
        self.free.clear();
        self.free.extend(self.contacts.iter().flat_map(|contact| contact.free.to_array()));
        self.free.extend(self.rows.iter().map(|row| row.1));
        self.standing.clear();
        self.standing.resize(first_row, Standing::Kept);
        for (row, yielding) in self.rows.iter().zip(&self.yielding) {
            self.standing.push(match (row.0, yielding) {
                (RowForce::Known(force), _) | (RowForce::Bounded(_), &Some(force)) => Standing::Known(force),
                (RowForce::Any | RowForce::Bounded(_), _) => Standing::Eliminated(0.0),
                (RowForce::Pushing, _) => Standing::Kept,
            });
        }
        let size = self.size();
        self.diagonal.clear();
        self.diagonal.extend((0..size).map(|row| self.matrix[row * (size + 1)]));
        for known in first_row..size {
            if let Standing::Known(force) = self.standing[known] {
                for (i, free) in self.free.iter_mut().enumerate() {
                    *free += self.matrix[i * size + known] * force;
                }
            }
        }
    }

    fn eliminate(&mut self) {
        let size = self.size();
        self.order.clear();
        for e in 0..size {
            if !matches!(self.standing[e], Standing::Eliminated(_)) {
                continue;
            }
            let pivot = self.matrix[e * (size + 1)];
            if pivot <= REDUNDANT_FRACTION * self.diagonal[e] {
                self.standing[e] = Standing::Known(0.0);
                continue;
            }
            self.standing[e] = Standing::Eliminated(pivot);
            self.order.push(e);
            for i in 0..size {
                if i == e || (matches!(self.standing[i], Standing::Eliminated(_)) && i < e) {
                    continue;
                }
                let factor = self.matrix[i * size + e] / pivot;
                if factor != 0.0 {
                    for j in 0..size {
                        self.matrix[i * size + j] -= factor * self.matrix[e * size + j];
                    }
                    self.free[i] -= factor * self.free[e];
                }
            }
        }
    }

    fn solve_kept(
        &mut self,
        rest_speed: f64,
        solver: &mut dyn ContactForceSolver,
    ) -> Result<ContactForceReport, ContactForceError> {
        self.choose_kept();
        let (size, count) = (self.size(), self.kept.len());
        self.small_matrix.clear();
        self.small_matrix.resize(9 * count * count, 0.0);
        for (k, row) in self.kept.iter().enumerate() {
            for (l, column) in self.kept.iter().enumerate() {
                for i in 0..row.rows {
                    for j in 0..column.rows {
                        self.small_matrix[(3 * k + i) * 3 * count + 3 * l + j] =
                            self.matrix[(row.first + i) * size + column.first + j];
                    }
                }
            }
        }
        self.forces_by_row.clear();
        self.forces_by_row.resize(size, 0.0);
        if count == 0 {
            self.contacts.iter_mut().for_each(|contact| contact.force = DVec3::ZERO);
            return Ok(ContactForceReport { iterations: 0, residual: 0.0, converged: true });
        }
        let problem = ContactForceProblem::new(&self.small_matrix, &self.accelerations, &self.slips, &self.friction)
            .map_err(|_| ContactForceError::Setting("a contact's numbers are not finite"))?
            .with_rest_speed(rest_speed);
        let report = solver.solve(&problem, &mut self.forces)?;
        self.contacts.iter_mut().for_each(|contact| contact.force = DVec3::ZERO);
        for (kept, force) in self.kept.iter().zip(&self.forces) {
            if kept.rows == 3 {
                self.contacts[kept.first / 3].force = *force;
            }
            self.forces_by_row[kept.first..kept.first + kept.rows].copy_from_slice(&force.to_array()[..kept.rows]);
        }
        Ok(report)
    }

    /// Collects contacts and pushing rows that forces can still move.
    fn choose_kept(&mut self) {
        let (size, contacts) = (self.size(), self.contacts.len());
        self.kept.clear();
        self.accelerations.clear();
        self.slips.clear();
        self.friction.clear();
        self.forces.clear();
        for (index, contact) in self.contacts.iter().enumerate() {
            let first = 3 * index;
            if self.matrix[first * (size + 1)] > REDUNDANT_FRACTION * self.diagonal[first] {
                self.kept.push(KeptContact { first, rows: 3 });
                self.accelerations.push(DVec3::from_slice(&self.free[first..]));
                self.slips.push(contact.slip);
                self.friction.push(contact.friction);
                self.forces.push(contact.force);
            }
        }
        for row in 3 * contacts..size {
            if self.standing[row] == Standing::Kept
                && self.matrix[row * (size + 1)] > REDUNDANT_FRACTION * self.diagonal[row]
            {
                self.kept.push(KeptContact { first: row, rows: 1 });
                self.accelerations.push(DVec3::new(self.free[row], 0.0, 0.0));
                self.slips.push(DVec2::ZERO);
                self.friction.push(0.0);
                self.forces.push(DVec3::ZERO);
            }
        }
    }

    /// Back-substitutes from the last eliminated row to the first.
    fn find_row_forces(&mut self) {
        let size = self.size();
        for (force, standing) in self.forces_by_row.iter_mut().zip(&self.standing) {
            if let Standing::Known(known) = *standing {
                *force = known;
            }
        }
        for &e in self.order.iter().rev() {
            let Standing::Eliminated(pivot) = self.standing[e] else { continue };
            let mut acceleration = self.free[e];
            for (j, standing) in self.standing.iter().enumerate() {
                // Known forces are already in the free acceleration.
                if j != e && !matches!(standing, Standing::Known(_)) {
                    acceleration += self.matrix[e * size + j] * self.forces_by_row[j];
                }
            }
            self.forces_by_row[e] = -acceleration / pivot;
        }
    }

    /// Releases rows whose friction limit is exceeded. Returns whether there were new ones.
    fn let_yield(&mut self) -> bool {
        let forces = &self.forces_by_row[3 * self.contacts.len()..];
        let mut any = false;
        for ((row, yielding), force) in self.rows.iter().zip(&mut self.yielding).zip(forces) {
            if let RowForce::Bounded(limit) = row.0
                && yielding.is_none()
                && force.abs() > limit
            {
                *yielding = Some(limit.copysign(*force));
                any = true;
            }
        }
        any
    }

    /// The found forces of the rows, in N or N m.
    pub fn row_forces(&self) -> &[f64] {
        &self.forces_by_row[3 * self.contacts.len()..]
    }
}
