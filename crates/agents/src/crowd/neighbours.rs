//! Who is near whom: walkers sorted into square cells. The lists depend on the present positions alone.

use glam::DVec2;

/// Size of a cell, in m.
const CELL: f64 = 1.0;

/// Maximum number of cells. Larger floors have larger cells.
const MAX_CELLS: f64 = 262_144.0;

/// Walkers by cell. The arrays are reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Neighbours {
    min: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    /// Whether the columns are those of a ring.
    ring: bool,
    /// Where the walkers of each cell begin in `walkers`.
    starts: Vec<u32>,
    walkers: Vec<u32>,
    cells: Vec<u32>,
}

impl Neighbours {
    /// Creates the cells of an extent (m).
    pub fn new(min: DVec2, max: DVec2, ring: bool) -> Self {
        let area = (max - min).x * (max - min).y;
        let wanted = if area > MAX_CELLS * CELL * CELL { (area / MAX_CELLS).sqrt() } else { CELL };
        let size = ((max - min) / wanted).ceil().max(DVec2::ONE);
        // The cells of a ring must fit into it, so they are a little wider.
        let columns = if ring { (((max - min).x / wanted).floor() as usize).max(1) } else { size.x as usize };
        let cell = if ring { (max - min).x / columns as f64 } else { wanted };
        Self { min, cell, columns, rows: size.y as usize, ring, ..Self::default() }
    }

    fn place(&self, point: DVec2) -> (i64, i64) {
        let place = ((point - self.min) / self.cell).floor();
        let column = if self.ring {
            (place.x as i64).rem_euclid(self.columns as i64)
        } else {
            (place.x as i64).clamp(0, self.columns as i64 - 1)
        };
        (column, (place.y as i64).clamp(0, self.rows as i64 - 1))
    }

    /// Sorts the walkers that are there into cells, by index within a cell.
    pub fn sort(&mut self, positions: impl Iterator<Item = Option<DVec2>> + Clone) {
        self.starts.clear();
        self.starts.resize(self.columns * self.rows + 1, 0);
        self.cells.clear();
        for position in positions {
            let cell = position.map_or(u32::MAX, |position| {
                let (column, row) = self.place(position);
                (row as usize * self.columns + column as usize) as u32
            });
            if cell != u32::MAX {
                self.starts[cell as usize + 1] += 1;
            }
            self.cells.push(cell);
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.walkers.clear();
        self.walkers.resize(self.starts[self.starts.len() - 1] as usize, 0);
        // Filled from the back, every start ends at its own beginning.
        for (walker, &cell) in self.cells.iter().enumerate().rev() {
            if cell != u32::MAX {
                let end = &mut self.starts[cell as usize + 1];
                *end -= 1;
                self.walkers[*end as usize] = walker as u32;
            }
        }
        // Now the start of a cell is stored one place too far.
        self.starts.remove(0);
        self.starts.push(self.walkers.len() as u32);
    }

    /// Calls `visit` with every walker in the cells within a number of cells of a point.
    pub fn visit(&self, point: DVec2, cells: i64, mut visit: impl FnMut(usize)) {
        let (column, row) = self.place(point);
        // In a small ring no column is visited twice.
        let (first, last) = if self.ring && 2 * cells + 1 >= self.columns as i64 {
            (0, self.columns as i64 - 1)
        } else if self.ring {
            (column - cells, column + cells)
        } else {
            ((column - cells).max(0), (column + cells).min(self.columns as i64 - 1))
        };
        for y in (row - cells).max(0)..=(row + cells).min(self.rows as i64 - 1) {
            for x in first..=last {
                let cell = y as usize * self.columns + x.rem_euclid(self.columns as i64) as usize;
                let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                self.walkers[range].iter().for_each(|&walker| visit(walker as usize));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64;

    /// Random walkers: everybody within the distance is found once, on floors and rings of many sizes.
    #[test]
    fn everybody_near_is_found_once() {
        for seed in 0..40 {
            let mut random = Pcg64::seed_from_u64(seed);
            let size = DVec2::new(random.random_range(1.0..20.0), random.random_range(1.0..20.0));
            let ring = seed % 2 == 0;
            let mut neighbours = Neighbours::new(DVec2::ZERO, size, ring);
            let positions: Vec<_> = (0..60)
                .map(|_| {
                    let place = DVec2::new(random.random_range(0.0..size.x), random.random_range(0.0..size.y));
                    (random.random_range(0.0..1.0) < 0.9).then_some(place)
                })
                .collect();
            neighbours.sort(positions.iter().copied());
            for position in positions.iter().flatten() {
                let mut found = Vec::new();
                neighbours.visit(*position, 2, |walker| found.push(walker));
                found.sort_unstable();
                assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "twice: {found:?}");
                for (index, other) in positions.iter().enumerate() {
                    let Some(other) = other else {
                        assert!(!found.contains(&index));
                        continue;
                    };
                    let mut offset = *other - *position;
                    if ring {
                        offset.x -= size.x * (offset.x / size.x).round();
                    }
                    assert!(offset.length() > 2.0 || found.contains(&index));
                }
            }
        }
    }
}
