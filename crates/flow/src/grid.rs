//! Regular grids of points, periodic or bounded on each axis.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Smallest number of points per axis: differences of fourth order need five.
pub const MIN_POINTS_PER_AXIS: usize = 5;
/// Largest number of points of a grid: a velocity and a pressure at each take 2 GiB.
pub const MAX_POINTS: usize = 1 << 27;

/// A regular grid of points. Points are numbered with x fastest, then y, then z.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "GridData")]
pub struct Grid {
    size: [usize; 3],
    #[serde(serialize_with = "as_array")]
    origin: DVec3,
    #[serde(serialize_with = "as_array")]
    spacing: DVec3,
    periodic: [bool; 3],
}

fn as_array<S: serde::Serializer>(vector: &DVec3, serializer: S) -> Result<S::Ok, S::Error> {
    vector.to_array().serialize(serializer)
}

/// A grid as files contain it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GridData {
    size: [usize; 3],
    origin: [f64; 3],
    spacing: [f64; 3],
    periodic: [bool; 3],
}

impl TryFrom<GridData> for Grid {
    type Error = GridError;

    fn try_from(data: GridData) -> Result<Self, GridError> {
        Self::new(data.size, data.origin.into(), data.spacing.into(), data.periodic)
    }
}

/// Why a grid is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum GridError {
    /// An axis has too few points.
    #[error("the grid has {0} points on an axis; at least {MIN_POINTS_PER_AXIS} are needed")]
    TooFewPoints(usize),
    /// The grid has too many points.
    #[error("the grid of {} x {} x {} points has more than {MAX_POINTS}, which is the limit", .0[0], .0[1], .0[2])]
    TooManyPoints([usize; 3]),
    /// The distance of points is not valid.
    #[error("the spacing of the grid must be positive and finite, found {0}")]
    Spacing(f64),
    /// The position of the first point is not valid.
    #[error("the origin of the grid must be finite, found {0}")]
    Origin(f64),
}

/// Largest coordinate and spacing of a grid. Larger ones lose the fractions of a cell.
const MAX_LENGTH: f64 = 1e12;

impl Grid {
    /// Creates a grid from its number of points per axis, the position of its first point, the distance of
    /// neighbouring points, and whether each axis is periodic.
    pub fn new(size: [usize; 3], origin: DVec3, spacing: DVec3, periodic: [bool; 3]) -> Result<Self, GridError> {
        if let Some(few) = size.into_iter().find(|points| *points < MIN_POINTS_PER_AXIS) {
            return Err(GridError::TooFewPoints(few));
        }
        let points = size.into_iter().try_fold(1_usize, |product, points| product.checked_mul(points));
        if points.is_none_or(|points| points > MAX_POINTS) {
            return Err(GridError::TooManyPoints(size));
        }
        let bad_spacing = |length: &f64| !(*length >= 1.0 / MAX_LENGTH && *length <= MAX_LENGTH);
        if let Some(bad) = spacing.to_array().into_iter().find(bad_spacing) {
            return Err(GridError::Spacing(bad));
        }
        let bad_origin = |length: &f64| length.is_nan() || length.abs() > MAX_LENGTH;
        if let Some(bad) = origin.to_array().into_iter().find(bad_origin) {
            return Err(GridError::Origin(bad));
        }
        Ok(Self { size, origin, spacing, periodic })
    }

    /// A periodic box with equal spacing, whose first point is at `origin`.
    pub fn periodic(size: [usize; 3], origin: DVec3, spacing: f64) -> Result<Self, GridError> {
        Self::new(size, origin, DVec3::splat(spacing), [true; 3])
    }

    /// Number of points per axis.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Position of the first point.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Distance of neighbouring points per axis.
    pub fn spacing(&self) -> DVec3 {
        self.spacing
    }

    /// Smallest distance of neighbouring points: the length that is called a cell.
    pub fn cell(&self) -> f64 {
        self.spacing.min_element()
    }

    /// Whether each axis is periodic.
    pub fn periodicity(&self) -> [bool; 3] {
        self.periodic
    }

    /// Whether all axes are periodic.
    pub fn is_periodic(&self) -> bool {
        self.periodic == [true; 3]
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.size.iter().product()
    }

    /// Number of cells per axis: a periodic axis has one from its last point to its first.
    pub fn cells(&self, axis: usize) -> usize {
        self.size[axis] - usize::from(!self.periodic[axis])
    }

    /// Lengths of the box.
    pub fn extent(&self) -> DVec3 {
        let length = |axis: usize| self.cells(axis) as f64 * self.spacing[axis];
        DVec3::new(length(0), length(1), length(2))
    }

    /// Position of a point.
    pub fn position(&self, point: [usize; 3]) -> DVec3 {
        self.origin + DVec3::new(point[0] as f64, point[1] as f64, point[2] as f64) * self.spacing
    }

    /// Number of a point.
    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.size[1] + y) * self.size[0] + x
    }

    /// The point of a number.
    pub fn point(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.size;
        [index % nx, index / nx % ny, index / (nx * ny)]
    }

    /// The neighbour of a point at a distance along an axis, or none beyond a wall.
    pub fn neighbour(&self, mut point: [usize; 3], axis: usize, distance: isize) -> Option<[usize; 3]> {
        let count = self.size[axis] as isize;
        let moved = point[axis] as isize + distance;
        let inside = if self.periodic[axis] { moved.rem_euclid(count) } else { moved };
        point[axis] = usize::try_from(inside).ok().filter(|place| *place < self.size[axis])?;
        Some(point)
    }

    /// Whether a position is in the box. Positions on periodic axes always are.
    pub fn contains(&self, position: DVec3) -> bool {
        let end = self.origin + self.extent();
        (0..3).all(|axis| self.periodic[axis] || (position[axis] >= self.origin[axis] && position[axis] <= end[axis]))
    }

    /// The difference of two positions, by the shortest way around periodic axes.
    pub fn difference(&self, from: DVec3, to: DVec3) -> DVec3 {
        let mut difference = to - from;
        let extent = self.extent();
        for axis in 0..3 {
            if self.periodic[axis] {
                difference[axis] -= libm::rint(difference[axis] / extent[axis]) * extent[axis];
            }
        }
        difference
    }

    /// The point that is nearest to a position.
    pub fn nearest(&self, position: DVec3) -> [usize; 3] {
        let cells = (position - self.origin) / self.spacing;
        let nearest = |axis: usize| {
            let count = self.size[axis] as i64;
            let rounded = libm::rint(cells[axis].clamp(-1e15, 1e15)) as i64;
            let inside = if self.periodic[axis] { rounded.rem_euclid(count) } else { rounded.clamp(0, count - 1) };
            inside as usize
        };
        [nearest(0), nearest(1), nearest(2)]
    }
}
