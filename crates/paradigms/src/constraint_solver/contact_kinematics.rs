//! Motion of a contact over two surfaces, and its contribution to the relative acceleration.
//!
//! The gap d closes with `d' = n . (v_b - v_a)`, the velocities of the two bodies at the contact. The second derivative
//! must account for the contact not being a fixed point of either body: it moves over their surfaces with velocities
//! u_a and u_b, and the normal rotates. With w the angular velocities and a the accelerations of the bodies' own
//! points,
//!
//! ```text
//!   slip' = a_b - a_a + w_b x u_b - w_a x u_a            d'' = n . slip' + n' . (v_b - v_a)
//! ```
//!
//! Both surfaces share the normal, and the contact is one point (Montana's equations, for radii R instead of
//! curvatures):
//!
//! ```text
//!   u_a =  R_a (n' - w_a x n)        u_b = -R_b (n' - w_b x n)        u_a - u_b = v_t
//!   so   (R_a + R_b) n' = v_t + R_a (w_a x n) + R_b (w_b x n)
//! ```
//!
//! Without these terms a ball that spins on a smooth plane sinks in: its lowest point is accelerated upward, but the
//! next moment another point is the lowest (Timchenko 2007, section IV.B.3.b).

use glam::{DMat2, DMat3, DVec2, DVec3};

use super::curvature::FLAT;

/// Squared cosine of the angle between two edges above which they are parallel: their crossing would move too fast to
/// be followed.
const PARALLEL_COSINE_SQUARED: f64 = 0.99;

/// Ratio of the speed of a contact over the bodies to their rotation above which it does not move smoothly.
const MAX_CONTACT_SPEED_RATIO: f64 = 10.0;

/// A contact in motion. All vectors are along the axes of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovingContact {
    /// Normal from a to b.
    pub normal: DVec3,
    /// Radii of curvature of a and b, in m (see [`super::curvature`]).
    pub radii: [DMat3; 2],
    /// Angular velocities of a and b, in rad/s.
    pub spins: [DVec3; 2],
    /// Velocity of b relative to a at the contact, in m/s.
    pub velocity: DVec3,
}

/// Motion of a contact itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactMotion {
    /// Derivative of the normal, in 1/s.
    pub turn: DVec3,
    /// Velocity of the contact over the surface of b, in m/s.
    pub over_b: DVec3,
    /// Term to add to the relative acceleration of the bodies' own points, in m/s^2. The sum along the normal is the
    /// second derivative of the gap, the rest that of the slip.
    pub acceleration: DVec3,
}

impl MovingContact {
    /// Returns the motion of the contact.
    pub fn motion(&self) -> ContactMotion {
        let Self { normal, spins: [spin_a, spin_b], velocity, .. } = *self;
        let (first, second) = normal.any_orthonormal_pair();
        let flat = |v: DVec3| DVec2::new(v.dot(first), v.dot(second));
        let raised = |v: DVec2| first * v.x + second * v.y;
        let reduced = |r: &DMat3| {
            let (x, y) = (flat(*r * first), flat(*r * second));
            DMat2::from_cols(x, y)
        };
        let mut radii = self.radii.each_ref().map(reduced);
        part_flat_directions(&mut radii);
        let [radii_a, radii_b] = radii;
        let (turn_a, turn_b) = (flat(spin_a.cross(normal)), flat(spin_b.cross(normal)));
        let slip = flat(velocity);
        // Relative to the mean of both rotations, which is also the result where two corners meet.
        let mean = 0.5 * (turn_a + turn_b);
        let wanted = slip + radii_a * (turn_a - mean) + radii_b * (turn_b - mean);
        let turn = mean + solve_symmetric(radii_a + radii_b, wanted);
        // The velocity over the side with the smaller radii is more accurate.
        let (surface_velocity_a, surface_velocity_b) =
            if radii_a.x_axis.x + radii_a.y_axis.y < radii_b.x_axis.x + radii_b.y_axis.y {
                let surface_velocity = radii_a * (turn - turn_a);
                (surface_velocity, surface_velocity - slip)
            } else {
                let surface_velocity = radii_b * (turn_b - turn);
                (surface_velocity + slip, surface_velocity)
            };
        let carried = spin_b.cross(raised(surface_velocity_b)) - spin_a.cross(raised(surface_velocity_a));
        ContactMotion {
            turn: raised(turn),
            over_b: raised(surface_velocity_b),
            acceleration: carried + normal * turn.dot(slip),
        }
    }

    /// Returns the motion of a contact that cannot move much faster over the bodies than these move, given their
    /// speeds: where a contact moves very far almost instantly, as where a nearly flat side rocks over to its other
    /// end, it is taken as a point of b instead.
    pub fn bounded_motion(&self, reaches: [f64; 2]) -> ContactMotion {
        let motion = self.motion();
        let [spin_a, spin_b] = self.spins.map(|spin| spin.length());
        let fastest = spin_a * reaches[0] + spin_b * reaches[1] + self.velocity.length();
        if motion.acceleration.length() <= MAX_CONTACT_SPEED_RATIO * (spin_a + spin_b) * fastest {
            motion
        } else {
            Self { radii: [DMat3::ZERO; 2], ..*self }.motion()
        }
    }
}

/// Where both surfaces are flat along the same direction the position of the contact is undefined. It is taken as a
/// point of b.
fn part_flat_directions(radii: &mut [DMat2; 2]) {
    let count = |r: &DMat2| ((r.x_axis.x + r.y_axis.y) / FLAT).round() as i32;
    let [a, b] = radii;
    let (flat_a, flat_b) = (count(a), count(b));
    match (flat_a, flat_b) {
        (0, _) | (_, 0) => {}
        (2, 2) => *b = DMat2::ZERO,
        (2, _) => *b = without_flat(b),
        (_, 2) => *a = without_flat(a),
        _ => {
            // The squared cosine of the angle between two lines.
            let product = (a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis)) / (FLAT * FLAT);
            if product > PARALLEL_COSINE_SQUARED {
                *b = without_flat(b);
            }
        }
    }
}

/// Returns a matrix with one flat direction without that direction.
fn without_flat(radii: &DMat2) -> DMat2 {
    let column =
        if radii.x_axis.length_squared() > radii.y_axis.length_squared() { radii.x_axis } else { radii.y_axis };
    let across = column.perp().normalize_or_zero();
    let radius = across.dot(*radii * across).max(0.0);
    DMat2::from_cols(across * across.x, across * across.y) * radius
}

/// Solves with a symmetric positive semi-definite matrix. The result is zero along directions in which the matrix is.
fn solve_symmetric(matrix: DMat2, right: DVec2) -> DVec2 {
    let (a, b, d) = (matrix.x_axis.x, matrix.x_axis.y, matrix.y_axis.y);
    let (mean, half) = (0.5 * (a + d), 0.5 * (a - d));
    let spread = (half * half + b * b).sqrt();
    let (large, small) = (mean + spread, mean - spread);
    if large <= 0.0 {
        return DVec2::ZERO;
    }
    // The eigenvector of the larger eigenvalue, from the row that does not cancel.
    let direction = if half >= 0.0 { DVec2::new(half + spread, b) } else { DVec2::new(b, spread - half) };
    let direction = direction.try_normalize().unwrap_or(DVec2::X);
    let along = direction * (direction.dot(right) / large);
    // Singular: a corner on a corner, or an edge along an edge.
    if small <= 1e-14 * large { along } else { along + direction.perp() * (direction.perp().dot(right) / small) }
}
