//! Which points of the grid are inside tubes that were already traced.

use glam::DVec3;

use crate::grid::Grid;
use crate::tubes::Tube;

/// Marks of grid points inside tubes.
pub(super) struct Occupancy {
    grid: Grid,
    taken: Vec<bool>,
}

impl Occupancy {
    pub(super) fn new(grid: Grid) -> Self {
        Self { grid, taken: vec![false; grid.points()] }
    }

    /// Whether the grid point nearest to a place is inside a tube.
    pub(super) fn is_taken(&self, place: DVec3) -> bool {
        self.taken[self.grid.index(self.grid.nearest(place))]
    }

    /// Marks the points inside a tube, taken as spheres with the mean radius of each section, at least one cell.
    pub(super) fn mark(&mut self, tube: &Tube) {
        for point in &tube.points {
            let radius = point.section.mean().max(self.grid.cell());
            let centre = self.grid.nearest(point.position);
            let reach = [0, 1, 2].map(|axis| {
                let cells = libm::ceil(radius / self.grid.spacing()[axis]) as isize;
                cells.min(self.grid.size()[axis] as isize / 2)
            });
            for z in -reach[2]..=reach[2] {
                for y in -reach[1]..=reach[1] {
                    for x in -reach[0]..=reach[0] {
                        let moved = self.grid.neighbour(centre, 0, x);
                        let moved = moved.and_then(|place| self.grid.neighbour(place, 1, y));
                        let Some(place) = moved.and_then(|place| self.grid.neighbour(place, 2, z)) else { continue };
                        let difference = self.grid.difference(point.position, self.grid.position(place));
                        if difference.length() <= radius {
                            let index = self.grid.index(place);
                            self.taken[index] = true;
                        }
                    }
                }
            }
        }
    }
}
