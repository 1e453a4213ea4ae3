//! Bodies on springs, joint springs and tendons that oscillate for a minute by sine and cosine.

use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec};
use burgess_geometry::{MassProperties, Pose};
use burgess_simulation::{ConstraintKind, Simulation, TendonSpec, WorldBuilder};
use glam::{DMat3, DVec3};

use crate::case::{Case, Energy, GRAVITY};
use crate::law::{Bound, Law, place};
use crate::random::Random;

/// Part of the amplitude that may be wrong at any time.
const FIXED: f64 = 1e-3;
/// Relative error of the frequency `w` at a step `h`, as a share of `(w h)^2`: that of the midpoint rule is 1/12.
const FREQUENCY: f64 = 0.1;
/// Largest share of the critical damping.
const DAMPING: f64 = 0.1;

/// Draws an oscillator.
pub fn draw(random: &mut Random) -> Result<Case> {
    let oscillator = Oscillator::draw(random);
    match random.below(5) {
        0 => ellipse(random, oscillator),
        1 => vertical(random, oscillator),
        2 => pair(random, oscillator),
        3 => joint(random, oscillator),
        _ => tendon(random, oscillator),
    }
}

/// A damped oscillation of one coordinate.
#[derive(Debug, Clone, Copy)]
struct Oscillator {
    /// Frequency without damping, in rad/s.
    frequency: f64,
    /// Damping as a share of the critical one.
    damping: f64,
}

impl Oscillator {
    fn draw(random: &mut Random) -> Self {
        let damping = if random.chance(0.7) { 0.0 } else { random.between(0.0, DAMPING) };
        Self { frequency: random.magnitude(1.0, 30.0), damping }
    }

    /// Returns the stiffness and the damping for a mass in kg.
    fn gains(self, mass: f64) -> (f64, f64) {
        (mass * self.frequency * self.frequency, 2.0 * self.damping * self.frequency * mass)
    }

    /// Returns the factors of the start and of the initial velocity at a time in s.
    fn factors(self, time: f64) -> (f64, f64) {
        let rate = self.frequency * (1.0 - self.damping * self.damping).sqrt();
        let (sin, cos) = libm::sincos(rate * time);
        let decay = libm::exp(-self.damping * self.frequency * time);
        (decay * (cos + self.damping * self.frequency / rate * sin), decay * sin / rate)
    }

    /// Creates the law that a measured quantity oscillates from a start with a velocity. Its error is a share of what the
    /// amplitude and a frequency error of second order allow.
    fn phase(
        self,
        start: DVec3,
        velocity: DVec3,
        measure: impl Fn(&Simulation) -> DVec3 + Send + Sync + 'static,
    ) -> Law {
        let amplitude = (start.length_squared() + velocity.length_squared() / (self.frequency * self.frequency)).sqrt();
        let measure = Arc::new(measure);
        Law::new("phase", Bound::fixed(1.0), move |_, step| {
            let measure = measure.clone();
            Box::new(move |simulation| {
                let time = simulation.state().time;
                let (of_start, of_velocity) = self.factors(time);
                let error = (measure(simulation) - of_start * start - of_velocity * velocity).length() / amplitude;
                let turned = self.frequency * step;
                Some(error / (FIXED + FREQUENCY * turned * turned * (1.0 + self.frequency * time)))
            })
        })
    }

    /// Returns the error of motion: the distance from the known place as a share of the distance travelled.
    fn motion(
        self,
        start: DVec3,
        velocity: DVec3,
        measure: impl Fn(&Simulation) -> DVec3 + Send + Sync + 'static,
    ) -> Law {
        let measure = Arc::new(measure);
        Law::new("motion", Bound::of_motion(), move |_, _| {
            let measure = measure.clone();
            let mut before = start;
            let amplitude = start.length() + velocity.length() / self.frequency;
            let mut way = amplitude;
            Box::new(move |simulation| {
                let (of_start, of_velocity) = self.factors(simulation.state().time);
                let now = of_start * start + of_velocity * velocity;
                way += (now - before).length();
                before = now;
                Some((measure(simulation) - now).length() / way)
            })
        })
    }

    /// Adds both laws, and the law about the energy.
    fn add(
        self,
        case: Case,
        start: DVec3,
        velocity: DVec3,
        measure: impl Fn(&Simulation) -> DVec3 + Clone + Send + Sync + 'static,
    ) -> Case {
        let energy = if self.damping == 0.0 { Energy::Conserved } else { Energy::Dissipated };
        let mut phase = self.phase(start, velocity, measure.clone());
        phase.is_motion = false;
        Case { energy, ..case }.with_law(phase).with_law(self.motion(start, velocity, measure))
    }

    fn describe(self, what: &str) -> String {
        format!("{what}, {:.1} rad/s, {:.0} % of critical damping", self.frequency, 100.0 * self.damping)
    }
}

fn ball(random: &mut Random) -> Result<MassProperties> {
    let mass = random.magnitude(0.1, 10.0);
    Ok(MassProperties::new(mass, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(0.004 * mass)))?)
}

/// A body on a spring of length zero: an ellipse about the place where it would rest. (A damper acts along the spring
/// only, so there is none.)
fn ellipse(random: &mut Random, oscillator: Oscillator) -> Result<Case> {
    let oscillator = Oscillator { damping: 0.0, ..oscillator };
    let mass = ball(random)?;
    let (stiffness, _) = oscillator.gains(mass.mass);
    let (start, velocity) = (
        random.between(0.1, 1.0) * random.direction(),
        random.between(0.0, 1.0) * oscillator.frequency * random.direction(),
    );
    let rest = DVec3::NEG_Z * (GRAVITY * mass.mass / stiffness);
    let mut builder = WorldBuilder::new();
    let body = builder.link("ball", None, JointSpec::free(), Some(mass), [])?;
    builder.set_pose(body, Pose::from_translation(rest + start)).set_velocity(body, Motion::new(DVec3::ZERO, velocity));
    let kind = ConstraintKind::Spring { length: 0.0, stiffness, damping: 0.0 };
    builder.constraint(kind, (Some(body), Pose::IDENTITY), (None, Pose::IDENTITY));
    let scale = 0.5 * stiffness * start.length_squared() + 0.5 * mass.mass * velocity.length_squared();
    let case = Case::conservative(oscillator.describe("ball on a spring of length zero"), builder, scale, 0.1)?;
    let point = (case.index(body), DVec3::ZERO);
    Ok(oscillator.add(case, start, velocity, move |simulation| place(simulation, point) - rest))
}

/// A body that hangs on a spring and moves up and down.
fn vertical(random: &mut Random, oscillator: Oscillator) -> Result<Case> {
    let mass = ball(random)?;
    let (stiffness, damping) = oscillator.gains(mass.mass);
    let length = random.between(0.5, 2.0);
    let start = DVec3::Z * (0.6 * length * random.between(0.1, 1.0));
    let rest = DVec3::NEG_Z * (length + GRAVITY * mass.mass / stiffness);
    let mut builder = WorldBuilder::new();
    let body = builder.link("ball", None, JointSpec::free(), Some(mass), [])?;
    builder.set_pose(body, Pose::from_translation(rest + start));
    let kind = ConstraintKind::Spring { length, stiffness, damping };
    builder.constraint(kind, (Some(body), Pose::IDENTITY), (None, Pose::IDENTITY));
    let scale = 0.5 * stiffness * start.length_squared();
    let case = Case::conservative(oscillator.describe("ball hangs on a spring"), builder, scale, 0.1)?;
    let point = (case.index(body), DVec3::ZERO);
    Ok(oscillator.add(case, start, DVec3::ZERO, move |simulation| place(simulation, point) - rest))
}

/// Two bodies on a spring without gravity: their distance oscillates with the reduced mass.
fn pair(random: &mut Random, oscillator: Oscillator) -> Result<Case> {
    let masses = [ball(random)?, ball(random)?];
    let reduced = masses[0].mass * masses[1].mass / (masses[0].mass + masses[1].mass);
    let (stiffness, damping) = oscillator.gains(reduced);
    let along = random.direction();
    let length = random.between(0.5, 2.0);
    let start = 0.6 * length * random.between(0.1, 1.0);
    let drift = random.between(0.0, 1.0) * random.direction();
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let mut links = Vec::new();
    for (mass, share) in masses.iter().zip([-reduced / masses[0].mass, reduced / masses[1].mass]) {
        let link = builder.link("ball", None, JointSpec::free(), Some(*mass), [])?;
        builder.set_pose(link, Pose::from_translation(share * (length + start) * along));
        builder.set_velocity(link, Motion::new(DVec3::ZERO, drift));
        links.push(link);
    }
    let kind = ConstraintKind::Spring { length, stiffness, damping };
    builder.constraint(kind, (Some(links[0]), Pose::IDENTITY), (Some(links[1]), Pose::IDENTITY));
    let scale = 0.5 * stiffness * start * start;
    let case = Case::conservative(oscillator.describe("two balls on a spring"), builder, scale, 0.1)?;
    let case = Case { floats: true, ..case };
    let points = [(case.index(links[0]), DVec3::ZERO), (case.index(links[1]), DVec3::ZERO)];
    let measure =
        move |simulation: &Simulation| place(simulation, points[1]) - place(simulation, points[0]) - length * along;
    Ok(oscillator.add(case, start * along, DVec3::ZERO, measure))
}

/// A wheel or a slide with a joint spring.
fn joint(random: &mut Random, oscillator: Oscillator) -> Result<Case> {
    let mass = ball(random)?;
    let turns = random.chance(0.5);
    let (stiffness, damping) = oscillator.gains(if turns { mass.inertia.x_axis.x } else { mass.mass });
    let rest = random.between(-1.0, 1.0);
    let properties = AxisProperties { stiffness, damping, rest, ..AxisProperties::default() };
    let axis = random.direction();
    let spec = if turns { JointSpec::revolute(axis) } else { JointSpec::prismatic(axis) };
    let (start, velocity) = (random.between(0.1, 1.0), random.between(-1.0, 1.0) * oscillator.frequency);
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let link = builder.link("link", None, spec.with(properties), Some(mass), [])?;
    builder.set_positions(link, &[rest + start]).set_joint_velocities(link, &[velocity]);
    let scale =
        0.5 * stiffness * (start * start + (velocity / oscillator.frequency) * (velocity / oscillator.frequency));
    let what = if turns { "wheel with a joint spring" } else { "slide with a joint spring" };
    let case = Case::conservative(oscillator.describe(what), builder, scale, 0.1)?;
    let measure = move |simulation: &Simulation| DVec3::X * (simulation.state().q[0] - rest);
    Ok(oscillator.add(case, DVec3::X * start, DVec3::X * velocity, measure))
}

/// Two slides on a common tendon, in one tree. Its length oscillates.
fn tendon(random: &mut Random, oscillator: Oscillator) -> Result<Case> {
    // A carriage along x that carries one along y, so that neither accelerates the other.
    let masses = [ball(random)?, ball(random)?];
    let coefficients = [random.between(0.3, 1.0), -random.between(0.3, 1.0)];
    let inertias = [masses[0].mass + masses[1].mass, masses[1].mass];
    let mobility: f64 = coefficients.iter().zip(inertias).map(|(c, inertia)| c * c / inertia).sum();
    let (stiffness, damping) = oscillator.gains(1.0 / mobility);
    let rest = random.between(-0.5, 0.5);
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let first = builder.link("carriage", None, JointSpec::prismatic(DVec3::X), Some(masses[0]), [])?;
    let second = builder.link("carriage", Some(first), JointSpec::prismatic(DVec3::Y), Some(masses[1]), [])?;
    let (q, v) =
        ([0.5, 1.0].map(|size| random.between(-size, size)), [1.0, 1.0].map(|size| random.between(-size, size)));
    builder.set_positions(first, &[q[0]]).set_positions(second, &[q[1]]);
    builder.set_joint_velocities(first, &[v[0]]).set_joint_velocities(second, &[v[1]]);
    let axes = vec![(first, 0, coefficients[0]), (second, 0, coefficients[1])];
    builder.tendon(TendonSpec { axes, stiffness, damping, rest: [rest, rest] });
    let (start, velocity) =
        (coefficients[0] * q[0] + coefficients[1] * q[1] - rest, coefficients[0] * v[0] + coefficients[1] * v[1]);
    let scale =
        0.5 * stiffness * (start * start + (velocity / oscillator.frequency) * (velocity / oscillator.frequency));
    let case = Case::conservative(oscillator.describe("two slides on a tendon"), builder, scale, 0.1)?;
    let parts = case.world.tendons()[0].clone();
    let measure = move |simulation: &Simulation| DVec3::X * (parts.length(&simulation.state().q) - rest);
    Ok(oscillator.add(case, DVec3::X * start, DVec3::X * velocity, measure))
}
