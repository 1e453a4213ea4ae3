//! Where everything is in the memory of the controller, so that a snapshot of the simulation is complete.

use std::ops::Range;

use super::plan::Plan;
use crate::crowd::{WALKER_NUMBERS, Walker};
use crate::network::INSTANCE_NUMBERS;

/// Number of numbers of a vehicle: the length of the lane up to it (m) and its speed (m/s).
pub(super) const VEHICLE_NUMBERS: usize = 2;

/// Ranges of the memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    walkers: usize,
    signals: usize,
    vehicles: usize,
    net: usize,
    /// Whether each network has an instance for every walker.
    of_walkers: Vec<bool>,
}

impl Layout {
    /// The layout of a plan.
    pub fn of(plan: &Plan) -> Self {
        Self {
            walkers: plan.bodies.len(),
            signals: plan.signals,
            vehicles: plan.vehicles.len(),
            net: plan.net.numbers(),
            of_walkers: plan.networks.iter().map(|network| network.of_walkers).collect(),
        }
    }

    /// Number of all numbers. The first one is the index of the walker that decides first.
    pub fn len(&self) -> usize {
        self.net(self.walkers).start
    }

    /// Returns whether there are no numbers, which is never so.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Number of walkers.
    pub fn walkers(&self) -> usize {
        self.walkers
    }

    /// The numbers of a walker.
    pub fn walker(&self, index: usize) -> Range<usize> {
        let start = 1 + index * WALKER_NUMBERS;
        start..start + WALKER_NUMBERS
    }

    /// Reads a walker.
    pub fn read_walker(&self, memory: &[f64], index: usize) -> Walker {
        let numbers = memory.get(self.walker(index)).and_then(|numbers| numbers.try_into().ok());
        numbers.map(Walker::from_numbers).unwrap_or_default()
    }

    /// The signals.
    pub fn signals(&self) -> Range<usize> {
        let start = self.walker(self.walkers).start;
        start..start + self.signals
    }

    /// The numbers of a vehicle.
    pub fn vehicle(&self, index: usize) -> Range<usize> {
        let start = self.signals().end + index * VEHICLE_NUMBERS;
        start..start + VEHICLE_NUMBERS
    }

    /// The numbers of an instance of a network: that of a walker, or the only one.
    pub fn instance(&self, network: usize, walker: usize) -> Range<usize> {
        let count = |of_walkers: &bool| if *of_walkers { self.walkers } else { 1 };
        let before: usize = self.of_walkers.iter().take(network).map(count).sum();
        let own = if self.of_walkers.get(network) == Some(&true) { walker } else { 0 };
        let start = self.vehicle(self.vehicles).start + (before + own) * INSTANCE_NUMBERS;
        start..start + INSTANCE_NUMBERS
    }

    /// The numbers of the net of a walker.
    pub fn net(&self, walker: usize) -> Range<usize> {
        let start = self.instance(self.of_walkers.len(), 0).start + walker * self.net;
        start..start + self.net
    }

    /// Copies the numbers of everybody and everything that two layouts have in common, by index.
    pub fn carry_over(&self, memory: &mut [f64], from: &Self, before: &[f64]) {
        let mut copy = |to: Range<usize>, from: Range<usize>| {
            if let (Some(to), Some(from)) = (memory.get_mut(to), before.get(from))
                && to.len() == from.len()
            {
                to.copy_from_slice(from);
            }
        };
        copy(0..1, 0..1);
        copy(self.signals(), from.signals());
        let walkers = self.walkers.min(from.walkers);
        for walker in 0..walkers {
            copy(self.walker(walker), from.walker(walker));
            copy(self.net(walker), from.net(walker));
        }
        for vehicle in 0..self.vehicles.min(from.vehicles) {
            copy(self.vehicle(vehicle), from.vehicle(vehicle));
        }
        for (network, of_walkers) in self.of_walkers.iter().enumerate().take(from.of_walkers.len()) {
            for walker in 0..if *of_walkers { walkers } else { 1 } {
                copy(self.instance(network, walker), from.instance(network, walker));
            }
        }
    }
}
