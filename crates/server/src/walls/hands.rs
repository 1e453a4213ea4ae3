//! Tracked hands. What the trigger of a hand does depends on the mode that is chosen in the menu: it grabs the body in
//! front of the hand, pushes it, throws it, or shoots a ball. A hand that points at the menu presses its items instead.
//! All of these are commands to the session, which records them as edits.

use std::sync::Arc;

use burgess_walls::menu::{HandMode, MenuAction, Pointing};
use burgess_walls::objects::{Pose, Room, User};
use burgess_walls::tracking::TrackedHand;
use glam::DVec3;
use serde_json::{Value, json};

use super::menu::Menu;
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
/// Speed that a push gives to a body, in m/s.
const PUSH_SPEED: f64 = 2.0;
/// Speed that a throw gives to a body, in m/s.
const THROW_SPEED: f64 = 5.0;

/// The tracked hands.
#[derive(Debug, Default)]
pub(super) struct Hands(Vec<Hand>);

/// A hand. It is a viewer of its own, so that each hand holds its own body.
#[derive(Debug)]
struct Hand {
    viewer: Viewer,
    /// The mode in which the trigger was pressed; none while it is not.
    pressed: Option<HandMode>,
    shoots: bool,
    opens: bool,
}

impl Hands {
    /// Does what the hands of a report do. `user` has the hands in the axes of the room. Returns what they pressed in the
    /// menu.
    pub fn act(
        &mut self,
        session: &Arc<Session>,
        room: &Room,
        user: &User,
        hands: &[TrackedHand],
        menu: &mut Menu,
    ) -> Vec<MenuAction> {
        self.0.truncate(hands.len());
        menu.keep_hands(hands.len());
        let mut actions = Vec::new();
        for (index, (tracked, pose)) in hands.iter().zip(&user.hands).enumerate() {
            if self.0.len() <= index {
                let Some(viewer) = session.join() else { return actions };
                self.0.push(Hand { viewer, pressed: None, shoots: false, opens: false });
            }
            let hand = &mut self.0[index];
            let along = pose.pose.orientation * DVec3::Y;
            if tracked.menu && !hand.opens {
                if menu.view.open {
                    menu.view.open = false;
                } else {
                    menu.view.open_towards(user.head.position, along);
                }
            }
            hand.opens = tracked.menu;
            let place = menu.view.meet(pose.pose.position, along).map(|(place, _)| place);
            let place = place.filter(|place| menu.layout.covers(*place) || hand.pressed.is_none());
            let (is_taken, action) = menu.point_hand(index, Pointing { place, pressed: tracked.grab });
            actions.extend(action);
            hand.act(menu.view.hand, tracked.grab && !is_taken, tracked.shoot, room, &pose.pose);
        }
        actions
    }
}

impl Hand {
    fn act(&mut self, mode: HandMode, grabs: bool, shoots: bool, room: &Room, pose: &Pose) {
        let place = room.to_world(pose.position);
        let direction = room.rotation() * pose.orientation * DVec3::Y;
        let reach = |push: Option<f64>| {
            let (from, along) = (place.to_array(), direction.to_array());
            json!({"do": "reach", "from": from, "along": along, "length": REACH, "push": push})
        };
        let ball = || {
            let (from, velocity) = ((place + MUZZLE * direction).to_array(), (BALL_SPEED * direction).to_array());
            json!({"do": "throw", "from": from, "velocity": velocity, "radius": BALL_RADIUS, "density": BALL_DENSITY})
        };
        match (grabs, self.pressed) {
            (true, None) => {
                self.say(&match mode {
                    HandMode::Grab | HandMode::Throw => reach(None),
                    HandMode::Push => reach(Some(PUSH_SPEED)),
                    HandMode::Shoot => ball(),
                });
                self.pressed = Some(mode);
            }
            (true, Some(HandMode::Grab | HandMode::Throw)) => {
                self.say(&json!({"do": "drag", "to": place.to_array()}));
            }
            (false, Some(HandMode::Grab)) => self.say(&json!({"do": "release"})),
            (false, Some(HandMode::Throw)) => {
                self.say(&json!({"do": "release", "velocity": (THROW_SPEED * direction).to_array()}));
            }
            _ => {}
        }
        if !grabs {
            self.pressed = None;
        }
        if shoots && !self.shoots {
            self.say(&ball());
        }
        self.shoots = shoots;
    }

    /// A command may be refused, for example because the hand is empty. The tracker cannot be told.
    fn say(&self, command: &Value) {
        let _ = self.viewer.command(&command.to_string());
    }
}
