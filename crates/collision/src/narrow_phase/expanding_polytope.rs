//! Penetration depth of two convex shapes, by a polytope that expands inside their Minkowski difference.
//!
//! W = { x - y : x in a, y in b } contains the origin if and only if the shapes overlap. The depth is the distance from
//! the origin to the boundary of W: the smallest height `h(n) = max over W of n.w` over unit vectors n. A polytope with
//! its corners on W gives two bounds: a lower one by the face nearest to the origin, an upper one by the support of W
//! along that face's normal. Expanding that face to its support raises the lower bound until both are equal.
//!
//! Unlike in the usual EPA, the first polytope need not contain the origin: faces that the origin is above have a
//! negative height, are the lowest, and are expanded first. A negative support ends the search: the shapes are
//! separated. Exact predicates decide which faces a new corner sees, so the surface is always closed.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec3;
use robust::{Coord3D, orient3d};

use super::Proximity;

/// Sine of the angle between the two shorter sides below which a triangle is a sliver.
const SLIVER_SINE: f64 = 1e-8;

/// Result of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PolytopeOutcome {
    /// The shapes overlap: the depth as a negative distance, with the points and the normal.
    Penetrating(Proximity),
    /// The shapes overlap, and the maximum number of corners was reached before the bounds of the depth were equal. The
    /// result is a separating translation, but perhaps not the shortest.
    Unfinished(Proximity),
    /// The shapes are separated by at least `gap` along `normal`, a unit vector from a to b.
    Separated {
        /// Direction from a to b.
        normal: DVec3,
        /// Lower bound on the distance, in metres.
        gap: f64,
    },
}

/// Reused memory.
#[derive(Debug, Clone, Default)]
pub struct PolytopeScratch {
    corners: Vec<Corner>,
    triangles: Vec<Triangle>,
    queue: BinaryHeap<Lowest>,
    visible: Vec<u32>,
    horizon: Vec<HorizonSide>,
}

/// A point of the Minkowski difference and the points it is computed from.
#[derive(Debug, Clone, Copy)]
struct Corner {
    difference: DVec3,
    on_a: DVec3,
}

#[derive(Debug, Clone, Copy)]
struct Triangle {
    corners: [u32; 3],
    /// Triangle across the side from `corners[i]` to `corners[i + 1]`.
    neighbours: [u32; 3],
    normal: DVec3,
    height: f64,
    alive: bool,
    /// No point of W is above the triangle.
    finished: bool,
}

#[derive(Debug, Clone, Copy)]
struct HorizonSide {
    tail: u32,
    head: u32,
    across: u32,
}

/// A triangle in the queue; the lowest comes first, ties are broken by index.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Lowest {
    height: f64,
    triangle: u32,
}

impl Eq for Lowest {}

impl Ord for Lowest {
    fn cmp(&self, other: &Self) -> Ordering {
        other.height.total_cmp(&self.height).then(other.triangle.cmp(&self.triangle))
    }
}

impl PartialOrd for Lowest {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the depth of two convex shapes, or a direction that separates them.
///
/// `support(n)` gives the point of a farthest along n and the point of b farthest along -n, both in the frame of a.
/// `tolerance` (metres) is the allowed difference of the two bounds; `max_corners` bounds the work.
pub fn expanding_polytope(
    mut support: impl FnMut(DVec3) -> (DVec3, DVec3),
    tolerance: f64,
    max_corners: usize,
    scratch: &mut PolytopeScratch,
) -> PolytopeOutcome {
    let mut corner_along = |normal: DVec3| {
        let (on_a, on_b) = support(normal);
        Corner { difference: on_a - on_b, on_a }
    };
    if !scratch.begin(&mut corner_along) {
        return flat_outcome(&scratch.corners);
    }
    let mut best = (f64::INFINITY, 0);
    loop {
        let Some(Lowest { triangle, .. }) = scratch.queue.pop() else {
            return flat_outcome(&scratch.corners);
        };
        let lowest = scratch.triangles[triangle as usize];
        if !lowest.alive {
            continue;
        }
        if lowest.finished {
            return PolytopeOutcome::Penetrating(scratch.deepest(triangle, lowest.height, tolerance));
        }
        let corner = corner_along(lowest.normal);
        let height = lowest.normal.dot(corner.difference);
        if height < 0.0 {
            return PolytopeOutcome::Separated { normal: lowest.normal, gap: -height };
        }
        if height - lowest.height <= tolerance {
            return PolytopeOutcome::Penetrating(scratch.deepest(triangle, height, tolerance));
        }
        if height < best.0 {
            best = (height, triangle);
        }
        if scratch.corners.len() >= max_corners {
            return PolytopeOutcome::Unfinished(scratch.deepest(best.1, best.0, tolerance));
        }
        if !scratch.expand(triangle, corner) {
            // The corner is on the triangle's plane; rounding in the normal made it appear higher.
            let finished = &mut scratch.triangles[triangle as usize];
            (finished.finished, finished.height) = (true, height);
            scratch.queue.push(Lowest { height, triangle });
        }
    }
}

impl PolytopeScratch {
    /// Builds the first tetrahedron. Returns false when W is flat.
    fn begin(&mut self, corner_along: &mut impl FnMut(DVec3) -> Corner) -> bool {
        self.corners.clear();
        self.triangles.clear();
        self.queue.clear();
        let first = corner_along(DVec3::X);
        let second = corner_along(-DVec3::X);
        let line = second.difference - first.difference;
        let along = line.normalize_or(DVec3::X);
        let (u, v) = along.any_orthonormal_pair();
        let farthest = |candidates: [Corner; 4], measure: &dyn Fn(DVec3) -> f64| {
            let mut best = (f64::NEG_INFINITY, candidates[0]);
            for candidate in candidates {
                let value = measure(candidate.difference - first.difference);
                if value > best.0 {
                    best = (value, candidate);
                }
            }
            best.1
        };
        let third = farthest([u, -u, v, -v].map(&mut *corner_along), &|d| d.cross(along).length_squared());
        let normal = along.cross(third.difference - first.difference).normalize_or(v);
        let (up, down) = (corner_along(normal), corner_along(-normal));
        let fourth = farthest([up, down, up, down], &|d| d.dot(normal).abs());
        self.corners.extend([first, second, third, fourth]);
        let side = orient(self.corners[0], self.corners[1], self.corners[2], self.corners[3]);
        if side == 0.0 {
            return false;
        }
        if side < 0.0 {
            self.corners.swap(1, 2);
        }
        for (corners, neighbours) in
            [([0, 1, 2], [3, 2, 1]), ([0, 2, 3], [0, 2, 3]), ([2, 1, 3], [0, 3, 1]), ([1, 0, 3], [0, 1, 2])]
        {
            self.push(corners, neighbours);
        }
        true
    }

    fn push(&mut self, corners: [u32; 3], neighbours: [u32; 3]) {
        let [a, b, c] = corners.map(|i| self.corners[i as usize].difference);
        // A sliver has no reliable normal, and its neighbours contain all of its points.
        let (normal, height) = match triangle_normal(a, b, c) {
            None => (DVec3::Z, f64::INFINITY),
            Some(normal) => {
                // Of three theoretically equal heights, the middle one has the least error.
                let mut heights = [normal.dot(a), normal.dot(b), normal.dot(c)];
                heights.sort_by(f64::total_cmp);
                self.queue.push(Lowest { height: heights[1], triangle: self.triangles.len() as u32 });
                (normal, heights[1])
            }
        };
        self.triangles.push(Triangle { corners, neighbours, normal, height, alive: true, finished: false });
    }

    /// Returns whether the corner is strictly above the triangle. The test is exact.
    fn sees(&self, corner: Corner, triangle: u32) -> bool {
        let [a, b, c] = self.triangles[triangle as usize].corners.map(|i| self.corners[i as usize]);
        orient(a, b, c, corner) < 0.0
    }

    /// Expands the surface to a new corner. Returns false when the corner does not see the triangle.
    fn expand(&mut self, seed: u32, corner: Corner) -> bool {
        if !self.sees(corner, seed) {
            return false;
        }
        let eye = self.corners.len() as u32;
        self.corners.push(corner);
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(seed);
        self.triangles[seed as usize].alive = false;
        let mut done = 0;
        while done < self.visible.len() {
            let triangle = self.triangles[self.visible[done] as usize];
            done += 1;
            for side in 0..3 {
                let across = triangle.neighbours[side];
                if !self.triangles[across as usize].alive {
                    continue;
                }
                if self.sees(corner, across) {
                    self.triangles[across as usize].alive = false;
                    self.visible.push(across);
                } else {
                    let (tail, head) = (triangle.corners[side], triangle.corners[(side + 1) % 3]);
                    self.horizon.push(HorizonSide { tail, head, across });
                }
            }
        }

        // Order the horizon into a loop, then connect it to the new corner.
        for i in 1..self.horizon.len() {
            let head = self.horizon[i - 1].head;
            if let Some(next) = (i..self.horizon.len()).find(|&j| self.horizon[j].tail == head) {
                self.horizon.swap(i, next);
            }
        }
        let first = self.triangles.len() as u32;
        let count = self.horizon.len() as u32;
        for i in 0..count {
            let HorizonSide { tail, head, across } = self.horizon[i as usize];
            self.push([tail, head, eye], [across, first + (i + 1) % count, first + (i + count - 1) % count]);
            let neighbour = &mut self.triangles[across as usize];
            for side in 0..3 {
                if neighbour.corners[side] == head && neighbour.corners[(side + 1) % 3] == tail {
                    neighbour.neighbours[side] = first + i;
                }
            }
        }
        true
    }

    /// Returns the proximity at the foot of the perpendicular from the origin to the face that contains a triangle.
    fn deepest(&mut self, triangle: u32, height: f64, tolerance: f64) -> Proximity {
        let normal = self.triangles[triangle as usize].normal;
        let foot = height * normal;
        let mut best = self.nearest_weights(triangle, foot);
        let mut holder = triangle;
        // A face of W consists of several triangles, and the foot may be on another one: visit all coplanar ones.
        self.visible.clear();
        self.visible.push(triangle);
        let mut done = 0;
        while best.0 > tolerance * tolerance && done < self.visible.len() {
            let here = self.triangles[self.visible[done] as usize];
            done += 1;
            for across in here.neighbours {
                let other = &self.triangles[across as usize];
                let rise = |i: u32| (normal.dot(self.corners[i as usize].difference) - height).abs();
                let level = other.alive && other.corners.into_iter().all(|i| rise(i) <= 100.0 * tolerance);
                if level && !self.visible.contains(&across) {
                    self.visible.push(across);
                    let candidate = self.nearest_weights(across, foot);
                    if candidate.0 < best.0 {
                        (best, holder) = (candidate, across);
                    }
                }
            }
        }
        let weights = best.1;
        let [a, b, c] = self.triangles[holder as usize].corners.map(|i| self.corners[i as usize].on_a);
        let point_a = weights.x * a + weights.y * b + weights.z * c;
        Proximity::from_point_a(point_a, normal, -height)
    }

    /// Returns the point of a triangle nearest to `p`, as weights of its corners, and its squared distance. Slivers are
    /// common, so the result for the interior is compared with those of the three sides.
    fn nearest_weights(&self, triangle: u32, p: DVec3) -> (f64, DVec3) {
        let corners = self.triangles[triangle as usize].corners.map(|i| self.corners[i as usize].difference);
        let [a, b, c] = corners;
        let mut best = (f64::INFINITY, DVec3::X);
        let mut offer = |weights: DVec3| {
            let square = (weights.x * a + weights.y * b + weights.z * c - p).length_squared();
            if square < best.0 {
                best = (square, weights);
            }
        };
        for side in 0..3 {
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            let along = to - from;
            let square = along.length_squared();
            let lambda = if square > 0.0 { ((p - from).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
            let mut weights = DVec3::ZERO;
            weights[side] = 1.0 - lambda;
            weights[(side + 1) % 3] = lambda;
            offer(weights);
        }
        let normal = (b - a).cross(c - a);
        let weight = |from: DVec3, to: DVec3| (to - from).cross(p - from).dot(normal);
        let inside = DVec3::new(weight(b, c), weight(c, a), weight(a, b));
        let sum = inside.element_sum();
        if inside.min_element() >= 0.0 && sum > 0.0 {
            offer(inside / sum);
        }
        best
    }
}

/// W has no volume beyond rounding: the shapes touch at most.
fn flat_outcome(corners: &[Corner]) -> PolytopeOutcome {
    let point_a = corners.first().map_or(DVec3::ZERO, |c| c.on_a);
    PolytopeOutcome::Penetrating(Proximity { distance: 0.0, normal: DVec3::Z, point_a, point_b: point_a })
}

/// Returns the normal from the two shorter sides, because the product of long, nearly parallel sides cancels; `None`
/// for a sliver.
fn triangle_normal(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec3> {
    let sides = [b - a, c - b, a - c];
    let squares = sides.map(|side| side.length_squared());
    let longest = (0..3).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
    let (i, j) = ((longest + 1) % 3, (longest + 2) % 3);
    let cross = sides[i].cross(sides[j]);
    let square = cross.length_squared();
    (square > SLIVER_SINE * SLIVER_SINE * squares[i] * squares[j]).then(|| cross / square.sqrt())
}

fn orient(a: Corner, b: Corner, c: Corner, d: Corner) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.difference.x, y: p.difference.y, z: p.difference.z });
    orient3d(a, b, c, d)
}
