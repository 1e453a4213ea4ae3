//! Runs a world and checks its laws after every step.

use std::collections::BTreeMap;

use burgess_paradigms::Paradigm;
use burgess_simulation::{Bounds, Simulation};
use glam::DVec3;
use serde::Serialize;

use super::case::{Case, Energy, GROWTH};
use super::flight::Flight;
use super::law::{Check, MOTION_PER_STEP};
use super::measure::{
    DampedMotion, MotorWork, beyond_limits, centers, deep_pairs, depth, energy, gap, jellett_invariant,
};
use super::reference::Course;

/// Largest change of a conserved energy, as a share of its scale.
const ENERGY: f64 = 1e-2;
/// Number of collisions beyond which no more growth is allowed.
const MAX_COLLISIONS: usize = 9;
/// Largest change of momentum, as a share of its scale.
const MOMENTUM: f64 = 1e-6;
/// Largest change of the Jellett invariant, as a share of its value or of its scale.
const JELLETT: f64 = 1e-2;
/// Largest displacement of what is at rest, as a share of its size.
const DISPLACEMENT: f64 = 1e-3;
/// Share of what dampers dissipate that the fall of the energy explains at least: the sum over the steps is accurate to
/// a few per cent.
const EXPLAINED: f64 = 0.8;
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
    /// Change of the energy less the work of motors over the whole run, as a share of its scale.
    pub energy_change: f64,
    /// Energy that the step itself corrected, as a share of the scale: the sum over all steps of the error before the
    /// correction. A small error of the energy says little about a world in which this is large; see its motion.
    pub corrected: f64,
    /// Mean number of parts that a step was divided into.
    pub parts: f64,
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
    /// Why the paradigm does not simulate the world, if so.
    pub refused: Option<String>,
}

impl Findings {
    /// Returns the findings about a world that the paradigm refuses. The default paradigm must not refuse any.
    fn of_refused(case: &Case, step: f64, message: String) -> Self {
        let is_violation = case.paradigm == Paradigm::TimeStepping;
        let violation = |message| Violation { law: "refused", amount: f64::NAN, bound: 0.0, time: 0.0, message };
        let violations = if is_violation { vec![violation(Some(message.clone()))] } else { Vec::new() };
        Self { step, violations, refused: Some(message), ..Self::default() }
    }

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

/// The time since a world should be at rest.
struct Settled {
    /// Centres of mass at its start.
    centers: Vec<DVec3>,
    /// Energy at its start, less the work of motors.
    energy: f64,
    /// Motion of the joints since.
    motion: DampedMotion,
    /// Largest distance of two centres of mass at its start.
    extent: f64,
}

impl Settled {
    /// Returns whether a displacement (m) is that of joints that yield slowly against dampers: the energy falls by what
    /// these dissipate, and the joints have moved far enough. The whole creature may move by `allowed` m at rest, so its
    /// energy may change by its weight times that.
    fn explains(&self, energy: f64, displacement: f64, allowed: f64, simulation: &Simulation) -> bool {
        let model = simulation.world().model();
        let (fallen, lift) = (self.energy - energy, model.mass() * model.gravity.length() * allowed);
        fallen >= EXPLAINED * self.motion.dissipated - lift
            && displacement <= self.motion.moved(simulation) * self.extent
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
    settled: Option<Settled>,
    flight: Flight,
    /// Checks of the laws of this world alone, in their order.
    checks: Vec<Check>,
    /// Since when two colliders have been too deep in each other (s), and the smallest depth since then, as a share of
    /// size.
    deep_pairs: BTreeMap<(u32, u32), (f64, f64)>,
}

/// Runs a world for some time with a step (both in s), compares it with its exact course if that is known, and returns
/// what was found.
pub fn run(case: &Case, seconds: f64, step: f64, course: Option<&Course>) -> Findings {
    let mut simulation = match case.paradigm.simulate(case.world.clone(), case.state.clone(), step) {
        Ok(simulation) => simulation,
        Err(error) => return Findings::of_refused(case, step, error.to_string()),
    };
    if case.overlaps {
        simulation.set_bounds(Bounds { penetration_share: f64::INFINITY, ..Bounds::default() });
    }
    let mut watch = Watch::new(case, &mut simulation, step);
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
        if let Some(course) = course {
            watch.compare(&simulation, course);
        }
        let has_hope = watch.findings.energy < HOPELESS;
        if !has_hope {
            break;
        }
    }
    watch.findings
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
            flight: Flight::default(),
            checks: case.laws.iter().map(|law| law.start(case.paradigm, step)).collect(),
            deep_pairs: BTreeMap::new(),
        }
    }

    fn look(&mut self, simulation: &mut Simulation) {
        self.check_energy(simulation);
        self.count_corrections(simulation);
        self.check_places(simulation);
        self.check_laws(simulation);
        if simulation.state().time >= self.case.rests_after {
            self.check_rest(simulation);
        }
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
        if self.flight.look(self.case, simulation) {
            self.least = (now - self.motors.work, 0);
        }
        let law = if self.flight.has_flown { Energy::Dissipated } else { self.case.energy };
        let (error, bound) = match law {
            Energy::Conserved => ((now - self.motors.work - self.first_energy).abs() / scale, ENERGY),
            Energy::Dissipated => {
                let own = now - self.motors.work;
                self.least.1 += simulation.statistics().impulses;
                if own <= self.least.0 {
                    self.least = (own, 0);
                }
                let collisions = self.least.1.min(MAX_COLLISIONS);
                ((own - self.least.0) / scale, self.case.growth + GROWTH * collisions as f64)
            }
            Energy::Driven => return,
        };
        let law = if law == Energy::Conserved { "energy" } else { "energy-growth" };
        self.findings.energy_change = (now - self.motors.work - self.first_energy) / scale;
        self.findings.energy = if error.is_nan() { error } else { self.findings.energy.max(error) };
        self.findings.note(law, error, bound, time);
    }

    /// Errors of laws about motion count as errors of motion.
    fn check_laws(&mut self, simulation: &mut Simulation) {
        let (time, step) = (simulation.state().time, self.findings.step);
        for (law, check) in self.case.laws.iter().zip(&mut self.checks) {
            let Some(error) = check(simulation) else { continue };
            if law.is_motion {
                let worst =
                    self.findings.motion.map_or(error, |worst| if error.is_nan() { error } else { worst.max(error) });
                self.findings.motion = Some(worst);
            }
            self.findings.note(law.name, error, law.bound.at(step), time);
        }
    }

    fn count_corrections(&mut self, simulation: &mut Simulation) {
        let (error, parts) = (simulation.statistics().energy_error, simulation.statistics().sub_steps.max(1) as f64);
        // The statistics have the largest error of the parts; each part is corrected.
        let kinetic = simulation.observables().kinetic_energy;
        self.findings.corrected += parts * error * kinetic / self.case.energy_scale;
        self.findings.parts += (parts - self.findings.parts) / simulation.steps().max(1) as f64;
    }

    fn check_places(&mut self, simulation: &Simulation) {
        let (time, size) = (simulation.state().time, self.case.size);
        let apart = gap(simulation) / size;
        self.findings.depth = self.findings.depth.max(apart);
        self.findings.note("gap", apart, DEPTH, time);
        if !self.case.overlaps {
            self.check_depths(simulation);
        }
        self.findings.note("limit", beyond_limits(simulation), LIMIT, time);
        let centers = centers(simulation);
        for (point, normal) in &self.case.walls {
            for center in &centers {
                self.findings.note("passes-through", -(*center - *point).dot(*normal) / size, 0.0, time);
            }
        }
    }

    /// What is at rest does not move, except slowly against dampers.
    fn check_rest(&mut self, simulation: &mut Simulation) {
        let (time, energy, centers) = (simulation.state().time, energy(simulation), centers(simulation));
        let energy = energy - self.motors.work;
        let Some(settled) = &mut self.settled else {
            let apart = |a: &DVec3| centers.iter().map(|b| (*b - *a).length()).fold(0.0, f64::max);
            let extent = centers.iter().map(apart).fold(self.case.size, f64::max);
            self.settled = Some(Settled { energy, motion: DampedMotion::from(simulation.state()), extent, centers });
            return;
        };
        settled.motion.add(simulation, &self.motors.before, self.findings.step);
        let moved = settled.centers.iter().zip(&centers).map(|(a, b)| (*b - *a).length()).fold(0.0, f64::max);
        let share = moved / self.case.size;
        if share <= DISPLACEMENT || !settled.explains(energy, moved, DISPLACEMENT * self.case.size, simulation) {
            self.findings.displacement = self.findings.displacement.max(share);
            self.findings.note("rest", share, DISPLACEMENT, time);
        }
    }

    /// A depth counts if the same two colliders were that deep for some time.
    fn check_depths(&mut self, simulation: &Simulation) {
        let (time, size) = (simulation.state().time, self.case.size);
        self.findings.depth = self.findings.depth.max((depth(simulation) / size).min(DEPTH));
        let now = deep_pairs(simulation, DEPTH * size);
        self.deep_pairs.retain(|pair, _| now.contains_key(pair));
        for (pair, depth) in now {
            let (since, least) = self.deep_pairs.entry(pair).or_insert((time, f64::INFINITY));
            *least = least.min(depth / size);
            if time - *since > PATIENCE {
                self.findings.depth = self.findings.depth.max(*least);
                self.findings.note("depth", *least, DEPTH, time);
            }
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

    fn compare(&mut self, simulation: &Simulation, course: &Course) {
        let time = simulation.state().time;
        let Some(error) = course.error(time, simulation) else { return };
        self.findings.motion = Some(self.findings.motion.map_or(error, |worst| worst.max(error)));
        self.findings.predictable = course.seconds();
        self.findings.note("motion", error, MOTION_PER_STEP * self.findings.step, time);
    }

    fn check_jellett(&mut self, simulation: &mut Simulation) {
        let Some(ball) = self.case.jellett else { return };
        let invariant = jellett_invariant(simulation, &ball);
        let scale = self.jellett.abs().max(0.1 * self.momentum_scale.0 * ball.radius * ball.radius);
        self.findings.note("jellett", (invariant - self.jellett).abs() / scale, JELLETT, simulation.state().time);
    }
}
