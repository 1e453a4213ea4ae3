//! Contact forces by Lemke's algorithm, with friction as in Timchenko (2007) section IV.B.3.d where a contact slides,
//! and on a polyhedral cone where it rests.
//! At rest there is no sliding direction, so one tangent is not enough. The cone is replaced by a pyramid over a
//! regular polygon of unit directions `d_1 ... d_m` (Stewart and Trinkle; Anitescu and Potra), `f_t = sum of b_j d_j`:
//!
//! ```text
//!   0 <= f_n     complementary to   a+_n                >= 0
//!   0 <= b_j     complementary to   d_j . a+_t + lambda >= 0
//!   0 <= lambda  complementary to   mu f_n - sum of b_j >= 0
//! ```
//!
//! A pyramid is weaker than the cone between its edges. Therefore every resting contact that slips is solved again with
//! the round cone, linearised at its force. With d the direction of the force, t perpendicular to it and `f_t = b d + s
//! t`, opposing a+_t means `b = mu f_n`, `d . a+_t = -lambda`, and to first order in s
//!
//! ```text
//!   t . a+_t + (lambda / mu f_n) s = 0
//! ```
//! where lambda and f_n in the bracket are those of the previous round. `s` takes the place of the polygon's other
//! directions, d is set to the direction of the new force, and so on: Newton's method, with the unilateral part left to
//! Lemke. It usually takes 3 to 6 rounds to reach 1e-8. A contact whose direction changes by more than 45 degrees gets
//! a polygon again. Convergence is not proven: the rounds are bounded, and the best forces are kept.
//! Variables: one for a sliding contact, `m + 2` for a resting one that holds, 6 for one that slips. They are scaled to
//! accelerations of the order of one, so that Lemke's tolerances and its artificial column mean the same in every row.

use glam::{DVec2, DVec3, Vec3Swizzles};

use super::contact_force_problem::tangential;
use super::contact_force_solver::check_size;
use super::{
    ContactForceError, ContactForceProblem, ContactForceReport, ContactForceSolver, ContactMode, Lemke, LemkeError,
};

/// Smallest number of directions that positively span a plane.
const MIN_DIRECTIONS: usize = 3;

/// The solver with its buffers.
#[derive(Debug, Clone)]
pub struct LemkeForces {
    /// Number of directions of a resting contact's polygon, at least 3.
    pub directions: usize,
    /// Maximum number of rounds on the round cone; zero keeps the pyramid.
    pub max_rounds: usize,
    /// Residual at which to stop, in m/s^2.
    pub tolerance: f64,
    /// The algorithm.
    pub lemke: Lemke,
    cones: Vec<Cone>,
    rows: Vec<Row>,
    matrix: Vec<f64>,
    vector: Vec<f64>,
    solution: Vec<f64>,
    forces: Vec<DVec3>,
    best: Vec<DVec3>,
}

/// Approximation of the friction cone of a resting contact.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cone {
    /// A pyramid over a regular polygon with a corner in this direction.
    Polygon { corner: DVec2 },
    /// The round cone near a direction; curvature is `lambda / mu f_n`, in 1/kg.
    Round { direction: DVec2, curvature: f64 },
}

/// A variable of the problem and the row that is complementary to it.
#[derive(Debug, Clone, Copy)]
enum Row {
    /// A multiple of a force at a contact, against an acceleration along a direction. Friction rows refer to their
    /// `lambda`.
    Force { contact: usize, force: DVec3, direction: DVec3, slack: Option<usize> },
    /// Half of `s`: its positive part, or with the opposite direction in the next row its negative one.
    Across { contact: usize, direction: DVec3, curvature: f64, opposite: usize },
    /// `lambda`, against the remainder of the cone. Refers to the normal force.
    Slack { contact: usize, normal: usize, directions: usize },
}

impl Default for LemkeForces {
    fn default() -> Self {
        Self {
            directions: 8,
            max_rounds: 30,
            tolerance: 1e-8,
            lemke: Lemke::default(),
            cones: Vec::new(),
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
        if self.directions < MIN_DIRECTIONS {
            return Err(ContactForceError::Setting("a polygon of friction needs at least 3 directions"));
        }
        self.cones.clear();
        self.cones.extend((0..problem.len()).map(|contact| first_polygon(problem, contact)));

        self.best.clear();
        let mut report = ContactForceReport { iterations: 0, residual: f64::INFINITY, converged: false };
        for round in 0..=self.max_rounds {
            let pivots = match self.solve_once(problem) {
                Ok(pivots) => pivots,
                // A round that fails does not undo earlier results.
                Err(_) if round > 0 => break,
                Err(error) => return Err(error),
            };
            report.iterations += pivots;
            let residual = problem.residual(&self.forces);
            if residual < report.residual {
                report.residual = residual;
                self.best.clone_from(&self.forces);
            }
            if residual <= self.tolerance || !self.turn_cones(problem) {
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
    /// Solves one complementarity problem with the present cones. Returns the number of pivots.
    fn solve_once(&mut self, problem: &ContactForceProblem<'_>) -> Result<usize, ContactForceError> {
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
            if let Some((contact, force)) = row.force() {
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
                self.list_cone(contact, normal);
            }
        }
    }

    fn list_cone(&mut self, contact: usize, normal: usize) {
        let (corner, directions) = match self.cones[contact] {
            Cone::Polygon { corner } => (corner, self.directions),
            Cone::Round { direction, .. } => (direction, 2),
        };
        let slack = Some(normal + 1 + directions);
        for index in 0..directions {
            let (sin, cos) = libm::sincos(core::f64::consts::TAU * index as f64 / directions as f64);
            let direction = tangential(DVec2::new(cos, sin).rotate(corner));
            self.rows.push(Row::Force { contact, force: direction, direction, slack });
        }
        self.rows.push(Row::Slack { contact, normal, directions });
        if let Cone::Round { direction, curvature } = self.cones[contact] {
            let (first, across) = (self.rows.len(), tangential(direction.perp()));
            self.rows.push(Row::Across { contact, direction: across, curvature, opposite: first + 1 });
            self.rows.push(Row::Across { contact, direction: -across, curvature, opposite: first });
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
            if let Row::Force { contact, direction, .. } | Row::Across { contact, direction, .. } = *row {
                *q = direction.dot(problem.free_acceleration(contact)) / scale.acceleration;
                for (entry, column) in entries.iter_mut().zip(&self.rows) {
                    if let Some((forced, force)) = column.force() {
                        *entry = direction.dot(problem.block(contact, forced) * force) / scale.inverse_mass;
                    }
                }
            }
            match *row {
                Row::Force { slack: Some(slack), .. } => entries[slack] = 1.0,
                Row::Force { slack: None, .. } => (),
                Row::Across { curvature, opposite, .. } => {
                    entries[index] += curvature / scale.inverse_mass;
                    entries[opposite] -= curvature / scale.inverse_mass;
                }
                Row::Slack { contact, normal, directions } => {
                    entries[normal] = problem.friction(contact);
                    entries[normal + 1..=normal + directions].fill(-1.0);
                }
            }
        }
    }

    /// Aligns the cone of every resting contact that slips with its force. Returns whether there was any.
    fn turn_cones(&mut self, problem: &ContactForceProblem<'_>) -> bool {
        let mut turned = false;
        for contact in 0..problem.len() {
            let force = self.forces[contact];
            let bound = problem.friction(contact) * force.x;
            if problem.mode(contact) != ContactMode::Resting || bound <= 0.0 {
                continue;
            }
            let acceleration = problem.acceleration(contact, &self.forces);
            let breaks = problem.contact_residual(contact, force, acceleration) > 0.1 * self.tolerance;
            if let (true, Some(cone)) = (breaks, self.next_cone(problem, contact, bound, acceleration.yz())) {
                self.cones[contact] = cone;
                turned = true;
            }
        }
        turned
    }

    fn next_cone(
        &self,
        problem: &ContactForceProblem<'_>,
        contact: usize,
        bound: f64,
        acceleration: DVec2,
    ) -> Option<Cone> {
        let held = self.forces[contact].yz();
        match self.cones[contact] {
            // A projected step estimates the direction of the force better than the polygon's corner.
            Cone::Polygon { .. } => {
                let response = problem.tangential_inverse_mass(contact);
                let direction = (held - acceleration / response).try_normalize()?;
                Some(Cone::Round { direction, curvature: acceleration.length() / bound })
            }
            Cone::Round { direction, .. } => {
                let next = held.try_normalize()?;
                if next.dot(direction) < core::f64::consts::FRAC_1_SQRT_2 {
                    return Some(Cone::Polygon { corner: next });
                }
                Some(Cone::Round { direction: next, curvature: (-next.dot(acceleration)).max(0.0) / bound })
            }
        }
    }
}

impl Row {
    /// Returns the contact and the force of a unit of the variable, if it is a force.
    fn force(&self) -> Option<(usize, DVec3)> {
        match *self {
            Self::Force { contact, force, .. } => Some((contact, force)),
            Self::Across { contact, direction, .. } => Some((contact, direction)),
            Self::Slack { .. } => None,
        }
    }
}

/// Returns the units in which the problem is solved: the mean normal inverse mass and the largest free acceleration.
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

/// Initial guess: a corner against the acceleration without forces.
fn first_polygon(problem: &ContactForceProblem<'_>, contact: usize) -> Cone {
    let against = (-problem.free_acceleration(contact).yz()).try_normalize();
    Cone::Polygon { corner: against.unwrap_or(DVec2::X) }
}
