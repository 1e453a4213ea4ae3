//! Prescribed motion (Erleben 2002, section 2.1.2): platforms, turntables, shakers.

use std::fmt::Debug;
use std::sync::Arc;

use burgess_dynamics::ScriptedMotion;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::Pose;
use glam::{DQuat, DVec3};

/// A motion that is a function of time alone.
pub trait Script: Debug + Send + Sync {
    /// Pose, velocity and acceleration of the body at a time (s).
    fn motion(&self, time: f64) -> ScriptedMotion;
}

/// A script that many worlds can share.
pub type SharedScript = Arc<dyn Script>;

/// Steady motion: a conveyor, a turntable. The body rotates about its origin, which moves on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyMotion {
    /// Pose at time zero.
    pub start: Pose,
    /// Linear velocity, in m/s.
    pub linear: DVec3,
    /// Angular velocity, in rad/s.
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
    /// Mean pose.
    pub middle: Pose,
    /// Amplitude of the translation, in m.
    pub amplitude: DVec3,
    /// Amplitude of the rotation as a rotation vector, in rad.
    pub angle: DVec3,
    /// Frequency, in 1/s.
    pub frequency: f64,
    /// Phase, in rad.
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
