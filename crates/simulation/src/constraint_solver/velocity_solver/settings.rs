//! Settings of the velocity solver, and the work that it reports.

/// How well and how long to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VelocitySolverSettings {
    /// Groups of up to so many rows (three a contact) are solved directly.
    pub direct_rows: usize,
    /// The most sweeps over a group in one step.
    pub sweeps: u32,
    /// The most contacts that are solved for a group in one step, each as often as it is; but every group is swept a
    /// few times.
    pub contacts: u32,
    /// The same for a group of contacts that are all new, so that what is built stands from the start.
    pub new_contacts: u32,
    /// Sweeping ends when no contact's velocity changes by more than this, in m/s ...
    pub tolerance: f64,
    /// ... or than this share of the fastest relative velocity in the group ...
    pub relative_tolerance: f64,
    /// ... or, in a group so large that it cannot be swept often, than this, in m/s.
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

/// What solving took.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolverWork {
    /// Groups solved directly.
    pub direct: u32,
    /// Groups solved by sweeping, or that the direct solver had to sweep.
    pub swept: u32,
    /// Sweeps in all.
    pub sweeps: u32,
    /// Groups whose impulses had to be scaled down, as they would have brought energy.
    pub restrained: u32,
    /// The largest change of velocity in a last sweep, or the largest defect of a direct solution, in m/s.
    pub residual: f64,
}

impl SolverWork {
    /// Adds what another solve took.
    pub fn add(&mut self, other: &Self) {
        self.direct += other.direct;
        self.swept += other.swept;
        self.sweeps += other.sweeps;
        self.restrained += other.restrained;
        self.residual = self.residual.max(other.residual);
    }
}
