//! What differs from trial to trial: a function of the task, the seed and the number of the trial.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use crate::dice::Dice;
use crate::task::{AimAt, Amount, Ground, MAX_PLACES, Task};

/// So that other uses of the same seed have nothing to do with it.
const PURPOSE: u64 = 0x0074_7269_616c;

/// The numbers of one trial.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conditions {
    pub friction: f64,
    pub restitution: f64,
    /// In m/s^2.
    pub gravity: DVec3,
    /// Of the creature at the start.
    pub rotation: DQuat,
    /// Below the creature at the start, in m.
    pub gap: f64,
    /// Of the ball, in m.
    pub ball_offset: DVec3,
    /// Places of the target, from the start, in m.
    pub places: Vec<DVec3>,
    /// For the heights of hills.
    pub terrain: u64,
}

impl Conditions {
    /// Everything is drawn in the same order whether it is used or not, so that changing one thing leaves the others.
    pub fn draw(task: &Task, seed: u64, trial: u32) -> Self {
        let mut dice = Dice::for_purpose(seed, &[PURPOSE, u64::from(trial)]);
        let mut change = |most: f64| most * dice.between(-1.0, 1.0);
        let (variation, parameters) = (&task.variation, &task.parameters);
        let friction = task.arena.friction.value(parameters) * (1.0 + change(variation.friction));
        let restitution = task.arena.restitution.value(parameters) + change(variation.restitution);
        let gravity = Amount::vector(&task.arena.gravity, parameters) * (1.0 + change(variation.gravity));
        let tilt = change(variation.tilt);
        let turn = change(variation.turn);
        let gap = task.start.gap + change(variation.gap).abs();
        let ball = task.ball.as_ref().map_or(0.0, |ball| ball.spread.value(parameters));
        let mut ball_offset = DVec3::new(change(ball), change(ball), change(ball));
        let about = dice.between(0.0, 2.0 * PI);
        let level = DVec3::new(libm::cos(about), libm::sin(about), 0.0);
        let is_flat = task.arena.ground != Ground::None;
        if is_flat {
            ball_offset.z = 0.0;
        }
        Self {
            friction,
            restitution: restitution.clamp(0.0, 1.0),
            gravity,
            rotation: DQuat::from_axis_angle(level, tilt) * DQuat::from_rotation_z(turn),
            gap,
            ball_offset,
            places: places(task, is_flat, &mut Dice::new(dice.word())),
            terrain: dice.word(),
        }
    }
}

fn places(task: &Task, is_flat: bool, dice: &mut Dice) -> Vec<DVec3> {
    let Some(aim) = &task.target else { return Vec::new() };
    match aim.at {
        AimAt::Ball | AimAt::Cube => Vec::new(),
        AimAt::Places => aim.places.iter().map(|place| Amount::vector(place, &task.parameters)).collect(),
        AimAt::RandomPlaces => {
            let distance = aim.distance.value(&task.parameters);
            let mut place = DVec3::ZERO;
            let next = |_| {
                let angle = dice.between(0.0, 2.0 * PI);
                let level = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
                place += distance * if is_flat { level } else { dice.direction() };
                place
            };
            (0..aim.count.min(MAX_PLACES as u32)).map(next).collect()
        }
    }
}
