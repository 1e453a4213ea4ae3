//! Double-double numbers: a value as the unevaluated sum of two f64 (Dekker 1971).

use std::ops::{Add, Div, Mul, Neg, Sub};

use burgess_geometry::RelativePose;
use glam::DVec3;

/// A number with about 32 decimal digits.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Dd(f64, f64);

fn two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    let t = s - a;
    Dd(s, (a - (s - t)) + (b - t))
}

fn quick_two_sum(a: f64, b: f64) -> Dd {
    let s = a + b;
    Dd(s, b - (s - a))
}

fn two_product(a: f64, b: f64) -> Dd {
    let split = |x: f64| {
        let t = 134_217_729.0 * x;
        let high = t - (t - x);
        (high, x - high)
    };
    let p = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    Dd(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

impl From<f64> for Dd {
    fn from(value: f64) -> Self {
        Self(value, 0.0)
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let s = two_sum(self.0, other.0);
        let t = two_sum(self.1, other.1);
        let s = quick_two_sum(s.0, s.1 + t.0);
        quick_two_sum(s.0, s.1 + t.1)
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let p = two_product(self.0, other.0);
        quick_two_sum(p.0, p.1 + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let q = self.0 / other.0;
        let rest = self - other * Self::from(q);
        let q2 = rest.0 / other.0;
        let rest = rest - other * Self::from(q2);
        quick_two_sum(q, q2) + Self::from(rest.0 / other.0)
    }
}

impl Dd {
    pub fn rounded(self) -> f64 {
        self.0 + self.1
    }

    pub fn max(self, other: Self) -> Self {
        if self < other { other } else { self }
    }

    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    pub fn sqrt(self) -> Self {
        if self.0 <= 0.0 {
            return Self(0.0, 0.0);
        }
        let root = self.0.sqrt();
        let rest = self - two_product(root, root);
        quick_two_sum(root, rest.0 / (2.0 * root))
    }
}

/// A vector of double-doubles.
#[derive(Debug, Clone, Copy)]
pub struct Vec3([Dd; 3]);

impl From<DVec3> for Vec3 {
    fn from(v: DVec3) -> Self {
        Self(v.to_array().map(Dd::from))
    }
}

impl Vec3 {
    /// Returns a point of b in the frame of a.
    pub fn transformed(b_in_a: &RelativePose, point: DVec3) -> Self {
        let m = b_in_a.rotation;
        let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(Self::from);
        let p = Self::from(point).0;
        let sum = x.times(p[0]).plus(&y.times(p[1])).plus(&z.times(p[2]));
        sum.plus(&Self::from(b_in_a.translation))
    }

    pub fn rounded(&self) -> DVec3 {
        DVec3::from_array(self.0.map(Dd::rounded))
    }

    pub fn plus(&self, o: &Self) -> Self {
        Self([self.0[0] + o.0[0], self.0[1] + o.0[1], self.0[2] + o.0[2]])
    }

    pub fn minus(&self, o: &Self) -> Self {
        self.plus(&o.negated())
    }

    pub fn negated(&self) -> Self {
        Self(self.0.map(|c| -c))
    }

    pub fn times(&self, s: Dd) -> Self {
        Self(self.0.map(|c| c * s))
    }

    pub fn dot(&self, o: &Self) -> Dd {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }

    pub fn cross(&self, o: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    pub fn length(&self) -> Dd {
        self.dot(self).sqrt()
    }

    pub fn normalized(&self) -> Self {
        let inverse = Dd::from(1.0) / self.length();
        self.times(inverse)
    }
}
