//! Conditions of a trial: what differs between trials, as a function of the task, the seed and the trial's number.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use crate::random::Random;
use crate::task::{Amount, Ground, MAX_PLACES, TargetKind, Task};

/// Separates these random numbers from other uses of the same seed.
const PURPOSE: u64 = 0x0074_7269_616c;

/// The conditions of one trial.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conditions {
    pub friction: f64,
    pub restitution: f64,
    /// Gravity, in m/s^2.
    pub gravity: DVec3,
    /// Rotation of the creature at the start.
    pub rotation: DQuat,
    /// Gap below the creature at the start, in m.
    pub gap: f64,
    /// Offset of the ball, in m.
    pub ball_offset: DVec3,
    /// Positions of the target relative to the start, in m.
    pub places: Vec<DVec3>,
    /// Seed for the heights of hills.
    pub terrain: u64,
}

impl Conditions {
    /// Draws all conditions in a fixed order, whether they are used or not, so that a change of one does not affect the
    /// others.
    pub fn draw(task: &Task, seed: u64, trial: u32) -> Self {
        let mut random = Random::for_purpose(seed, &[PURPOSE, u64::from(trial)]);
        let mut change = |most: f64| most * random.between(-1.0, 1.0);
        let (variation, parameters) = (&task.variation, &task.parameters);
        let friction = task.arena.friction.value(parameters) * (1.0 + change(variation.friction));
        let restitution = task.arena.restitution.value(parameters) + change(variation.restitution);
        let gravity = Amount::vector(&task.arena.gravity, parameters) * (1.0 + change(variation.gravity));
        let tilt = change(variation.tilt);
        let turn = change(variation.turn);
        let gap = task.start.gap + change(variation.gap).abs();
        let ball = task.ball.as_ref().map_or(0.0, |ball| ball.spread.value(parameters));
        let mut ball_offset = DVec3::new(change(ball), change(ball), change(ball));
        let about = random.between(0.0, 2.0 * PI);
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
            places: places(task, is_flat, &mut Random::new(random.word())),
            terrain: random.word(),
        }
    }
}

fn places(task: &Task, is_flat: bool, random: &mut Random) -> Vec<DVec3> {
    let Some(aim) = &task.target else { return Vec::new() };
    match aim.at {
        TargetKind::Ball | TargetKind::Cube | TargetKind::Opponent => Vec::new(),
        TargetKind::Places => aim.places.iter().map(|place| Amount::vector(place, &task.parameters)).collect(),
        TargetKind::RandomPlaces => {
            let distance = aim.distance.value(&task.parameters);
            let mut place = DVec3::ZERO;
            let next = |_| {
                let angle = random.between(0.0, 2.0 * PI);
                let level = DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
                place += distance * if is_flat { level } else { random.direction() };
                place
            };
            (0..aim.count.min(MAX_PLACES as u32)).map(next).collect()
        }
    }
}
