//! Settings of the velocity solver, and its statistics.

use crate::constraint_solver::contact_problem::SolveReport;

/// Tolerances and limits of the velocity solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VelocitySolverSettings {
    /// Maximum number of rows (three per contact) of a group that is solved directly.
    pub direct_rows: usize,
    /// Maximum number of sweeps over a group in one step.
    pub sweeps: u32,
    /// Maximum number of single-contact solves for a group in one step. Every group is swept a few times
    /// regardless.
    pub contacts: u32,
    /// Maximum number of single-contact solves for a group whose contacts are all new, so that a structure stands from
    /// the start.
    pub new_contacts: u32,
    /// Change of a contact's velocity below which sweeping ends, in m/s.
    pub tolerance: f64,
    /// Change of a contact's velocity below which sweeping ends, relative to the fastest velocity in the group.
    pub relative_tolerance: f64,
    /// Change of a contact's velocity below which sweeping ends in a group that is too large for many sweeps, in m/s.
    pub coarse_tolerance: f64,
}

impl Default for VelocitySolverSettings {
    fn default() -> Self {
        Self {
            direct_rows: 150,
            sweeps: 1000,
            contacts: 50_000,
            new_contacts: 400_000,
            tolerance: 1e-9,
            relative_tolerance: 1e-5,
            coarse_tolerance: 2e-5,
        }
    }
}

/// Upper ends of the ranges of [`SolverWork::by_factorizations`], except for the last, which has none.
pub const FACTORIZATION_RANGES: [u32; 6] = [0, 1, 2, 4, 8, 16];

/// Statistics of the velocity solver.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolverWork {
    /// Number of groups solved directly.
    pub direct: u32,
    /// Number of groups that were swept.
    pub swept: u32,
    /// Total number of sweeps.
    pub sweeps: u32,
    /// Number of direct solves by the number of their factorizations: see [`FACTORIZATION_RANGES`].
    pub by_factorizations: [u32; 7],
    /// Total number of factorizations.
    pub factorizations: u32,
    /// Number of direct solves in which the laws do not hold within the tolerance.
    pub unconverged: u32,
    /// Number of direct solves that ran the interior point.
    pub interior: u32,
    /// Number of groups whose impulses were scaled down because they would have added energy.
    pub restrained: u32,
    /// Largest change of velocity in a last sweep, or largest residual of a direct solution, in m/s.
    pub residual: f64,
}

impl SolverWork {
    /// Adds the work of another solve.
    pub fn add(&mut self, other: &Self) {
        self.direct += other.direct;
        self.swept += other.swept;
        self.sweeps += other.sweeps;
        self.by_factorizations.iter_mut().zip(other.by_factorizations).for_each(|(all, one)| *all += one);
        self.factorizations += other.factorizations;
        self.unconverged += other.unconverged;
        self.interior += other.interior;
        self.restrained += other.restrained;
        self.residual = self.residual.max(other.residual);
    }

    /// Adds a direct solve.
    pub(super) fn add_direct(&mut self, report: &SolveReport) {
        self.direct += 1;
        self.sweeps += report.sweeps;
        self.by_factorizations[FACTORIZATION_RANGES.partition_point(|&end| end < report.factorizations)] += 1;
        self.factorizations += report.factorizations;
        self.unconverged += u32::from(!report.converged);
        self.interior += u32::from(report.ran_interior_point);
        self.residual = self.residual.max(report.residual);
    }
}
