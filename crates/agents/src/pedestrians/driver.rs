//! The high-level controller of pedestrians and vehicles.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use burgess_dynamics::Motor;
use burgess_simulation::{ControllerContext, HighLevelController};
use glam::DVec2;

use super::layout::Layout;
use super::plan::{Lane, Plan, StopLine, WALKER_VARIABLES};
use super::traffic::{Vehicle, drive};
use super::watch::{NetInfluence, WatchScratch};
use crate::crowd::plane::wrap_angle;
use crate::crowd::{Crowd, Walker};
use crate::network::Guard;

/// Distance from its path beyond which a body counts as pushed off it, in m.
const PUSHED: f64 = 0.25;
/// Gain of the motors: they take this share of a step to reach their speed.
const RESPONSE: f64 = 0.02;
/// Time over which the first decisions are spread, in s.
const SPREAD: f64 = 0.5;

/// Drives pedestrians and vehicles.
#[derive(Debug)]
pub struct Pedestrians {
    plan: Plan,
    layout: Layout,
    /// Walkers at the start.
    start: Vec<Walker>,
    scratch: Mutex<Scratch>,
}

/// Memory that is reused. Its contents do not matter.
#[derive(Debug)]
struct Scratch {
    crowd: Crowd,
    watch: WatchScratch,
    vehicles: Vec<Vehicle>,
    objects: Vec<DVec2>,
    signals: Vec<f64>,
    stack: Vec<f64>,
    /// Lanes and stop lines that are closed.
    closed: Vec<(usize, usize)>,
}

impl Pedestrians {
    /// Creates the controller. The bodies of pedestrians and vehicles must have three axes each: slides along x and y
    /// and a hinge about z. `starts` has the positions (m) and headings (rad) of the pedestrians at the start.
    pub fn new(plan: Plan, starts: &[(DVec2, f64)]) -> Self {
        let layout = Layout::of(&plan);
        let mut crowd = Crowd::new(plan.settings, plan.floor.clone(), plan.goals.clone());
        for ((&(position, heading), &goal), &speed) in starts.iter().zip(&plan.first_goals).zip(&plan.speeds) {
            crowd.walkers.push(Walker::new(position, heading, goal, speed));
        }
        crowd.stagger(SPREAD);
        let start = crowd.walkers.clone();
        let scratch = Scratch {
            crowd,
            watch: WatchScratch::default(),
            vehicles: Vec::new(),
            objects: Vec::new(),
            signals: Vec::new(),
            stack: Vec::new(),
            closed: Vec::new(),
        };
        Self { plan, layout, start, scratch: Mutex::new(scratch) }
    }

    /// Where everything is in the memory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns whether each gate is open at a time (s), with the signals of the memory.
    pub fn gates_open(&self, memory: &[f64], time: f64) -> impl Iterator<Item = bool> {
        let signals = memory.get(self.layout.signals()).unwrap_or_default();
        let mut stack = Vec::new();
        self.plan
            .gates_open
            .iter()
            .map(move |guard| guard.as_ref().is_none_or(|guard| holds(guard, time, signals, &mut stack)))
    }
}

impl HighLevelController for Pedestrians {
    fn period(&self) -> f64 {
        self.plan.period
    }

    fn memory(&self) -> usize {
        self.layout.len()
    }

    fn initial(&self, memory: &mut [f64]) {
        memory[0] = 0.0;
        for (index, walker) in self.start.iter().enumerate() {
            memory[self.layout.walker(index)].copy_from_slice(&walker.to_numbers());
            self.plan.net.start(&mut memory[self.layout.net(index)]);
        }
        for (index, vehicle) in self.plan.vehicles.iter().enumerate() {
            memory[self.layout.vehicle(index)].copy_from_slice(&[vehicle.start, 0.0]);
        }
        for (index, network) in self.plan.networks.iter().enumerate() {
            for walker in 0..if network.of_walkers { self.start.len() } else { 1 } {
                network.start(&mut memory[self.layout.instance(index, walker)]);
            }
        }
    }

    fn act(&self, memory: &mut [f64], context: &mut ControllerContext) {
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let time = self.plan.period;
        let clock = context.state.time;
        scratch.watch.run_networks(&self.plan, &self.layout, memory, clock, time);
        scratch.observe(self, memory, context);
        let Scratch { crowd, watch, vehicles, objects, signals, stack, closed } = &mut *scratch;
        watch.run_nets(&self.plan, &self.layout, memory, objects, crowd);
        for (open, guard) in crowd.gates_open.iter_mut().zip(&self.plan.gates_open) {
            *open = guard.as_ref().is_none_or(|guard| holds(guard, clock, signals, stack));
        }
        closed.clear();
        for (lane, Lane { stops, .. }) in self.plan.lanes.iter().enumerate() {
            for (stop, StopLine { closed: guard, .. }) in stops.iter().enumerate() {
                if holds(guard, clock, signals, stack) {
                    closed.push((lane, stop));
                }
            }
        }
        let walkers = crowd.walkers.iter().filter_map(Walker::position);
        drive(vehicles, &self.plan.lanes, walkers, |lane, stop| closed.contains(&(lane, stop)), time);
        crowd.movers.clear();
        for vehicle in &*vehicles {
            crowd.movers.extend(vehicle.movers(&self.plan.lanes[vehicle.plan.lane]));
        }
        let others = RefCell::new(std::mem::take(&mut watch.others));
        let influence = NetInfluence { plan: &self.plan, layout: &self.layout, memory, objects, others };
        crowd.step(time, &influence);
        watch.others = influence.others.into_inner();

        memory[0] = crowd.cursor as f64;
        for (index, walker) in crowd.walkers.iter().enumerate() {
            memory[self.layout.walker(index)].copy_from_slice(&walker.to_numbers());
            follow(context, self.plan.bodies[index], walker.gait.root(), walker.gait.heading(), time);
        }
        for (index, vehicle) in vehicles.iter().enumerate() {
            memory[self.layout.vehicle(index)].copy_from_slice(&[vehicle.at, vehicle.speed]);
            let (place, heading) = self.plan.lanes[vehicle.plan.lane].pose(vehicle.at);
            follow(context, vehicle.plan.body, place, heading, time);
        }
    }
}

impl Scratch {
    /// Takes the state of walkers and vehicles from the memory, and the places of bodies from the world.
    fn observe(&mut self, own: &Pedestrians, memory: &[f64], context: &ControllerContext) {
        let Pedestrians { plan, layout, .. } = own;
        let links = context.world.model().links();
        self.crowd.cursor = memory[0] as usize;
        for (index, walker) in self.crowd.walkers.iter_mut().enumerate() {
            *walker = layout.read_walker(memory, index);
            let q = links[plan.bodies[index]].q;
            let place = DVec2::new(context.state.q[q], context.state.q[q + 1]);
            if place.distance(walker.gait.root()) > PUSHED {
                let Walker { goal, speed, .. } = *walker;
                *walker = Walker::new(place, context.state.q[q + 2], goal, speed);
            }
        }
        self.vehicles.clear();
        for (index, &vehicle) in plan.vehicles.iter().enumerate() {
            let numbers = &memory[layout.vehicle(index)];
            self.vehicles.push(Vehicle { plan: vehicle, at: numbers[0], speed: numbers[1] });
        }
        self.objects.clear();
        let place = |&link: &usize| context.workspace.pose(context.world.model(), link).translation.truncate();
        self.objects.extend(plan.objects.iter().map(place));
        self.signals.clear();
        self.signals.extend_from_slice(&memory[layout.signals()]);
    }
}

/// Returns whether a formula over the time (s) and the signals is not zero.
fn holds(guard: &Guard, clock: f64, signals: &[f64], stack: &mut Vec<f64>) -> bool {
    let signal = |variable: usize| Some(*signals.get(variable.checked_sub(WALKER_VARIABLES.len())?)?);
    let value = |variable: usize| if variable == 1 { clock } else { signal(variable).unwrap_or(0.0) };
    guard.evaluate(value, stack) != 0.0
}

/// Sets the motors of a body so that it is at a place (m) with a heading (rad) after a time (s).
fn follow(context: &mut ControllerContext, link: usize, place: DVec2, heading: f64, time: f64) {
    let model = context.world.model();
    let (q, v) = (model.links()[link].q, model.links()[link].v);
    let inertia = model.links()[link].inertia;
    let present = &context.state.q[q..q + 3];
    let speeds = [place.x - present[0], place.y - present[1], wrap_angle(heading - present[2])].map(|way| way / time);
    let turning = inertia.about_point.diagonal.z.max(1e-3);
    let gains = [inertia.mass, inertia.mass, turning].map(|inertia| inertia / (RESPONSE * time));
    for axis in 0..3 {
        context.set_motor(v + axis, Motor::Velocity { target: speeds[axis], gain: gains[axis] });
    }
}
