//! The exact course of a world, as far as it is known.
//!
//! References with different steps run side by side; the coarser ones start with slightly different velocities. The
//! course is known for as long as they agree. The differences at the start make a chaotic motion end early: when one of
//! them has grown tenfold, every error of a step grows as much, and no method with a finite error follows the
//! exact course for much longer. (In regular motion a difference grows with the distance travelled, to which it is
//! related.) Errors of a step have all directions, but a difference in one direction may grow slowly by accident: the
//! times at which differences in several directions have grown tenfold differ by a factor of up to two. So there
//! are several, and the first that has grown ends the course.

use anyhow::Result;
use burgess_dynamics::integrators::{Integrator, Rk4};
use burgess_dynamics::joint::Joint;
use burgess_dynamics::{State, Workspace, update_kinematics};
use burgess_paradigms::Paradigm;
use burgess_simulation::{Simulation, World};
use glam::DVec3;

use super::case::{Case, GRAVITY, Reference};

/// Time between compared states, in s: a multiple of both steps of the audit.
const INTERVAL: f64 = 0.05;
/// Longest known course, in s.
const LONGEST: f64 = 10.0;
/// Step of the coarser references, in s.
const STEP: f64 = 5e-4;
/// Step of the coarser references by time stepping, in s; that of the finer one is half as long.
const FINE_STEP: f64 = 1.0 / 4000.0;
/// Number of coarser references, each with a difference in another direction.
const DIRECTIONS: usize = 3;
/// Difference of the velocities of the coarser references at the start, relative to the natural frequency or
/// to the fastest rate of rotation.
const DIFFERENCE: f64 = 1e-4;
/// The same for references by time stepping. A collision of polyhedra multiplies a difference by up to a hundred: they
/// may disagree after the second one.
const FINE_DIFFERENCE: f64 = 1e-6;
/// Distance at which the references disagree, as a share of size and distance travelled.
const DISAGREEMENT: f64 = 10.0 * DIFFERENCE;

/// Positions of points of all links at multiples of [`INTERVAL`].
#[derive(Debug, Default)]
pub struct Course {
    samples: Vec<Vec<DVec3>>,
    /// Distance of the points of a link from its centre of mass, in m.
    radius: f64,
    /// Distance that each point has travelled, plus the size of the smallest body, at each sample.
    distances: Vec<Vec<f64>>,
}

impl Course {
    /// Time for which the course is known, in s.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 * INTERVAL
    }

    /// Returns the largest distance of a point from its exact place, as a share of size and distance travelled; none at
    /// times for which that is not known.
    pub fn error(&self, time: f64, simulation: &Simulation) -> Option<f64> {
        let index = libm::round(time / INTERVAL);
        if (index * INTERVAL - time).abs() > 1e-9 || index < 1.0 {
            return None;
        }
        let (exact, distances) = (self.samples.get(index as usize - 1)?, self.distances.get(index as usize - 1)?);
        let found = points(simulation.world(), &simulation.data().workspace, self.radius);
        Some(apart(exact, &found, distances))
    }
}

/// Returns the exact course of a world for up to `seconds`; none if there is no reference.
pub fn course(case: &Case, seconds: f64) -> Result<Option<Course>> {
    if case.reference == Reference::None {
        return Ok(None);
    }
    let (step, seconds) = match case.reference {
        Reference::Fine(known) => (FINE_STEP, seconds.min(known)),
        _ => (STEP, seconds),
    };
    let coarse = |direction: usize| {
        let mut other = case.state.clone();
        change_velocities(case, &mut other, direction);
        Runner::new(case, other, step)
    };
    let mut coarse = (0..DIRECTIONS).map(coarse).collect::<Result<Vec<Runner>>>()?;
    let mut fine = Runner::new(case, case.state.clone(), 0.5 * step)?;
    let mut course = Course { radius: case.size, ..Course::default() };
    let mut before = fine.points(case.size);
    let mut distances = vec![case.size; before.len()];
    let count = libm::floor(seconds.min(LONGEST) / INTERVAL + 1e-9) as usize;
    for index in 1..=count {
        let time = index as f64 * INTERVAL;
        // A reference that fails ends the known course.
        if !(coarse.iter_mut().all(|coarse| coarse.run(time)) && fine.run(time)) {
            break;
        }
        let now = fine.points(case.size);
        for (distance, (a, b)) in distances.iter_mut().zip(now.iter().zip(&before)) {
            *distance += (*a - *b).length();
        }
        let mut agree =
            coarse.iter_mut().map(|coarse| apart(&coarse.points(case.size), &now, &distances) < DISAGREEMENT);
        if !agree.all(|agrees| agrees) {
            break;
        }
        before.clone_from(&now);
        course.samples.push(now);
        course.distances.push(distances.clone());
    }
    Ok(Some(course))
}

/// Changes the rates of rotation by a small share of the natural frequency or of the fastest rate, in 1/s. All signs are
/// equal in the first direction; they alternate singly in the second and in pairs in the third.
fn change_velocities(case: &Case, state: &mut State, direction: usize) {
    let fastest = turning_rates(case).fold((GRAVITY / case.size).sqrt(), f64::max);
    let difference = if let Reference::Fine(_) = case.reference { FINE_DIFFERENCE } else { DIFFERENCE };
    let change = difference * fastest;
    for link in case.world.model().links() {
        let turning = if link.joint == Joint::Free { 3 } else { link.dofs as usize };
        for dof in link.v..link.v + turning {
            let is_opposite = [false, dof % 2 == 1, dof % 4 >= 2][direction];
            state.v[dof] += if is_opposite { -change } else { change };
        }
    }
}

/// Returns the rates of rotation of all joints at the start, in rad/s or m/s.
fn turning_rates(case: &Case) -> impl Iterator<Item = f64> {
    let rates = |link: &burgess_dynamics::Link| {
        let turning = if link.joint == Joint::Free { 3 } else { link.dofs as usize };
        &case.state.v[link.v..link.v + turning]
    };
    case.world.model().links().iter().flat_map(rates).map(|rate| rate.abs())
}

/// Returns the largest distance of corresponding points, as a share of the distance that each has travelled. (A link that
/// spins in place travels with all points but its centre of mass. Its error of phase grows like their ways.)
fn apart(exact: &[DVec3], found: &[DVec3], distances: &[f64]) -> f64 {
    let errors = exact.iter().zip(found).zip(distances).map(|((a, b), distance)| (*a - *b).length() / distance);
    errors.fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) })
}

/// Returns three points of each link: its centre of mass, and two at a distance from it. The workspace must be at
/// the present state.
fn points(world: &World, workspace: &Workspace, radius: f64) -> Vec<DVec3> {
    let model = world.model();
    let mut points = Vec::new();
    for (index, link) in model.links().iter().enumerate() {
        for offset in [DVec3::ZERO, DVec3::X * radius, DVec3::Z * radius] {
            points.push(workspace.position(model, index, link.frame.transform_point(link.inertia.center + offset)));
        }
    }
    points
}

/// One reference.
enum Runner {
    Tree { integrator: Box<Rk4>, state: State, workspace: Box<Workspace>, world: std::sync::Arc<World>, step: f64 },
    Contacts(Box<Simulation>),
}

impl Runner {
    fn new(case: &Case, state: State, step: f64) -> Result<Self> {
        let world = case.world.clone();
        Ok(match case.reference {
            Reference::RungeKutta => {
                let (integrator, workspace) = (Rk4::new(world.model()), Workspace::new(world.model()));
                Self::Tree { integrator: Box::new(integrator), state, workspace: Box::new(workspace), world, step }
            }
            Reference::Fine(_) => Self::Contacts(Box::new(Paradigm::TimeStepping.simulate(world, state, step)?)),
            _ => Self::Contacts(Box::new(Paradigm::Analytical.simulate(world, state, step)?)),
        })
    }

    /// Runs until a time in s. Returns whether that succeeded.
    fn run(&mut self, time: f64) -> bool {
        match self {
            Self::Tree { integrator, state, workspace, world, step } => {
                let steps = libm::round((time - state.time) / *step) as usize;
                let mut scripts = &**world;
                (0..steps).all(|_| integrator.step(world.model(), state, &mut scripts, workspace, *step).is_ok())
            }
            Self::Contacts(simulation) => simulation.run(time).is_ok(),
        }
    }

    fn points(&mut self, radius: f64) -> Vec<DVec3> {
        match self {
            Self::Tree { state, workspace, world, .. } => {
                update_kinematics(world.model(), state, workspace);
                points(world, workspace, radius)
            }
            Self::Contacts(simulation) => {
                simulation.data_mut().update_kinematics();
                points(simulation.world(), &simulation.data().workspace, radius)
            }
        }
    }
}
