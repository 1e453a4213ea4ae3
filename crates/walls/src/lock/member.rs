//! A wall in the lock.

use std::time::Duration;

use super::{
    FIRST_FRAMES_ON_TIME, LockError, LockSettings, MAX_FRAMES_ON_TIME, Order, RELIABLE_FRAMES, WallId, WallReport,
};

/// A wall in the lock.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub id: WallId,
    pub locked: bool,
    /// The last frame that was sent, and when it was sent to the walls.
    pub prepared: Option<u64>,
    prepared_at: Duration,
    /// The last frame that the wall has drawn, and when it said so.
    pub ready: Option<u64>,
    ready_at: Duration,
    /// The last frame that it was told to show.
    pub committed: Option<u64>,
    /// The frame that it shows.
    pub shown: u64,
    /// Frames in a row for which it was on time, the last of them, and the number that it needs to be locked.
    pub on_time: u32,
    last_on_time: u64,
    needed: u32,
    /// Delays that it caused and has not paid off.
    pub debt: Duration,
    frames_in_lock: u32,
    times_late: u32,
    drawing: Duration,
    slowest: Duration,
}

impl Member {
    pub fn new(id: WallId) -> Self {
        Self {
            id,
            locked: false,
            prepared: None,
            prepared_at: Duration::ZERO,
            ready: None,
            ready_at: Duration::ZERO,
            committed: None,
            shown: 0,
            on_time: 0,
            last_on_time: 0,
            needed: FIRST_FRAMES_ON_TIME,
            debt: Duration::ZERO,
            frames_in_lock: 0,
            times_late: 0,
            drawing: Duration::ZERO,
            slowest: Duration::ZERO,
        }
    }

    pub fn report(&self) -> WallReport {
        let Self { id, locked, shown, times_late, drawing, slowest, .. } = *self;
        WallReport { wall: id, locked, shown, times_late, drawing, slowest }
    }

    /// Whether the wall has a frame that it has not drawn.
    pub fn is_drawing(&self) -> bool {
        self.prepared != self.ready
    }

    pub fn prepare(&mut self, frame: u64, at: Duration, show_at: Option<Duration>, orders: &mut Vec<Order>) {
        let key = self.prepared.is_none_or(|last| last + 1 != frame);
        (self.prepared, self.prepared_at) = (Some(frame), at);
        orders.push(Order::Prepare { wall: self.id, frame, key, show_at });
    }

    /// Records that the wall has drawn a frame. Returns the time since it was sent.
    pub fn take_ready(&mut self, frame: u64, now: Duration) -> Result<Duration, LockError> {
        if self.prepared != Some(frame) || self.ready == Some(frame) {
            let expected = self.prepared.filter(|_| self.is_drawing());
            return Err(LockError::Ready { found: frame, expected });
        }
        if let Some(committed) = self.committed.filter(|committed| *committed != self.shown) {
            return Err(LockError::NotShown { found: frame, committed });
        }
        (self.ready, self.ready_at) = (Some(frame), now);
        let time = now.saturating_sub(self.prepared_at);
        self.drew_in(time);
        Ok(time)
    }

    /// When the wall leaves the lock unless it is ready.
    pub fn deadline(&self, settings: &LockSettings) -> Duration {
        self.prepared_at + settings.period + settings.patience().saturating_sub(self.debt)
    }

    pub fn drew_in(&mut self, time: Duration) {
        self.drawing = time;
        // The maximum halves in about 70 frames.
        self.slowest = time.max(self.slowest * 99 / 100);
    }

    pub fn commit(&mut self, frame: u64, orders: &mut Vec<Order>) {
        self.committed = Some(frame);
        orders.push(Order::Commit { wall: self.id, frame, locked: self.locked });
    }

    /// Counts a frame for which a wall without lock was on time or not. It is locked after enough of them in a row.
    pub fn count_on_time(&mut self, frame: u64, is_on_time: bool, orders: &mut Vec<Order>) {
        if self.locked {
            return;
        }
        let follows = self.last_on_time + 1 == frame;
        self.on_time = match (is_on_time, follows) {
            (true, true) => self.on_time + 1,
            (true, false) => 1,
            (false, _) => 0,
        };
        if is_on_time {
            self.last_on_time = frame;
        }
        if self.on_time >= self.needed {
            (self.locked, self.frames_in_lock, self.debt) = (true, 0, Duration::ZERO);
            orders.push(Order::Locked { wall: self.id });
        }
    }

    pub fn leave_lock(&mut self, orders: &mut Vec<Order>) {
        (self.locked, self.on_time, self.debt) = (false, 0, Duration::ZERO);
        self.needed = (2 * self.needed).min(MAX_FRAMES_ON_TIME);
        self.times_late += 1;
        orders.push(Order::Late { wall: self.id });
    }

    /// Adds the delay of a committed frame to the debt, or pays some of it off.
    pub fn settle_debt(&mut self, settings: &LockSettings) {
        if !self.locked {
            return;
        }
        let used = self.ready_at.saturating_sub(self.prepared_at);
        self.debt = (self.debt + used).saturating_sub(settings.period + settings.recovery());
        self.frames_in_lock = self.frames_in_lock.saturating_add(1);
        if self.frames_in_lock >= RELIABLE_FRAMES {
            self.needed = FIRST_FRAMES_ON_TIME;
        }
    }
}
