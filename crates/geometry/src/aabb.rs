//! Axis-aligned bounding boxes, at rest and swept.

use glam::{DMat3, DVec3};

/// A box with its sides along the axes. Closed: boxes that only touch overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates, in metres.
    pub min: DVec3,
    /// Largest coordinates, in metres.
    pub max: DVec3,
}

impl Aabb {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    /// The box that contains everything.
    pub const EVERYWHERE: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    /// A box from its corners.
    pub fn new(min: DVec3, max: DVec3) -> Self {
        Self { min, max }
    }

    /// A box from its centre and half its sides.
    pub fn from_center(center: DVec3, half_extents: DVec3) -> Self {
        Self { min: center - half_extents, max: center + half_extents }
    }

    /// The smallest box around points.
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// Its middle.
    pub fn center(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// Half its sides.
    pub fn half_extents(&self) -> DVec3 {
        0.5 * (self.max - self.min)
    }

    /// Its sides.
    pub fn extents(&self) -> DVec3 {
        self.max - self.min
    }

    /// Its eight corners.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize| if i >> bit & 1 == 1 { self.max[bit] } else { self.min[bit] };
            DVec3::new(pick(0), pick(1), pick(2))
        })
    }

    /// Do the boxes share a point?
    pub fn overlaps(&self, other: &Self) -> bool {
        // `&`, not `&&`: six cheap comparisons beat six branches.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }

    /// Does this box contain all of `other`?
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Grown by `margin` on every side.
    pub fn inflated(&self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// The box around this box after a rotation and a translation.
    pub fn transformed(&self, rotation: &DMat3, translation: DVec3) -> Self {
        let half = self.half_extents();
        let spread = rotation.x_axis.abs() * half.x + rotation.y_axis.abs() * half.y + rotation.z_axis.abs() * half.z;
        Self::from_center(*rotation * self.center() + translation, spread)
    }

    /// The box around this box's flight over `interval` seconds with constant acceleration: the exact box of the
    /// parabola, so its apex counts too (000 section 2.3.1).
    pub fn swept(&self, velocity: DVec3, acceleration: DVec3, interval: f64) -> Self {
        let end = (velocity + 0.5 * interval * acceleration) * interval;
        let (mut low, mut high) = (end.min(DVec3::ZERO), end.max(DVec3::ZERO));
        for axis in 0..3 {
            let (v, a) = (velocity[axis], acceleration[axis]);
            let apex_time = -v / a;
            if apex_time > 0.0 && apex_time < interval {
                let apex = 0.5 * v * apex_time;
                low[axis] = low[axis].min(apex);
                high[axis] = high[axis].max(apex);
            }
        }
        Self { min: self.min + low, max: self.max + high }
    }

    /// The part that both boxes share; empty (min above max) when they are apart.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// A box that contains, all through a flight, the body that this box is around at its start. The body turns in any
    /// way about `center`, from which it reaches no farther than `radius` metres.
    pub fn swept_turning(&self, center: DVec3, radius: f64, flight: &Flight) -> Self {
        // Turning by an angle moves a point by the chord, and never out of the ball around the centre.
        let angle = (flight.angular_speed * flight.interval).abs().min(std::f64::consts::PI);
        let reach = self.inflated(2.0 * radius * libm::sin(0.5 * angle));
        let turned = if radius.is_finite() {
            reach.intersection(&Self::from_center(center, DVec3::splat(radius)))
        } else if angle > 0.0 {
            Self::EVERYWHERE
        } else {
            *self
        };
        turned.swept(flight.velocity, flight.acceleration, flight.interval)
    }
}

/// How a body may move for a while: its centre on a parabola, turning about it in any way up to a speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    /// Velocity of the centre at the start, in m/s.
    pub velocity: DVec3,
    /// Its constant acceleration, in m/s^2.
    pub acceleration: DVec3,
    /// A bound on the angular speed, in rad/s.
    pub angular_speed: f64,
    /// How long, in seconds.
    pub interval: f64,
}
