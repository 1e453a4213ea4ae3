//! Where a trial takes place and what is there besides the creature.

use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// The place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Arena {
    /// What there is to stand on.
    pub ground: Ground,
    /// In m/s^2; 9.81 downwards if left out.
    pub gravity: [Amount; 3],
    /// Coefficient of dry friction between all surfaces; 0.8 if left out.
    pub friction: Amount,
    /// Of all surfaces, 0 to 1; 0 if left out.
    pub restitution: Amount,
    /// Steps that go up along x, with the ground `stairs`.
    pub stairs: Stairs,
    /// Hills from the seed, with the ground `rough`.
    pub rough: Rough,
    /// Still water everywhere, without any if left out. It drags on bodies with the square of their speed. It does not carry them: say
    /// what is left of gravity by `gravity`, none for bodies as heavy as the water.
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

/// What there is to stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Nothing: the creature floats where it starts, at the origin.
    None,
    /// The plane z = 0.
    Flat,
    /// The same with stairs.
    Stairs,
    /// The same with hills.
    Rough,
}

/// Stairs across the way, as wide as they are long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stairs {
    /// How many steps; the last one goes on for 20 m.
    pub count: u32,
    /// Height of a step, in m.
    pub rise: Amount,
    /// Of a step along x, in m.
    pub depth: Amount,
    /// From the front of the creature as it starts to the first step, in m.
    pub distance: Amount,
}

impl Default for Stairs {
    fn default() -> Self {
        Self { count: 10, rise: 0.1.into(), depth: 0.5.into(), distance: 0.5.into() }
    }
}

/// Hills: random heights over a grid, level where the creature starts and at the border, flat ground beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rough {
    /// Of the highest hills, in m.
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
    /// In kg/m^3; 1000 if left out.
    pub density: Amount,
    /// Drag coefficient of a face; 1 if left out.
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
    /// Of its middle, in m. On the ground the height is that above the lowest place where it lies on the ground.
    pub position: [Amount; 3],
    /// What the position is counted from.
    pub from: BallFrom,
    /// Largest random change of the position along each axis, in m, anew in each trial. On the ground it does not change the
    /// height.
    pub spread: Amount,
    /// In m.
    pub radius: Amount,
    /// In kg/m^3.
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

/// What the place of a ball is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BallFrom {
    /// The middle of the root part as it starts.
    Root,
    /// The same, but x from the foremost point of the creature, so that all start as far from the ball's surface.
    Front,
}

/// What the creature's senses point to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Aim {
    /// What it is.
    pub at: AimAt,
    /// With `places`: in order, from the start, in m.
    pub places: Vec<[Amount; 3]>,
    /// With `random_places`: how many.
    pub count: u32,
    /// With `random_places`: from each to the next, in m, in any direction; on the ground along it.
    pub distance: Amount,
    /// A place is reached when the middle of the root is so near, in m, on the ground along it.
    pub radius: f64,
}

impl Default for Aim {
    fn default() -> Self {
        Self { at: AimAt::RandomPlaces, places: Vec::new(), count: 8, distance: 2.0.into(), radius: 0.4 }
    }
}

/// What a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AimAt {
    /// The ball.
    Ball,
    /// The cube of a contest.
    Cube,
    /// Places of the task.
    Places,
    /// Places from the seed.
    RandomPlaces,
}

/// Two creatures and a cube between them (after Sims).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Contest {
    /// Side of the cube, in m.
    pub cube: Amount,
    /// Of the cube, in kg/m^3.
    pub density: Amount,
    /// From the cube's middle to the nearest point of a creature less the creature's height, in m: the taller start farther
    /// back, so that none reaches the cube by falling on it.
    pub distance: Amount,
}

impl Default for Contest {
    fn default() -> Self {
        Self { cube: 0.3.into(), density: 200.0.into(), distance: 0.5.into() }
    }
}
