//! What hides what.
//!
//! The points that a convex body hides, its own inside included, are themselves a convex set: those behind all its faces that the
//! eye sees, and within the planes through the eye and the edges of its outline. So the hidden part of a flat convex polygon is a
//! convex polygon, cut out by planes; also where bodies are in each other.
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
//! Two bodies with faces in the same plane do not hide each other there.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3};

use super::camera::{Camera, DOTS};
use super::polygon::{Plane, Polygon, Side, below};
use super::solid::{Facet, Solid};

/// Closer points are on the surface, not below it, in pixels.
const SLACK: f64 = 0.02;
/// Cells of the picture a side, each with a list of what can hide something there.
const CELLS: usize = 32;

/// A convex set of hidden points.
#[derive(Debug, Clone)]
pub(super) struct Hider {
    planes: Vec<Plane>,
    /// Corners of the rectangle around it in the picture, in dots.
    least: DVec2,
    most: DVec2,
    /// Which body, and which part of it.
    pub owner: (usize, usize),
}

impl Hider {
    /// All below a plane.
    pub fn half_space(normal: DVec3, point: DVec3, owner: usize, camera: &Camera) -> Self {
        let offset = normal.dot(point) - slack(camera);
        let planes = vec![Plane { normal, offset, side: Side::Surface }];
        Self { planes, least: DVec2::NEG_INFINITY, most: DVec2::INFINITY, owner: (owner, 0) }
    }

    /// Of a closed convex body, or of a single facet that the eye sees.
    fn new(facets: &[Facet], owner: (usize, usize), camera: &Camera) -> Option<Self> {
        let slack = slack(camera);
        let (mut planes, mut least, mut most) = (Vec::new(), DVec2::INFINITY, DVec2::NEG_INFINITY);
        // An edge between two facets that the eye sees is met in both directions.
        let mut outline: BTreeMap<[Key; 2], (DVec3, DVec3)> = BTreeMap::new();
        let grain = Grain::of(facets);
        for facet in facets.iter().filter(|facet| camera.sees(facet.normal, facet.corners[0])) {
            let offset = facet.normal.dot(facet.corners[0]) - slack;
            planes.push(Plane { normal: facet.normal, offset, side: Side::Surface });
            for (from, to) in sides(&facet.corners) {
                if camera.depth(from) < camera.near {
                    return None;
                }
                let place = camera.project(from);
                (least, most) = (least.min(place), most.max(place));
                let (a, b) = (grain.key(from), grain.key(to));
                if outline.remove(&[b, a]).is_none() {
                    outline.insert([a, b], (from, to));
                }
            }
        }
        for (from, to) in outline.into_values() {
            if let Some(normal) = (from - camera.eye).cross(to - camera.eye).try_normalize() {
                planes.push(Plane { normal, offset: normal.dot(camera.eye) - slack, side: Side::Outline });
            }
        }
        (!planes.is_empty()).then_some(Self { planes, least, most, owner })
    }

    /// The hidden part of a polygon.
    pub fn hidden(&self, polygon: &Polygon) -> Polygon {
        below(polygon.clone(), &self.planes)
    }

    /// The hidden part of a line, as shares of its length.
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

/// How thick a surface is, in m.
fn slack(camera: &Camera) -> f64 {
    SLACK * DOTS * camera.dot_length()
}

/// The sides of a polygon.
pub(super) fn sides(corners: &[DVec3]) -> impl Iterator<Item = (DVec3, DVec3)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Tells points apart.
pub(super) type Key = [i64; 3];

/// Points that are the same but for rounding have the same key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grain {
    origin: DVec3,
    scale: f64,
}

impl Grain {
    /// Fit for facets.
    pub fn of(facets: &[Facet]) -> Self {
        let origin = facets.first().map_or(DVec3::ZERO, |facet| facet.corners[0]);
        let corners = facets.iter().flat_map(|facet| &facet.corners);
        let size = corners.map(|corner| (*corner - origin).abs().max_element()).fold(f64::MIN_POSITIVE, f64::max);
        // An odd origin, so that nothing symmetric is at the border between two keys.
        Self { origin: origin + 0.123_456_7e-6 * size, scale: 1e6 / size }
    }

    pub fn key(&self, point: DVec3) -> Key {
        ((point - self.origin) * self.scale).round().to_array().map(|value| value as i64)
    }
}

/// All that can hide something.
#[derive(Debug, Clone, Default)]
pub(super) struct Hiders {
    all: Vec<Hider>,
    /// By cell of the picture.
    cells: Vec<Vec<u32>>,
}

impl Hiders {
    /// Adds something.
    pub fn add(&mut self, hider: Hider, camera: &Camera) {
        self.cells.resize(CELLS * CELLS, Vec::new());
        for cell in cells(hider.least, hider.most, camera) {
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

    /// What may hide some of the given points from the eye, in order.
    pub fn before<'a>(&'a self, points: impl IntoIterator<Item = DVec3>, camera: &Camera) -> Vec<&'a Hider> {
        let (mut least, mut most) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in points {
            let place = camera.project(point);
            (least, most) = (least.min(place), most.max(place));
        }
        if self.cells.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<u32> =
            cells(least, most, camera).flat_map(|cell| self.cells[cell].iter().copied()).collect();
        found.sort_unstable();
        found.dedup();
        let overlaps = |hider: &&Hider| hider.least.cmple(most).all() && least.cmple(hider.most).all();
        found.into_iter().map(|index| &self.all[index as usize]).filter(overlaps).collect()
    }
}

/// The cells of the picture that a rectangle is in.
fn cells(least: DVec2, most: DVec2, camera: &Camera) -> impl Iterator<Item = usize> {
    let cell = |place: DVec2| (place / camera.size * CELLS as f64).clamp(DVec2::ZERO, DVec2::splat(CELLS as f64 - 1.0));
    let (low, high) = (cell(least), cell(most));
    let (columns, rows) = (low.x as usize..=high.x as usize, low.y as usize..=high.y as usize);
    rows.flat_map(move |row| columns.clone().map(move |column| row * CELLS + column))
}
