//! Bodies that friction holds or does not hold: squeezed between a fixed jaw and one that a motor presses, pushed by a
//! plate that accelerates or turns, or wedged under a weight. With more friction than needed nothing slips.
//!
//! With less friction the bodies slip. The slip is known where the pressure on each face has a unique centre. Between two
//! faces it has not: the pressure may be on one side of both, and then the body turns while it slips. But it slips at
//! least as fast as without turning, because friction opposes the motion of each point.

mod plates;
mod vices;
mod wedges;

use anyhow::Result;
use burgess_dynamics::LinkId;
use glam::DVec3;

use crate::case::Case;
use crate::law::{Bound, Law, Point, largest, place};
use crate::random::Random;

/// Largest slip of a body that is held, as a share of its size. Coulomb's law allows none; contacts are found and solved
/// to about a millionth of the size, and a hundred times as much is granted.
const HOLDS: f64 = 1e-4;
/// Time for which bodies are held, in s.
const HELD: f64 = 5.0;

/// Draws a grip. Two thirds have 1.1 to 2 times the needed friction, the others 0.8 to 0.9 times.
pub fn draw(random: &mut Random) -> Result<Case> {
    let share = if random.chance(0.67) { random.between(1.1, 2.0) } else { random.between(0.8, 0.9) };
    match random.below(5) {
        0 | 1 => vices::draw(random, share),
        2 => plates::accelerated(random, share),
        3 => plates::turning(random, share),
        _ => wedges::draw(random, share),
    }
}

fn outcome(share: f64) -> String {
    format!("{} with {:.0} % of the needed friction", if share > 1.0 { "holds" } else { "slips" }, 100.0 * share)
}

/// Returns three points of each body: its origin, and two at a distance (m) from it.
fn points(case: &Case, bodies: &[LinkId], distance: f64) -> Vec<Point> {
    let offsets = [DVec3::ZERO, DVec3::X * distance, DVec3::Z * distance];
    bodies.iter().flat_map(|&body| offsets.map(|offset| (case.index(body), offset))).collect()
}

/// Adds the law that bodies stay where they are, or that they have moved at least by a known displacement (m) at a time
/// (s). If the pressure `is_unique`, they move by that without turning.
fn with_outcome(
    case: Case,
    bodies: &[(LinkId, DVec3)],
    (share, is_unique): (f64, bool),
    displacement: impl Fn(f64) -> DVec3 + Send + Sync + 'static,
) -> Case {
    let size = case.size;
    let links: Vec<LinkId> = bodies.iter().map(|body| body.0).collect();
    let points = points(&case, &links, 0.5 * size);
    let starts: Vec<DVec3> = points.iter().enumerate().map(|(index, point)| bodies[index / 3].1 + point.1).collect();
    let law = if share > 1.0 {
        Law::rest(points.into_iter().zip(starts).collect(), size, HOLDS)
    } else if is_unique {
        Law::course(points, size, move |time| Some(starts.iter().map(|start| *start + displacement(time)).collect()))
    } else {
        Law::of_state("slips", Bound::of_motion(), move |simulation| {
            let expected = displacement(simulation.state().time);
            let way = expected.length();
            // The first point of each body is its centre.
            let missing = points.iter().zip(&starts).step_by(3).map(|(point, start)| {
                let moved = (place(simulation, *point) - *start).dot(expected / way);
                (way - moved).max(0.0) / (size + way)
            });
            Some(largest(missing))
        })
    };
    case.with_law(law)
}
