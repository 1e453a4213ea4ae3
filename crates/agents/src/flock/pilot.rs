//! The high-level controller of a flock: it decides how every member accelerates.
//!
//! A round of decisions takes the positions and velocities of all members, finds the pairs that are near each other, and
//! lets the members whose turn it is decide. The decisions are the memory of the flock's [`FlockFlight`].

use std::sync::{Arc, Mutex, PoisonError};

use burgess_simulation::{ControllerContext, Controllers, HighLevelController};
use glam::DVec3;

use super::nearest::Nearest;
use super::obstacles::Obstacles;
use super::steering::{pull_back, pursue};
use super::{FlockFlight, FlockSettings, Flyer, Neighbour, Steering};

/// Decides for all members of a flock, and for its predators, which are the last of its bodies.
#[derive(Debug)]
pub struct FlockPilot {
    settings: FlockSettings,
    flyers: Vec<Flyer>,
    predators: usize,
    /// Number of the low-level controller that carries out the decisions.
    flight: usize,
    scratch: Mutex<Scratch>,
}

/// Memory that is reused. Its contents do not matter.
#[derive(Debug, Default)]
struct Scratch {
    nearest: Nearest,
    obstacles: Obstacles,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    steering: Vec<Steering>,
    /// Members in an order in which neighbours follow each other, so that searches find what they need in the cache.
    order: Vec<usize>,
    /// Offset of the nearest member from each predator, in m.
    prey: Vec<Option<DVec3>>,
}

impl FlockPilot {
    /// Creates the pilot of a flock. The last `predators` flyers hunt the others, and `obstacles` are the colliders that
    /// all avoid.
    pub fn new(settings: FlockSettings, flyers: Vec<Flyer>, predators: usize, obstacles: Vec<usize>) -> Self {
        let scratch = Mutex::new(Scratch { obstacles: Obstacles::new(obstacles), ..Scratch::default() });
        Self { settings, predators: predators.min(flyers.len()), flyers, flight: 0, scratch }
    }

    /// Adds the flock to the controllers of a simulation.
    pub fn add_to(mut self, controllers: &mut Controllers) {
        self.flight = controllers.add_low_level(Arc::new(FlockFlight::new(self.flyers.clone())));
        controllers.add_high_level(Arc::new(self));
    }
}

impl HighLevelController for FlockPilot {
    fn period(&self) -> f64 {
        self.settings.period
    }

    /// The number of rounds so far.
    fn memory(&self) -> usize {
        1
    }

    fn act(&self, memory: &mut [f64], context: &mut ControllerContext) {
        let [round] = memory else { return };
        let rounds = self.settings.rounds.max(1);
        let turn = *round as usize % rounds;
        *round = ((turn + 1) % rounds) as f64;
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        scratch.observe(&self.flyers, context);
        let Scratch { nearest, obstacles, positions, velocities, steering, order, prey } = &mut *scratch;
        let members = self.flyers.len() - self.predators;
        let is_due = |index: usize| index % rounds == turn;
        nearest.sort(&positions[..members]);
        order.clear();
        order.extend(nearest.order().filter(|&own| is_due(own)));
        let blind = libm::cos(self.settings.view_angle.min(std::f64::consts::PI));
        for &own in order.iter() {
            let forward = steering[own].forward();
            let is_seen =
                |member: usize, offset: DVec3| member != own && offset.dot(forward) >= blind * offset.length();
            let (reach, count) = (self.settings.view_distance, self.settings.neighbours);
            for near in nearest.search(positions[own], reach, count, is_seen) {
                let offset = positions[near.member] - positions[own];
                steering[own].see(&self.settings, &Neighbour { offset, velocity: velocities[near.member] });
            }
        }
        prey.clear();
        for &predator in &positions[members..] {
            nearest.within(predator, self.settings.flee_distance, |member| {
                steering[member].flee(&self.settings, predator - positions[member]);
            });
            let reach = self.settings.view_distance.max(self.settings.flee_distance);
            let seen = nearest.search(predator, reach, 1, |_, _| true).first();
            prey.push(seen.map(|near| positions[near.member] - predator));
        }
        obstacles.place(context.world, context.workspace);
        for own in (0..members).filter(|&own| is_due(own)) {
            obstacles.offsets(context.world, positions[own], |offset| steering[own].evade(&self.settings, offset));
        }
        let decided = context.targets(self.flight);
        for (own, decided) in decided.chunks_exact_mut(3).enumerate().filter(|(own, _)| is_due(*own)) {
            let wanted = match own.checked_sub(members) {
                None => steering[own].acceleration(&self.settings),
                Some(predator) => pursue(&self.settings, velocities[own], prey[predator]),
            };
            decided.copy_from_slice(&(wanted + pull_back(&self.settings, positions[own])).to_array());
        }
    }
}

impl Scratch {
    /// Takes the positions and velocities of all bodies, and begins their steering.
    fn observe(&mut self, flyers: &[Flyer], context: &ControllerContext) {
        self.positions.clear();
        self.velocities.clear();
        self.steering.clear();
        for flyer in flyers {
            let (position, velocity) = flyer.motion(context.world, context.workspace);
            self.positions.push(position);
            self.velocities.push(velocity);
            self.steering.push(Steering::new(velocity, flyer.heading(context.world, context.workspace)));
        }
    }
}
