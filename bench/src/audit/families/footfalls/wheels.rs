//! Rimless wheels that roll down a slope. A spoke of length `l` ends in a foot of radius `p`; between impacts the wheel
//! rolls on one foot and keeps its energy, with the angle `t` of the spoke to the normal of the slope:
//!
//! ```text
//!   J(t) = I + m (l^2 + p^2 + 2 l p cos t)
//!   V(t) = m g ((l cos t + p) cos s - (p t + l sin t) sin s)
//! ```
//!
//! At an impact the angular momentum about the new contact is constant. With half the distance of the feet `d` and the
//! height of the hub `H`, the rate of turning is multiplied by `(I + m (H^2 - d^2)) / (I + m (H^2 + d^2))`: for a sharp
//! foot, `(cos (2 pi / n) + k) / (1 + k)` with `k = I / (m l^2)` (McGeer 1990).

use core::f64::consts::PI;
use std::sync::Arc;

use anyhow::Result;
use burgess_dynamics::JointSpec;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Sphere;
use burgess_geometry::{MassProperties, Polyhedron, Pose, Shape};
use burgess_simulation::ColliderSpec;
use glam::{DMat3, DVec3};

use crate::case::{Case, GRAVITY, ground};
use crate::law::Law;
use crate::random::Random;
use crate::track::{STEP, Track, advance};

/// Friction of the feet.
const ROUGH: f64 = 5.0;
/// Largest ratio of friction and pressure, and smallest pressure as a share of the weight, of a wheel that rolls safely.
const SAFE: (f64, f64) = (2.0, 0.2);
/// Time for which the course is known, in s.
const KNOWN: f64 = 10.0;

/// A wheel of unit mass.
#[derive(Debug, Clone, Copy)]
struct Wheel {
    spokes: usize,
    length: f64,
    foot: f64,
    /// Moment of inertia about the axis, in m^2.
    inertia: f64,
    slope: f64,
}

impl Wheel {
    fn half_angle(&self) -> f64 {
        PI / self.spokes as f64
    }

    /// Half the distance of two feet, and the height of the hub at an impact, in m.
    fn impact(&self) -> (f64, f64) {
        let (sin, cos) = libm::sincos(self.half_angle());
        (self.length * sin, self.length * cos + self.foot)
    }

    fn ratio(&self) -> f64 {
        let (d, height) = self.impact();
        (self.inertia + height * height - d * d) / (self.inertia + height * height + d * d)
    }

    fn inertia_at(&self, angle: f64) -> f64 {
        let (l, p) = (self.length, self.foot);
        self.inertia + l * l + p * p + 2.0 * l * p * libm::cos(angle)
    }

    fn acceleration(&self, angle: f64, rate: f64) -> f64 {
        let (l, p) = (self.length, self.foot);
        let (sin, cos) = libm::sincos(angle);
        let (sin_slope, cos_slope) = libm::sincos(self.slope);
        let slope_of_potential = -GRAVITY * (l * sin * cos_slope + (p + l * cos) * sin_slope);
        // Half the derivative of the inertia is -l p sin t.
        (l * p * sin * rate * rate - slope_of_potential) / self.inertia_at(angle)
    }

    /// Rate at which an impact gives back what a step down the slope adds, just before the impact, in rad/s.
    fn steady_rate(&self) -> f64 {
        let (d, _) = self.impact();
        let gain = GRAVITY * libm::sin(self.slope) * 2.0 * (d + self.foot * self.half_angle());
        let ratio = self.ratio();
        (2.0 * gain / (self.inertia_at(self.half_angle()) * (1.0 - ratio * ratio))).sqrt()
    }

    /// Returns whether the foot presses on the slope and does not slip.
    fn is_safe(&self, angle: f64, rate: f64) -> bool {
        let (l, p) = (self.length, self.foot);
        let (sin, cos) = libm::sincos(angle);
        let (sin_slope, cos_slope) = libm::sincos(self.slope);
        let turning = self.acceleration(angle, rate);
        let pressure = GRAVITY * cos_slope - l * (sin * turning + cos * rate * rate);
        let along = p * turning + l * (cos * turning - sin * rate * rate) - GRAVITY * sin_slope;
        pressure > SAFE.1 * GRAVITY && along.abs() < SAFE.0 * pressure && rate > 0.0
    }

    /// Returns the course of the hub from a rate (rad/s) above a foot; none if the wheel slips, lifts or stops.
    fn course(&self, rate: f64) -> Option<Track> {
        let half = self.half_angle();
        let (d, _) = self.impact();
        // The angle and the rate are the first components; the foot began to roll at `middle`.
        let mut state = (DVec3::ZERO, DVec3::X * rate);
        let mut middle = 0.0;
        let mut is_safe = true;
        let turn = |x: DVec3, v: DVec3| DVec3::X * self.acceleration(x.x, v.x);
        let hub = |angle: f64, middle: f64| {
            let (sin, cos) = libm::sincos(angle);
            DVec3::new(middle + self.foot * angle + self.length * sin, 0.0, self.length * cos + self.foot)
        };
        let track = Track::new(hub(0.0, 0.0), KNOWN, || {
            let after = advance(state, STEP, turn);
            state = if after.0.x < half {
                after
            } else {
                let (mut low, mut high) = (0.0, STEP);
                for _ in 0..50 {
                    let part = 0.5 * (low + high);
                    if advance(state, part, turn).0.x < half { low = part } else { high = part }
                }
                let before = advance(state, low, turn);
                middle += 2.0 * (d + self.foot * half);
                advance((DVec3::X * -half, before.1 * self.ratio()), STEP - low, turn)
            };
            is_safe &= self.is_safe(state.0.x, state.1.x);
            hub(state.0.x, middle)
        });
        is_safe.then_some(track)
    }
}

/// Draws a wheel that rolls: a prism, whose edges are the spokes' ends, or feet that are balls.
pub fn draw(random: &mut Random) -> Result<Case> {
    let (wheel, rate, track) = loop {
        let length = random.magnitude(0.1, 1.0);
        let wheel = Wheel {
            spokes: 5 + random.below(8),
            length,
            foot: if random.chance(0.5) { 0.0 } else { length * random.between(0.03, 0.1) },
            inertia: length * length * random.between(0.1, 0.9),
            slope: random.between(0.02, 0.3),
        };
        let rate = wheel.steady_rate() * random.between(0.7, 1.2);
        if let Some(track) = wheel.course(rate) {
            break (wheel, rate, track);
        }
    };
    let mut builder = ground(ROUGH);
    let (sin, cos) = libm::sincos(wheel.slope);
    builder.gravity(GRAVITY * DVec3::new(sin, 0.0, -cos));
    let mass = random.magnitude(0.1, 10.0);
    let lateral = 0.6 * wheel.inertia;
    let inertia = mass * DMat3::from_diagonal(DVec3::new(lateral, wheel.inertia, lateral));
    let ends = (0..wheel.spokes).flat_map(|spoke| {
        let (sin, cos) = libm::sincos(2.0 * PI * spoke as f64 / wheel.spokes as f64);
        [-0.3, 0.3].map(|aside| wheel.length * DVec3::new(sin, aside, -cos))
    });
    let colliders: Vec<ColliderSpec> = if wheel.foot == 0.0 {
        let corners: Vec<DVec3> = ends.collect();
        vec![ColliderSpec::new(Shape::Polyhedron(Arc::new(Polyhedron::hull(&corners)?)))]
    } else {
        let foot = Sphere::new(wheel.foot)?;
        ends.map(|end| ColliderSpec::new(Shape::Sphere(foot)).at(Pose::from_translation(end))).collect()
    };
    let own = MassProperties::new(mass, DVec3::ZERO, inertia)?;
    let body = builder.link("wheel", None, JointSpec::free(), Some(own), colliders)?;
    let height = wheel.length + wheel.foot;
    builder.set_pose(body, Pose::from_translation(DVec3::Z * height));
    builder.set_velocity(body, Motion::new(DVec3::Y * rate, DVec3::X * rate * height));
    let feet = if wheel.foot == 0.0 { "prism" } else { "feet" };
    let what =
        format!("wheel of {} spokes ({feet}) rolls at {rate:.1} rad/s down {:.2} rad", wheel.spokes, wheel.slope);
    let scale = mass * (0.5 * wheel.inertia_at(0.0) * rate * rate + GRAVITY * height);
    let case = Case::dissipative(what, builder, scale, height)?.on_ground();
    let point = (case.index(body), DVec3::ZERO);
    let law = Law::course(vec![point], height, move |time| track.at(time).map(|hub| vec![hub]));
    Ok(case.with_law(law).until(KNOWN))
}
