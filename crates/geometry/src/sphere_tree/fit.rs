//! Leaves of a sphere tree: few balls that cover the surface and protrude little.
//!
//! The surface is divided into small patches. A ball around a medial point at depth `d` with radius `d + e` protrudes
//! by at most `e` and covers the patches inside it. This is a set cover problem: find the fewest medial points such
//! that every patch is in some ball for the smallest `e`. The greedy algorithm solves it well, and `e` is found by
//! bisection. Then each ball is moved and shrunk to fit the patches assigned to it. While fewer balls than allowed are
//! in use, the one that protrudes most is replaced by two.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::Ball;
use super::cover::Table;
use super::medial::Solid;
use crate::{Aabb, GeometryError, TriangleMesh};

/// Patches per leaf; the total is kept between [`MIN_PATCHES`] and [`MAX_PATCHES`].
const PATCHES_PER_LEAF: usize = 24;
/// Maximum number of patches.
const MAX_PATCHES: usize = 8_000;
/// Minimum number of patches.
const MIN_PATCHES: usize = 1_500;
/// Maximum number of medial points used as candidates. Large meshes use fewer, so that the table of candidates and
/// patches has at most [`MAX_TABLE_ENTRIES`] entries.
const MAX_CANDIDATES: usize = 1_500;
/// Minimum number of candidates.
const MIN_CANDIDATES: usize = 64;
/// Maximum number of entries in the table of candidates and patches.
const MAX_TABLE_ENTRIES: usize = 12_000_000;
/// Rounds of choosing and fitting balls.
const ROUNDS: usize = 4;
/// Maximum number of times per round that patches are reassigned to better balls.
const MAX_EXCHANGES: usize = 4;
/// Optimisation steps per ball.
const MAX_MOVES: usize = 90;
/// First optimisation step, relative to the radius of the ball.
const FIRST_STEP: f64 = 0.25;
/// Ratio of successive optimisation steps.
const STEP_RATIO: f64 = 0.92;

/// Balls that cover the surface.
pub(super) struct Fit {
    pub(super) balls: Vec<Ball>,
    /// Maximum protrusion of the balls, in metres.
    pub(super) protrusion: f64,
}

/// A small triangle of the surface.
pub(super) type Patch = [DVec3; 3];

/// A ball and the patches assigned to it.
struct Leaf {
    share: Vec<Patch>,
    center: DVec3,
    radius: f64,
    depth: f64,
}

impl Leaf {
    fn protrusion(&self) -> f64 {
        self.radius - self.depth
    }

    fn candidate(&self) -> Candidate {
        Candidate { center: self.center, depth: self.depth }
    }
}

/// Fits at most `max_balls` balls, and no more than are needed for a protrusion of `tolerance` metres.
pub(super) fn fit(mesh: &TriangleMesh, max_balls: usize, tolerance: f64) -> Result<Fit, GeometryError> {
    // Work in units of the extent around the centre, so that the result does not depend on size and position.
    let (middle, extent) = (mesh.bounds().center(), mesh.bounds().extents().max_element());
    let vertices: Vec<DVec3> = mesh.vertices().iter().map(|&v| (v - middle) / extent).collect();
    let patches = patches(mesh, &vertices, (PATCHES_PER_LEAF * max_balls).clamp(MIN_PATCHES, MAX_PATCHES));
    let solid = &Solid::new(mesh, &vertices)?;

    let tolerance = tolerance / extent;
    let mut candidates = candidates(solid, &patches, &vertices);
    let mut leaves: Vec<Leaf> = Vec::new();
    for round in 0..ROUNDS {
        let chosen = Table::new(&candidates, &patches).cover(max_balls, tolerance);
        let mut tried = assign_patches(solid, &patches, chosen.iter().map(|&c| &candidates[c as usize]));
        for _ in 0..MAX_EXCHANGES {
            let optimized: Vec<Candidate> = tried.iter().map(Leaf::candidate).collect();
            let exchanged = assign_patches(solid, &patches, optimized.iter());
            if worst(&exchanged) >= worst(&tried) {
                break;
            }
            tried = exchanged;
        }
        split(solid, &mut tried, max_balls, tolerance);
        let better = round == 0 || worst(&tried) < worst(&leaves);
        // Fitted balls are good candidates themselves.
        candidates.extend(tried.iter().map(Leaf::candidate).take(MAX_CANDIDATES));
        if better {
            leaves = tried;
        }
        if worst(&leaves) <= tolerance {
            break;
        }
    }

    // Rounding must not uncover the rim of a patch.
    let slack = 1e-12 * extent + 8.0 * f64::EPSILON * middle.abs().max_element();
    let ball = |leaf: &Leaf| Ball { center: leaf.center * extent + middle, radius: leaf.radius * extent + slack };
    Ok(Fit { balls: leaves.iter().map(ball).collect(), protrusion: worst(&leaves) * extent + 2.0 * slack })
}

fn worst(leaves: &[Leaf]) -> f64 {
    leaves.iter().map(Leaf::protrusion).fold(f64::NEG_INFINITY, f64::max)
}

/// Assigns each patch to the ball that covers it with the least protrusion, and fits the balls to their patches.
fn assign_patches<'a>(
    solid: &Solid,
    patches: &[Patch],
    balls: impl Iterator<Item = &'a Candidate> + Clone,
) -> Vec<Leaf> {
    let mut shares: Vec<Vec<Patch>> = vec![Vec::new(); balls.clone().count()];
    for patch in patches {
        let needs = balls.clone().map(|ball| reach(ball.center, patch) - ball.depth).enumerate();
        let (best, _) = needs.fold((0, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best });
        shares[best].push(*patch);
    }
    let used = balls.zip(shares).filter(|(_, share)| !share.is_empty());
    used.map(|(ball, share)| optimize_ball(solid, ball.center, share)).collect()
}

/// Replaces the ball that protrudes most by two, until there are `max_balls`. A half that starts at the old centre
/// cannot protrude more than the old ball.
fn split(solid: &Solid, leaves: &mut Vec<Leaf>, max_balls: usize, tolerance: f64) {
    // Protrusions are not negative here, so their bit patterns sort like the numbers.
    let key = |leaf: &Leaf, index: usize| (leaf.protrusion().max(0.0).to_bits(), Reverse(index));
    let mut heap: BinaryHeap<_> = leaves.iter().enumerate().map(|(index, leaf)| key(leaf, index)).collect();
    while leaves.len() < max_balls {
        let Some((_, Reverse(index))) = heap.pop() else { break };
        let leaf = &leaves[index];
        if leaf.protrusion() <= tolerance {
            break;
        }
        let halves = halve(&leaf.share);
        let refit = |share: &Vec<Patch>| {
            let [a, b, c] = share[share.len() / 2];
            let normal = (b - a).cross(c - a).try_normalize();
            let below = normal.and_then(|normal| solid.medial_point((a + b + c) / 3.0, normal));
            let starts = [Some(leaf.center), below];
            let fits = starts.into_iter().flatten().map(|start| optimize_ball(solid, start, share.clone()));
            fits.reduce(|best, next| if next.protrusion() < best.protrusion() { next } else { best })
        };
        let [Some(first), Some(second)] = halves.each_ref().map(refit) else { continue };
        heap.push(key(&first, index));
        heap.push(key(&second, leaves.len()));
        leaves[index] = first;
        leaves.push(second);
    }
}

/// Splits patches into two halves along the longest axis of their centres. A single patch is bisected.
fn halve(share: &[Patch]) -> [Vec<Patch>; 2] {
    if let [patch] = share {
        return cut(patch).map(|half| vec![half]);
    }
    let middle = |p: &Patch| (p[0] + p[1] + p[2]) / 3.0;
    let spread = Aabb::from_points(share.iter().map(middle)).extents();
    let axis = (0..3).rfold(0, |best, i| if spread[i] >= spread[best] { i } else { best });
    let mut sorted = share.to_vec();
    sorted.sort_by(|p, q| middle(p)[axis].total_cmp(&middle(q)[axis]));
    let second = sorted.split_off(sorted.len() / 2);
    [sorted, second]
}

/// Bisects a patch across its longest side.
fn cut(patch: &Patch) -> [Patch; 2] {
    let side = |i: usize| patch[i].distance_squared(patch[(i + 1) % 3]);
    let longest = (0..3).rfold(0, |best, i| if side(i) >= side(best) { i } else { best });
    let [a, b, c] = [0, 1, 2].map(|i| patch[(longest + i) % 3]);
    let between = 0.5 * (a + b);
    [[a, between, c], [between, b, c]]
}

/// Returns the triangles, each bisected across its longest side until there are enough patches of similar size.
fn patches(mesh: &TriangleMesh, vertices: &[DVec3], wanted: usize) -> Vec<Patch> {
    let corners = mesh.triangles().iter().map(|t| t.map(|v| vertices[v as usize]));
    let size =
        |p: &Patch| p[0].distance_squared(p[1]).max(p[1].distance_squared(p[2])).max(p[2].distance_squared(p[0]));
    // The largest patch comes first; ties are broken by index.
    let mut done: Vec<Patch> = corners.collect();
    let mut heap: BinaryHeap<(u64, Reverse<usize>)> =
        done.iter().enumerate().map(|(i, p)| (size(p).to_bits(), Reverse(i))).collect();
    while done.len() < wanted {
        let Some((_, Reverse(index))) = heap.pop() else { break };
        let [first, second] = cut(&done[index]);
        done[index] = first;
        done.push(second);
        for i in [index, done.len() - 1] {
            heap.push((size(&done[i]).to_bits(), Reverse(i)));
        }
    }
    done
}

/// A possible centre of a ball and its depth inside the solid.
pub(super) struct Candidate {
    pub(super) center: DVec3,
    pub(super) depth: f64,
}

/// Returns medial points below patches, and the centre of the box as a fallback.
fn candidates(solid: &Solid, patches: &[Patch], vertices: &[DVec3]) -> Vec<Candidate> {
    let box_middle = Aabb::from_points(vertices.iter().copied()).center();
    let mut centers = vec![box_middle];
    let wanted = (MAX_TABLE_ENTRIES / patches.len()).clamp(MIN_CANDIDATES, MAX_CANDIDATES);
    for i in 0..wanted.min(patches.len()) {
        // Golden-section steps: patches are stored in a regular pattern, which equal steps would alias with.
        let part = (i as f64 * 0.618_033_988_749_894_9).fract();
        let [a, b, c] = patches[(part * patches.len() as f64) as usize];
        let point = (a + b + c) / 3.0;
        let medial = (b - a).cross(c - a).try_normalize().and_then(|normal| solid.medial_point(point, normal));
        centers.extend(medial);
    }
    centers.into_iter().map(|center| Candidate { center, depth: solid.depth_and_slope(center).0 }).collect()
}

/// Returns the largest distance of a patch from a point.
pub(super) fn reach(center: DVec3, patch: &Patch) -> f64 {
    patch.iter().map(|p| p.distance_squared(center)).fold(0.0, f64::max).sqrt()
}

/// Moves a ball so that it covers its patches and protrudes least. Each step, shorter than the last, goes towards the
/// farthest corner and away from the nearest surface: these are the gradients of radius and depth.
fn optimize_ball(solid: &Solid, start: DVec3, share: Vec<Patch>) -> Leaf {
    let farthest = |center: DVec3| {
        let corners = share.iter().flatten();
        corners.fold(center, |far, &p| if p.distance_squared(center) > far.distance_squared(center) { p } else { far })
    };
    let mut best = Leaf { center: start, radius: f64::INFINITY, depth: 0.0, share: Vec::new() };
    let mut center = start;
    let mut step = f64::NAN;
    for _ in 0..MAX_MOVES {
        let far = farthest(center);
        let radius = far.distance(center);
        let (depth, inwards) = solid.depth_and_slope(center);
        if radius - depth < best.protrusion() {
            (best.center, best.radius, best.depth) = (center, radius, depth);
        }
        step = if step.is_nan() { FIRST_STEP * radius } else { step * STEP_RATIO };
        let towards = (far - center).normalize_or_zero() + inwards;
        center += step * towards.normalize_or_zero();
    }
    best.share = share;
    best
}
