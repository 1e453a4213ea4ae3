//! A floor field: the length of the shortest way from every place to a goal, round the obstacles.
//!
//! It solves the eikonal equation `|grad u| = 1` with u = 0 in the goal by fast marching (Sethian 1996), with
//! first-order
//! upwind differences on a square grid.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec2;

use super::floor::Floor;

/// Share of the radius of a body that must be free round a cell that can be crossed. It is below 1, so that every
/// place where a body fits has such a cell beside it.
const FREE_SHARE: f64 = 0.7;

/// A region that walkers walk to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// Lowest corner, in m.
    pub min: DVec2,
    /// Highest corner, in m.
    pub max: DVec2,
}

impl Region {
    /// Returns whether a point is in the region.
    pub fn contains(&self, point: DVec2) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }
}

/// The cells of a floor that can be crossed, and memory that is reused to compute fields.
#[derive(Debug, Clone)]
pub struct FieldGrid {
    min: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    /// Whether each cell is free while all gates are open.
    free: Vec<bool>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

/// The length of the shortest way to a goal, in m, for the cells of a grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FloorField {
    min: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    lengths: Vec<f64>,
}

impl FieldGrid {
    /// Divides a floor into cells (m) for bodies of a radius (m).
    pub fn new(floor: &Floor, cell: f64, radius: f64) -> Self {
        let size = ((floor.max() - floor.min()) / cell).ceil();
        let (columns, rows) = (size.x as usize, size.y as usize);
        let center = |index: usize| {
            floor.min() + cell * DVec2::new((index % columns) as f64 + 0.5, (index / columns) as f64 + 0.5)
        };
        let free = (0..columns * rows).map(|index| floor.clearance(center(index)) >= FREE_SHARE * radius).collect();
        Self { min: floor.min(), cell, columns, rows, free, heap: BinaryHeap::new() }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.free.len()
    }

    /// Returns whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.free.is_empty()
    }

    /// Returns an empty field on this grid: no place has a way.
    pub fn field(&self) -> FloorField {
        let Self { min, cell, columns, rows, .. } = *self;
        FloorField { min, cell, columns, rows, lengths: vec![f64::INFINITY; self.free.len()] }
    }

    /// Computes the field of a goal. `closed` tells which places cannot be crossed at present.
    pub fn march(&mut self, field: &mut FloorField, goal: &Region, closed: impl Fn(DVec2) -> bool) {
        field.lengths.fill(f64::INFINITY);
        self.heap.clear();
        let crossable = |grid: &Self, index: usize| grid.free[index] && !closed(field_center(grid, index));
        for index in 0..self.free.len() {
            if goal.contains(field_center(self, index)) && crossable(self, index) {
                field.lengths[index] = 0.0;
                self.heap.push(Reverse((0, index as u32)));
            }
        }
        while let Some(Reverse((bits, index))) = self.heap.pop() {
            let index = index as usize;
            // An entry of an earlier, longer way.
            if f64::from_bits(bits) > field.lengths[index] {
                continue;
            }
            for near in neighbours(index, self.columns, self.rows).into_iter().flatten() {
                if !crossable(self, near) {
                    continue;
                }
                let length = field.upwind(near);
                if length < field.lengths[near] {
                    field.lengths[near] = length;
                    // Positive numbers have the order of their bits.
                    self.heap.push(Reverse((length.to_bits(), near as u32)));
                }
            }
        }
    }
}

fn field_center(grid: &FieldGrid, index: usize) -> DVec2 {
    grid.min + grid.cell * DVec2::new((index % grid.columns) as f64 + 0.5, (index / grid.columns) as f64 + 0.5)
}

/// The cells left, right, below and above.
fn neighbours(index: usize, columns: usize, rows: usize) -> [Option<usize>; 4] {
    let (column, row) = (index % columns, index / columns);
    [
        (column > 0).then(|| index - 1),
        (column + 1 < columns).then(|| index + 1),
        (row > 0).then(|| index - columns),
        (row + 1 < rows).then(|| index + columns),
    ]
}

impl FloorField {
    /// The solution of the upwind equation at a cell.
    fn upwind(&self, index: usize) -> f64 {
        let [left, right, below, above] = neighbours(index, self.columns, self.rows)
            .map(|near| near.map_or(f64::INFINITY, |near| self.lengths[near]));
        let (a, b) = (left.min(right), below.min(above));
        let difference = (a - b).abs();
        if difference < self.cell {
            0.5 * (a + b + (2.0 * self.cell * self.cell - difference * difference).sqrt())
        } else {
            a.min(b) + self.cell
        }
    }

    /// Returns the length (m) of the way from a point, interpolated between the four nearest cells; cells without a way
    /// do not count. Returns nothing if none of them has a way.
    pub fn length(&self, point: DVec2) -> Option<f64> {
        let place = (point - self.min) / self.cell - DVec2::splat(0.5);
        let base = place.floor();
        let share = place - base;
        let (mut sum, mut weights) = (0.0, 0.0);
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let (x, y) = (base.x + dx, base.y + dy);
            if x < 0.0 || y < 0.0 || x >= self.columns as f64 || y >= self.rows as f64 {
                continue;
            }
            let length = self.lengths[y as usize * self.columns + x as usize];
            if length.is_finite() {
                // A small constant keeps the mean defined at a cell's own centre.
                let weight = (1.0 - (share.x - dx).abs()) * (1.0 - (share.y - dy).abs()) + 1e-9;
                sum += weight * length;
                weights += weight;
            }
        }
        (weights > 0.0).then(|| sum / weights)
    }
}
