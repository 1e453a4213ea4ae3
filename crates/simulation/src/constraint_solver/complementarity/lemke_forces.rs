//! Contact forces by Lemke's algorithm, with friction as in 002 section IV.B.3.d where a contact slides, and on a
//! polyhedral cone where it rests.
//!
//! At rest there is no sliding direction, so one tangent is not enough. The cone is replaced by a pyramid over a regular
//! polygon of unit directions `d_1 ... d_m` (Stewart and Trinkle; Anitescu and Potra), `f_t = sum of b_j d_j`:
//!
//! ```text
//!   0 <= f_n     complementary to   a+_n                >= 0
//!   0 <= b_j     complementary to   d_j . a+_t + lambda >= 0
//!   0 <= lambda  complementary to   mu f_n - sum of b_j >= 0
//! ```
//!
//! A pyramid is weaker than the cone between its edges. Therefore the polygon of every resting contact that gives way is
//! turned, until a corner points where the force does, and the problem is solved again:
//!
//! ```text
//!   d_1  <-  direction of  f_t - rho a+_t
//! ```
//!
//! which is a projected step towards the round cone; rho is 1 over the sum of the tangential responses to all contacts
//! that bear load, so the steps do not overshoot together. At the fixed point the force opposes the acceleration exactly.
//! Resting contacts that hold need no turning.
//!
//! Variables: one for a sliding contact, `m + 2` for a resting one. They are scaled to accelerations of the order of one,
//! so that Lemke's tolerances and its artificial column mean the same in every row.

use glam::{DVec2, DVec3, Vec3Swizzles};

use super::contact_force_problem::tangential;
use super::contact_force_solver::check_size;
use super::{
    ContactForceError, ContactForceProblem, ContactForceReport, ContactForceSolver, ContactMode, Lemke, LemkeError,
};

/// The fewest directions that positively span a plane.
const FEWEST_DIRECTIONS: usize = 3;

/// The solver with its buffers.
#[derive(Debug, Clone)]
pub struct LemkeForces {
    /// Number of directions of a resting contact's polygon, at least 3.
    pub directions: usize,
    /// The most times that the polygons are turned; zero keeps the pyramid.
    pub max_turns: usize,
    /// Residual at which to stop turning, in m/s^2.
    pub tolerance: f64,
    /// The algorithm.
    pub lemke: Lemke,
    /// First direction of every contact's polygon.
    corners: Vec<DVec2>,
    rows: Vec<Row>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    solution: Vec<f64>,
    forces: Vec<DVec3>,
    best: Vec<DVec3>,
}

/// A variable of the problem and the row that is complementary to it.
#[derive(Debug, Clone, Copy)]
enum Row {
    /// So much of a force at a contact, against an acceleration along a direction. Friction rows name their `lambda`.
    Force { contact: usize, force: DVec3, direction: DVec3, slack: Option<usize> },
    /// `lambda`, against what is left of the cone. Names the normal force.
    Cone { contact: usize, normal: usize },
}

impl Default for LemkeForces {
    fn default() -> Self {
        Self {
            directions: 8,
            max_turns: 50,
            tolerance: 1e-9,
            lemke: Lemke::default(),
            corners: Vec::new(),
            rows: Vec::new(),
            matrix: Vec::new(),
            vector: Vec::new(),
            solution: Vec::new(),
            forces: Vec::new(),
            best: Vec::new(),
        }
    }
}

impl ContactForceSolver for LemkeForces {
    fn solve(
        &mut self,
        problem: &ContactForceProblem<'_>,
        forces: &mut [DVec3],
    ) -> Result<ContactForceReport, ContactForceError> {
        check_size(problem, forces)?;
        if self.directions < FEWEST_DIRECTIONS {
            return Err(ContactForceError::Setting("a polygon of friction needs at least 3 directions"));
        }
        self.corners.clear();
        self.corners.extend((0..problem.len()).map(|contact| first_corner(problem, contact)));

        self.best.clear();
        let mut report = ContactForceReport { iterations: 0, residual: f64::INFINITY, converged: false };
        for turn in 0..=self.max_turns {
            let pivots = match self.solve_pyramid(problem) {
                Ok(pivots) => pivots,
                // A turned polygon that leads nowhere does not undo what was found before.
                Err(_) if turn > 0 => break,
                Err(error) => return Err(error),
            };
            report.iterations += pivots;
            let residual = problem.residual(&self.forces);
            if residual < report.residual {
                report.residual = residual;
                self.best.clone_from(&self.forces);
            }
            if residual <= self.tolerance || !self.turn_polygons(problem) {
                break;
            }
        }
        if self.best.len() != problem.len() || !report.residual.is_finite() {
            return Err(ContactForceError::IterationBound { iterations: report.iterations });
        }
        forces.copy_from_slice(&self.best);
        report.converged = report.residual <= self.tolerance;
        Ok(report)
    }
}

impl LemkeForces {
    /// One complementarity problem with the polygons as they are. Returns the number of pivots.
    fn solve_pyramid(&mut self, problem: &ContactForceProblem<'_>) -> Result<usize, ContactForceError> {
        self.list_rows(problem);
        let scale = Scale::of(problem);
        self.assemble(problem, scale);
        self.solution.clear();
        self.solution.resize(self.rows.len(), 0.0);
        let report = self.lemke.solve(&self.matrix, &self.vector, &mut self.solution).map_err(|error| match error {
            LemkeError::Ray { .. } | LemkeError::Size { .. } => ContactForceError::Inconsistent,
            LemkeError::PivotBound { pivots } => ContactForceError::IterationBound { iterations: pivots },
        })?;
        self.forces.clear();
        self.forces.resize(problem.len(), DVec3::ZERO);
        for (row, amount) in self.rows.iter().zip(&self.solution) {
            if let Row::Force { contact, force, .. } = *row {
                self.forces[contact] += force * (amount * scale.acceleration / scale.inverse_mass);
            }
        }
        Ok(report.pivots)
    }

    fn list_rows(&mut self, problem: &ContactForceProblem<'_>) {
        self.rows.clear();
        for contact in 0..problem.len() {
            let normal = self.rows.len();
            let force = problem.unit_normal_force(contact);
            self.rows.push(Row::Force { contact, force, direction: DVec3::X, slack: None });
            if problem.mode(contact) == ContactMode::Resting {
                let slack = Some(normal + 1 + self.directions);
                for corner in 0..self.directions {
                    let angle = core::f64::consts::TAU * corner as f64 / self.directions as f64;
                    let (sin, cos) = libm::sincos(angle);
                    let direction = tangential(DVec2::new(cos, sin).rotate(self.corners[contact]));
                    self.rows.push(Row::Force { contact, force: direction, direction, slack });
                }
                self.rows.push(Row::Cone { contact, normal });
            }
        }
    }

    fn assemble(&mut self, problem: &ContactForceProblem<'_>, scale: Scale) {
        let size = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        self.vector.clear();
        self.vector.resize(size, 0.0);
        let entries = self.matrix.chunks_exact_mut(size.max(1));
        for ((index, row), (entries, q)) in self.rows.iter().enumerate().zip(entries.zip(&mut self.vector)) {
            match *row {
                Row::Force { contact, direction, slack, .. } => {
                    *q = direction.dot(problem.free_acceleration(contact)) / scale.acceleration;
                    for (entry, column) in entries.iter_mut().zip(&self.rows) {
                        if let Row::Force { contact: forced, force, .. } = *column {
                            *entry = direction.dot(problem.block(contact, forced) * force) / scale.inverse_mass;
                        }
                    }
                    if let Some(slack) = slack {
                        entries[slack] = 1.0;
                    }
                }
                Row::Cone { contact, normal } => {
                    entries[normal] = problem.friction(contact);
                    entries[normal + 1..index].fill(-1.0);
                }
            }
        }
    }

    /// Points a corner of every polygon that gives way to where its force should be; says whether there was any.
    fn turn_polygons(&mut self, problem: &ContactForceProblem<'_>) -> bool {
        let mut turned = false;
        for contact in 0..problem.len() {
            let force = self.forces[contact];
            if problem.mode(contact) != ContactMode::Resting || force.x <= 0.0 {
                continue;
            }
            let acceleration = problem.acceleration(contact, &self.forces);
            let response = tangential_response(problem, contact, &self.forces);
            if acceleration.yz().length() > 0.1 * self.tolerance && response > 0.0 {
                let target = (force.yz() - acceleration.yz() / response).normalize_or_zero();
                if target != DVec2::ZERO {
                    self.corners[contact] = target;
                    turned = true;
                }
            }
        }
        turned
    }
}

/// Units in which the problem is solved: the mean normal inverse mass and the largest free acceleration.
#[derive(Debug, Clone, Copy)]
struct Scale {
    inverse_mass: f64,
    acceleration: f64,
}

impl Scale {
    fn of(problem: &ContactForceProblem<'_>) -> Self {
        let count = problem.len().max(1) as f64;
        let inverse_mass = (0..problem.len()).map(|i| problem.normal_inverse_mass(i)).sum::<f64>() / count;
        let acceleration =
            (0..problem.len()).map(|i| problem.free_acceleration(i).abs().max_element()).fold(0.0, f64::max);
        let usable = |value: f64| if value > 0.0 && value.is_finite() { value } else { 1.0 };
        Self { inverse_mass: usable(inverse_mass), acceleration: usable(acceleration) }
    }
}

/// The first guess: a corner against the acceleration without forces.
fn first_corner(problem: &ContactForceProblem<'_>, contact: usize) -> DVec2 {
    let against = (-problem.free_acceleration(contact).yz()).normalize_or_zero();
    if against == DVec2::ZERO { DVec2::X } else { against }
}

/// Sum of the tangential responses of a contact to all that bear load, in 1/kg.
fn tangential_response(problem: &ContactForceProblem<'_>, contact: usize, forces: &[DVec3]) -> f64 {
    let response = |forced: usize| {
        let block = problem.block(contact, forced);
        (block.y_axis.yz().length_squared() + block.z_axis.yz().length_squared()).sqrt()
    };
    (0..problem.len()).filter(|&forced| forces[forced].x > 0.0).map(response).sum()
}
