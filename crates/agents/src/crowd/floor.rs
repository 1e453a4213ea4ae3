//! The floor that walkers walk on: its extent, its obstacles, and gates that open and close.

use glam::DVec2;

use super::plane::{nearest_on_segment, segment_distance};

/// Size of the cells in which obstacles are looked up, in m.
const LOOKUP_CELL: f64 = 1.0;

/// Distance from a cell within which its obstacles are listed, in m. No step is longer.
const LOOKUP_REACH: f64 = 2.0;

/// Maximum number of cells of a floor.
const MAX_CELLS: usize = 4_000_000;

/// What nobody can walk through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Obstacle {
    /// A thin wall from one point to another, in m.
    Wall(DVec2, DVec2),
    /// A column.
    Disc {
        /// Centre, in m.
        center: DVec2,
        /// Radius, in m.
        radius: f64,
    },
    /// A rectangle along the axes of the world.
    Rectangle {
        /// Lowest corner, in m.
        min: DVec2,
        /// Highest corner, in m.
        max: DVec2,
    },
}

impl Obstacle {
    /// Returns the distance (m) of a point; 0 inside.
    pub fn distance(&self, point: DVec2) -> f64 {
        match *self {
            Self::Wall(a, b) => nearest_on_segment(point, a, b).distance(point),
            Self::Disc { center, radius } => (point.distance(center) - radius).max(0.0),
            Self::Rectangle { min, max } => point.distance(point.clamp(min, max)),
        }
    }

    /// Returns the distance (m) of the segment from `a` to `b`; 0 if it meets the obstacle.
    pub fn segment_distance(&self, a: DVec2, b: DVec2) -> f64 {
        match *self {
            Self::Wall(c, d) => segment_distance(a, b, c, d),
            Self::Disc { center, radius } => (nearest_on_segment(center, a, b).distance(center) - radius).max(0.0),
            Self::Rectangle { min, max } => {
                if self.distance(a) == 0.0 || self.distance(b) == 0.0 {
                    return 0.0;
                }
                let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
                (0..4)
                    .map(|edge| segment_distance(a, b, corners[edge], corners[(edge + 1) % 4]))
                    .fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Returns whether all its numbers are finite and its lengths are not negative.
    fn is_valid(&self) -> bool {
        match *self {
            Self::Wall(a, b) => a.is_finite() && b.is_finite(),
            Self::Disc { center, radius } => center.is_finite() && radius.is_finite() && radius >= 0.0,
            Self::Rectangle { min, max } => min.is_finite() && max.is_finite() && min.cmple(max).all(),
        }
    }
}

/// A place where walking can be forbidden for a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// Lowest corner, in m.
    pub min: DVec2,
    /// Highest corner, in m.
    pub max: DVec2,
    /// Whether walkers look for another way while the gate is closed. Otherwise they wait before it, as at a traffic
    /// light.
    pub detour: bool,
}

impl Gate {
    /// Returns whether a point is in the gate.
    pub fn contains(&self, point: DVec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }
}

/// The reason why a floor was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloorError {
    /// The extent is empty or not finite.
    Extent,
    /// The extent has more cells than a field may have.
    TooLarge,
    /// An obstacle has numbers that are not finite, or a negative length.
    Obstacle(usize),
    /// A gate has numbers that are not finite, or its corners are swapped.
    Gate(usize),
}

/// The extent of a crowd and what is in it. Walkers keep inside the extent.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    min: DVec2,
    max: DVec2,
    obstacles: Vec<Obstacle>,
    gates: Vec<Gate>,
    /// Whether the ends of the x axis are joined.
    ring: bool,
    columns: usize,
    rows: usize,
    /// Where the obstacles of each lookup cell begin in `listed`.
    starts: Vec<u32>,
    listed: Vec<u32>,
}

impl Floor {
    /// Creates a floor between two corners (m).
    pub fn new(min: DVec2, max: DVec2, obstacles: Vec<Obstacle>, gates: Vec<Gate>) -> Result<Self, FloorError> {
        if !(min.is_finite() && max.is_finite() && min.cmplt(max).all()) {
            return Err(FloorError::Extent);
        }
        if let Some(bad) = obstacles.iter().position(|obstacle| !obstacle.is_valid()) {
            return Err(FloorError::Obstacle(bad));
        }
        let is_valid = |gate: &Gate| gate.min.is_finite() && gate.max.is_finite() && gate.min.cmple(gate.max).all();
        if let Some(bad) = gates.iter().position(|gate| !is_valid(gate)) {
            return Err(FloorError::Gate(bad));
        }
        let size = ((max - min) / LOOKUP_CELL).ceil().max(DVec2::ONE);
        if size.x * size.y > MAX_CELLS as f64 {
            return Err(FloorError::TooLarge);
        }
        let (columns, rows) = (size.x as usize, size.y as usize);
        let mut floor =
            Self { min, max, obstacles, gates, ring: false, columns, rows, starts: vec![0], listed: Vec::new() };
        let corner = 0.5 * LOOKUP_CELL * std::f64::consts::SQRT_2;
        for cell in 0..columns * rows {
            let place = DVec2::new((cell % columns) as f64 + 0.5, (cell / columns) as f64 + 0.5);
            let center = min + LOOKUP_CELL * place;
            let near = |obstacle: &Obstacle| obstacle.distance(center) <= LOOKUP_REACH + corner;
            let found = (0..floor.obstacles.len()).filter(|&index| near(&floor.obstacles[index]));
            floor.listed.extend(found.map(|index| index as u32));
            floor.starts.push(floor.listed.len() as u32);
        }
        Ok(floor)
    }

    /// Joins the ends of the x axis: whoever leaves the floor at one of them comes in at the other. The obstacles must
    /// be the same everywhere along the axis.
    pub fn into_ring(mut self) -> Self {
        self.ring = true;
        self
    }

    /// Length of the ring, in m, if the floor is one.
    pub fn ring(&self) -> Option<f64> {
        self.ring.then_some(self.max.x - self.min.x)
    }

    /// Lowest corner, in m.
    pub fn min(&self) -> DVec2 {
        self.min
    }

    /// Highest corner, in m.
    pub fn max(&self) -> DVec2 {
        self.max
    }

    /// The obstacles.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// The gates.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// Returns the distance (m) of a point from the nearest obstacle and from the border. Beyond two metres it is only
    /// known that it is at least that.
    pub fn clearance(&self, point: DVec2) -> f64 {
        self.near(point).map(|obstacle| obstacle.distance(point)).fold(self.border_distance(point), f64::min)
    }

    /// Returns the distance (m) of the segment from `a` to `b` from the nearest obstacle and from the border, for
    /// segments of up to 1 m, as [`clearance`](Self::clearance) does.
    pub fn segment_clearance(&self, a: DVec2, b: DVec2) -> f64 {
        let border = self.border_distance(a).min(self.border_distance(b));
        self.near(a).map(|obstacle| obstacle.segment_distance(a, b)).fold(border, f64::min)
    }

    /// Distance from the border, in m; negative beyond it.
    fn border_distance(&self, point: DVec2) -> f64 {
        let (below, above) = (point - self.min, self.max - point);
        let sides = if self.ring { f64::INFINITY } else { below.x.min(above.x) };
        sides.min(below.y).min(above.y)
    }

    /// The obstacles near a point.
    fn near(&self, point: DVec2) -> impl Iterator<Item = &Obstacle> {
        let place = ((point - self.min) / LOOKUP_CELL).floor().max(DVec2::ZERO);
        let column = (place.x as usize).min(self.columns - 1);
        let cell = (place.y as usize).min(self.rows - 1) * self.columns + column;
        let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
        self.listed[range].iter().map(|&index| &self.obstacles[index as usize])
    }
}
