//! Sleeping: contact groups that have been at rest for a while stand still until something changes.
//!
//! A tree is at rest in a step if its fastest part is slower than the threshold. A group falls asleep when all of its
//! trees have been at rest for long enough; then its contacts are not solved and it does not move. Groups are found
//! anew in every step, so a group wakes as soon as a tree that is awake touches or leaves it, when a scripted body that
//! it touches moves, when an impulse acts on it, and when its load changes: the velocities with which a step would end
//! without contacts are compared with those when it fell asleep.

/// When contact groups fall asleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestSettings {
    /// Speed below which a tree is at rest, in m/s and rad/s.
    pub speed: f64,
    /// Time at rest after which a group falls asleep, in s.
    pub time: f64,
}

impl Default for RestSettings {
    fn default() -> Self {
        Self { speed: 1e-3, time: 0.5 }
    }
}

/// Change of a load, relative to its largest component, above which its group wakes.
const LOAD_TOLERANCE: f64 = 1e-6;

/// Sleeping: the time that each tree has been at rest, and the load under which it rests.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rest {
    settings: Option<RestSettings>,
    memory: RestMemory,
    asleep: Vec<bool>,
}

/// The numbers that sleeping keeps from step to step; part of the state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RestMemory {
    /// Time at rest of each tree, in s.
    pub seconds: Vec<f64>,
    /// Acceleration of each degree of freedom that the load would cause without contacts, when its tree was last awake.
    pub loads: Vec<f64>,
}

impl Rest {
    /// Creates the memory for a number of trees and degrees of freedom. Without settings nothing sleeps.
    pub fn new(trees: usize, dofs: usize, settings: Option<RestSettings>) -> Self {
        let memory = RestMemory { seconds: vec![0.0; trees], loads: vec![0.0; dofs] };
        Self { settings, memory, asleep: vec![false; trees] }
    }

    /// Returns the numbers to be kept in snapshots.
    pub fn memory(&self) -> &RestMemory {
        &self.memory
    }

    pub(crate) fn set_memory(&mut self, memory: &RestMemory) {
        self.memory.clone_from(memory);
    }

    /// Returns whether sleeping is enabled.
    pub fn is_on(&self) -> bool {
        self.settings.is_some()
    }

    /// Returns whether a tree sleeps in this step.
    pub fn sleeps(&self, tree: usize) -> bool {
        self.asleep[tree]
    }

    /// Wakes a tree.
    pub fn wake(&mut self, tree: usize) {
        self.memory.seconds[tree] = 0.0;
    }

    /// Decides which groups sleep in a step: those whose trees have all been at rest for long enough. `disturbed`
    /// returns whether a tree touches something that moves.
    pub fn decide<'a>(&mut self, groups: impl Iterator<Item = &'a [u32]>, disturbed: impl Fn(u32) -> bool) {
        let Some(settings) = self.settings else { return };
        for trees in groups {
            if disturbed(trees[0]) {
                trees.iter().for_each(|&tree| self.wake(tree as usize));
            }
            let sleeps = trees.iter().all(|&tree| self.memory.seconds[tree as usize] >= settings.time);
            trees.iter().for_each(|&tree| self.asleep[tree as usize] = sleeps);
        }
    }

    /// Wakes groups whose load has changed. `velocities` are those with which the step would end without contacts,
    /// which for trees at rest is the load times the step.
    pub fn compare_loads<'a>(
        &mut self,
        groups: impl Iterator<Item = &'a [u32]>,
        dofs: impl Fn(u32) -> std::ops::Range<usize>,
        velocities: &[f64],
        step: f64,
    ) {
        if self.settings.is_none() {
            return;
        }
        let RestMemory { seconds, loads } = &mut self.memory;
        for trees in groups {
            let same = |tree: u32| {
                let (then, now) = (&loads[dofs(tree)], &velocities[dofs(tree)]);
                let largest = then.iter().fold(0.0, |largest: f64, then| largest.max(then.abs()));
                then.iter().zip(now).all(|(then, now)| (then - now / step).abs() <= LOAD_TOLERANCE * largest)
            };
            if self.asleep[trees[0] as usize] && !trees.iter().all(|&tree| same(tree)) {
                for &tree in trees {
                    self.asleep[tree as usize] = false;
                    seconds[tree as usize] = 0.0;
                }
            }
            if !self.asleep[trees[0] as usize] {
                for &tree in trees {
                    for (load, velocity) in loads[dofs(tree)].iter_mut().zip(&velocities[dofs(tree)]) {
                        *load = velocity / step;
                    }
                }
            }
        }
    }

    /// Adds a step to the time at rest of trees that were slow, and resets it for the others.
    pub fn count(&mut self, step: f64, speeds: impl Iterator<Item = f64>) {
        let Some(settings) = self.settings else { return };
        for (seconds, speed) in self.memory.seconds.iter_mut().zip(speeds) {
            *seconds = if speed < settings.speed { *seconds + step } else { 0.0 };
        }
    }
}
