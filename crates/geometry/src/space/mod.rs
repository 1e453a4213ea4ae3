//! The three simply connected spaces of constant curvature, by one set of formulas.
//!
//! A point is a vector `(x, y, z, w)`. With the curvature `k` (1, 0 or -1), points satisfy `k |xyz|^2 + w^2 = 1`, and
//! `w = 1` in flat space. The scalar product of tangent vectors is `u.xyz * v.xyz + k u.w v.w`. The origin is
//! `(0, 0, 0, 1)`. Geodesic lines and planes are the intersections with linear subspaces, so `xyz / w` is the
//! projective model: gnomonic projection of the sphere, Klein's model of hyperbolic space.
//!
//! A plane is a covector `n`: the points with `n . p = 0`. Its square is `|n.xyz|^2 + k n.w^2`; for a unit covector,
//! `n . p` is the generalised sine of the signed distance. Source: Gunn (1993), *Discrete Groups and Visualization of
//! Three Dimensional Manifolds*.

mod isometry;

pub use isometry::Isometry;

use glam::{DVec3, DVec4};

/// The origin of every space.
pub const ORIGIN: DVec4 = DVec4::W;

/// Simply connected space of constant curvature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// The three-sphere of radius 1, with curvature 1.
    Spherical,
    /// Euclidean space.
    Flat,
    /// Hyperbolic space of curvature -1.
    Hyperbolic,
}

impl Space {
    /// Returns the curvature: 1, 0 or -1.
    pub fn curvature(self) -> f64 {
        match self {
            Space::Spherical => 1.0,
            Space::Flat => 0.0,
            Space::Hyperbolic => -1.0,
        }
    }

    /// Returns the generalised sine: `sin r`, `r` or `sinh r`.
    pub fn sine(self, r: f64) -> f64 {
        match self {
            Space::Spherical => libm::sin(r),
            Space::Flat => r,
            Space::Hyperbolic => libm::sinh(r),
        }
    }

    /// Returns the generalised cosine: `cos r`, 1 or `cosh r`.
    pub fn cosine(self, r: f64) -> f64 {
        match self {
            Space::Spherical => libm::cos(r),
            Space::Flat => 1.0,
            Space::Hyperbolic => libm::cosh(r),
        }
    }

    /// Returns the distance whose generalised sine and cosine are in the ratio of `sine` and `cosine`.
    pub fn arc_tangent(self, sine: f64, cosine: f64) -> f64 {
        match self {
            Space::Spherical => libm::atan2(sine, cosine),
            Space::Flat => sine / cosine,
            Space::Hyperbolic => libm::atanh(sine / cosine),
        }
    }

    /// Returns the scalar product of two tangent vectors.
    pub fn dot(self, u: DVec4, v: DVec4) -> f64 {
        u.truncate().dot(v.truncate()) + self.curvature() * u.w * v.w
    }

    /// Returns the distance of two points. Nearby points and, on the sphere, opposite points lose no digits.
    pub fn distance(self, p: DVec4, q: DVec4) -> f64 {
        match self {
            Space::Spherical => 2.0 * libm::atan2((p - q).length(), (p + q).length()),
            Space::Flat => (p - q).truncate().length(),
            Space::Hyperbolic => {
                // 4 sinh^2(d/2) = |a|^2 - b^2 with the differences a of xyz and b of w. As b = a . s with
                // s = (p + q).xyz / (p + q).w, this is |a|^2 (1 - |s|^2) + |a x s|^2: a sum of positive terms.
                let a = (p - q).truncate();
                let sum = p + q;
                let s = sum.truncate() / sum.w;
                let square = a.length_squared() * (1.0 - s.length_squared()).max(0.0) + a.cross(s).length_squared();
                2.0 * libm::asinh(0.5 * libm::sqrt(square))
            }
        }
    }

    /// Returns the point at the end of the geodesic that leaves the origin with the direction and length of `v`.
    pub fn point(self, v: DVec3) -> DVec4 {
        let r = v.length();
        let ratio = if r > 0.0 { self.sine(r) / r } else { 1.0 };
        (v * ratio).extend(self.cosine(r))
    }

    /// Returns the direction and length of the shortest geodesic from the origin to `p`.
    pub fn vector(self, p: DVec4) -> DVec3 {
        let sine = p.truncate().length();
        if sine == 0.0 {
            return DVec3::ZERO;
        }
        let r = match self {
            Space::Spherical => libm::atan2(sine, p.w),
            Space::Flat => sine,
            Space::Hyperbolic => libm::asinh(sine),
        };
        p.truncate() * (r / sine)
    }

    /// Returns the point on the line of a vector, or `None` if the line contains no point of the space.
    pub fn on_line(self, v: DVec4) -> Option<DVec4> {
        let square = match self {
            Space::Spherical => v.length_squared(),
            Space::Flat => v.w * v.w,
            Space::Hyperbolic => v.w * v.w - v.truncate().length_squared(),
        };
        if !(square.is_finite() && square > 0.0) {
            return None;
        }
        let sign = if v.w < 0.0 && self != Space::Spherical { -1.0 } else { 1.0 };
        Some(v * (sign / libm::sqrt(square)))
    }

    /// Returns the unit covector of a plane, or `None` if `n` is no plane.
    pub fn unit_plane(self, n: DVec4) -> Option<DVec4> {
        let square = self.dot(n, n);
        (square.is_finite() && square > 0.0).then(|| n / libm::sqrt(square))
    }

    /// Returns the plane of points that are as far from the origin as from `q`, positive on the side of `q`, or `None`
    /// if `q` is the origin.
    pub fn bisector(self, q: DVec4) -> Option<DVec4> {
        // For k != 0 the covector is (q.xyz, k (q.w - 1)); the first form is the same without cancellation.
        let w = if q.w > 0.0 { -q.truncate().length_squared() / (1.0 + q.w) } else { self.curvature() * (q.w - 1.0) };
        self.unit_plane(q.truncate().extend(w))
    }
}
