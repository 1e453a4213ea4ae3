//! Sleeping: contact groups that have been at rest for a while stand still until something touches them.
//!
//! A tree is at rest in a step if its fastest part is slower than the threshold. A group falls asleep when all of its trees
//! have been at rest for long enough; then their velocities are zero and neither forces nor contacts are computed for
//! them. It wakes as soon as it is in one group with a tree that is awake, when a scripted body that it touches moves, when
//! something changes its motors or pushes it, or when a support goes: groups are found anew in every step.

/// When to fall asleep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestSettings {
    /// Slower than this is rest, in m/s and rad/s.
    pub speed: f64,
    /// For so long, in s.
    pub time: f64,
}

impl Default for RestSettings {
    fn default() -> Self {
        Self { speed: 1e-3, time: 0.5 }
    }
}

/// For how long each tree has been at rest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rest {
    settings: Option<RestSettings>,
    counters: Vec<u32>,
    asleep: Vec<bool>,
}

impl Rest {
    /// For so many trees; without settings nobody sleeps.
    pub fn new(trees: usize, settings: Option<RestSettings>) -> Self {
        Self { settings, counters: vec![0; trees], asleep: vec![false; trees] }
    }

    /// By tree: steps at rest.
    pub fn counters(&self) -> &[u32] {
        &self.counters
    }

    pub(crate) fn set_counters(&mut self, counters: &[u32]) {
        self.counters.copy_from_slice(counters);
    }

    /// Can anybody sleep?
    pub fn is_on(&self) -> bool {
        self.settings.is_some()
    }

    /// Does a tree sleep in this step?
    pub fn sleeps(&self, tree: usize) -> bool {
        self.asleep[tree]
    }

    /// Wakes a tree.
    pub fn wake(&mut self, tree: usize) {
        self.counters[tree] = 0;
    }

    /// Decides who sleeps in a step: a group whose trees have all been at rest for long enough. `disturbed` names trees
    /// that something moving touches.
    pub fn decide<'a>(&mut self, step: f64, groups: impl Iterator<Item = &'a [u32]>, disturbed: impl Fn(u32) -> bool) {
        let Some(settings) = self.settings else { return };
        let enough = (settings.time / step) as u32;
        for trees in groups {
            if trees.iter().any(|&tree| disturbed(tree)) {
                trees.iter().for_each(|&tree| self.counters[tree as usize] = 0);
            }
            let sleeps = trees.iter().all(|&tree| self.counters[tree as usize] >= enough);
            trees.iter().for_each(|&tree| self.asleep[tree as usize] = sleeps);
        }
    }

    /// After a step: counts the trees that were slow.
    pub fn count(&mut self, speeds: impl Iterator<Item = f64>) {
        let Some(settings) = self.settings else { return };
        for (counter, speed) in self.counters.iter_mut().zip(speeds) {
            *counter = if speed < settings.speed { counter.saturating_add(1) } else { 0 };
        }
    }
}
