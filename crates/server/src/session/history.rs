//! The history of a session, which makes earlier steps available: snapshots of some steps, the hash of every tenth
//! frame, and all edits. The memory for snapshots is bounded: when the bound is reached, every second snapshot is
//! dropped, and from then on half as many are made.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::edit::{Edit, RecordedEdit};
use super::player::SavedState;

/// Approximate maximum memory for the snapshots of a session, in bytes.
pub const MAX_HISTORY_BYTES: usize = 64 << 20;
/// Initial number of frames between snapshots.
const FRAMES_PER_SNAPSHOT: u64 = 10;
/// Maximum number of edits.
pub const MAX_EDITS: usize = 100_000;
/// Maximum number of hashes: two days of frames.
const MAX_HASHES: usize = 1 << 20;

/// The edits and state hashes of a session.
#[derive(Debug, Clone, Default)]
pub struct EditLog {
    /// All edits, in order.
    pub edits: Vec<RecordedEdit>,
    /// State hashes of every tenth frame, by step.
    pub hashes: BTreeMap<u64, u64>,
    /// The latest step that was reached.
    pub latest: u64,
}

/// A snapshot of the world at a step.
#[derive(Debug)]
struct Snapshot {
    step: u64,
    /// Number of edits made before.
    events: usize,
    state: SavedState,
    bytes: usize,
}

/// Result of comparing state hashes during replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exactness {
    /// Number of hashes that were compared.
    pub checked: u64,
    /// Number of hashes that differed.
    pub differing: u64,
}

/// The history of a session.
#[derive(Debug)]
pub struct History {
    log: Arc<Mutex<EditLog>>,
    snapshots: Vec<Snapshot>,
    /// Number of frames between snapshots.
    stride: u64,
    max_bytes: usize,
    /// Result of comparing hashes.
    pub exactness: Exactness,
}

impl History {
    /// Creates a history with the edits and hashes that are known already.
    pub fn new(log: Arc<Mutex<EditLog>>, max_bytes: usize) -> Self {
        Self { log, snapshots: Vec::new(), stride: FRAMES_PER_SNAPSHOT, max_bytes, exactness: Exactness::default() }
    }

    /// Discards everything, for another world.
    pub fn clear(&mut self) {
        *self.log() = EditLog::default();
        *self = Self::new(self.log.clone(), self.max_bytes);
    }

    /// The edits and hashes.
    pub fn log(&self) -> MutexGuard<'_, EditLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest step that was reached.
    pub fn latest(&self) -> u64 {
        self.log().latest
    }

    /// Records that a step was reached.
    pub fn reach(&mut self, step: u64) {
        let mut log = self.log();
        log.latest = log.latest.max(step);
    }

    /// Compares the hash of a step with the known one, or stores it.
    pub fn check(&mut self, step: u64, hash: u64) {
        let known = {
            let mut log = self.log();
            let known = log.hashes.get(&step).copied();
            if known.is_none() && log.hashes.len() < MAX_HASHES {
                log.hashes.insert(step, hash);
            }
            known
        };
        if let Some(known) = known {
            self.exactness.checked += 1;
            self.exactness.differing += u64::from(known != hash);
        }
    }

    /// Whether a snapshot is due at a step.
    pub fn wants_snapshot(&self, step: u64, steps_per_frame: u64) -> bool {
        let due = step.is_multiple_of(steps_per_frame.saturating_mul(self.stride));
        due && self.snapshots.last().is_none_or(|last| last.step < step)
    }

    /// Adds a snapshot of a step after the last one.
    pub fn keep(&mut self, step: u64, events: usize, state: SavedState) {
        let bytes = state.bytes();
        self.snapshots.push(Snapshot { step, events, state, bytes });
        while self.snapshots.iter().map(|snapshot| snapshot.bytes).sum::<usize>() > self.max_bytes
            && self.snapshots.len() > 2
        {
            self.stride = self.stride.saturating_mul(2);
            // The first snapshot is kept, because all steps can be computed from it, and the last one, because it is
            // used next.
            let last = self.snapshots.len() - 1;
            let mut index = 0;
            self.snapshots.retain(|_| {
                index += 1;
                index - 1 == last || (index - 1) % 2 == 0
            });
        }
    }

    /// The last snapshot before a step (or the first one), the number of edits made before it, and those of them that
    /// changed the world.
    pub fn before(&self, step: u64) -> Option<(&SavedState, usize, Vec<Edit>)> {
        let index = self.snapshots.partition_point(|snapshot| snapshot.step < step).saturating_sub(1);
        let snapshot = self.snapshots.get(index)?;
        let log = self.log();
        let done = log.edits.get(..snapshot.events)?;
        let changes = done.iter().map(|recorded| &recorded.edit).filter(|edit| edit.changes_world()).cloned().collect();
        Some((&snapshot.state, snapshot.events, changes))
    }

    /// The step of the last snapshot before a step.
    pub fn step_before(&self, step: u64) -> Option<u64> {
        let index = self.snapshots.partition_point(|snapshot| snapshot.step < step).saturating_sub(1);
        self.snapshots.get(index).map(|snapshot| snapshot.step)
    }

    /// The edit with this number, if it was made at a step.
    pub fn edit_at(&self, number: usize, step: u64) -> Option<Edit> {
        self.log().edits.get(number).filter(|recorded| recorded.step == step).map(|recorded| recorded.edit.clone())
    }

    /// Number of edits.
    pub fn edits(&self) -> usize {
        self.log().edits.len()
    }

    /// Records an edit after `done` other ones, and discards everything after its step. Returns the number of edits.
    pub fn record_edit(&mut self, done: usize, recorded: RecordedEdit) -> usize {
        let step = recorded.step;
        let (count, replaced) = {
            let mut log = self.log();
            log.edits.truncate(done);
            // If a viewer drags several times at one step, only the last target counts.
            let replaced = match log.edits.last_mut() {
                Some(last) if last.step == step && recorded.edit.replaces(&last.edit) => {
                    last.edit = recorded.edit;
                    true
                }
                _ => {
                    log.edits.push(recorded);
                    false
                }
            };
            log.latest = step;
            log.hashes.retain(|&at, _| at < step);
            (log.edits.len(), replaced)
        };
        let still = if replaced { done - 1 } else { done };
        self.snapshots.retain(|snapshot| snapshot.step < step || (snapshot.step == step && snapshot.events <= still));
        count
    }
}
