//! V-Clip and the penetration depth compared with an exhaustive search in higher precision.

use crate::oracle;
use crate::oracle::pairs::{KINDS, Pair, Random};
use burgess_collision::narrow_phase::vclip::{VclipOutcome, VclipStatistics, closest_polyhedron_polyhedron};
use burgess_collision::narrow_phase::{PolytopeOutcome, PolytopeScratch, penetration_polyhedron_polyhedron};
use burgess_geometry::{Polyhedron, Pose, RelativePose};
use glam::DVec3;

/// Allowed error of distances, relative to the larger body.
const TOLERANCE: f64 = 1e-9;

/// Compares our result with the oracle's. Returns the error relative to the size.
fn check(pair: &Pair, statistics: &mut VclipStatistics, scratch: &mut PolytopeScratch) -> Result<f64, String> {
    let Pair { kind, a, b, b_in_a, start, size } = pair;
    let truth = oracle::signed_distance(a, b, b_in_a) / size;
    let mut features = *start;
    let outcome = closest_polyhedron_polyhedron(a, b, b_in_a, &mut features, statistics);
    let mut found = match outcome {
        VclipOutcome::Separated(proximity) => {
            let gap = proximity.point_b - proximity.point_a;
            let off = (gap - proximity.distance * proximity.normal).length() / size;
            if off > TOLERANCE || (proximity.normal.length() - 1.0).abs() > 1e-12 {
                return Err(format!("{}: points and normal disagree by {off:e}", KINDS[*kind]));
            }
            proximity.distance / size
        }
        VclipOutcome::Penetrating => 0.0,
    };
    if outcome == VclipOutcome::Penetrating {
        found = match penetration_polyhedron_polyhedron(a, b, b_in_a, scratch) {
            PolytopeOutcome::Penetrating(proximity) => {
                // The deepest points are on the surfaces: no point of a body is above the face that contains them.
                let off = surface_error(a, proximity.point_a).max(surface_error(b, b_in_a.a_to_b(proximity.point_b)));
                if off > TOLERANCE * size {
                    return Err(format!("{}: a deepest point is {off:e} off the surface", KINDS[*kind]));
                }
                proximity.distance / size
            }
            PolytopeOutcome::Separated { gap, .. } => gap / size,
            PolytopeOutcome::Unfinished(_) => return Err(format!("{}: the depth is unfinished", KINDS[*kind])),
        };
    }
    let error = (found - truth).abs();
    // The same from the features just found: a verified pair remains the result.
    let mut again = features;
    let second = closest_polyhedron_polyhedron(a, b, b_in_a, &mut again, statistics);
    let stays = match (outcome, second) {
        (VclipOutcome::Separated(x), VclipOutcome::Separated(y)) => (x.distance - y.distance).abs() <= 1e-12 * size,
        (VclipOutcome::Penetrating, VclipOutcome::Penetrating) => true,
        _ => truth.abs() < TOLERANCE,
    };
    if !stays {
        return Err(format!("{}: a second query disagrees with the first", KINDS[*kind]));
    }
    if error > TOLERANCE {
        return Err(format!("{}: found {found:e}, expected {truth:e} (of the size)", KINDS[*kind]));
    }
    Ok(error)
}

/// Returns the distance of a point from the surface of a body: its height over the highest plane.
fn surface_error(body: &Polyhedron, point: DVec3) -> f64 {
    body.faces().iter().map(|f| f.plane.distance(point)).fold(f64::NEG_INFINITY, f64::max).abs()
}

/// Checks `count` pairs with seeds from `first` on. Panics with the seeds that failed.
fn check_many(first: u64, count: u64) -> (f64, VclipStatistics) {
    let (mut statistics, mut scratch) = (VclipStatistics::default(), PolytopeScratch::default());
    let mut worst = 0.0_f64;
    let mut failures = Vec::new();
    for seed in first..first + count {
        let pair = Random::new(seed).pair((seed % KINDS.len() as u64) as usize);
        match check(&pair, &mut statistics, &mut scratch) {
            Ok(error) => worst = worst.max(error),
            Err(why) => failures.push(format!("seed {seed}: {why}")),
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} failed:\n{}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
    (worst, statistics)
}

#[test]
fn the_depth_of_fine_balls_is_finished() {
    // Nearly concentric, so that nearly all directions are equally good.
    let ball = burgess_geometry::shape::tessellation::sphere(1.0, 4).unwrap();
    let b_in_a = RelativePose::new(&Pose::IDENTITY, &Pose::from_translation(DVec3::new(1e-3, 2e-3, 0.0)));
    let outcome = penetration_polyhedron_polyhedron(&ball, &ball, &b_in_a, &mut PolytopeScratch::default());
    let PolytopeOutcome::Penetrating(deepest) = outcome else { panic!("{outcome:?}") };
    // Every face normal of a and of b bounds the depth from above; edges change it by less than the tessellation.
    let height = |n: DVec3| {
        let top = ball.vertices()[ball.support_from(n, 0) as usize].dot(n);
        let low = b_in_a.b_to_a(ball.vertices()[ball.support_from(-n, 0) as usize]).dot(n);
        top - low
    };
    let faces = ball.faces().iter().map(|f| height(f.plane.normal).min(height(-f.plane.normal)));
    let best = faces.fold(f64::INFINITY, f64::min);
    assert!(-deepest.distance <= best + 1e-12 && -deepest.distance > best - 1e-3, "{} {best}", deepest.distance);
    assert!((height(deepest.normal) + deepest.distance).abs() < 1e-12);
}

/// Seeds that once failed, each of another kind.
#[test]
fn regressions() {
    for seed in [1_506_561, 1_514_307, 1_568_358, 1_594_233, 1_622_355, 1_021_125, 1_027_425, 1_042_215, 1_203_495] {
        check_many(seed, 1);
    }
}

#[test]
fn random_and_degenerate_pairs_agree_with_exhaustive_search() {
    check_many(0, 6_000);
}

/// The full test: `cargo test --release -p burgess-collision polyhedra_against_oracle -- --ignored --nocapture`
#[test]
#[ignore = "a million pairs take some minutes"]
fn a_million_pairs_agree_with_exhaustive_search() {
    const PAIRS: u64 = 1_000_000;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let handles: Vec<_> = (0..threads)
        .map(|t| {
            std::thread::spawn(move || {
                let (first, end) = (t * PAIRS / threads, (t + 1) * PAIRS / threads);
                check_many(1_000_000 + first, end - first)
            })
        })
        .collect();
    for handle in handles {
        let (worst, statistics) = handle.join().unwrap();
        println!("worst error {worst:e} of the size, {statistics:?}");
    }
}
