//! High-level controllers that set motors. They run at the start of every step and set a motor only if something has
//! changed, so that bodies may sleep under a constant motor.

use burgess_dynamics::Motor;
use burgess_simulation::{ControllerContext, HighLevelController};

use super::TIME_TOLERANCE;
use super::forces::acts;
use crate::spec::{BetweenKeys, Interval, TargetKey};

/// Targets of a motor over time.
#[derive(Debug)]
pub(super) struct MotorSchedule {
    pub dof: usize,
    /// The joint's own motor.
    pub motor: Motor,
    /// Targets in rad, m, N m or N.
    pub keys: Vec<TargetKey>,
    pub between: BetweenKeys,
    pub period: Option<f64>,
}

impl MotorSchedule {
    /// The target at a time (s); none before the first key.
    fn target(&self, time: f64) -> Option<f64> {
        let rounds = self.period.map_or(0.0, |period| ((time + TIME_TOLERANCE) / period).floor());
        let local = time - rounds * self.period.unwrap_or(0.0) + TIME_TOLERANCE;
        let next = self.keys.partition_point(|key| key.time <= local);
        let Some(last) = next.checked_sub(1).map(|index| self.keys[index]) else {
            // The last value is kept until the next period.
            return self.keys.last().filter(|_| rounds > 0.0).map(|key| key.target);
        };
        match (self.between, self.keys.get(next)) {
            (BetweenKeys::Linear, Some(following)) => {
                let share = ((local - TIME_TOLERANCE - last.time) / (following.time - last.time)).clamp(0.0, 1.0);
                Some(last.target + share * (following.target - last.target))
            }
            _ => Some(last.target),
        }
    }
}

impl HighLevelController for MotorSchedule {
    /// Called on every step.
    fn period(&self) -> f64 {
        0.0
    }

    /// The last target that was set, if any.
    fn memory(&self) -> usize {
        2
    }

    fn act(&self, memory: &mut [f64], context: &mut ControllerContext) {
        let Some(wanted) = self.target(context.state.time) else { return };
        if memory[..] == [1.0, wanted] {
            return;
        }
        memory.copy_from_slice(&[1.0, wanted]);
        let motor = match self.motor {
            Motor::None => Motor::None,
            Motor::Effort(_) => Motor::Effort(wanted),
            Motor::Velocity { gain, .. } => Motor::Velocity { target: wanted, gain },
            Motor::Position { stiffness, damping, .. } => Motor::Position { target: wanted, stiffness, damping },
        };
        context.set_motor(self.dof, motor);
    }
}

/// A torque that decreases with speed, `torque (1 - speed / max_speed)`: it is a servo for `max_speed` with the gain
/// `torque / max_speed`, which the simulator makes implicit, so that light wheels do not oscillate. The motor is off
/// at higher speeds: the torque is never negative.
#[derive(Debug)]
pub(super) struct SpeedLimiter {
    pub dof: usize,
    /// The joint's own motor, restored at the end.
    pub motor: Motor,
    /// Torque, in N m or N, with the sign of the direction.
    pub torque: f64,
    /// Max speed, in rad/s or m/s.
    pub max_speed: f64,
    pub when: Interval,
}

/// The last action of the limiter on its motor.
const OFF: f64 = 0.0;
const DRIVES: f64 = 1.0;
const LETS_GO: f64 = 2.0;

impl HighLevelController for SpeedLimiter {
    /// Called on every step.
    fn period(&self) -> f64 {
        0.0
    }

    /// The last action.
    fn memory(&self) -> usize {
        1
    }

    fn act(&self, memory: &mut [f64], context: &mut ControllerContext) {
        let speed = context.state.v[self.dof] * self.torque.signum();
        let wanted = if !acts(&self.when, context.state.time) {
            OFF
        } else if speed > self.max_speed {
            LETS_GO
        } else {
            DRIVES
        };
        if memory[0] == wanted {
            return;
        }
        memory[0] = wanted;
        let motor = if wanted == OFF {
            self.motor
        } else if wanted == DRIVES {
            let target = self.max_speed * self.torque.signum();
            Motor::Velocity { target, gain: self.torque.abs() / self.max_speed }
        } else {
            Motor::None
        };
        context.set_motor(self.dof, motor);
    }
}
