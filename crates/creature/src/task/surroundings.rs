//! Surroundings of the creature in a trial: arena, ball, target and contest.

use serde::{Deserialize, Serialize};

use super::amount::{Amount, Parameters};

/// The arena.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Arena {
    /// Kind of ground.
    pub ground: Ground,
    /// Gravity, in m/s^2. The default is 9.81 downwards.
    pub gravity: [Amount; 3],
    /// Coefficient of friction between all surfaces. The default is 0.8.
    pub friction: Amount,
    /// Coefficient of restitution of all surfaces, 0 to 1. The default is 0.
    pub restitution: Amount,
    /// Steps that ascend along x, for the ground `stairs`.
    pub stairs: Stairs,
    /// Random hills, for the ground `rough`.
    pub rough: Rough,
    /// Still water everywhere, if given. It exerts drag proportional to the square of a body's speed. There is no
    /// buoyancy: set `gravity` to what remains of it, zero for bodies with the density of water.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub water: Option<Water>,
}

impl Default for Arena {
    fn default() -> Self {
        Self {
            ground: Ground::Flat,
            gravity: [0.0, 0.0, -9.81].map(Amount::Number),
            friction: 0.8.into(),
            restitution: 0.0.into(),
            stairs: Stairs::default(),
            rough: Rough::default(),
            water: None,
        }
    }
}

/// The kind of ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// No ground: the creature floats at the origin.
    None,
    /// The plane z = 0.
    Flat,
    /// The plane z = 0 with stairs.
    Stairs,
    /// The plane z = 0 with hills.
    Rough,
}

/// Stairs in front of the creature, as wide as they are long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stairs {
    /// Number of steps. The last one extends for 20 m.
    pub count: u32,
    /// Height of a step, in m.
    pub rise: Amount,
    /// Depth of a step along x, in m.
    pub depth: Amount,
    /// Distance from the front of the creature at its start to the first step, in m.
    pub distance: Amount,
}

impl Default for Stairs {
    fn default() -> Self {
        Self { count: 10, rise: 0.1.into(), depth: 0.5.into(), distance: 0.5.into() }
    }
}

/// Hills: random heights over a grid. The ground is level where the creature starts, at the border and beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rough {
    /// Height of the highest hills, in m.
    pub height: Amount,
    /// Distance between the points of the grid, in m.
    pub cell: f64,
    /// Side of the square with hills, in m.
    pub size: f64,
}

impl Default for Rough {
    fn default() -> Self {
        Self { height: 0.15.into(), cell: 0.5, size: 24.0 }
    }
}

/// Water.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Water {
    /// Density, in kg/m^3. The default is 1000.
    pub density: Amount,
    /// Drag coefficient of a face. The default is 1.
    pub drag: Amount,
}

impl Default for Water {
    fn default() -> Self {
        Self { density: 1000.0.into(), drag: 1.0.into() }
    }
}

/// A ball that moves freely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ball {
    /// Position of its centre, in m. On ground, the height is relative to a ball that rests on the ground.
    pub position: [Amount; 3],
    /// Origin of the position.
    pub from: BallFrom,
    /// Maximum random change of the position along each axis in each trial, in m. On ground, it does not change the
    /// height.
    pub spread: Amount,
    /// Radius, in m.
    pub radius: Amount,
    /// Density, in kg/m^3.
    pub density: Amount,
}

impl Default for Ball {
    fn default() -> Self {
        Self {
            position: [0.5, 0.0, 0.0].map(Amount::Number),
            from: BallFrom::Front,
            spread: 0.0.into(),
            radius: 0.1.into(),
            density: 100.0.into(),
        }
    }
}

/// The origin of a ball's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BallFrom {
    /// The middle of the root part at the start.
    Root,
    /// Likewise, but x is relative to the foremost point of the creature, so that all creatures start at the same
    /// distance from the ball's surface.
    Front,
    /// The middle of the arena, between the creatures of a contest.
    Middle,
}

/// The target of the target senses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TargetSpec {
    /// Kind of target.
    pub at: TargetKind,
    /// For `places`: positions relative to the start, in order, in m.
    pub places: Vec<[Amount; 3]>,
    /// For `random_places`: number of positions.
    pub count: u32,
    /// For `random_places`: distance from each position to the next, in m, in a random direction; horizontal on ground.
    pub distance: Amount,
    /// A position is reached when the middle of the root is within this distance, in m; horizontal on ground.
    pub radius: f64,
}

impl Default for TargetSpec {
    fn default() -> Self {
        Self { at: TargetKind::RandomPlaces, places: Vec::new(), count: 8, distance: 2.0.into(), radius: 0.4 }
    }
}

/// The kind of target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// The ball.
    Ball,
    /// The cube of a contest.
    Cube,
    /// The root of the opponent in a contest.
    Opponent,
    /// Positions given by the task.
    Places,
    /// Positions drawn from the seed.
    RandomPlaces,
}

/// Two creatures on opposite sides of the middle of the arena, with a cube between them or without (Sims 1994b).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Contest {
    /// Side of the cube in the middle, in m; 0 for none.
    pub cube: Amount,
    /// Density of the cube, in kg/m^3.
    pub density: Amount,
    /// Distance of the starting line from the middle, in m. A creature starts behind the line by its own height: the
    /// taller it is, the farther back, so that it cannot reach the middle by falling over (Sims 1994b).
    /// A creature that is beyond the line when it has settled cannot start.
    pub distance: Amount,
    /// Radius of a ring around the middle, in m; 0 for none. It is drawn on the ground and does not obstruct.
    pub ring: Amount,
    /// Distance of two goal lines from the middle, in m; 0 for none. They are drawn on the ground and do not obstruct.
    pub goals: Amount,
}

impl Contest {
    /// Returns the side of the cube, in m; `None` if there is none.
    pub fn cube_side(&self, parameters: &Parameters) -> Option<f64> {
        Some(self.cube.value(parameters)).filter(|side| *side > 0.0)
    }

    /// Returns the radius of the ring, in m; `None` if there is none.
    pub fn ring_radius(&self, parameters: &Parameters) -> Option<f64> {
        Some(self.ring.value(parameters)).filter(|radius| *radius > 0.0)
    }

    /// Returns the distance of the goal lines from the middle, in m; `None` if there are none.
    pub fn goal_distance(&self, parameters: &Parameters) -> Option<f64> {
        Some(self.goals.value(parameters)).filter(|distance| *distance > 0.0)
    }
}

impl Default for Contest {
    fn default() -> Self {
        Self { cube: 0.3.into(), density: 200.0.into(), distance: 0.5.into(), ring: 0.0.into(), goals: 0.0.into() }
    }
}
