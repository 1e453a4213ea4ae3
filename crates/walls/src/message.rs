//! JSON messages between the server and a wall.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::cave::{Cave, WallSpec};
use crate::menu::{MenuLayout, Pointing};
use crate::objects::{Motion, OBJECTS};

/// Maximum size of a message of a wall, in bytes.
pub const MAX_BYTES: usize = 4096;

/// A message to a wall.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "say", rename_all = "lowercase")]
pub enum WallMessage {
    /// The first message: the wall and its cave.
    Welcome(Box<Welcome>),
    /// Show a frame in the next animation frame.
    Commit {
        /// Number of the frame.
        frame: u64,
        /// Whether the wall is locked.
        locked: bool,
        /// The server's clock, in s.
        time: f64,
    },
    /// The wall was locked, or left the lock because it was late.
    Lock {
        /// Whether the wall is locked.
        locked: bool,
    },
    /// The answer to `ping`.
    Pong {
        /// The number of the ping.
        sent: f64,
        /// The server's clock, in s.
        server: f64,
    },
    /// Whether the wall shows its name, its number, and handles at its corners.
    Setup {
        /// Whether it does.
        on: bool,
    },
    /// The last message was refused. If the socket closes, so was the wall.
    Refused {
        /// A sentence with the reason.
        why: String,
    },
    /// The cave or its world is another: connect again.
    Restart {
        /// A sentence with the reason.
        why: String,
    },
}

/// The first message to a wall.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Welcome {
    /// Version of the messages.
    pub version: u32,
    /// The wall.
    pub wall: WallSpec,
    /// Number of the wall in the cave, from 1.
    pub number: usize,
    /// The cave.
    pub cave: Cave,
    /// The session that the walls show; null if there is none.
    pub session: Option<String>,
    /// Name of the flow whose vortex tubes the walls show; null if there is none.
    pub flow: Option<String>,
    /// Whether the wall shows its name, its number, and handles at its corners.
    pub setup: bool,
    /// Names and versions of the objects in wall frames.
    pub objects: Vec<ObjectVersion>,
    /// Where the items of the menu are on its panel.
    pub menu: MenuLayout,
}

/// Name and version of an object in wall frames.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectVersion {
    /// Name of the object.
    pub name: String,
    /// Version of its bytes.
    pub version: u16,
}

impl ObjectVersion {
    /// All objects of this version of the program.
    pub fn all() -> Vec<Self> {
        OBJECTS.iter().map(|(name, version)| Self { name: (*name).to_string(), version: *version }).collect()
    }
}

impl WallMessage {
    /// The message as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A message of a wall. Every other message is a command to the session.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum WallCommand {
    /// A frame was drawn off screen.
    Ready {
        /// Number of the frame.
        frame: u64,
    },
    /// A frame is shown.
    Shown {
        /// Number of the frame.
        frame: u64,
        /// Time of the animation frame by the wall's clock, in ms.
        time: f64,
    },
    /// Asks for the server's clock.
    Ping {
        /// Any number, which the answer repeats.
        sent: f64,
    },
    /// Sets how the user moves through the world, as fractions of the full speed from -1 to 1.
    Move {
        /// To the right, forward and up.
        velocity: [f64; 3],
        /// To the left.
        turn: f64,
    },
    /// Sets where the corners of the picture are in the window, and saves it in the cave file.
    Corners {
        /// From lower left counter-clockwise, as fractions of the window's width and height.
        corners: [[f64; 2]; 4],
    },
    /// Opens or closes the menu in front of the wall.
    Menu {
        /// Whether it is shown.
        open: bool,
    },
    /// The mouse of the window points at the menu.
    Point {
        /// Place on the panel in units of its layout; null if the mouse is not on its plane.
        place: Option<[f64; 2]>,
        /// Whether the mouse's button is down.
        pressed: bool,
    },
}

/// What a wall sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Received<'a> {
    /// A message about the wall.
    Wall(WallCommand),
    /// A command to the session, which is not checked yet.
    Session(&'a str),
}

impl WallCommand {
    /// Names of the messages.
    const NAMES: [&'static str; 7] = ["ready", "shown", "ping", "move", "corners", "menu", "point"];

    /// Reads a message of a wall, or recognises a command to the session.
    pub fn parse(text: &str) -> Result<Received<'_>, String> {
        #[derive(Deserialize)]
        struct Kind<'a> {
            #[serde(rename = "do", borrow)]
            kind: std::borrow::Cow<'a, str>,
        }
        if text.len() > MAX_BYTES {
            return Err(format!("the message has {} bytes, expected at most {MAX_BYTES}", text.len()));
        }
        let short = |error: serde_json::Error| {
            let text: String = error.to_string().chars().filter(|letter| !letter.is_control()).take(300).collect();
            format!("invalid message: {text}")
        };
        let kind: Kind = serde_json::from_str(text).map_err(short)?;
        if !Self::NAMES.contains(&&*kind.kind) {
            return Ok(Received::Session(text));
        }
        let command: Self = serde_json::from_str(text).map_err(short)?;
        command.check()?;
        Ok(Received::Wall(command))
    }

    fn check(&self) -> Result<(), String> {
        let numbers: &[f64] = match self {
            Self::Move { velocity: [right, forward, up], turn } => &[*right, *forward, *up, *turn],
            _ => &[],
        };
        let wrong = numbers.iter().find(|number| number.is_nan() || number.abs() > 1.0);
        wrong.map_or(Ok(()), |number| Err(format!("velocity and turn must be from -1 to 1, found {number}")))
    }

    /// The motion of a `move`.
    pub fn motion(&self) -> Option<Motion> {
        match *self {
            Self::Move { velocity, turn } => Some(Motion { velocity, turn }),
            _ => None,
        }
    }

    /// What a `point` says.
    pub fn pointing(&self) -> Option<Pointing> {
        match *self {
            Self::Point { place, pressed } => Some(Pointing { place: place.map(DVec2::from_array), pressed }),
            _ => None,
        }
    }
}
