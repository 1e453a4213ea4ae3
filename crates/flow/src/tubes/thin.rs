//! Thinning of a tube: points are kept where the core is long, bends, or changes its radius, as many as a bound on the
//! error of the curve requires (Banks and Kelley 1995, section 4).

use glam::DVec3;

use super::curve::Curve;
use super::section::ANGLES;
use super::tube::Tube;

/// Largest distance of a dense point from the curve through the kept points, in cells.
const MAX_CORE_ERROR: f64 = 0.02;
/// Largest error of the radius between kept points, as a share of the mean radius.
const MAX_RADIUS_ERROR: f64 = 0.05;
/// First thresholds: arc length in cells, bending in rad, change of radius as a share.
const FIRST_THRESHOLDS: [f64; 3] = [24.0, 0.8, 0.2];
/// How often the thresholds are reduced before all points are kept.
const MAX_REDUCTIONS: usize = 8;
/// Factor of one reduction.
const REDUCTION: f64 = 0.75;

/// The kept points of a tube and the error of what is interpolated between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Thinned {
    /// Numbers of the kept points.
    pub kept: Vec<usize>,
    /// Largest distance of a point from the curve through the kept points, in cells.
    pub core_error: f64,
    /// Largest error of the radius at any angle, as a share of the mean radius.
    pub radius_error: f64,
}

/// Chooses points of a tube.
pub fn thin(tube: &Tube, cell: f64) -> Thinned {
    let mut thresholds = FIRST_THRESHOLDS;
    for _ in 0..MAX_REDUCTIONS {
        let kept = select(tube, cell, thresholds);
        let (core_error, radius_error) = errors(tube, &kept, cell);
        if core_error <= MAX_CORE_ERROR && radius_error <= MAX_RADIUS_ERROR {
            return Thinned { kept, core_error, radius_error };
        }
        // Only what is too coarse gets finer.
        if core_error > MAX_CORE_ERROR {
            thresholds[1] *= REDUCTION;
            thresholds[0] *= REDUCTION;
        }
        if radius_error > MAX_RADIUS_ERROR {
            thresholds[2] *= REDUCTION;
            thresholds[0] *= REDUCTION;
        }
    }
    Thinned { kept: (0..tube.points.len()).collect(), core_error: 0.0, radius_error: 0.0 }
}

/// Keeps a point when one of the thresholds is passed since the last kept one. Steps are evened out along the core, so
/// that no short piece is left at its end.
fn select(tube: &Tube, cell: f64, thresholds: [f64; 3]) -> Vec<usize> {
    let points = &tube.points;
    let count = points.len();
    let cost = |place: usize| {
        let (here, next) = (&points[place], &points[(place + 1) % count]);
        let wrap = if place + 1 == count { tube.closure.unwrap_or(DVec3::ZERO) } else { DVec3::ZERO };
        let length = (next.position + wrap - here.position).length();
        let bend = libm::acos(here.tangent.dot(next.tangent).clamp(-1.0, 1.0));
        let (radius, next_radius) = (here.section.mean(), next.section.mean());
        let change = (next_radius - radius).abs() / radius.max(0.25 * cell);
        length / (thresholds[0] * cell) + bend / thresholds[1] + change / thresholds[2]
    };
    let steps = if tube.closure.is_some() { count } else { count - 1 };
    let total: f64 = (0..steps).map(cost).sum();
    let least = if tube.closure.is_some() { 8.0 } else { 2.0 };
    let pieces = libm::ceil(total).max(least).min(steps as f64);
    let mut kept = vec![0];
    let mut passed = 0.0;
    for place in 0..steps {
        passed += cost(place);
        let next = place + 1;
        if next < count && passed + 1e-9 >= total * kept.len() as f64 / pieces && (kept.len() as f64) < pieces {
            kept.push(next);
        }
    }
    if tube.closure.is_none() && kept.last() != Some(&(count - 1)) {
        kept.push(count - 1);
    }
    kept
}

/// Largest errors of the core, in cells, and of the radius, as a share.
fn errors(tube: &Tube, kept: &[usize], cell: f64) -> (f64, f64) {
    let points = &tube.points;
    let curve = Curve::new(kept.iter().map(|place| points[*place].position).collect(), tube.closure);
    let (mut core, mut radius) = (0.0_f64, 0.0_f64);
    for piece in 0..curve.pieces() {
        let start = kept[piece];
        let closes = piece + 1 == kept.len();
        let end = if closes { points.len() } else { kept[piece + 1] };
        let last = &points[if closes { 0 } else { end }];
        let last_position = last.position + if closes { tube.closure.unwrap_or(DVec3::ZERO) } else { DVec3::ZERO };
        let chord = last_position - points[start].position;
        for point in &points[start + 1..end] {
            // The share of the piece that is nearest to the point.
            let mut share =
                ((point.position - points[start].position).dot(chord) / chord.length_squared()).clamp(0.0, 1.0);
            for _ in 0..3 {
                let here = curve.position(piece, share);
                let ahead = curve.position(piece, share + 1e-4) - here;
                share = (share + 1e-4 * (point.position - here).dot(ahead) / ahead.length_squared()).clamp(0.0, 1.0);
            }
            core = core.max((curve.position(piece, share) - point.position).length() / cell);
            for number in 0..ANGLES {
                let angle = std::f64::consts::TAU * number as f64 / ANGLES as f64;
                let (first, second) = (points[start].section.radius(angle), last.section.radius(angle));
                let found = first + share * (second - first);
                let wanted = point.section.radius(angle);
                radius = radius.max((found - wanted).abs() / point.section.mean().max(0.25 * cell));
            }
        }
    }
    (core, radius)
}
