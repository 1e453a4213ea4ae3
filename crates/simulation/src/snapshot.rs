//! A copy of everything that determines the next step, and its hash.

use burgess_collision::broad_phase::Pair;
use burgess_collision::contact_determination::PartContactId;
use burgess_dynamics::{Motor, State};
use thiserror::Error;

use crate::contact::PairRecord;
use crate::controllers::ControllerMemory;
use crate::events::Event;
use crate::rest::RestMemory;
use crate::simulation_data::SimulationData;

/// A complete copy of a simulation's state. The broad phase is not in it: its pairs depend on the present boxes only.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// Positions, velocities, motors, time.
    pub state: State,
    /// Number of steps made so far.
    pub steps: u64,
    /// Moment from which time is counted in steps.
    pub start: Start,
    /// Data of pairs of colliders.
    pub pairs: Vec<(Pair, PairRecord)>,
    /// Time of the last impulse of each collider, in s.
    pub pressed_at: Vec<f64>,
    /// Impulses of joint limits, dry friction and constraints.
    pub row_impulses: Vec<f64>,
    /// Velocities of joint limits and constraints in the last step.
    pub row_velocities: Vec<f64>,
    /// Rates of joint limits and constraints in the last step.
    pub row_rests: Vec<[f64; 2]>,
    /// Length of the last part of a step in which contacts held, in s.
    pub last_part: f64,
    /// Time since contacts and rows remembered their velocities, in s.
    pub memory_age: f64,
    /// Memory of controllers.
    pub controllers: ControllerMemory,
    /// Inputs that are set from outside.
    pub controls: Vec<f64>,
    /// Memory of sleeping.
    pub rest: RestMemory,
    /// Events that have not happened yet. They are not part of the state hash.
    pub events: Vec<Event>,
    /// Memory of the modules.
    pub modules: ModuleMemory,
}

/// The moment from which time is counted in steps of one length: zero, unless the simulation continues another one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Start {
    /// Number of steps made until then.
    pub steps: u64,
    /// Time, in s.
    pub time: f64,
}

/// The numbers that modules keep from step to step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModuleMemory {
    /// See [`crate::modules::TimeControl::memory`].
    pub time_control: Vec<f64>,
    /// See [`crate::modules::CollisionSolver::memory`]; empty without one.
    pub collisions: Vec<f64>,
}

/// Why a snapshot was refused: it is of another world, of other modules or controllers, or has been damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SnapshotError {
    /// The number of something differs from that of the simulation.
    #[error("the snapshot has {found} {what}, the simulation {expected}; it was taken of another one")]
    Length {
        /// The quantity.
        what: &'static str,
        /// Number in the simulation.
        expected: usize,
        /// Number in the snapshot.
        found: usize,
    },
    /// A pair names an unknown collider.
    #[error("the snapshot has a pair with collider {collider}, the simulation {colliders} colliders")]
    Collider {
        /// Index of the collider.
        collider: usize,
        /// Number of colliders in the simulation.
        colliders: usize,
    },
}

impl Snapshot {
    pub(crate) fn take(
        data: &SimulationData,
        (steps, start): (u64, Start),
        events: &[Event],
        modules: ModuleMemory,
    ) -> Self {
        Self {
            state: data.state.clone(),
            steps,
            start,
            pairs: data.pairs.iter().map(|(pair, record)| (pair, record.clone())).collect(),
            pressed_at: data.pressed_at.clone(),
            row_impulses: data.row_impulses.clone(),
            row_velocities: data.row_velocities.clone(),
            row_rests: data.row_rests.clone(),
            last_part: data.last_part,
            memory_age: data.memory_age,
            controllers: data.controllers.memory(),
            controls: data.controls.clone(),
            rest: data.rest.memory().clone(),
            events: events.to_vec(),
            modules,
        }
    }

    /// Refuses a snapshot that does not fit the data and the modules.
    pub(crate) fn check(&self, data: &SimulationData, modules: &ModuleMemory) -> Result<(), SnapshotError> {
        let controllers = data.controllers.memory();
        let rest = data.rest.memory();
        let lengths = [
            ("positions", data.state.q.len(), self.state.q.len()),
            ("velocities", data.state.v.len(), self.state.v.len()),
            ("colliders", data.pressed_at.len(), self.pressed_at.len()),
            ("impulses of rows", data.row_impulses.len(), self.row_impulses.len()),
            ("velocities of rows", data.row_velocities.len(), self.row_velocities.len()),
            ("rests of rows", data.row_rests.len(), self.row_rests.len()),
            ("controls", data.controls.len(), self.controls.len()),
            ("motors", data.state.motors.len(), self.state.motors.len()),
            ("trees that may rest", rest.seconds.len(), self.rest.seconds.len()),
            ("loads of trees at rest", rest.loads.len(), self.rest.loads.len()),
            ("memories of low-level controllers", controllers.low_level.len(), self.controllers.low_level.len()),
            ("memories of high-level controllers", controllers.high_level.len(), self.controllers.high_level.len()),
            ("timers", controllers.ticks.len(), self.controllers.ticks.len()),
            ("memories of the time control", modules.time_control.len(), self.modules.time_control.len()),
            ("memories of the collision solver", modules.collisions.len(), self.modules.collisions.len()),
        ];
        if let Some(&(what, expected, found)) = lengths.iter().find(|(_, expected, found)| expected != found) {
            return Err(SnapshotError::Length { what, expected, found });
        }
        let colliders = data.world.colliders().len();
        let named = self.pairs.iter().flat_map(|(pair, _)| [pair.a.index(), pair.b.index()]);
        match named.into_iter().find(|&collider| collider >= colliders) {
            Some(collider) => Err(SnapshotError::Collider { collider, colliders }),
            None => Ok(()),
        }
    }

    /// Restores the data. The snapshot must have been checked.
    pub(crate) fn put_back(&self, data: &mut SimulationData) {
        data.state.clone_from(&self.state);
        data.pairs.restore(&self.pairs);
        data.pressed_at.clone_from(&self.pressed_at);
        data.row_impulses.clone_from(&self.row_impulses);
        data.row_velocities.clone_from(&self.row_velocities);
        data.row_rests.clone_from(&self.row_rests);
        data.last_part = self.last_part;
        data.memory_age = self.memory_age;
        data.controllers.set_memory(&self.controllers);
        data.controls.clone_from(&self.controls);
        data.rest.set_memory(&self.rest);
    }
}

/// Continuing from a simulation of another world.
impl Snapshot {
    /// Copies lists by body or degree of freedom as far as both reach, and others only if they have the same length.
    pub(crate) fn put_where_it_fits(&self, data: &mut SimulationData) {
        copy_front(&mut data.state.q, &self.state.q);
        copy_front(&mut data.state.v, &self.state.v);
        for (own, from) in data.state.past_accelerations_mut().zip(self.state.past_accelerations()) {
            copy_front(own, from);
        }
        data.state.time = self.state.time;
        let colliders = data.world.colliders().len();
        let is_there = |pair: &Pair| pair.a.index() < colliders && pair.b.index() < colliders;
        let pairs: Vec<_> = self.pairs.iter().filter(|(pair, _)| is_there(pair)).cloned().collect();
        data.pairs.restore(&pairs);
        copy_front(&mut data.pressed_at, &self.pressed_at);
        copy_rows(&mut data.row_impulses, &self.row_impulses, (data.state.v.len(), self.state.v.len()));
        copy_rows(&mut data.row_velocities, &self.row_velocities, (data.state.v.len(), self.state.v.len()));
        copy_rows(&mut data.row_rests, &self.row_rests, (data.state.v.len(), self.state.v.len()));
        data.last_part = self.last_part;
        data.memory_age = self.memory_age;
        data.controllers.set_memory(&self.controllers);
        if data.controls.len() == self.controls.len() {
            data.controls.clone_from(&self.controls);
        }
        data.state.motors.iter_mut().zip(&self.state.motors).for_each(|(own, from)| *own = *from);
        let mut rest = data.rest.memory().clone();
        copy_front(&mut rest.seconds, &self.rest.seconds);
        copy_front(&mut rest.loads, &self.rest.loads);
        data.rest.set_memory(&rest);
    }
}

/// Copies numbers of rows: two for each degree of freedom (limits, dry friction), then those of constraints and tendons.
fn copy_rows<T: Copy>(own: &mut [T], from: &[T], (here, there): (usize, usize)) {
    if own.len() < 2 * here || from.len() < 2 * there || own.len() - 2 * here != from.len() - 2 * there {
        return;
    }
    copy_front(&mut own[..here], &from[..there]);
    copy_front(&mut own[here..2 * here], &from[there..2 * there]);
    own[2 * here..].copy_from_slice(&from[2 * there..]);
}

fn copy_front<T: Copy>(to: &mut [T], from: &[T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
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

    /// Adds the whole name of a contact.
    fn contact(&mut self, id: PartContactId) {
        self.word(u64::from(id.part_a) << 32 | u64::from(id.part_b));
        self.word(id.contact.to_bits());
    }

    /// The hash so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// Hash of the numbers that determine the next step: positions, velocities, time, impulses, memories. Differences in
/// caches show in the steps that follow.
pub(crate) fn hash(data: &SimulationData, modules: &ModuleMemory) -> u64 {
    let mut hash = StateHash::default();
    hash.number(data.state.time);
    hash.numbers(&data.state.q);
    hash.numbers(&data.state.v);
    data.state.past_accelerations().for_each(|accelerations| hash.numbers(accelerations));
    let remembers =
        |record: &PairRecord| !record.impulses.is_empty() || !record.stretches.is_empty() || record.touch.is_some();
    for (pair, record) in data.pairs.iter().filter(|(_, record)| remembers(record)) {
        hash.word(pair.a.index() as u64);
        hash.word(pair.b.index() as u64);
        for stored in &record.impulses {
            hash.contact(stored.id);
            hash.numbers(&stored.impulse.to_array());
            hash.numbers(&stored.velocity.to_array());
            stored.rests.iter().for_each(|rest| hash.numbers(&rest.to_array()));
        }
        for stored in &record.stretches {
            hash.contact(stored.id);
            hash.numbers(&stored.stretch.to_array());
        }
        if let Some(touch) = record.touch {
            hash.number(touch.since);
            hash.word(u64::from(touch.lasting));
        }
    }
    hash.numbers(&data.pressed_at);
    hash.numbers(&data.row_impulses);
    hash.numbers(&data.row_velocities);
    data.row_rests.iter().for_each(|rests| hash.numbers(rests));
    hash.number(data.last_part);
    hash.number(data.memory_age);
    let memory = data.controllers.memory();
    hash.numbers(&memory.low_level);
    hash.numbers(&memory.high_level);
    memory.ticks.iter().for_each(|&tick| hash.word(tick));
    hash.numbers(&data.controls);
    hash.numbers(&data.rest.memory().seconds);
    hash.numbers(&data.rest.memory().loads);
    for motor in &data.state.motors {
        let (kind, numbers) = match *motor {
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
    hash.numbers(&modules.time_control);
    hash.numbers(&modules.collisions);
    hash.finish()
}
