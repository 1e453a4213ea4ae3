//! High-level controllers that set motors. They look at the clock at the start of every step and give an order only
//! where something has changed, so that bodies may fall asleep under a motor that does not.

use burgess_dynamics::Motor;
use burgess_simulation::{Hands, HighLevelController};

use super::TIME_TOLERANCE;
use super::forces::acts;
use crate::spec::{BetweenKeys, Interval, TargetKey};

/// Targets of a motor over time.
#[derive(Debug)]
pub(super) struct MotorSchedule {
    pub dof: usize,
    /// The joint's own.
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
            // From one round to the next the last value is kept.
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
    /// Every step.
    fn period(&self) -> f64 {
        0.0
    }

    /// Has it set the motor yet, and to what?
    fn memory(&self) -> usize {
        2
    }

    fn act(&self, memory: &mut [f64], hands: &mut Hands) {
        let Some(wanted) = self.target(hands.state.time) else { return };
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
        hands.set_motor(self.dof, motor);
    }
}

/// A torque that fades with speed, `torque (1 - speed / max_speed)`: that is a servo for `max_speed` with the gain
/// `torque / max_speed`, which the simulator makes implicit, so that light wheels do not shake. The servo lets go of
/// what is faster, as the torque is never less than nothing.
#[derive(Debug)]
pub(super) struct SpeedLimiter {
    pub dof: usize,
    /// The joint's own, back in force when this ends.
    pub motor: Motor,
    /// Torque, in N m or N, with the sign of the direction.
    pub torque: f64,
    /// Max speed, in rad/s or m/s.
    pub max_speed: f64,
    pub when: Interval,
}

/// What the limiter has last done to its motor.
const OFF: f64 = 0.0;
const DRIVES: f64 = 1.0;
const LETS_GO: f64 = 2.0;

impl HighLevelController for SpeedLimiter {
    /// Every step.
    fn period(&self) -> f64 {
        0.0
    }

    /// What it has last done.
    fn memory(&self) -> usize {
        1
    }

    fn act(&self, memory: &mut [f64], hands: &mut Hands) {
        let speed = hands.state.v[self.dof] * self.torque.signum();
        let wanted = if !acts(&self.when, hands.state.time) {
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
        hands.set_motor(self.dof, motor);
    }
}
