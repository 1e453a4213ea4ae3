//! Which tube each point of a grid belongs to.

use glam::DVec3;

use crate::grid::Grid;
use crate::tubes::Tube;

/// Least radius, in cells, within which a point belongs to a tube.
const MIN_REACH: f64 = 1.5;

/// The nearest tube of each grid point within its radius.
pub(super) struct Labels {
    grid: Grid,
    nearest: Vec<(u32, f32)>,
}

const NONE: u32 = u32::MAX;

impl Labels {
    pub(super) fn new(grid: Grid, tubes: &[Tube]) -> Self {
        let mut labels = Self { grid, nearest: vec![(NONE, f32::INFINITY); grid.points()] };
        for (number, tube) in tubes.iter().enumerate() {
            for point in &tube.points {
                let radius = point.section.mean().max(MIN_REACH * grid.cell());
                labels.mark(number as u32, point.position, radius);
            }
        }
        labels
    }

    /// The tube at a place.
    pub(super) fn at(&self, place: DVec3) -> Option<usize> {
        let (label, _) = self.nearest[self.grid.index(self.grid.nearest(place))];
        (label != NONE).then_some(label as usize)
    }

    fn mark(&mut self, label: u32, centre: DVec3, radius: f64) {
        let middle = self.grid.nearest(centre);
        let reach = [0, 1, 2].map(|axis| {
            let cells = libm::ceil(radius / self.grid.spacing()[axis]) as isize;
            cells.min(self.grid.size()[axis] as isize / 2)
        });
        for z in -reach[2]..=reach[2] {
            for y in -reach[1]..=reach[1] {
                for x in -reach[0]..=reach[0] {
                    let moved = self.grid.neighbour(middle, 0, x);
                    let moved = moved.and_then(|place| self.grid.neighbour(place, 1, y));
                    let Some(place) = moved.and_then(|place| self.grid.neighbour(place, 2, z)) else { continue };
                    // Distances in radii, so that a thin tube is not hidden in a thick one.
                    let distance = self.grid.difference(centre, self.grid.position(place)).length() / radius;
                    let nearest = &mut self.nearest[self.grid.index(place)];
                    if distance <= 1.0 && (distance as f32) < nearest.1 {
                        *nearest = (label, distance as f32);
                    }
                }
            }
        }
    }
}
