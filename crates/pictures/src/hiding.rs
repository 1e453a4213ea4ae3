//! Hidden surface removal.
//!
//! The points that a convex body hides, including its interior, form a convex set: they are behind all its visible
//! faces and inside the planes through the eye and the edges of its outline. So the hidden part of a convex polygon is
//! a convex polygon that is cut out by planes. This also holds for bodies that overlap.
//!
//! ```text
//!        eye
//!        /|\
//!       / | \         front faces F, planes of the outline O;
//!      /  F  \        below all of them everything is hidden
//!     O  / \  O
//!    /  /   \  \
//! ```
//!
//! Faces of two bodies in the same plane do not hide each other.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::camera::{Camera, DOTS};
use super::polygon::{Plane, Polygon, Side, below};
use super::solid::{Facet, Solid};

/// Tolerance within which points are on a surface, not below it, in pixels.
const SURFACE_TOLERANCE: f64 = 0.02;
/// Number of cells of the picture per side; each cell has a list of its hiders.
const CELLS: usize = 32;

/// A convex set of hidden points.
#[derive(Debug, Clone)]
pub(super) struct Hider {
    planes: Vec<Plane>,
    /// Corners of the bounding rectangle in the picture, in dots.
    low: DVec2,
    high: DVec2,
    /// Body number and part number.
    pub owner: (usize, usize),
}

impl Hider {
    /// Creates the set of all points below a plane.
    pub fn half_space(normal: DVec3, point: DVec3, owner: usize, camera: &Camera) -> Self {
        let offset = normal.dot(point) - surface_tolerance(camera);
        let planes = vec![Plane { normal, offset, side: Side::Surface }];
        Self { planes, low: DVec2::NEG_INFINITY, high: DVec2::INFINITY, owner: (owner, 0) }
    }

    /// Creates the set of points hidden by a closed convex body, or by a single visible facet.
    fn new(facets: &[Facet], owner: (usize, usize), camera: &Camera) -> Option<Self> {
        let surface_tolerance = surface_tolerance(camera);
        let (mut planes, mut low, mut high) = (Vec::new(), DVec2::INFINITY, DVec2::NEG_INFINITY);
        // An edge between two visible facets occurs in both directions.
        let mut outline: BTreeMap<[Key; 2], (DVec3, DVec3)> = BTreeMap::new();
        let quantizer = Quantizer::of(facets);
        for facet in facets.iter().filter(|facet| camera.sees(facet.normal, facet.corners[0])) {
            let offset = facet.normal.dot(facet.corners[0]) - surface_tolerance;
            planes.push(Plane { normal: facet.normal, offset, side: Side::Surface });
            for (from, to) in sides(&facet.corners) {
                if camera.depth(from) < camera.near {
                    return None;
                }
                let place = camera.project(from);
                (low, high) = (low.min(place), high.max(place));
                let (a, b) = (quantizer.key(from), quantizer.key(to));
                if outline.remove(&[b, a]).is_none() {
                    outline.insert([a, b], (from, to));
                }
            }
        }
        for (from, to) in outline.into_values() {
            if let Some(normal) = (from - camera.eye).cross(to - camera.eye).try_normalize() {
                planes.push(Plane { normal, offset: normal.dot(camera.eye) - surface_tolerance, side: Side::Outline });
            }
        }
        (!planes.is_empty()).then_some(Self { planes, low, high, owner })
    }

    /// Returns the hidden part of a polygon.
    pub fn hidden(&self, polygon: &Polygon) -> Polygon {
        below(polygon.clone(), &self.planes)
    }

    /// Returns the hidden part of a line, as fractions of its length.
    pub fn hidden_span(&self, from: DVec3, to: DVec3) -> Option<[f64; 2]> {
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        for plane in &self.planes {
            let (a, b) = (plane.normal.dot(from) - plane.offset, plane.normal.dot(to) - plane.offset);
            match (a > 0.0, b > 0.0) {
                (true, true) => return None,
                (true, false) => begin = begin.max(a / (a - b)),
                (false, true) => end = end.min(a / (a - b)),
                (false, false) => {}
            }
        }
        (begin < end).then_some([begin, end])
    }
}

/// Returns the tolerance in m.
fn surface_tolerance(camera: &Camera) -> f64 {
    SURFACE_TOLERANCE * DOTS * camera.dot_length()
}

/// Returns the sides of a polygon.
pub(super) fn sides(corners: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Key of a point.
pub(super) type Key = [i64; 3];

/// Quantizes points, so that points that differ only by rounding have the same key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quantizer {
    origin: DVec3,
    scale: f64,
}

impl Quantizer {
    /// Creates a quantizer for the size of some facets.
    pub fn of(facets: &[Facet]) -> Self {
        let origin = facets.first().map_or(DVec3::ZERO, |facet| facet.corners[0]);
        let corners = facets.iter().flat_map(|facet| &facet.corners);
        let size = corners.map(|corner| (*corner - origin).abs().max_element()).fold(f64::MIN_POSITIVE, f64::max);
        // The offset prevents symmetric points from lying on the border between two keys.
        Self { origin: origin + 0.123_456_7e-6 * size, scale: 1e6 / size }
    }

    pub fn key(&self, point: DVec3) -> Key {
        ((point - self.origin) * self.scale).round().to_array().map(|value| value as i64)
    }
}

/// All hiders of a picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Hiders {
    all: Vec<Hider>,
    /// Indices of the hiders in each cell.
    cells: Vec<Vec<u32>>,
}

impl Hiders {
    /// Adds a hider.
    pub fn add(&mut self, hider: Hider, camera: &Camera) {
        self.cells.resize(CELLS * CELLS, Vec::new());
        for cell in cells(hider.low, hider.high, camera) {
            self.cells[cell].push(self.all.len() as u32);
        }
        self.all.push(hider);
    }

    /// Adds all parts of a body.
    pub fn add_solid(&mut self, solid: &Solid, owner: usize, camera: &Camera) {
        for facets in solid.facets.chunk_by(|a, b| a.part == b.part) {
            if let Some(hider) = Hider::new(facets, (owner, facets[0].part), camera) {
                self.add(hider, camera);
            }
        }
    }

    /// Returns the hiders that may hide some of the given points, in the order of their addition.
    pub fn before<'a>(&'a self, points: impl IntoIterator<Item = DVec3>, camera: &Camera) -> Vec<&'a Hider> {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in points {
            let place = camera.project(point);
            (low, high) = (low.min(place), high.max(place));
        }
        if self.cells.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<u32> = cells(low, high, camera).flat_map(|cell| self.cells[cell].iter().copied()).collect();
        found.sort_unstable();
        found.dedup();
        let overlaps = |hider: &&Hider| hider.low.cmple(high).all() && low.cmple(hider.high).all();
        found.into_iter().map(|index| &self.all[index as usize]).filter(overlaps).collect()
    }
}

/// Returns the cells that a rectangle overlaps.
fn cells(low: DVec2, high: DVec2, camera: &Camera) -> impl Iterator<Item = usize> {
    let cell = |place: DVec2| (place / camera.size * CELLS as f64).clamp(DVec2::ZERO, DVec2::splat(CELLS as f64 - 1.0));
    let (first, last) = (cell(low), cell(high));
    let (columns, rows) = (first.x as usize..=last.x as usize, first.y as usize..=last.y as usize);
    rows.flat_map(move |row| columns.clone().map(move |column| row * CELLS + column))
}
