//! Tracked hands: a hand that closes grabs the body in front of it, a hand that moves pulls it, a hand that opens lets it
//! go, and a hand that shoots throws a ball. All of these are commands to the session, which records them as edits.

use std::sync::Arc;

use burgess_walls::objects::{Room, User};
use burgess_walls::tracking::TrackedHand;
use glam::DVec3;
use serde_json::json;

use crate::session::{Session, Viewer};

/// Distance at which a hand or wand grabs, in m.
const REACH: f64 = 3.0;
/// Distance of a ball from the hand that shoots it, in m.
const MUZZLE: f64 = 0.3;
/// Speed of a ball, in m/s.
const BALL_SPEED: f64 = 8.0;
/// Radius of a ball, in m.
const BALL_RADIUS: f64 = 0.06;
/// Density of a ball, in kg/m^3.
const BALL_DENSITY: f64 = 1000.0;

/// The tracked hands.
#[derive(Debug, Default)]
pub(super) struct Hands(Vec<Hand>);

/// A hand. It is a viewer of its own, so that each hand holds its own body.
#[derive(Debug)]
struct Hand {
    viewer: Viewer,
    grabs: bool,
    shoots: bool,
}

impl Hands {
    /// Does what the hands of a report do. `user` has the hands in the axes of the room.
    pub fn act(&mut self, session: &Arc<Session>, room: &Room, user: &User, hands: &[TrackedHand]) {
        self.0.truncate(hands.len());
        while self.0.len() < hands.len() {
            let Some(viewer) = session.join() else { return };
            self.0.push(Hand { viewer, grabs: false, shoots: false });
        }
        for ((hand, tracked), pose) in self.0.iter_mut().zip(hands).zip(&user.hands) {
            let place = room.to_world(pose.pose.position);
            let direction = room.rotation() * pose.pose.orientation * DVec3::Y;
            // A command may be refused, for example because the hand is empty. The tracker cannot be told.
            if tracked.grab && !hand.grabs {
                let command =
                    json!({"do": "reach", "from": place.to_array(), "along": direction.to_array(), "length": REACH});
                let _ = hand.viewer.command(&command.to_string());
            } else if tracked.grab {
                let _ = hand.viewer.command(&json!({"do": "drag", "to": place.to_array()}).to_string());
            } else if hand.grabs {
                let _ = hand.viewer.command(r#"{"do": "release"}"#);
            }
            if tracked.shoot && !hand.shoots {
                let (from, velocity) = ((place + MUZZLE * direction).to_array(), (BALL_SPEED * direction).to_array());
                let ball = json!({
                    "do": "throw", "from": from, "velocity": velocity, "radius": BALL_RADIUS, "density": BALL_DENSITY,
                });
                let _ = hand.viewer.command(&ball.to_string());
            }
            (hand.grabs, hand.shoots) = (tracked.grab, tracked.shoot);
        }
    }
}
