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

    /// Sends the walker to another goal.
    pub fn send_to(&mut self, goal: usize) {
        self.goal = goal;
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
        let Gait { feet, swing, swing_from, elapsed, duration, until } = self.gait;
        let foot = |foot: Foot| [foot.position.x, foot.position.y, foot.heading];
        let [lx, ly, lh] = foot(feet[0]);
        let [rx, ry, rh] = foot(feet[1]);
        let [sx, sy, sh] = foot(swing_from);
        let activity = Activity::ALL.iter().position(|&activity| activity == self.activity).unwrap_or(0);
        let (swing, goal, activity) = (swing as f64, self.goal as f64, activity as f64);
        let (speed, waited, stuck) = (self.speed, self.waited, self.stuck);
        [
            lx,
            ly,
            lh,
            rx,
            ry,
            rh,
            sx,
            sy,
            sh,
            swing,
            elapsed,
            duration,
            until,
            goal,
            speed,
            activity,
            waited,
            stuck,
            self.nearest,
        ]
    }

    /// Reads a walker from numbers. Numbers that are no indices count as 0.
    pub fn from_numbers(numbers: &[f64; WALKER_NUMBERS]) -> Self {
        let &[
            lx,
            ly,
            lh,
            rx,
            ry,
            rh,
            sx,
            sy,
            sh,
            swing,
            elapsed,
            duration,
            until,
            goal,
            speed,
            activity,
            waited,
            stuck,
            nearest,
        ] = numbers;
        let foot = |x: f64, y: f64, heading: f64| Foot { position: DVec2::new(x, y), heading };
        let feet = [foot(lx, ly, lh), foot(rx, ry, rh)];
        let swing = usize::from(swing == 1.0);
        let gait = Gait { feet, swing, swing_from: foot(sx, sy, sh), elapsed, duration, until };
        let activity = Activity::ALL.get(activity as usize).copied().unwrap_or_default();
        Self { gait, goal: goal as usize, speed, activity, waited, stuck, nearest }
    }
}
