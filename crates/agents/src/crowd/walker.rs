//! One walker of a crowd, and its form as plain numbers.

use glam::DVec2;

use super::gait::{Foot, Gait};

/// Number of numbers that hold a walker.
pub const WALKER_NUMBERS: usize = 19;

/// Time without progress after which a walker that still moves looks for a way out, in s.
const LONG_TIME: f64 = 8.0;

/// What a walker does, and why it does not walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Activity {
    /// It walks to its goal.
    #[default]
    Walking,
    /// It stands because others are in the way.
    Blocked,
    /// It stands before a closed gate.
    AtGate,
    /// It stands because there is no way to its goal.
    NoWay,
    /// It has reached its goal.
    Arrived,
    /// It has left the floor.
    Gone,
}

impl Activity {
    /// All activities, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::Walking, Self::Blocked, Self::AtGate, Self::NoWay, Self::Arrived, Self::Gone];
}

/// A person who walks. Its index in the crowd is its name: of two who meet, the lower index has the right of way.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Walker {
    /// Its feet and the step that it makes.
    pub gait: Gait,
    /// Index of its goal.
    pub goal: usize,
    /// Speed at which it walks when it is free to, in m/s.
    pub speed: f64,
    /// What it does.
    pub activity: Activity,
    /// Time for which it has stood, in s.
    pub waited: f64,
    /// Time for which it has not got nearer to its goal, in s.
    pub stuck: f64,
    /// Length of the shortest way to its goal that it has had, in m.
    pub nearest: f64,
}

impl Walker {
    /// Creates a walker that stands at a place (m) with a heading (rad) and wants to walk to a goal at a speed (m/s).
    pub fn new(position: DVec2, heading: f64, goal: usize, speed: f64) -> Self {
        Self { gait: Gait::standing(position, heading), goal, speed, nearest: f64::INFINITY, ..Self::default() }
    }

    /// Sends the walker to another goal. It has not arrived there until it decides the next time.
    pub fn send_to(&mut self, goal: usize) {
        self.goal = goal;
        if self.activity == Activity::Arrived {
            self.activity = Activity::Walking;
        }
        self.nearest = f64::INFINITY;
        self.waited = 0.0;
        self.stuck = 0.0;
    }

    /// Time for which the walker has been in need of a way out, in s: it stands, or it has walked to and fro for long.
    pub(super) fn need(&self) -> f64 {
        self.waited.max(self.stuck - LONG_TIME)
    }

    /// Present position, in m; nothing once it has left the floor.
    pub fn position(&self) -> Option<DVec2> {
        (self.activity != Activity::Gone).then(|| self.gait.root())
    }

    /// Returns the walker as numbers.
    pub fn to_numbers(&self) -> [f64; WALKER_NUMBERS] {
        let (mut numbers, mut next) = ([0.0; WALKER_NUMBERS], 0);
        let mut copy = *self;
        copy.visit_numbers(|number| {
            numbers[next] = *number;
            next += 1;
        });
        numbers
    }

    /// Reads a walker from numbers. Numbers that are no indices count as 0.
    pub fn from_numbers(numbers: &[f64; WALKER_NUMBERS]) -> Self {
        let (mut walker, mut next) = (Self::default(), 0);
        walker.visit_numbers(|number| {
            *number = numbers[next];
            next += 1;
        });
        walker
    }

    /// Visits the numbers of the walker, in order.
    fn visit_numbers(&mut self, mut visit: impl FnMut(&mut f64)) {
        let Gait { feet: [left, right], swing_from, elapsed, duration, until, swing } = &mut self.gait;
        for Foot { position, heading } in [left, right, swing_from] {
            [&mut position.x, &mut position.y, heading].into_iter().for_each(&mut visit);
        }
        [elapsed, duration, until, &mut self.speed, &mut self.waited, &mut self.stuck, &mut self.nearest]
            .into_iter()
            .for_each(&mut visit);
        let mut visit_index = |index: usize| {
            let mut number = index as f64;
            visit(&mut number);
            number as usize
        };
        *swing = visit_index(*swing).min(1);
        self.goal = visit_index(self.goal);
        self.activity = Activity::ALL.get(visit_index(self.activity as usize)).copied().unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number has its own place, so different numbers come back as they were.
    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut numbers = [0.0; WALKER_NUMBERS];
        numbers.iter_mut().enumerate().for_each(|(index, number)| *number = 1.0 + 0.5 * index as f64);
        let end = WALKER_NUMBERS - 3;
        numbers[end..].copy_from_slice(&[1.0, 7.0, 4.0]);
        let walker = Walker::from_numbers(&numbers);
        assert_eq!((walker.gait.swing, walker.goal, walker.activity), (1, 7, Activity::Arrived));
        assert_eq!(walker.to_numbers(), numbers);
        assert_eq!(Walker::from_numbers(&[f64::NAN; WALKER_NUMBERS]).activity, Activity::Walking);
    }
}
