//! Cave files: the room of a display, its walls and the place of the viewer. The name is that of the first such room
//! (Cruz-Neira, Sandin and DeFanti 1993).

mod check;
mod text;

use burgess_files::FileError;
use glam::{DMat4, DQuat, DVec3, DVec4};
use serde::{Deserialize, Serialize};

use crate::projection::Rectangle;

pub use text::CaveText;

/// Names of the built-in caves.
pub const PRESETS: [&str; 5] = ["screen", "two", "cube", "cylinder", "dome"];

/// A room with walls. Lengths are in m. The room's axes are x to the right, y forward and z up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cave {
    /// Name of the cave.
    pub name: String,
    /// Description in one sentence.
    #[serde(default)]
    pub description: String,
    /// Place of the viewer's eyes until a tracker reports the head.
    pub eye: [f64; 3],
    /// Distance between the eyes.
    #[serde(default = "default_separation")]
    pub eye_separation: f64,
    /// Time between two frames, in s.
    #[serde(default = "default_period")]
    pub period: f64,
    /// How walls agree on the frame that they show.
    #[serde(default)]
    pub lock: Lock,
    /// Speed of walking and flying, in m/s.
    #[serde(default = "default_speed")]
    pub speed: f64,
    /// Where the room is in the world at the start; in front of the world's bodies if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// Built-in scene or creature that is shown first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// Distance of the nearest visible surfaces from the eye.
    #[serde(default = "default_near")]
    pub near: f64,
    /// Distance of the farthest visible surfaces from the eye.
    #[serde(default = "default_far")]
    pub far: f64,
    /// How finely walls draw.
    #[serde(default)]
    pub detail: Detail,
    /// Whether the user's body is a collider.
    #[serde(default)]
    pub body: bool,
    /// Maps points of the tracker to the room: three rows of four numbers, a rotation and a translation in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracker: Option<[[f64; 4]; 3]>,
    /// The walls.
    pub walls: Vec<WallSpec>,
}

/// How walls agree on the frame that they show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lock {
    /// Two phases: a frame is shown when all walls have drawn it.
    #[default]
    Commit,
    /// One phase: a frame is shown at a time of the server's clock. For fast local networks.
    Timed,
}

/// How finely walls draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// With shadows and smooth edges.
    #[default]
    Full,
    /// Without both, for machines without a graphics card.
    Low,
}

/// Pose of the room in the world.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Place of the room's origin in the world.
    pub position: [f64; 3],
    /// Turn of the room about the vertical, in degrees. At 0 the viewer looks along the world's y axis.
    #[serde(default)]
    pub heading: f64,
}

/// How a wall shows the pictures of both eyes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stereo {
    /// One picture, from between the eyes.
    #[default]
    None,
    /// The left eye's picture in the left half of the window, the right eye's in the right half.
    SideBySide,
    /// The left eye's picture in the upper half of the window, the right eye's in the lower half.
    TopBottom,
    /// Red for the left eye, green and blue for the right eye.
    Anaglyph,
    /// The left eye only.
    Left,
    /// The right eye only.
    Right,
}

/// A wall: a rectangle in the room, and how its window shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WallSpec {
    /// Name of the wall, as in its address.
    pub name: String,
    /// Lower left corner, seen from the viewer.
    pub lower_left: [f64; 3],
    /// Lower right corner.
    pub lower_right: [f64; 3],
    /// Upper left corner.
    pub upper_left: [f64; 3],
    /// How the wall shows the pictures of both eyes.
    #[serde(default)]
    pub stereo: Stereo,
    /// Where the corners of the picture are in the window, from lower left counter-clockwise, as fractions of its width
    /// and height. Corrects the keystone of a projector.
    #[serde(default = "default_corners")]
    pub corners: [[f64; 2]; 4],
    /// Polygon outside which the window is black, as fractions of its width and height from the lower left; the whole
    /// window if it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mask: Vec<[f64; 2]>,
}

fn default_separation() -> f64 {
    0.064
}

fn default_period() -> f64 {
    0.05
}

fn default_speed() -> f64 {
    1.5
}

fn default_near() -> f64 {
    0.05
}

fn default_far() -> f64 {
    500.0
}

fn default_corners() -> [[f64; 2]; 4] {
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
}

impl WallSpec {
    /// The rectangle of the wall.
    pub fn rectangle(&self) -> Rectangle {
        let [lower_left, lower_right, upper_left] =
            [self.lower_left, self.lower_right, self.upper_left].map(DVec3::from_array);
        Rectangle { lower_left, lower_right, upper_left }
    }
}

impl Cave {
    /// Reads and checks a cave file. `file` is its name for messages.
    pub fn read(text: &str, file: &str) -> Result<Self, FileError> {
        let cave: Self = burgess_files::read_toml(text, file)?;
        check::check(&cave).map_err(|error| error.in_toml(text, file))?;
        Ok(cave)
    }

    /// A built-in cave; none if the name is unknown.
    pub fn preset(name: &str) -> Option<Self> {
        Self::read(Self::preset_text(name)?, name).ok()
    }

    /// The file of a built-in cave; none if the name is unknown.
    pub fn preset_text(name: &str) -> Option<&'static str> {
        Some(match name {
            "screen" => include_str!("../../caves/screen.toml"),
            "two" => include_str!("../../caves/two.toml"),
            "cube" => include_str!("../../caves/cube.toml"),
            "cylinder" => include_str!("../../caves/cylinder.toml"),
            "dome" => include_str!("../../caves/dome.toml"),
            _ => return None,
        })
    }

    /// Place of the viewer's eyes, in m.
    pub fn eye(&self) -> DVec3 {
        DVec3::from_array(self.eye)
    }

    /// Finds a wall by its name.
    pub fn wall(&self, name: &str) -> Option<&WallSpec> {
        self.walls.iter().find(|wall| wall.name == name)
    }

    /// The map from the tracker to the room; the identity if the file has none.
    pub fn tracker_matrix(&self) -> DMat4 {
        self.tracker.map_or(DMat4::IDENTITY, |rows| {
            let row = |index: usize| DVec4::from_array(rows[index]);
            DMat4::from_cols(row(0), row(1), row(2), DVec4::W).transpose()
        })
    }

    /// The rotation from the tracker's axes to the room's.
    pub fn tracker_rotation(&self) -> DQuat {
        DQuat::from_mat4(&self.tracker_matrix()).normalize()
    }
}
