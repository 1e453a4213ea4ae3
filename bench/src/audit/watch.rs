//! Runs a world and checks its laws after every step.

use anyhow::Result;
use burgess_simulation::Simulation;
use glam::DVec3;
use serde::Serialize;

use super::case::{Case, Energy};
use super::measure::{MotorWork, beyond_limits, centers, depth, energy, gap, jellett_invariant};

/// Largest change of a conserved energy, as a share of its scale.
const ENERGY: f64 = 1e-2;
/// Growth of a dissipated energy that is allowed per collision and once, as a share of its scale.
const GROWTH: f64 = 1e-3;
/// Number of collisions beyond which no more growth is allowed.
const MAX_COLLISIONS: usize = 9;
/// Largest change of momentum, as a share of its scale.
const MOMENTUM: f64 = 1e-6;
/// Largest change of the Jellett invariant, as a share of its value or of its scale.
const JELLETT: f64 = 1e-2;
/// Largest displacement of what is at rest, as a share of its size.
const DISPLACEMENT: f64 = 1e-3;
/// Time in which what is at rest may settle, in s.
const SETTLING: f64 = 1.0;
/// Largest depth of a contact and gap of a constraint, as a share of size.
const DEPTH: f64 = 0.02;
/// Time for which a depth may be larger, in s: the error of a collision within a step is corrected in the next ones.
const PATIENCE: f64 = 0.1;
/// Largest excess over a joint limit, in rad or m.
const LIMIT: f64 = 0.02;
/// Energy error above which a simulation is stopped, as a share of the scale.
const HOPELESS: f64 = 10.0;

/// A violated law.
#[derive(Debug, Clone, Serialize)]
pub struct Violation {
    /// Name of the law.
    pub law: &'static str,
    /// The worst value, in the unit of the law's bound.
    pub amount: f64,
    /// The bound.
    pub bound: f64,
    /// Time at which the bound was first exceeded, in s.
    pub time: f64,
    /// Message of a simulation that failed.
    pub message: Option<String>,
}

/// Worst values of one run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Findings {
    /// Step, in s.
    pub step: f64,
    /// Largest change of conserved energy, or growth of dissipated energy, as a share of its scale.
    pub energy: f64,
    /// Largest change of momentum, as a share of its scale.
    pub momentum: f64,
    /// Largest displacement of what is at rest, as a share of size.
    pub displacement: f64,
    /// Largest depth that lasted, as a share of size.
    pub depth: f64,
    /// Error of motion, as a share of the distance travelled; none without references.
    pub motion: Option<f64>,
    /// Time for which the references agree, in s.
    pub predictable: f64,
    /// Violated laws, at most one of each kind.
    pub violations: Vec<Violation>,
}

impl Findings {
    /// Notes a value of a law.
    pub fn note(&mut self, law: &'static str, amount: f64, bound: f64, time: f64) {
        // NaN violates every law.
        if amount <= bound {
            return;
        }
        match self.violations.iter_mut().find(|violation| violation.law == law) {
            Some(violation) => violation.amount = violation.amount.max(amount),
            None => self.violations.push(Violation { law, amount, bound, time, message: None }),
        }
    }
}

/// Checks of one run.
struct Watch<'a> {
    case: &'a Case,
    findings: Findings,
    motors: MotorWork,
    first_energy: f64,
    /// Smallest energy less work of motors so far, and the number of collisions since.
    least: (f64, usize),
    momentum: (DVec3, DVec3),
    jellett: f64,
    /// Scale of the linear and the angular momentum.
    momentum_scale: (f64, f64),
    settled: Option<Vec<DVec3>>,
    deep_since: f64,
    least_depth_since: f64,
}

/// Runs a world for some time with a step (both in s) and returns what was found.
pub fn run(case: &Case, seconds: f64, step: f64) -> Result<Findings> {
    let mut simulation = case.paradigm.simulate(case.world.clone(), case.state.clone(), step)?;
    let mut watch = Watch::new(case, &mut simulation, step);
    let seconds = case.seconds.unwrap_or(f64::INFINITY).min(seconds);
    while simulation.state().time < seconds - 0.5 * step {
        watch.motors.before_step(&simulation);
        if let Err(failure) = simulation.step() {
            let time = simulation.state().time;
            let message = Some(failure.to_string());
            let law = failure.name();
            watch.findings.violations.push(Violation { law, amount: f64::NAN, bound: 0.0, time, message });
            break;
        }
        watch.motors.after_step(&simulation);
        watch.look(&mut simulation);
        if !(watch.findings.energy < HOPELESS) {
            break;
        }
    }
    Ok(watch.findings)
}

impl<'a> Watch<'a> {
    fn new(case: &'a Case, simulation: &mut Simulation, step: f64) -> Self {
        let first_energy = energy(simulation);
        let totals = simulation.observables();
        let speed = (2.0 * totals.kinetic_energy.max(case.energy_scale) / totals.mass).sqrt();
        let linear = totals.mass * speed;
        Self {
            case,
            findings: Findings { step, ..Findings::default() },
            motors: MotorWork::default(),
            first_energy,
            least: (first_energy, 0),
            momentum: (totals.linear_momentum, totals.angular_momentum),
            jellett: case.jellett.map_or(0.0, |ball| jellett_invariant(simulation, &ball)),
            momentum_scale: (linear, linear * case.size),
            settled: None,
            deep_since: f64::INFINITY,
            least_depth_since: f64::INFINITY,
        }
    }

    fn look(&mut self, simulation: &mut Simulation) {
        self.check_energy(simulation);
        self.check_places(simulation);
        if self.case.floats {
            self.check_momentum(simulation);
        }
        if self.case.jellett.is_some() {
            self.check_jellett(simulation);
        }
    }

    fn check_energy(&mut self, simulation: &mut Simulation) {
        let (now, time) = (energy(simulation), simulation.state().time);
        let scale = self.case.energy_scale;
        let (error, bound) = match self.case.energy {
            Energy::Conserved => ((now - self.first_energy).abs() / scale, ENERGY),
            Energy::Dissipated => {
                let own = now - self.motors.work;
                self.least.1 += simulation.statistics().impulses;
                if own <= self.least.0 {
                    self.least = (own, 0);
                }
                let collisions = self.least.1.min(MAX_COLLISIONS);
                ((own - self.least.0) / scale, GROWTH * (1 + collisions) as f64)
            }
        };
        let law = if self.case.energy == Energy::Conserved { "energy" } else { "energy-growth" };
        self.findings.energy = if error.is_nan() { error } else { self.findings.energy.max(error) };
        self.findings.note(law, error, bound, time);
    }

    fn check_places(&mut self, simulation: &Simulation) {
        let (time, size) = (simulation.state().time, self.case.size);
        let deepest = depth(simulation).max(gap(simulation)) / size;
        if deepest > DEPTH {
            self.deep_since = self.deep_since.min(time);
            self.least_depth_since = self.least_depth_since.min(deepest);
            if time - self.deep_since > PATIENCE {
                self.findings.depth = self.findings.depth.max(self.least_depth_since);
                self.findings.note("depth", self.least_depth_since, DEPTH, time);
            }
        } else {
            self.findings.depth = self.findings.depth.max(deepest);
            (self.deep_since, self.least_depth_since) = (f64::INFINITY, f64::INFINITY);
        }
        self.findings.note("limit", beyond_limits(simulation), LIMIT, time);
        let centers = centers(simulation);
        for (point, normal) in &self.case.walls {
            for center in &centers {
                self.findings.note("passes-through", -(*center - *point).dot(*normal) / size, 0.0, time);
            }
        }
        if self.case.rests && time >= SETTLING {
            let settled = self.settled.get_or_insert_with(|| centers.clone());
            let moved = settled.iter().zip(&centers).map(|(a, b)| (*b - *a).length() / size).fold(0.0, f64::max);
            self.findings.displacement = self.findings.displacement.max(moved);
            self.findings.note("rest", moved, DISPLACEMENT, time);
        }
    }

    fn check_momentum(&mut self, simulation: &mut Simulation) {
        let time = simulation.state().time;
        let totals = simulation.observables();
        let gravity = simulation.world().model().gravity;
        let linear = totals.linear_momentum - self.momentum.0 - totals.mass * time * gravity;
        let angular = totals.angular_momentum - self.momentum.1;
        // Falling adds momentum, and with it rounding errors.
        let fallen = totals.mass * gravity.length() * time;
        let error = (linear.length() / (self.momentum_scale.0 + fallen)).max(angular.length() / self.momentum_scale.1);
        self.findings.momentum = self.findings.momentum.max(error);
        self.findings.note("momentum", error, MOMENTUM, time);
    }

    fn check_jellett(&mut self, simulation: &mut Simulation) {
        let Some(ball) = self.case.jellett else { return };
        let invariant = jellett_invariant(simulation, &ball);
        let scale = self.jellett.abs().max(0.1 * self.momentum_scale.0 * ball.radius * ball.radius);
        self.findings.note("jellett", (invariant - self.jellett).abs() / scale, JELLETT, simulation.state().time);
    }
}
