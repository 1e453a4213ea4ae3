//! One contact solved exactly: `w = K x + b` with Signorini and Coulomb. The inner step of block Gauss-Seidel.
//!
//! - Open: `b_n >= 0`, then `x = 0`.
//! - Stick: `x = -K^-1 b` if it lies in the cone.
//! - Slide in the direction `d` of the friction impulse: `x = x_n (1, mu d)` and `w_n = 0` give `x_n = -b_n / D`,
//!   `D = k_nn + mu k_nt . d`. Times `D` the tangential velocity is affine in `d`:
//!   `D w_t = A d + c`, `A = mu (b_t k_nt^T - b_n K_tt)`, `c = k_nn b_t - b_n k_tn`.
//!   It must point against `d`: a root of `f(angle) = d_perp . (A d + c)` with `d . (A d + c) <= 0` and `D > 0`. Newton
//!   in the angle finds it; if not, the circle is scanned (there are at most four roots).
//!
//! With large coupling `k_nt` there can be several solutions (Painleve): open is preferred, then stick. For a singular
//! `K` (few degrees of freedom) its pseudo-inverse and its null direction are used.

use glam::{DMat2, DMat3, DVec2, DVec3};

/// Determinant or minor, relative to the product of the diagonal entries, below which the matrix is singular.
const RANK_TOLERANCE: f64 = 1e-12;
/// Velocity that counts as zero when `K` is singular, relative to `b`.
const STICK_TOLERANCE: f64 = 1e-9;
/// Rotation of the sliding direction at which Newton ends, in rad. The remaining error is of the order of its square.
const TURN_TOLERANCE: f64 = 1e-8;
/// Rotation of the sliding direction at which Newton ends within sweeps, which solve the contact again, in rad.
const SWEEP_TURN_TOLERANCE: f64 = 1e-4;
/// Number of directions in the scan of the circle.
const SCAN_DIRECTIONS: usize = 32;
/// Cosine and sine of one step of the scan, a 32nd of a turn.
const SCAN_STEP: DVec2 = DVec2::new(0.980_785_280_403_230_4, 0.195_090_322_016_128_3);
/// Maximum number of steps to a root between two directions of the scan.
const MAX_ROOT_STEPS: u32 = 60;

/// Returns the exact impulse (N s) of one contact; x is the normal, y and z are the tangents. `k` is the contact's 3x3
/// block (1/kg), `b` the velocity without the impulse (m/s). For a contact that is solved often, keep a
/// [`ContactBlock`].
///
/// The impulse always lies in the cone, and `w_n >= 0` whenever the normal impulse can reach it.
#[must_use]
pub fn solve_contact(k: &DMat3, b: DVec3, friction: f64) -> DVec3 {
    ContactBlock::new(*k, friction).solve(b)
}

/// A contact's 3x3 block with its inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBlock {
    /// Block `K` of the contact (1/kg), symmetric and positive semi-definite; x is the normal.
    pub k: DMat3,
    /// Inverse of `K`, or its pseudo-inverse if it is singular (kg).
    pub k_inverse: DMat3,
    /// Coefficient of friction.
    pub friction: f64,
    rank: Rank,
}

/// Rank of `K`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rank {
    Full,
    /// Impulses along the null direction (a unit vector) have no effect.
    Two(DVec3),
    One,
    Zero,
}

impl ContactBlock {
    /// Inverts the block.
    #[must_use]
    pub fn new(k: DMat3, friction: f64) -> Self {
        let friction = friction.max(0.0);
        let trace = k.x_axis.x + k.y_axis.y + k.z_axis.z;
        // The columns of the adjugate.
        let (x, y, z) = (k.y_axis.cross(k.z_axis), k.z_axis.cross(k.x_axis), k.x_axis.cross(k.y_axis));
        let determinant = k.x_axis.dot(x);
        if determinant > RANK_TOLERANCE * k.x_axis.x * k.y_axis.y * k.z_axis.z {
            let k_inverse = DMat3::from_cols(x, y, z) * (1.0 / determinant);
            return Self { k, k_inverse, friction, rank: Rank::Full };
        }
        // The adjugate of a matrix of rank two is a multiple of the projector on its null direction.
        let null = if x.x >= y.y && x.x >= z.z { x } else { [z, y][usize::from(y.y >= z.z)] };
        if null.length() > RANK_TOLERANCE * trace * trace {
            let null = null.normalize();
            let projector = DMat3::from_cols(null * null.x, null * null.y, null * null.z);
            let k_inverse = (k + projector * trace).inverse() - projector * (1.0 / trace);
            return Self { k, k_inverse, friction, rank: Rank::Two(null) };
        }
        if trace > 0.0 {
            let k_inverse = k * (1.0 / (trace * trace));
            return Self { k, k_inverse, friction, rank: Rank::One };
        }
        Self { k, k_inverse: DMat3::ZERO, friction, rank: Rank::Zero }
    }

    /// Returns the exact impulse (N s) for the velocity `b` (m/s) that the contact has without it.
    #[inline]
    #[must_use]
    pub fn solve(&self, b: DVec3) -> DVec3 {
        self.solve_from(b, DVec3::ZERO)
    }

    /// Returns the impulse of a contact that is solved repeatedly. The search for the direction of sliding starts at
    /// that of the last impulse, `near`, and ends at `SWEEP_TURN_TOLERANCE`.
    #[inline]
    #[must_use]
    pub fn solve_from(&self, b: DVec3, near: DVec3) -> DVec3 {
        if b.x >= 0.0 {
            return DVec3::ZERO;
        }
        let stick = -(self.k_inverse * b);
        if self.rank != Rank::Full {
            return self.solve_singular(b, stick, near);
        }
        if self.in_cone(stick) { stick } else { self.slide_or_push(b, stick, near) }
    }

    #[inline]
    fn in_cone(&self, x: DVec3) -> bool {
        let bound = self.friction * x.x;
        x.x >= 0.0 && x.y * x.y + x.z * x.z <= bound * bound
    }

    /// Returns the impulse of sliding; without friction, or if there is no direction (`b` is not in the range of `K`),
    /// an impulse along the normal.
    fn slide_or_push(&self, b: DVec3, stick: DVec3, near: DVec3) -> DVec3 {
        let slide = if self.friction > 0.0 { self.slide(b, stick, near) } else { None };
        slide.unwrap_or_else(|| self.push(b))
    }

    fn push(&self, b: DVec3) -> DVec3 {
        let k_nn = self.k.x_axis.x;
        if k_nn > 0.0 { DVec3::new(-b.x / k_nn, 0.0, 0.0) } else { DVec3::ZERO }
    }

    fn slide(&self, b: DVec3, stick: DVec3, near: DVec3) -> Option<DVec3> {
        let sliding = Sliding::new(&self.k, self.friction, b);
        let near = DVec2::new(near.y, near.z).try_normalize();
        let anew = || {
            let start = if stick.x > 0.0 { DVec2::new(stick.y, stick.z) } else { -sliding.c };
            sliding.newton(start.try_normalize().unwrap_or(DVec2::X), TURN_TOLERANCE)
        };
        let again = |near| sliding.newton(near, SWEEP_TURN_TOLERANCE);
        let direction = near.and_then(again).or_else(anew).or_else(|| sliding.scan())?;
        let normal = -b.x / sliding.denominator(direction);
        let tangent = direction * (self.friction * normal);
        Some(DVec3::new(normal, tangent.x, tangent.y))
    }

    /// Solves with a singular `K`. Stick is a line or a plane of impulses here; any of them in the cone is a solution.
    #[cold]
    fn solve_singular(&self, b: DVec3, stick: DVec3, near: DVec3) -> DVec3 {
        let tolerance = STICK_TOLERANCE * b.length();
        let sticks = |x: DVec3| self.in_cone(x) && (self.k * x + b).length() <= tolerance;
        if sticks(stick) {
            return stick;
        }
        let push = self.push(b);
        if sticks(push) {
            return push;
        }
        if let Rank::Two(null) = self.rank
            && let Some(x) = cone_on_line(stick, null, self.friction)
            && sticks(x)
        {
            return x;
        }
        self.slide_or_push(b, stick, near)
    }
}

/// Returns the point of the line `x + t null` in the cone with the smallest `|t|`, moved inside by a rounding.
fn cone_on_line(x: DVec3, null: DVec3, friction: f64) -> Option<DVec3> {
    let mu2 = friction * friction;
    let a = null.y * null.y + null.z * null.z - mu2 * null.x * null.x;
    let b = x.y * null.y + x.z * null.z - mu2 * x.x * null.x;
    let c = x.y * x.y + x.z * x.z - mu2 * x.x * x.x;
    // a t^2 + 2 b t + c = 0, without cancellation.
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let q = -(b + discriminant.sqrt().copysign(b));
    let mut best: Option<(f64, DVec3)> = None;
    for t in [c / q, q / a] {
        let mut on_edge = x + null * t;
        let bound = friction * on_edge.x;
        let tangent = DVec2::new(on_edge.y, on_edge.z);
        if t.is_finite() && on_edge.x >= 0.0 && best.is_none_or(|(other, _)| t.abs() < other) {
            let inside = tangent.clamp_length_max(bound * (1.0 - 1e-15));
            (on_edge.y, on_edge.z) = (inside.x, inside.y);
            best = Some((t.abs(), on_edge));
        }
    }
    best.map(|(_, point)| point)
}

/// The equation of the sliding direction: `D w_t = A d + c`.
struct Sliding {
    a: DMat2,
    c: DVec2,
    k_nn: f64,
    friction_k_nt: DVec2,
}

impl Sliding {
    fn new(k: &DMat3, friction: f64, b: DVec3) -> Self {
        let k_nt = DVec2::new(k.x_axis.y, k.x_axis.z);
        let b_t = DVec2::new(b.y, b.z);
        let column = |k_tt: DVec2, k_nt: f64| (b_t * k_nt - k_tt * b.x) * friction;
        let a = DMat2::from_cols(
            column(DVec2::new(k.y_axis.y, k.y_axis.z), k_nt.x),
            column(DVec2::new(k.z_axis.y, k.z_axis.z), k_nt.y),
        );
        Self { a, c: b_t * k.x_axis.x - k_nt * b.x, k_nn: k.x_axis.x, friction_k_nt: k_nt * friction }
    }

    fn denominator(&self, direction: DVec2) -> f64 {
        self.k_nn + self.friction_k_nt.dot(direction)
    }

    /// Returns `f`, its derivative with respect to the angle, and `-d . (A d + c)`, the sliding speed times `D`.
    #[inline]
    fn evaluate(&self, d: DVec2) -> (f64, f64, f64) {
        let perpendicular = d.perp();
        let v = self.a * d + self.c;
        let speed = -d.dot(v);
        (perpendicular.dot(v), speed + perpendicular.dot(self.a * perpendicular), speed)
    }

    /// Finds the direction by Newton in the angle, as rotations of `d`, until one is below `last` rad.
    #[inline]
    fn newton(&self, mut d: DVec2, last: f64) -> Option<DVec2> {
        for _ in 0..10 {
            let (f, slope, speed) = self.evaluate(d);
            let turn = -f / slope;
            // A negative slope leads away from the root.
            if slope.is_nan() || slope <= 0.0 {
                return None;
            }
            let turn = turn.clamp(-0.7, 0.7);
            d += d.perp() * turn;
            d *= 1.0 / d.length();
            // The error after a Newton step is of the order of the square of the step.
            if turn.abs() < last {
                return (speed >= 0.0 && self.denominator(d) > 0.0).then_some(d);
            }
        }
        None
    }

    /// Examines all sign changes of `f` around the circle. Returns the slowest sliding that obeys the law.
    #[cold]
    fn scan(&self) -> Option<DVec2> {
        let mut best: Option<(f64, DVec2)> = None;
        let mut left = DVec2::X;
        let mut f_left = self.evaluate(left).0;
        for _ in 0..SCAN_DIRECTIONS {
            let right = SCAN_STEP.rotate(left);
            let f_right = self.evaluate(right).0;
            if (f_left <= 0.0) != (f_right <= 0.0) {
                let d = self.root_between(left, right, f_left);
                let speed = self.evaluate(d).2 / self.denominator(d);
                let holds = self.denominator(d) > 0.0 && speed >= 0.0;
                if holds && best.is_none_or(|(other, _)| speed < other) {
                    best = Some((speed, d));
                }
            }
            (left, f_left) = (right, f_right);
        }
        best.map(|(_, d)| d)
    }

    /// Finds the root of `f` between two directions at which its signs differ: Newton in the angle, and bisection where
    /// that leaves the interval.
    fn root_between(&self, mut left: DVec2, mut right: DVec2, f_left: f64) -> DVec2 {
        let is_left = |f: f64| (f <= 0.0) == (f_left <= 0.0);
        let mut d = (left + right).normalize_or(left);
        for _ in 0..MAX_ROOT_STEPS {
            let (f, slope, _) = self.evaluate(d);
            if is_left(f) {
                left = d
            } else {
                right = d
            }
            let turn = -f / slope;
            if turn.abs() < TURN_TOLERANCE {
                // The error after this step is of the order of the square of the step.
                return (d + d.perp() * turn).normalize_or(d);
            }
            let next = d + d.perp() * turn;
            let is_inside = left.perp_dot(next) > 0.0 && next.perp_dot(right) > 0.0;
            let target = if is_inside { next } else { left + right };
            let next = target.normalize_or(d);
            if next == d {
                break;
            }
            d = next;
        }
        d
    }
}
