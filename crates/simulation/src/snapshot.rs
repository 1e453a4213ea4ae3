//! Everything that decides the next step, as one plain copy; and its hash.

use burgess_collision::broad_phase::Pair;
use burgess_dynamics::{Motor, State};

use crate::contact::PairRecord;
use crate::controllers::ControllerMemory;
use crate::rest::RestMemory;
use crate::stage::Stage;

/// A complete copy of a simulation's state. The broad phase is not in it: its pairs depend on the present boxes only.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// Positions, velocities, time.
    pub state: State,
    /// Steps made so far.
    pub steps: u64,
    /// What pairs of colliders remember.
    pub pairs: Vec<(Pair, PairRecord)>,
    /// What joint limits, dry friction and constraints remember.
    pub row_impulses: Vec<f64>,
    /// What controllers remember.
    pub controllers: ControllerMemory,
    /// What the motors aim at.
    pub motors: Vec<Motor>,
    /// Who has been at rest for how long.
    pub rest: RestMemory,
    /// What the modules remember, see [`crate::modules::TimeControl::memory`].
    pub modules: Vec<f64>,
}

impl Snapshot {
    pub(crate) fn take(stage: &Stage, steps: u64, modules: Vec<f64>) -> Self {
        Self {
            state: stage.state.clone(),
            steps,
            pairs: stage.pairs.iter().map(|(pair, record)| (pair, record.clone())).collect(),
            row_impulses: stage.row_impulses.clone(),
            controllers: stage.controllers.memory(),
            motors: stage.world.model().properties().iter().map(|p| p.motor).collect(),
            rest: stage.rest.memory().clone(),
            modules,
        }
    }

    pub(crate) fn put_back(&self, stage: &mut Stage) {
        stage.state.clone_from(&self.state);
        stage.pairs.restore(&self.pairs);
        stage.row_impulses.clone_from(&self.row_impulses);
        stage.controllers.set_memory(&self.controllers);
        for (properties, motor) in stage.world.model_mut().properties_mut().iter_mut().zip(&self.motors) {
            properties.motor = *motor;
        }
        stage.rest.set_memory(&self.rest);
    }
}

/// FNV-1a over the bits of numbers: the same on every machine. Zero has one sign and NaN one form.
#[derive(Debug, Clone, Copy)]
pub struct StateHash(u64);

impl Default for StateHash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl StateHash {
    /// Adds a word.
    pub fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Adds a number.
    pub fn number(&mut self, number: f64) {
        let canonical = if number.is_nan() {
            0x7ff8_0000_0000_0000
        } else if number == 0.0 {
            0
        } else {
            number.to_bits()
        };
        self.word(canonical);
    }

    /// Adds numbers.
    pub fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|&number| self.number(number));
    }

    /// The hash so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// Hash of all that decides the next step and is a number: positions, velocities, time, impulses, memories. What caches
/// remember shows in the steps that follow.
pub(crate) fn hash(stage: &Stage, modules: &[f64]) -> u64 {
    let mut hash = StateHash::default();
    hash.number(stage.state.time);
    hash.numbers(&stage.state.q);
    hash.numbers(&stage.state.v);
    let remembers =
        |record: &PairRecord| !record.impulses.is_empty() || !record.stretches.is_empty() || record.touch.is_some();
    for (pair, record) in stage.pairs.iter().filter(|(_, record)| remembers(record)) {
        hash.word(pair.a.index() as u64);
        hash.word(pair.b.index() as u64);
        for stored in &record.impulses {
            hash.word(stored.id.contact.to_bits());
            hash.numbers(&stored.impulse.to_array());
        }
        for stored in &record.stretches {
            hash.word(stored.id.contact.to_bits());
            hash.numbers(&stored.stretch.to_array());
        }
        if let Some(touch) = record.touch {
            hash.number(touch.since);
            hash.word(u64::from(touch.lasting));
        }
    }
    hash.numbers(&stage.row_impulses);
    let memory = stage.controllers.memory();
    hash.numbers(&memory.low_level);
    hash.numbers(&memory.high_level);
    memory.ticks.iter().for_each(|&tick| hash.word(tick));
    hash.numbers(&stage.rest.memory().seconds);
    hash.numbers(&stage.rest.memory().loads);
    for properties in stage.world.model().properties() {
        let (kind, numbers) = match properties.motor {
            Motor::None => (0, [0.0; 3]),
            Motor::Effort(effort) => (1, [effort, 0.0, 0.0]),
            Motor::Velocity { target, gain } => (2, [target, gain, 0.0]),
            Motor::Position { target, stiffness, damping } => (3, [target, stiffness, damping]),
        };
        if kind != 0 {
            hash.word(kind);
            hash.numbers(&numbers);
        }
    }
    hash.numbers(modules);
    hash.finish()
}
