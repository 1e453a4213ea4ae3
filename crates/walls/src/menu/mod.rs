//! Menus in the world: a panel with buttons and sliders in front of the user, for walls and headsets, where there is no
//! page. [`MenuLayout`] says where its items are, [`MenuView`] is its state and travels in wall frames, and
//! [`MenuPointer`] turns what a mouse, wand or controller points at into [`MenuAction`]s. Each action becomes a command
//! to the session. `web/src/walls/menu.ts` has the same functions for headsets.

mod layout;
mod pointer;

use glam::{DMat3, DQuat, DVec2, DVec3};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::frame::NetworkObject;
use crate::projection::Rectangle;

pub use layout::{ItemKind, MenuItem, MenuLayout, Scale};
pub use pointer::{MenuPointer, Pointing};

/// Gravity of the Earth, in m/s^2.
pub const EARTH_GRAVITY: f64 = 9.81;
/// Share of a wall's width and height that the panel may cover.
const MAX_SHARE: f64 = 0.75;
/// Distance of the panel from the user's head, as a share of the distance of the wall's middle.
const DEPTH_SHARE: f64 = 0.9;
/// Distance of the panel if no wall is known, in m.
const DISTANCE: f64 = 1.2;

/// What the trigger of a hand, or the button of the mouse, does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HandMode {
    /// Grabs a body and lets it go.
    #[default]
    Grab,
    /// Pushes a body away.
    Push,
    /// Grabs a body, and throws it forward when it lets it go.
    Throw,
    /// Shoots a ball.
    Shoot,
}

/// What an item of the menu does.
#[derive(Debug, Clone, PartialEq)]
pub enum MenuAction {
    /// Plays or pauses.
    Play(bool),
    /// Shows the first step.
    Restart,
    /// Sets the speed, as a multiple of real time.
    Speed(f64),
    /// Sets gravity, as a multiple of that of the Earth.
    Gravity(f64),
    /// Sets what hands do.
    Hand(HandMode),
    /// Sets whether the user's body is a collider.
    Body(bool),
    /// Shows another scene or creature.
    Scene(String),
    /// Closes the menu.
    Close,
}

impl MenuAction {
    /// The command to the session, for actions that are one.
    pub fn command(&self) -> Option<Value> {
        Some(match self {
            Self::Play(true) => json!({"do": "play"}),
            Self::Play(false) => json!({"do": "pause"}),
            Self::Restart => json!({"do": "restart"}),
            Self::Speed(speed) => json!({"do": "speed", "speed": speed}),
            Self::Gravity(factor) => json!({"do": "change", "gravity": [0.0, 0.0, -EARTH_GRAVITY * factor]}),
            Self::Hand(_) | Self::Body(_) | Self::Scene(_) | Self::Close => return None,
        })
    }
}

/// The state of the menu: the object `menu` of wall frames, as JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MenuView {
    /// Whether the menu is shown.
    pub open: bool,
    /// Middle of the panel in the room, in m.
    pub position: [f64; 3],
    /// Orientation of the panel in the room as a quaternion: x to the right, y up, z to the user.
    pub orientation: [f64; 4],
    /// Size of the panel as a multiple of that of the layout.
    pub scale: f64,
    /// What hands do.
    pub hand: HandMode,
    /// Whether the session plays.
    pub playing: bool,
    /// Speed, as a multiple of real time.
    pub speed: f64,
    /// Gravity downward, as a multiple of that of the Earth.
    pub gravity: f64,
    /// Whether the user's body is a collider.
    pub body: bool,
    /// Title of the scene that is shown.
    pub scene: String,
    /// Items that are pointed at.
    pub pointed: Vec<Pointed>,
}

/// An item that somebody points at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pointed {
    /// Id of the item.
    pub item: String,
    /// Whether it is pressed.
    pub pressed: bool,
    /// Value of a slider that is pressed; it is set when the slider is let go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

impl Default for MenuView {
    fn default() -> Self {
        Self {
            open: false,
            position: [0.0; 3],
            orientation: [0.0, 0.0, 0.0, 1.0],
            scale: 1.0,
            hand: HandMode::default(),
            playing: false,
            speed: 1.0,
            gravity: 1.0,
            body: false,
            scene: String::new(),
            pointed: Vec::new(),
        }
    }
}

impl NetworkObject for MenuView {
    const NAME: &'static str = "menu";
    const VERSION: u16 = 1;

    fn give(&self, bytes: &mut Vec<u8>) {
        bytes.extend(serde_json::to_vec(self).unwrap_or_default());
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), String> {
        *self = serde_json::from_slice(bytes).map_err(|error| format!("the menu is not valid JSON: {error}"))?;
        Ok(())
    }
}

impl MenuView {
    /// Opens the menu in front of the head, in a direction of the room.
    pub fn open_towards(&mut self, head: DVec3, direction: DVec3) {
        let forward = direction.try_normalize().unwrap_or(DVec3::Y);
        let right = forward.cross(DVec3::Z).try_normalize().unwrap_or(DVec3::X);
        self.place(head + DISTANCE * forward, right, right.cross(forward), 1.0);
    }

    /// Opens the menu in front of the middle of a wall, parallel to it. It covers at most a share of the wall's picture,
    /// wherever the head is.
    pub fn open_before(&mut self, wall: &Rectangle, head: DVec3, layout: &MenuLayout) {
        let middle = 0.5 * (wall.lower_right + wall.upper_left);
        let fit = (wall.width() / layout.size[0]).min(wall.height() / layout.size[1]);
        let right = (wall.lower_right - wall.lower_left).normalize_or_zero();
        let across = wall.upper_left - wall.lower_left;
        let up = (across - across.dot(right) * right).normalize_or_zero();
        self.place(head.lerp(middle, DEPTH_SHARE), right, up, MAX_SHARE * DEPTH_SHARE * fit);
    }

    fn place(&mut self, middle: DVec3, right: DVec3, up: DVec3, scale: f64) {
        let axes = DMat3::from_cols(right, up, right.cross(up));
        (self.open, self.scale, self.position) = (true, scale, middle.to_array());
        self.orientation = DQuat::from_mat3(&axes).normalize().to_array();
    }

    /// Place on the panel that a ray of the room meets, in units of the layout, and its distance in m; none if the menu
    /// is closed, or the ray meets its back or not its plane.
    pub fn meet(&self, from: DVec3, along: DVec3) -> Option<(DVec2, f64)> {
        let turn = DQuat::from_array(self.orientation);
        let to_panel = |vector: DVec3| turn.inverse() * vector;
        let (start, direction) = (to_panel(from - DVec3::from_array(self.position)), to_panel(along.try_normalize()?));
        let distance = -start.z / direction.z;
        let meets = self.open && self.scale > 0.0 && direction.z < -1e-9 && distance.is_finite() && distance >= 0.0;
        let place = (start + distance * direction).truncate() / self.scale;
        meets.then_some((place, distance))
    }

    /// Whether a button or switch is on.
    pub fn is_on(&self, item: &str) -> bool {
        match item {
            "play" => self.playing,
            "body" => self.body,
            "hand-grab" => self.hand == HandMode::Grab,
            "hand-push" => self.hand == HandMode::Push,
            "hand-throw" => self.hand == HandMode::Throw,
            "hand-shoot" => self.hand == HandMode::Shoot,
            _ => item.strip_prefix("scene-").is_some_and(|name| name == self.scene),
        }
    }

    /// What an item does when it is pressed, or set to a value.
    pub fn action(&self, item: &str, value: f64) -> Option<MenuAction> {
        Some(match item {
            "play" => MenuAction::Play(!self.playing),
            "restart" => MenuAction::Restart,
            "close" => MenuAction::Close,
            "speed" => MenuAction::Speed(value),
            "gravity" => MenuAction::Gravity(value),
            "body" => MenuAction::Body(!self.body),
            "hand-grab" => MenuAction::Hand(HandMode::Grab),
            "hand-push" => MenuAction::Hand(HandMode::Push),
            "hand-throw" => MenuAction::Hand(HandMode::Throw),
            "hand-shoot" => MenuAction::Hand(HandMode::Shoot),
            _ => MenuAction::Scene(item.strip_prefix("scene-")?.to_string()),
        })
    }
}
