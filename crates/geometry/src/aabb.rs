//! Axis-aligned bounding boxes, static and swept.

use glam::{DMat3, DVec3};

/// An axis-aligned box. The box is closed: boxes that only touch overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates, in metres.
    pub min: DVec3,
    /// Largest coordinates, in metres.
    pub max: DVec3,
}

impl Aabb {
    /// Box that contains no point.
    pub const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    /// Box that contains all points.
    pub const EVERYWHERE: Self = Self { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

    /// Creates a box from its minimum and maximum corners.
    pub fn new(min: DVec3, max: DVec3) -> Self {
        Self { min, max }
    }

    /// Creates a box from its centre and half extents.
    pub fn from_center(center: DVec3, half_extents: DVec3) -> Self {
        Self { min: center - half_extents, max: center + half_extents }
    }

    /// Returns the smallest box that contains all the points.
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { min: b.min.min(p), max: b.max.max(p) })
    }

    /// Returns the centre, in metres.
    pub fn center(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// Returns half the side lengths, in metres.
    pub fn half_extents(&self) -> DVec3 {
        0.5 * (self.max - self.min)
    }

    /// Returns the side lengths, in metres.
    pub fn extents(&self) -> DVec3 {
        self.max - self.min
    }

    /// Returns the eight corners.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize| if i >> bit & 1 == 1 { self.max[bit] } else { self.min[bit] };
            DVec3::new(pick(0), pick(1), pick(2))
        })
    }

    /// Returns whether the boxes share a point.
    pub fn overlaps(&self, other: &Self) -> bool {
        // `&`, not `&&`: six cheap comparisons beat six branches.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }

    /// Returns whether this box contains all of `other`.
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// Returns the smallest box that contains both boxes.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the box grown by `margin` metres on every side.
    pub fn inflated(&self, margin: f64) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// Returns the smallest axis-aligned box around this box after a rotation and a translation.
    pub fn transformed(&self, rotation: &DMat3, translation: DVec3) -> Self {
        let half = self.half_extents();
        let spread = rotation.x_axis.abs() * half.x + rotation.y_axis.abs() * half.y + rotation.z_axis.abs() * half.z;
        Self::from_center(*rotation * self.center() + translation, spread)
    }

    /// Returns the exact bounds of this box moving for `interval` seconds with constant acceleration. The apex of the
    /// parabola is included (Fontijne 2000, section 2.3.1).
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

    /// Returns the intersection of both boxes. It is empty (min above max) when they are separated.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Returns a box that contains a body during a whole flight. This box bounds the body at the start of the flight.
    /// The body may rotate about `center` in any way; no point of it is farther than `radius` metres from `center`.
    pub fn swept_turning(&self, center: DVec3, radius: f64, flight: &Flight) -> Self {
        // A rotation moves a point by at most the chord, and never out of the ball around the centre.
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

/// Bound on the motion of a body: its centre follows a parabola, and it rotates about the centre with a bounded speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    /// Velocity of the centre at the start, in m/s.
    pub velocity: DVec3,
    /// Constant acceleration of the centre, in m/s^2.
    pub acceleration: DVec3,
    /// Upper bound on the angular speed, in rad/s.
    pub angular_speed: f64,
    /// Duration, in seconds.
    pub interval: f64,
}
