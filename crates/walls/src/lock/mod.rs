//! The frame lock: all walls show the same frame, and no wall waits long for another. This is a state machine without
//! clock and sockets: events and their times go in, orders to walls come out.
//!
//! With [`LockMode::Commit`], a frame has two phases:
//!
//! ```text
//!   server           prepare n ────────────────> commit n, prepare n+1 ───────────> ...
//!   each wall            draw n off screen, ready n ──┘       show n in the next animation frame, shown n, draw n+1 ...
//! ```
//!
//! A frame is committed one period after the frame before, if all locked walls are ready. A wall is ready for a frame
//! only after it has shown the frame before. Two consequences: no wall shows a frame before all locked walls have drawn
//! it, and the frames that locked walls show differ by at most one.
//!
//! A wall has one period to show the frame before and to draw. It leaves the lock if it is not ready almost one period
//! after that: then nobody waits for it. Delays are added up and paid off slowly, so that a wall that is always a little
//! late leaves, too. A wall that has left receives key frames at its own pace, and is locked again when it has been on
//! time several times in a row.
//!
//! If the period is that of the walls' screens, a wall is ready about one period after the last commit, because it waits
//! for its screen to show the frame before. Commits then follow the screen that refreshes last.
//!
//! With [`LockMode::Timed`] there is one phase: the server says when, by its clock, a frame is to be shown. Nothing
//! guarantees that all walls are ready by then; walls that are not are marked late.
//!
//! This is a lock of frames, not of screens: browsers have no swap barrier, so walls change their pictures at the same
//! refresh of their screens or at neighbouring ones.

mod member;
mod timed;

use std::time::Duration;

use thiserror::Error;

use member::Member;

/// Number of a wall's connection.
pub type WallId = u32;

/// Number of frames in a row for which a new wall must be on time before it is locked.
const FIRST_FRAMES_ON_TIME: u32 = 3;
/// The number doubles each time a wall leaves the lock, up to this.
const MAX_FRAMES_ON_TIME: u32 = 192;
/// Number of frames after which a locked wall counts as reliable again.
const RELIABLE_FRAMES: u32 = 300;

/// How walls agree on the frame that they show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LockMode {
    /// A frame is shown when all locked walls have drawn it.
    #[default]
    Commit,
    /// A frame is shown at a time of the server's clock.
    Timed,
}

/// Settings of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockSettings {
    /// Time between two frames.
    pub period: Duration,
    /// How walls agree.
    pub mode: LockMode,
}

impl LockSettings {
    /// Total delay that a wall may cause before it leaves the lock. Less than a period, so that a wall that stops costs the
    /// others less than one frame.
    pub fn patience(&self) -> Duration {
        self.period * 9 / 10
    }

    /// Part of the delays that each frame pays off. Screens whose refresh is up to 2 % longer than the period therefore
    /// stay in the lock.
    fn recovery(&self) -> Duration {
        self.period / 50
    }

    /// Time from sending a frame within which a wall without lock counts as on time. The screens of walls refresh at
    /// different times, which takes up to one period; a quarter of a period is for the network.
    fn on_time(&self) -> Duration {
        self.period * 5 / 4
    }
}

/// What the server must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Send a frame. All walls receive the same frame of a number.
    Prepare {
        /// The wall.
        wall: WallId,
        /// Number of the frame.
        frame: u64,
        /// Whether the wall needs all objects, because it did not receive the frame before.
        key: bool,
        /// When to show the frame, with [`LockMode::Timed`].
        show_at: Option<Duration>,
    },
    /// Let a wall show a frame.
    Commit {
        /// The wall.
        wall: WallId,
        /// Number of the frame.
        frame: u64,
        /// Whether the wall is locked.
        locked: bool,
    },
    /// A wall has left the lock.
    Late {
        /// The wall.
        wall: WallId,
    },
    /// A wall is locked.
    Locked {
        /// The wall.
        wall: WallId,
    },
}

/// A message of a wall that violates the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LockError {
    /// The wall was not sent this frame, or has answered already.
    #[error("ready for frame {found}, expected {}", expected_frame(.expected))]
    Ready {
        /// The frame of the message.
        found: u64,
        /// The frame that the wall was sent.
        expected: Option<u64>,
    },
    /// The wall has not shown the frame that it was told to show.
    #[error("ready for frame {found} before frame {committed} was shown")]
    NotShown {
        /// The frame of the message.
        found: u64,
        /// The frame to show first.
        committed: u64,
    },
    /// The wall says that it shows a frame that it was not told to show.
    #[error("shown frame {found}, expected {}", expected_frame(.expected))]
    Shown {
        /// The frame of the message.
        found: u64,
        /// The frame that the wall was told to show.
        expected: Option<u64>,
    },
}

fn expected_frame(frame: &Option<u64>) -> String {
    frame.map_or_else(|| "no message".to_string(), |frame| format!("frame {frame}"))
}

/// The state of a wall, for display.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallReport {
    /// The wall.
    pub wall: WallId,
    /// Whether it is locked.
    pub locked: bool,
    /// The frame that it shows.
    pub shown: u64,
    /// How often it has left the lock.
    pub times_late: u32,
    /// Time from sending a frame to the answer, of the last frame.
    pub drawing: Duration,
    /// Largest such time of the last frames, which decreases slowly.
    pub slowest: Duration,
}

/// The lock of a group of walls.
#[derive(Debug, Clone)]
pub struct FrameLock {
    settings: LockSettings,
    members: Vec<Member>,
    /// Number of the frame that is prepared, 0 before the first one.
    frame: u64,
    /// When it was sent.
    prepared_at: Duration,
    /// Earliest time to show it.
    slot: Duration,
}

impl FrameLock {
    /// A lock without walls.
    pub fn new(settings: LockSettings) -> Self {
        let zero = Duration::ZERO;
        Self { settings, members: Vec::new(), frame: 0, prepared_at: zero, slot: zero }
    }

    /// Number of the frame that is prepared.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Number of walls.
    pub fn walls(&self) -> usize {
        self.members.len()
    }

    /// The state of all walls, in the order of their numbers.
    pub fn reports(&self) -> impl Iterator<Item = WallReport> {
        self.members.iter().map(Member::report)
    }

    /// Whether a wall is locked.
    pub fn is_locked(&self, wall: WallId) -> bool {
        self.members.iter().any(|member| member.id == wall && member.locked)
    }

    /// Adds a wall.
    pub fn join(&mut self, wall: WallId, now: Duration, orders: &mut Vec<Order>) {
        if self.members.iter().any(|member| member.id == wall) {
            return;
        }
        let is_first = self.members.is_empty();
        let place = self.members.partition_point(|member| member.id < wall);
        self.members.insert(place, Member::new(wall));
        match self.settings.mode {
            LockMode::Commit if is_first => self.prepare(now, now + self.settings.period, orders),
            LockMode::Timed if is_first => (self.frame, self.slot) = (self.frame.max(1), now),
            _ => {}
        }
        self.advance(now, orders);
    }

    /// Removes a wall.
    pub fn leave(&mut self, wall: WallId, now: Duration, orders: &mut Vec<Order>) {
        self.members.retain(|member| member.id != wall);
        self.advance(now, orders);
    }

    /// A wall has drawn a frame.
    pub fn ready(&mut self, wall: WallId, frame: u64, now: Duration, orders: &mut Vec<Order>) -> Result<(), LockError> {
        let (current, settings) = (self.frame, self.settings);
        let Some(member) = self.members.iter_mut().find(|member| member.id == wall) else { return Ok(()) };
        if self.settings.mode == LockMode::Timed {
            return Ok(());
        }
        let time = member.take_ready(frame, now)?;
        // Without the frame before, a wall would be locked while it shows an older one.
        let is_on_time = time <= settings.on_time() && frame + 1 >= current;
        member.count_on_time(frame, is_on_time, orders);
        if frame < current {
            // The others show this frame already, and draw the next one.
            member.commit(frame, orders);
            member.prepare(current, self.prepared_at, None, orders);
        }
        self.advance(now, orders);
        Ok(())
    }

    /// A wall shows a frame.
    pub fn shown(&mut self, wall: WallId, frame: u64, now: Duration, orders: &mut Vec<Order>) -> Result<(), LockError> {
        let is_timed = self.settings.mode == LockMode::Timed;
        let Some(member) = self.members.iter_mut().find(|member| member.id == wall) else { return Ok(()) };
        if is_timed {
            return self.shown_timed(wall, frame, now, orders);
        }
        if member.committed != Some(frame) {
            return Err(LockError::Shown { found: frame, expected: member.committed });
        }
        member.shown = frame;
        Ok(())
    }

    /// Does what is due at a time.
    pub fn advance(&mut self, now: Duration, orders: &mut Vec<Order>) {
        if self.members.is_empty() || self.frame == 0 {
            return;
        }
        if self.settings.mode == LockMode::Timed {
            return self.advance_timed(now, orders);
        }
        if now < self.slot {
            return;
        }
        let (frame, settings) = (self.frame, self.settings);
        for member in self.members.iter_mut().filter(|member| member.locked && member.ready != Some(frame)) {
            if now >= member.deadline(&settings) {
                member.leave_lock(orders);
            }
        }
        let is_ready = |member: &Member| !member.locked || member.ready == Some(frame);
        if self.members.iter().all(is_ready) {
            self.commit(now, orders);
        }
    }

    /// The time at which [`advance`](Self::advance) must be called at the latest; none without walls.
    pub fn next_wake(&self) -> Option<Duration> {
        if self.members.is_empty() {
            return None;
        }
        if self.settings.mode == LockMode::Timed {
            return Some(self.slot);
        }
        let late = self.members.iter().filter(|member| member.locked && member.ready != Some(self.frame));
        let deadline = late.map(|member| member.deadline(&self.settings)).min();
        Some(deadline.unwrap_or(self.slot).max(self.slot))
    }

    fn commit(&mut self, now: Duration, orders: &mut Vec<Order>) {
        let (frame, settings) = (self.frame, self.settings);
        for member in self.members.iter_mut().filter(|member| member.ready == Some(frame)) {
            member.settle_debt(&settings);
            member.commit(frame, orders);
        }
        // After a delay, frames follow as fast as walls can until the schedule is met again.
        let next = self.slot + self.settings.period;
        self.prepare(now, next.max(now), orders);
    }

    /// Sends the next frame to all walls that have drawn the one before.
    fn prepare(&mut self, now: Duration, slot: Duration, orders: &mut Vec<Order>) {
        self.frame += 1;
        (self.prepared_at, self.slot) = (now, slot);
        for member in self.members.iter_mut().filter(|member| !member.is_drawing()) {
            member.prepare(self.frame, now, None, orders);
        }
    }
}
