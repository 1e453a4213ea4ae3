//! Elements of the group, by layers of copies of the domain.

use std::collections::HashMap;

use glam::DVec4;

use super::Domain;
use crate::space::{Isometry, ORIGIN, Space};

/// Copies whose centre is farther than this from the origin are not listed. Their matrices would have fewer than eight
/// correct digits.
const MAX_DISTANCE: f64 = 15.0;

/// Element of the group: a copy of the domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Maps the domain to its copy.
    pub isometry: Isometry,
    /// Smallest number of faces between the domain and its copy.
    pub layer: usize,
    /// The copy across whose face this one was found, and the face of that copy; `None` for the domain itself.
    pub parent: Option<(usize, usize)>,
}

/// Finds copies by the images of the origin.
struct Index {
    /// Side of a cell of the grid. The images of the origin are at least twice as far apart.
    cell: f64,
    cells: HashMap<[i64; 4], usize>,
}

impl Index {
    fn cell_of(&self, p: DVec4) -> [i64; 4] {
        p.to_array().map(|x| libm::floor(x / self.cell) as i64)
    }

    /// Returns whether a copy has its centre at `p`, up to rounding.
    fn contains(&self, p: DVec4) -> bool {
        // A centre near the border of a cell may have been rounded into the next one.
        let slack = 1e-9 * self.cell.max(p.abs().max_element());
        let ends = [p - DVec4::splat(slack), p + DVec4::splat(slack)].map(|corner| self.cell_of(corner));
        (0..16).any(|mask| {
            let key = std::array::from_fn(|i| ends[mask >> i & 1][i]);
            self.cells.contains_key(&key)
        })
    }
}

impl Domain {
    /// Lists elements of the group, layer by layer, beginning with the identity. The list ends after `layers` layers, at
    /// `limit` elements, or when the group is finite and complete. Within a layer, near copies come first.
    pub fn elements(&self, layers: usize, limit: usize) -> Vec<Element> {
        let identity = Element { isometry: Isometry::identity(self.space), layer: 0, parent: None };
        let mut elements = vec![identity];
        let apart = match self.space {
            Space::Spherical => self.space.sine(self.in_radius().min(0.5)),
            _ => self.in_radius(),
        };
        // The distance of two centres in coordinates is at least 2 sin(in-radius), and a cell's diagonal twice its side.
        let mut index = Index { cell: 0.5 * apart.clamp(1e-6, 1e3), cells: HashMap::new() };
        index.cells.insert(index.cell_of(ORIGIN), 0);
        let mut first = 0;
        for layer in 1..=layers {
            let end = elements.len();
            let mut found: Vec<(f64, Element)> = Vec::new();
            for (parent, from) in elements.iter().enumerate().take(end).skip(first) {
                for (face, across) in self.faces.iter().enumerate() {
                    let isometry = from.isometry * across.pairing;
                    let centre = isometry.centre();
                    let distance = self.space.distance(ORIGIN, centre);
                    if (distance > MAX_DISTANCE && self.space == Space::Hyperbolic) || index.contains(centre) {
                        continue;
                    }
                    index.cells.insert(index.cell_of(centre), 0);
                    found.push((distance, Element { isometry, layer, parent: Some((parent, face)) }));
                }
            }
            if found.is_empty() {
                break;
            }
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            let room = limit.max(1) - elements.len();
            let full = found.len() >= room;
            elements.extend(found.into_iter().map(|(_, element)| element).take(room));
            if full {
                break;
            }
            first = end;
        }
        elements
    }
}
