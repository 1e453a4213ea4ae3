//! Frames along a curve that turn about it as little as possible.

use glam::DVec3;

/// A unit vector across a unit tangent. It depends on the tangent only (Duff and others 2017).
pub fn reference_normal(tangent: DVec3) -> DVec3 {
    let sign = if tangent.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + tangent.z);
    let b = tangent.x * tangent.y * a;
    DVec3::new(1.0 + sign * tangent.x * tangent.x * a, sign * b, -sign * tangent.x)
}

/// Normals along a curve of positions and unit tangents, by double reflection (Wang and others 2008). For a closed
/// curve, `closure` leads from the first position to the same one after the last, and the turn that is left over is
/// spread evenly.
pub fn frames(positions: &[DVec3], tangents: &[DVec3], closure: Option<DVec3>) -> Vec<DVec3> {
    let Some((first, first_tangent)) = positions.first().zip(tangents.first()) else { return Vec::new() };
    let mut normals = vec![reference_normal(*first_tangent)];
    for place in 1..positions.len() {
        let along = positions[place] - positions[place - 1];
        normals.push(reflected(normals[place - 1], tangents[place - 1], tangents[place], along));
    }
    if let (Some(closure), Some(last)) = (closure, positions.last()) {
        let place = positions.len() - 1;
        let end = reflected(normals[place], tangents[place], *first_tangent, *first + closure - *last);
        let side = first_tangent.cross(normals[0]);
        let left_over = libm::atan2(end.dot(side), end.dot(normals[0]));
        for (number, (normal, tangent)) in normals.iter_mut().zip(tangents).enumerate() {
            let angle = -left_over * number as f64 / positions.len() as f64;
            *normal = libm::cos(angle) * *normal + libm::sin(angle) * tangent.cross(*normal);
        }
    }
    normals
}

fn reflected(normal: DVec3, tangent: DVec3, next_tangent: DVec3, along: DVec3) -> DVec3 {
    let reflect = |vector: DVec3, across: DVec3| {
        let square = across.length_squared();
        if square > 0.0 { vector - 2.0 * vector.dot(across) / square * across } else { vector }
    };
    let turned = reflect(normal, along);
    let moved = reflect(turned, next_tangent - reflect(tangent, along));
    // Rounding must not add up along the curve.
    (moved - moved.dot(next_tangent) * next_tangent).normalize_or(reference_normal(next_tangent))
}
