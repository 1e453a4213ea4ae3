//! The objects of a wall frame besides the world, the menu and tubes: the room in the world, and the user in the room.

use glam::{DQuat, DVec3};

use crate::frame::NetworkObject;
use crate::menu::MenuView;
use crate::tubes::Tubes;

/// Speed of turning, in rad/s.
const TURN_SPEED: f64 = 1.2;
/// Maximum distance of the room from the world's origin, in m.
const MAX_DISTANCE: f64 = 1e5;
/// Maximum number of hands.
pub const MAX_HANDS: usize = 4;

/// Name and version of the object that contains the frame of the session.
pub const WORLD: (&str, u16) = ("world", 1);

/// Name and version of all objects of a wall frame.
pub const OBJECTS: [(&str, u16); 5] = [
    WORLD,
    (Room::NAME, Room::VERSION),
    (User::NAME, User::VERSION),
    (MenuView::NAME, MenuView::VERSION),
    (Tubes::NAME, Tubes::VERSION),
];

/// Pose of the room in the world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Room {
    /// Place of the room's origin, in m.
    pub position: DVec3,
    /// Turn about the vertical, in rad. At 0 the room's y axis is the world's.
    pub heading: f64,
}

impl Room {
    /// The rotation from the room to the world.
    pub fn rotation(&self) -> DQuat {
        DQuat::from_rotation_z(self.heading)
    }

    /// A point of the room in the world, in m.
    pub fn to_world(&self, point: DVec3) -> DVec3 {
        self.position + self.rotation() * point
    }

    /// Moves the room for a time, in s. `speed` is in m/s; `head` is the place in the room about which it turns.
    pub fn travel(&mut self, motion: &Motion, head: DVec3, speed: f64, time: f64) {
        let about = self.to_world(head);
        let turn = motion.turn * TURN_SPEED * time;
        self.heading = wrapped(self.heading + turn);
        self.position = about - self.rotation() * head;
        let step = self.rotation() * DVec3::from_array(motion.velocity) * (speed * time);
        self.position = (self.position + step).clamp(DVec3::splat(-MAX_DISTANCE), DVec3::splat(MAX_DISTANCE));
    }
}

/// An angle from -pi to pi.
fn wrapped(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle - turn * (angle / turn).round()
}

impl NetworkObject for Room {
    const NAME: &'static str = "room";
    const VERSION: u16 = 1;

    fn give(&self, bytes: &mut Vec<u8>) {
        push(bytes, &[self.position.x, self.position.y, self.position.z, self.heading]);
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), String> {
        let numbers = numbers(bytes)?;
        let [x, y, z, heading] = numbers[..] else {
            return Err(format!("the room has {} numbers, expected 4", numbers.len()));
        };
        *self = Self { position: DVec3::new(x, y, z), heading };
        Ok(())
    }
}

/// What the user's controls ask for, as fractions of the full speed from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// To the right, forward and up.
    pub velocity: [f64; 3],
    /// To the left.
    pub turn: f64,
}

impl Motion {
    /// The sum of two motions, within the limits.
    pub fn plus(&self, other: &Self) -> Self {
        let sum = |a: f64, b: f64| (a + b).clamp(-1.0, 1.0);
        let velocity = [0, 1, 2].map(|axis| sum(self.velocity[axis], other.velocity[axis]));
        Self { velocity, turn: sum(self.turn, other.turn) }
    }

    /// Whether nothing moves.
    pub fn is_still(&self) -> bool {
        *self == Self::default()
    }
}

/// A place and an orientation in the room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Place, in m.
    pub position: DVec3,
    /// Orientation. The axes of a head or hand are x to the right, y forward and z up.
    pub orientation: DQuat,
}

impl Default for Pose {
    fn default() -> Self {
        Self { position: DVec3::ZERO, orientation: DQuat::IDENTITY }
    }
}

/// A hand or wand.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Hand {
    /// Pose in the room.
    pub pose: Pose,
    /// Whether it holds on.
    pub grabs: bool,
}

/// The user: head and hands in the room.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct User {
    /// The head; its position is between the eyes.
    pub head: Pose,
    /// The hands.
    pub hands: Vec<Hand>,
}

impl NetworkObject for User {
    const NAME: &'static str = "user";
    const VERSION: u16 = 1;

    fn give(&self, bytes: &mut Vec<u8>) {
        push_pose(bytes, &self.head);
        for hand in &self.hands {
            push_pose(bytes, &hand.pose);
            push(bytes, &[f64::from(u8::from(hand.grabs))]);
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), String> {
        let numbers = numbers(bytes)?;
        let hands = numbers.len().wrapping_sub(7);
        if numbers.len() < 7 || !hands.is_multiple_of(8) || hands / 8 > MAX_HANDS {
            return Err(format!("the user has {} numbers, expected 7 and 8 for each hand", numbers.len()));
        }
        let hand = |numbers: &[f64]| Hand { pose: pose(numbers), grabs: numbers[7] != 0.0 };
        *self = Self { head: pose(&numbers), hands: numbers[7..].chunks_exact(8).map(hand).collect() };
        Ok(())
    }
}

fn push(bytes: &mut Vec<u8>, numbers: &[f64]) {
    numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}

fn push_pose(bytes: &mut Vec<u8>, pose: &Pose) {
    push(bytes, &pose.position.to_array());
    push(bytes, &pose.orientation.to_array());
}

fn pose(numbers: &[f64]) -> Pose {
    Pose { position: DVec3::from_slice(numbers), orientation: DQuat::from_slice(&numbers[3..]) }
}

fn numbers(bytes: &[u8]) -> Result<Vec<f64>, String> {
    if !bytes.len().is_multiple_of(8) {
        return Err(format!("the object has {} bytes, expected a multiple of 8", bytes.len()));
    }
    let number = |bytes: &[u8]| bytes.try_into().map(f64::from_le_bytes).unwrap_or(f64::NAN);
    Ok(bytes.chunks_exact(8).map(number).collect())
}
