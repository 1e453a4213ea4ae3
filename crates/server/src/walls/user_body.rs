//! The body of the user in the world: it follows the head, and the session records where it goes as edits.

use std::time::Duration;

use burgess_walls::objects::{Room, User};
use glam::DVec3;
use serde_json::json;

use super::cave_state::Shown;

/// Radius of the body, in m.
const RADIUS: f64 = 0.25;
/// Height of the body above the eyes, in m.
const ABOVE_EYES: f64 = 0.1;
/// Minimum and maximum height of the body, in m.
const HEIGHTS: [f64; 2] = [0.6, 2.5];
/// Smallest change of the height that counts, in m. A head that nods must not begin a new body.
const HEIGHT_STEP: f64 = 0.1;
/// Smallest motion that is sent, in m. A tracker that trembles must not fill the record of edits.
const MIN_MOTION: f64 = 0.01;
/// Shortest time between two places that are sent: the time in which the body moves to a place.
const MIN_INTERVAL: Duration = Duration::from_millis(50);

/// Where the body of the user was sent to.
#[derive(Debug, Default)]
pub(super) struct FollowedBody {
    sent: Option<(DVec3, f64)>,
    sent_at: Duration,
}

impl FollowedBody {
    /// Moves the body to the place of the head, if it has changed. An edit at an earlier step would discard what came
    /// after it, so nothing is sent there.
    pub fn follow(&mut self, shown: &Shown, room: &Room, user: &User, now: Duration) {
        // A world that stands still would collect edits at one step.
        let playback = shown.session.playback();
        let is_early = self.sent.is_some() && (now < self.sent_at + MIN_INTERVAL || !playback.playing);
        if is_early || !playback.latest {
            return;
        }
        let head = user.head.position;
        let foot = room.to_world(DVec3::new(head.x, head.y, 0.0));
        let height = (head.z + ABOVE_EYES).clamp(HEIGHTS[0], HEIGHTS[1]);
        let height = match self.sent {
            Some((_, before)) if (height - before).abs() < HEIGHT_STEP => before,
            _ => height,
        };
        if self.sent.is_some_and(|(before, tall)| tall == height && before.distance(foot) < MIN_MOTION) {
            return;
        }
        let command = json!({"do": "body", "foot": foot.to_array(), "height": height, "radius": RADIUS});
        if shown.viewer.command(&command.to_string()).is_ok() {
            (self.sent, self.sent_at) = (Some((foot, height)), now);
        }
    }

    /// Forgets where the body was sent to, because it is not in the world.
    pub fn forget(&mut self) {
        self.sent = None;
    }
}
