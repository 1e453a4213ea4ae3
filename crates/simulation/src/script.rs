//! Prescribed motion (004 section 2.1.2): platforms, turntables, shakers.

use std::fmt::Debug;
use std::sync::Arc;

use burgess_dynamics::ScriptedMotion;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

/// A motion that is a function of time alone.
pub trait Script: Debug + Send + Sync {
    /// Where the body is at a time (s), how fast, and how it accelerates.
    fn motion(&self, time: f64) -> ScriptedMotion;
}

/// A script that many worlds can share.
pub type SharedScript = Arc<dyn Script>;

/// Steady motion: a conveyor, a turntable. The body turns about `axis` through its origin while that moves on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyMotion {
    /// Where it starts.
    pub start: Pose,
    /// In m/s.
    pub linear: DVec3,
    /// In rad/s, along the axis of rotation.
    pub angular: DVec3,
}

impl Script for SteadyMotion {
    fn motion(&self, time: f64) -> ScriptedMotion {
        let turn = DQuat::from_scaled_axis(self.angular * time);
        ScriptedMotion {
            pose: Pose::new(turn * self.start.rotation, self.start.translation + self.linear * time),
            velocity: Motion::new(self.angular, self.linear),
            acceleration: Motion::ZERO,
        }
    }
}

/// Oscillation: a shaker, a lift. Displaced by `amplitude sin(2 pi frequency t + phase)` in translation and rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Oscillation {
    /// The middle.
    pub middle: Pose,
    /// In m.
    pub amplitude: DVec3,
    /// As a rotation vector, in rad.
    pub angle: DVec3,
    /// In 1/s.
    pub frequency: f64,
    /// In rad.
    pub phase: f64,
}

impl Script for Oscillation {
    fn motion(&self, time: f64) -> ScriptedMotion {
        let rate = std::f64::consts::TAU * self.frequency;
        let (sin, cos) = libm::sincos(rate * time + self.phase);
        let turn = DQuat::from_scaled_axis(self.angle * sin);
        ScriptedMotion {
            pose: Pose::new(turn * self.middle.rotation, self.middle.translation + self.amplitude * sin),
            velocity: Motion::new(self.angle * (rate * cos), self.amplitude * (rate * cos)),
            acceleration: Motion::new(self.angle * (-rate * rate * sin), self.amplitude * (-rate * rate * sin)),
        }
    }
}
