//! The lock with one phase: each frame carries the time at which it is to be shown.

use std::time::Duration;

use super::{FrameLock, LockError, Order, WallId};

/// Number of frames on their way to a wall after which it receives no more until it has shown some of them.
const MAX_FRAMES_AHEAD: u64 = 3;

impl FrameLock {
    /// Sends the next frame when the time of the last one has come. It is shown one period later.
    pub(super) fn advance_timed(&mut self, now: Duration, orders: &mut Vec<Order>) {
        if now < self.slot {
            return;
        }
        let period = self.settings.period;
        let slot = self.slot + period;
        self.frame += 1;
        self.prepared_at = now;
        self.slot = if slot > now { slot } else { now + period };
        for member in &mut self.members {
            let ahead = member.prepared.map_or(0, |last| last.saturating_sub(member.shown));
            if ahead >= MAX_FRAMES_AHEAD {
                if member.locked {
                    member.leave_lock(orders);
                }
                continue;
            }
            member.prepare(self.frame, now, Some(self.slot), orders);
            (member.ready, member.committed) = (member.prepared, member.prepared);
        }
    }

    /// A wall shows a frame; it is on time within a period of the time of the frame.
    pub(super) fn shown_timed(
        &mut self,
        wall: WallId,
        frame: u64,
        now: Duration,
        orders: &mut Vec<Order>,
    ) -> Result<(), LockError> {
        let (current, slot, period) = (self.frame, self.slot, self.settings.period);
        let Some(member) = self.members.iter_mut().find(|member| member.id == wall) else { return Ok(()) };
        if member.prepared.is_none_or(|last| frame > last) || frame <= member.shown {
            return Err(LockError::Shown { found: frame, expected: member.prepared });
        }
        member.shown = frame;
        // Frames are a period apart, so the time of an earlier frame follows from that of the current one.
        let back = u32::try_from(current - frame).unwrap_or(u32::MAX);
        let show_at = slot.saturating_sub(period.saturating_mul(back));
        member.drew_in(now.saturating_sub(show_at.saturating_sub(period)));
        let is_on_time = now <= show_at + period;
        if member.locked && !is_on_time {
            member.leave_lock(orders);
        }
        member.count_on_time(frame, is_on_time, orders);
        Ok(())
    }
}
