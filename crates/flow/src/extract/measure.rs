//! Sections and quantities along a traced core.

use glam::DVec3;

use super::Core;
use crate::spline::FieldSpline;
use crate::tubes::{ANGLES, CorePoint, Section, Tube, frames};

/// Length of a step along a ray from the core, in cells.
const RAY_STEP: f64 = 0.5;
/// Longest ray, in cells.
const MAX_RADIUS: f64 = 16.0;
/// Share of the vorticity on the core that is left at the edge. For the vortex of Lamb and Oseen this is its core
/// radius, sqrt(4 nu t).
const EDGE_SHARE: f64 = 1.0 / std::f64::consts::E;

/// Measures the section and the quantities at each point of a core.
pub(super) fn measure(spline: &FieldSpline, core: &Core) -> Tube {
    let tangents = tangents(core);
    let normals = frames(&core.positions, &tangents, core.closure);
    let places = core.positions.iter().zip(&tangents).zip(&normals);
    let points = places.map(|((position, tangent), normal)| core_point(spline, *position, *tangent, *normal));
    Tube { points: points.collect(), closure: core.closure }
}

/// Unit tangents by central differences.
fn tangents(core: &Core) -> Vec<DVec3> {
    let (positions, count) = (&core.positions, core.positions.len());
    let at = |place: isize| {
        let wrapped = place.rem_euclid(count as isize) as usize;
        match core.closure {
            Some(closure) => positions[wrapped] + place.div_euclid(count as isize) as f64 * closure,
            None => positions[place.clamp(0, count as isize - 1) as usize],
        }
    };
    (0..count as isize).map(|place| (at(place + 1) - at(place - 1)).normalize_or(DVec3::Z)).collect()
}

fn core_point(spline: &FieldSpline, position: DVec3, tangent: DVec3, normal: DVec3) -> CorePoint {
    let side = tangent.cross(normal);
    let ray = |angle: f64| libm::cos(angle) * normal + libm::sin(angle) * side;
    let sample = spline.sample(position);
    let spin = sample.vorticity().dot(tangent);
    let angle_of = |number: usize| std::f64::consts::TAU * number as f64 / ANGLES as f64;
    let radii = std::array::from_fn(|number| edge(spline, position, ray(angle_of(number)), tangent, spin));
    let section = Section::from_radii(&radii);
    // The integral of velocity along the edge.
    let part = |number: usize| {
        let angle = angle_of(number);
        let (radius, slope) = (section.radius(angle), section.slope(angle));
        let around = libm::cos(angle) * side - libm::sin(angle) * normal;
        let velocity = spline.sample(position + radius * ray(angle)).velocity;
        velocity.dot(slope * ray(angle) + radius * around)
    };
    let circulation = std::f64::consts::TAU / ANGLES as f64 * (0..ANGLES).map(part).sum::<f64>();
    let quantities = [circulation, sample.pressure, sample.velocity.length(), sample.vorticity().length()];
    CorePoint { position, tangent, normal, velocity: sample.velocity, quantities, section }
}

/// Distance along a ray at which the vorticity along the core falls to its share, or at which the pressure starts to
/// fall towards another vortex.
fn edge(spline: &FieldSpline, position: DVec3, ray: DVec3, tangent: DVec3, spin: f64) -> f64 {
    let cell = spline.grid().cell();
    let wanted = EDGE_SHARE * spin;
    let (mut near, mut near_spin, mut near_pressure) = (0.0, spin, f64::NEG_INFINITY);
    while near < MAX_RADIUS * cell {
        let far = near + RAY_STEP * cell;
        let sample = spline.sample(position + far * ray);
        let far_spin = sample.vorticity().dot(tangent);
        if far_spin <= wanted || !spline.grid().contains(position + far * ray) {
            return crossing(spline, position, ray, tangent, wanted, [(near, near_spin), (far, far_spin)]);
        }
        if sample.pressure < near_pressure && near >= cell {
            return near;
        }
        (near, near_spin, near_pressure) = (far, far_spin, sample.pressure);
    }
    near
}

/// The place between two distances where the vorticity has a value, by two steps of regula falsi.
fn crossing(
    spline: &FieldSpline,
    position: DVec3,
    ray: DVec3,
    tangent: DVec3,
    wanted: f64,
    [(mut near, mut near_spin), (mut far, mut far_spin)]: [(f64, f64); 2],
) -> f64 {
    for _ in 0..2 {
        if near_spin <= far_spin {
            return near;
        }
        let middle = near + (far - near) * ((near_spin - wanted) / (near_spin - far_spin)).clamp(0.0, 1.0);
        let spin = spline.sample(position + middle * ray).vorticity().dot(tangent);
        if spin > wanted {
            (near, near_spin) = (middle, spin);
        } else {
            (far, far_spin) = (middle, spin);
        }
    }
    if near_spin > far_spin {
        near + (far - near) * ((near_spin - wanted) / (near_spin - far_spin)).clamp(0.0, 1.0)
    } else {
        near
    }
}
