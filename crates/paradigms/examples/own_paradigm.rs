//! A paradigm of one's own in a page: penalty springs under a time control that takes care.
//!
//! Springs need short steps when something is fast: within one step of 1/240 s a bullet has passed a plate before any
//! spring has seen it. Short steps all the time are a waste. So here is a time control of our own, which cuts a step
//! into as many pieces as the fastest body needs, put together with the modules that the simulator has.
//!
//! Run it with `cargo run -p burgess-paradigms --example own_paradigm`.

use std::error::Error;

use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Cuboid, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::constraint_solver::{Penalty, PenaltySettings, PenaltySpring};
use burgess_paradigms::{ContinuousMotion, UpdateStrategy, force_data};
use burgess_simulation::modules::{Modules, Moved, TimeControl};
use burgess_simulation::time_control::FixedStep;
use burgess_simulation::{ColliderSpec, Failure, Lookahead, Simulation, SimulationData, WorldBuilder, WorldError};
use glam::DVec3;

/// Cuts steps so that nothing moves farther in one piece than `travel` m.
#[derive(Debug)]
struct Careful {
    travel: f64,
}

impl TimeControl for Careful {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        let fastest = data.state.v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let pieces = (fastest * step / self.travel).ceil().clamp(1.0, 1000.0);
        for _ in 0..pieces as u32 {
            let time = step / pieces;
            data.update_kinematics();
            data.detect_contacts(Lookahead { interval: time, margin: 0.0 });
            if let Moved::PenetrationAt { time } = modules.move_bodies(data, time)? {
                return Err(Failure::CannotGoBack { time });
            }
        }
        Ok(())
    }
}

/// The paradigm: a time control, a motion solver with its constraint solver, and no collision solver.
fn careful_springs(data: SimulationData, time_control: Box<dyn TimeControl>) -> Result<Simulation, WorldError> {
    let spring = PenaltySpring::Given { stiffness: 2e6, damping: 20.0 };
    let springs = Penalty::new(&data, PenaltySettings { spring, ..PenaltySettings::default() })?;
    let motion = ContinuousMotion::new(&data, Box::new(springs), UpdateStrategy::Lazy);
    let modules = Modules { motion: Box::new(motion), constraints: None, collisions: None };
    Simulation::with_modules(data, time_control, modules, 1.0 / 240.0)
}

/// A bullet of 4 cm at 100 m/s in front of a plate of 2 cm.
fn bullet_and_plate() -> Result<SimulationData, Box<dyn Error>> {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    builder.fixed(ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::new(0.01, 1.0, 1.0))?)));
    let ball = ColliderSpec::new(Shape::Sphere(Sphere::new(0.02)?));
    let bullet = builder.body("bullet", Pose::from_translation(DVec3::X * -1.0), [ball])?;
    builder.set_velocity(bullet, Motion::new(DVec3::ZERO, DVec3::X * 100.0));
    let (world, state) = builder.build()?;
    Ok(force_data(world, state)?)
}

/// Where the bullet is after 0.03 s, and how fast: under fixed steps, and under our own time control.
pub fn compare() -> Result<[(f64, f64); 2], Box<dyn Error>> {
    let time_controls: [Box<dyn TimeControl>; 2] =
        [Box::new(FixedStep::default()), Box::new(Careful { travel: 0.002 })];
    let mut results = [(0.0, 0.0); 2];
    for (result, time_control) in results.iter_mut().zip(time_controls) {
        let mut simulation = careful_springs(bullet_and_plate()?, time_control)?;
        simulation.run(0.03)?;
        *result = (simulation.state().q[0], simulation.state().v[3]);
    }
    Ok(results)
}

#[allow(dead_code, reason = "the tests run what main prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let [fixed, careful] = compare()?;
    println!("fixed steps:   the bullet is at x = {:.2} m at {:.1} m/s", fixed.0, fixed.1);
    println!("careful steps: the bullet is at x = {:.2} m at {:.1} m/s", careful.0, careful.1);
    Ok(())
}
