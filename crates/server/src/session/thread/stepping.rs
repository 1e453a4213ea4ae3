//! Stepping of a session: forward by steps, backward by restoring a snapshot, at the pace of the clock or as fast as
//! possible. If a step fails, the session ends there; earlier steps can still be shown.

use std::time::{Duration, Instant};

use super::{PERIOD, SessionThread};
use crate::session::command::MAX_STEP;
use crate::session::player::{FRAMES_PER_HASH, FRAMES_PER_SECOND};

/// Maximum time for the steps of one frame.
const MAX_FRAME_TIME: Duration = Duration::from_millis(30);
/// Averaging time of the real-time factor, in s.
const FACTOR_AVERAGE: f64 = 0.5;

impl SessionThread {
    /// Makes one step, and repeats the edits made there.
    pub(super) fn step(&mut self) -> Result<(), ()> {
        let next = self.player.steps() + 1;
        if next > MAX_STEP || self.ended.as_ref().is_some_and(|(_, step)| next >= *step) {
            return Err(());
        }
        let made = self.player.advance();
        if made.is_ok() {
            self.observe();
        }
        if let Err(why) = made.and_then(|()| self.arrive()) {
            self.fail(why, next);
            return Err(());
        }
        Ok(())
    }

    /// Repeats the edits of the current step, compares its hash, and makes a snapshot if one is due.
    pub(super) fn arrive(&mut self) -> Result<(), String> {
        let step = self.player.steps();
        while let Some(edit) = self.history.edit_at(self.done, step) {
            let repeated = self.player.apply(&edit);
            repeated.map_err(|why| format!("an edit at step {step} cannot be repeated: {why}"))?;
            self.done += 1;
            if edit.changes_world() {
                if self.epochs.len() < self.done {
                    self.epochs.resize(self.done - 1, self.epoch);
                    self.epochs.push(self.next_epoch);
                    self.next_epoch += 1;
                }
                self.epoch = self.epochs[self.done - 1];
            } else if self.epochs.len() < self.done {
                self.epochs.resize(self.done, self.epoch);
            }
        }
        self.check_hash();
        self.history.reach(step);
        if self.history.wants_snapshot(step, self.player.steps_per_frame()) {
            let state = self.player.save();
            self.history.keep(step, self.done, state);
        }
        Ok(())
    }

    pub(super) fn has_hash(&self) -> bool {
        let frame = self.player.steps_per_frame();
        self.player.steps().is_multiple_of(frame.saturating_mul(FRAMES_PER_HASH))
    }

    pub(super) fn check_hash(&mut self) {
        if self.has_hash() {
            self.history.check(self.player.steps(), self.player.state_hash());
        }
    }

    /// The reason why the session cannot advance from the current step.
    pub(super) fn ending(&self) -> Option<&str> {
        let here = self.player.steps() + 1;
        self.ended.as_ref().filter(|(_, step)| here >= *step).map(|(why, _)| why.as_str())
    }

    /// Records a failed step, and returns to the step before it.
    pub(super) fn fail(&mut self, why: String, step: u64) {
        self.marks.fault(step - 1, &why);
        self.ended = Some((why, step));
        (self.playing, self.goal) = (false, None);
        self.dirty = true;
        self.go_back(step);
        self.arrive_after_return();
        while self.player.steps() + 1 < step && self.step().is_ok() {}
    }

    /// Restores the last snapshot before a step.
    pub(super) fn go_back(&mut self, step: u64) {
        let Some((state, events, changes)) = self.history.before(step) else { return };
        match self.player.restore_state(state, &changes) {
            Ok(()) => {
                self.done = events;
                let last = events.checked_sub(1).and_then(|last| self.epochs.get(last).copied());
                self.epoch = last.unwrap_or(self.first_epoch);
            }
            Err(why) => self.ended = Some((why, self.player.steps() + 1)),
        }
    }

    /// Steps towards the goal for about the time of one frame.
    pub(super) fn seek(&mut self) {
        let Some(goal) = self.goal else { return };
        let start = Instant::now();
        let here = self.player.steps();
        match self.player.jump(goal) {
            Ok(true) => {
                self.check_hash();
                return self.end_seeking();
            }
            Ok(false) => {}
            Err(why) => {
                self.ended = Some((why, goal));
                return self.end_seeking();
            }
        }
        let nearest = self.history.step_before(goal).unwrap_or(0);
        // Restore a snapshot to go backward, or if one is nearer to the goal.
        if goal < here || nearest > here {
            self.go_back(goal);
            self.arrive_after_return();
        }
        while self.player.steps() < goal {
            if self.step().is_err() {
                self.goal = None;
                return;
            }
            if start.elapsed() >= PERIOD {
                break;
            }
        }
        if self.player.steps() >= goal {
            self.end_seeking();
        }
        self.dirty = true;
    }

    pub(super) fn end_seeking(&mut self) {
        (self.goal, self.debt, self.dirty) = (None, 0.0, true);
    }

    /// Repeats edits that were made after the snapshot, at its step.
    pub(super) fn arrive_after_return(&mut self) {
        let step = self.player.steps();
        if let Err(why) = self.arrive() {
            self.ended = Some((why, step + 1));
        }
    }

    /// Makes the steps of a frame.
    pub(super) fn play(&mut self) {
        let start = Instant::now();
        let elapsed = start.duration_since(self.last_frame).as_secs_f64();
        self.last_frame = start;
        let before = self.player.time();
        let (length, frame) = (self.player.step_length(), self.player.steps_per_frame());
        self.debt += self.speed / (FRAMES_PER_SECOND * length);
        let mut due = (self.debt + 1e-9).floor() as u64;
        if self.speed >= 1.0 {
            // Whole frames, so that every tenth one has a hash.
            let end = self.player.steps() + due;
            due = (end - end % frame).saturating_sub(self.player.steps());
        }
        let mut made = 0;
        while made < due {
            if self.step().is_err() {
                self.playing = false;
                break;
            }
            made += 1;
            if start.elapsed() >= MAX_FRAME_TIME {
                break;
            }
        }
        // Steps that could not be made in time are dropped.
        self.debt = if made < due { 0.0 } else { self.debt - made as f64 };
        if self.player.last().is_some_and(|last| self.player.steps() >= last) {
            self.playing = false;
        }
        let share = (elapsed / FACTOR_AVERAGE).min(1.0);
        let factor = (self.player.time() - before) / elapsed.max(PERIOD.as_secs_f64() * 0.5);
        self.factor += share * (factor - self.factor);
        self.dirty |= made > 0 || !self.playing;
    }
}
