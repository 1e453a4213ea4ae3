//! What was shown, so that it can be shown again: copies of the world at some steps, the hash of every tenth frame, and what
//! people did. Copies take memory, so there is a bound: when it is reached, every second copy goes, and from then on half as
//! many are made.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::interference::{Deed, Event};
use super::player::Kept;

/// Copies of one session take no more than about this, in bytes.
pub const MOST_BYTES: usize = 64 << 20;
/// Frames from copy to copy at first.
const FRAMES_PER_COPY: u64 = 10;
/// More events are refused.
pub const MOST_EVENTS: usize = 100_000;
/// So many hashes are kept: two days of frames.
const MOST_HASHES: usize = 1 << 20;

/// What has been done and seen, to be told to others.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// What people did, in order.
    pub events: Vec<Event>,
    /// By step: of the state, each time that a tenth frame was first reached.
    pub hashes: BTreeMap<u64, u64>,
    /// The farthest step.
    pub latest: u64,
}

/// A copy of the world at a step.
#[derive(Debug)]
struct Copy {
    step: u64,
    /// How many events had been done.
    events: usize,
    kept: Kept,
    bytes: usize,
}

/// How exact replaying was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Exactness {
    /// Hashes that were compared.
    pub checked: u64,
    /// Hashes that were not the same.
    pub differing: u64,
}

/// The past of a session.
#[derive(Debug)]
pub struct History {
    ledger: Arc<Mutex<Ledger>>,
    copies: Vec<Copy>,
    /// Frames from copy to copy.
    stride: u64,
    most_bytes: usize,
    /// How often hashes were compared.
    pub exactness: Exactness,
}

impl History {
    /// With what is known already.
    pub fn new(ledger: Arc<Mutex<Ledger>>, most_bytes: usize) -> Self {
        Self { ledger, copies: Vec::new(), stride: FRAMES_PER_COPY, most_bytes, exactness: Exactness::default() }
    }

    /// What has been done and seen.
    pub fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The farthest step.
    pub fn latest(&self) -> u64 {
        self.ledger().latest
    }

    /// A step was reached.
    pub fn reach(&mut self, step: u64) {
        let mut ledger = self.ledger();
        ledger.latest = ledger.latest.max(step);
    }

    /// Compares the hash of a step with the one that is known, or keeps it.
    pub fn check(&mut self, step: u64, hash: u64) {
        let known = {
            let mut ledger = self.ledger();
            let known = ledger.hashes.get(&step).copied();
            if known.is_none() && ledger.hashes.len() < MOST_HASHES {
                ledger.hashes.insert(step, hash);
            }
            known
        };
        if let Some(known) = known {
            self.exactness.checked += 1;
            self.exactness.differing += u64::from(known != hash);
        }
    }

    /// Is a copy wanted at this step?
    pub fn wants_copy(&self, step: u64, steps_per_frame: u64) -> bool {
        let due = step.is_multiple_of(steps_per_frame.saturating_mul(self.stride));
        due && self.copies.last().is_none_or(|last| last.step < step)
    }

    /// Keeps a copy of a step after the last one.
    pub fn keep(&mut self, step: u64, events: usize, kept: Kept) {
        let bytes = kept.bytes();
        self.copies.push(Copy { step, events, kept, bytes });
        while self.copies.iter().map(|copy| copy.bytes).sum::<usize>() > self.most_bytes && self.copies.len() > 2 {
            self.stride = self.stride.saturating_mul(2);
            // The first stays: everything else follows from it. The last one does, too: it is where things happen.
            let last = self.copies.len() - 1;
            let mut place = 0;
            self.copies.retain(|_| {
                place += 1;
                place - 1 == last || (place - 1) % 2 == 0
            });
        }
    }

    /// Where to begin in order to show a step: the last copy before it (or of the very beginning), the number of events that it is
    /// of, and the deeds that had changed the world until then.
    pub fn before(&self, step: u64) -> Option<(&Kept, usize, Vec<Deed>)> {
        let index = self.copies.partition_point(|copy| copy.step < step).saturating_sub(1);
        let copy = self.copies.get(index)?;
        let ledger = self.ledger();
        let done = ledger.events.get(..copy.events)?;
        let changes = done.iter().map(|event| &event.deed).filter(|deed| deed.changes_world()).cloned().collect();
        Some((&copy.kept, copy.events, changes))
    }

    /// The step of the last copy before a step.
    pub fn step_before(&self, step: u64) -> Option<u64> {
        let index = self.copies.partition_point(|copy| copy.step < step).saturating_sub(1);
        self.copies.get(index).map(|copy| copy.step)
    }

    /// The event with this number, if it belongs to a step.
    pub fn event_at(&self, number: usize, step: u64) -> Option<Deed> {
        self.ledger().events.get(number).filter(|event| event.step == step).map(|event| event.deed.clone())
    }

    /// How many events there are.
    pub fn events(&self) -> usize {
        self.ledger().events.len()
    }

    /// Somebody did something at a step, after `done` events: what came after is no more. Returns how many events there are.
    pub fn did(&mut self, done: usize, event: Event) -> usize {
        let step = event.step;
        let (count, replaced) = {
            let mut ledger = self.ledger();
            ledger.events.truncate(done);
            let replaced = match (ledger.events.last_mut(), &event.deed) {
                // Of many places of a hand at one step the last counts.
                (Some(Event { step: at, deed: Deed::Drag { hand, to } }), Deed::Drag { hand: own, to: new })
                    if *at == step && hand == own =>
                {
                    *to = *new;
                    true
                }
                _ => {
                    ledger.events.push(event);
                    false
                }
            };
            ledger.latest = step;
            ledger.hashes.retain(|&at, _| at < step);
            (ledger.events.len(), replaced)
        };
        let still = if replaced { done - 1 } else { done };
        self.copies.retain(|copy| copy.step < step || (copy.step == step && copy.events <= still));
        count
    }
}
