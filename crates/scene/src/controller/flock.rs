//! A flock: spec, checks, and the settings that it gives the agents.

use std::collections::BTreeSet;

use burgess_agents::flock::FlockSettings;
use burgess_files::At;
use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::rules::names::{Bodies, body_named, movable_body};
use crate::rules::{Checked, conflict, finite_vector, not_negative, positive, refuse};
use crate::spec::is_default;

/// Maximum number of rounds in which every member decides once.
const MAX_ROUNDS: usize = 1000;

/// Minimum time between two rounds of decisions, in s. A step makes all rounds that are due.
const MIN_PERIOD: f64 = 1e-4;

/// High level: bodies that fly together as a flock. See [`FlockSettings`] for the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FlockSpec {
    /// Names of the members, which are free bodies. Their x axis is their front, their z axis their back.
    pub bodies: Vec<String>,
    /// Names of bodies that hunt the members.
    #[serde(skip_serializing_if = "is_default")]
    pub predators: Vec<String>,
    /// Names of bodies that the members avoid.
    #[serde(skip_serializing_if = "is_default")]
    pub obstacles: Vec<String>,
    /// Distance up to which a member sees others, in m.
    pub view_distance: f64,
    /// Distance up to which it sees others fully, in m.
    pub full_view_distance: f64,
    /// Angle from its direction of flight up to which a member sees others, in rad.
    pub view_angle: f64,
    /// Angle up to which it sees others fully, in rad.
    pub full_view_angle: f64,
    /// Acceleration away from a neighbour at 1 m, in m/s^2.
    pub avoidance: f64,
    /// Rate at which a member takes on the velocity of its neighbours, in 1/s.
    pub matching: f64,
    /// Acceleration per distance from the middle of the neighbours, in 1/s^2.
    pub centring: f64,
    /// Speed at which members fly when nothing else matters, in m/s.
    pub speed: f64,
    /// Rate at which a member returns to that speed, in 1/s.
    pub speed_rate: f64,
    /// Maximum acceleration by steering, in m/s^2.
    pub max_acceleration: f64,
    /// Distance from obstacles at which members begin to avoid them, in m.
    pub obstacle_distance: f64,
    /// Distance from predators at which members begin to flee, in m.
    pub flee_distance: f64,
    /// Speed of predators, in m/s.
    pub predator_speed: f64,
    /// Centre of the region of the flock, in m.
    pub center: DVec3,
    /// Radius of the region, in m.
    pub radius: f64,
    /// Pull back to the region: acceleration per distance beyond it, in 1/s^2.
    pub pull: f64,
    /// Time between two rounds of decisions, in s.
    pub period: f64,
    /// Number of rounds in which every member decides once.
    pub rounds: usize,
}

impl Default for FlockSpec {
    fn default() -> Self {
        let FlockSettings {
            view_distance,
            full_view_distance,
            view_angle,
            full_view_angle,
            avoidance,
            matching,
            centring,
            speed,
            speed_rate,
            max_acceleration,
            obstacle_distance,
            flee_distance,
            predator_speed,
            center,
            radius,
            pull,
            period,
            rounds,
        } = FlockSettings::default();
        Self {
            bodies: Vec::new(),
            predators: Vec::new(),
            obstacles: Vec::new(),
            view_distance,
            full_view_distance,
            view_angle,
            full_view_angle,
            avoidance,
            matching,
            centring,
            speed,
            speed_rate,
            max_acceleration,
            obstacle_distance,
            flee_distance,
            predator_speed,
            center,
            radius,
            pull,
            period,
            rounds,
        }
    }
}

impl FlockSpec {
    /// The settings of the flock.
    pub(super) fn settings(&self) -> FlockSettings {
        FlockSettings {
            view_distance: self.view_distance,
            full_view_distance: self.full_view_distance,
            view_angle: self.view_angle,
            full_view_angle: self.full_view_angle,
            avoidance: self.avoidance,
            matching: self.matching,
            centring: self.centring,
            speed: self.speed,
            speed_rate: self.speed_rate,
            max_acceleration: self.max_acceleration,
            obstacle_distance: self.obstacle_distance,
            flee_distance: self.flee_distance,
            predator_speed: self.predator_speed,
            center: self.center,
            radius: self.radius,
            pull: self.pull,
            period: self.period,
            rounds: self.rounds,
        }
    }

    /// Names of all bodies, members first, then predators, then obstacles.
    pub(super) fn names_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.bodies.iter_mut().chain(&mut self.predators).chain(&mut self.obstacles)
    }

    pub(super) fn check(&self, at: At) -> Checked {
        let quantities = [
            ("full_view_distance", self.full_view_distance),
            ("full_view_angle", self.full_view_angle),
            ("avoidance", self.avoidance),
            ("matching", self.matching),
            ("centring", self.centring),
            ("speed", self.speed),
            ("speed_rate", self.speed_rate),
            ("predator_speed", self.predator_speed),
            ("radius", self.radius),
            ("pull", self.pull),
        ];
        for (name, value) in quantities {
            not_negative(at.field(name), value)?;
        }
        let lengths = [
            ("view_distance", self.view_distance),
            ("view_angle", self.view_angle),
            ("max_acceleration", self.max_acceleration),
            ("obstacle_distance", self.obstacle_distance),
            ("flee_distance", self.flee_distance),
            ("period", self.period),
        ];
        for (name, value) in lengths {
            positive(at.field(name), value)?;
        }
        if self.period < MIN_PERIOD {
            return refuse(at.field("period"), "at least 0.0001 s", self.period);
        }
        finite_vector(at.field("center"), self.center)?;
        for (full, end, name) in [
            (self.full_view_distance, self.view_distance, "full_view_distance"),
            (self.full_view_angle, self.view_angle, "full_view_angle"),
        ] {
            if full > end {
                return refuse(at.field(name), "not beyond the limit of the view", full);
            }
        }
        if !(1..=MAX_ROUNDS).contains(&self.rounds) {
            return refuse(at.field("rounds"), "1 to 1000", self.rounds as f64);
        }
        if self.bodies.is_empty() {
            return conflict(at.field("bodies"), "name at least one body");
        }
        Ok(())
    }

    /// Checks that the named bodies exist, and that members and predators fly freely.
    pub(super) fn check_names(&self, at: At, bodies: &Bodies) -> Checked {
        let mut known = BTreeSet::new();
        for (field, names) in [("bodies", &self.bodies), ("predators", &self.predators)] {
            let list = at.field(field);
            for (index, name) in names.iter().enumerate() {
                let at = list.index(index);
                movable_body(at, bodies, name)?;
                if body_named(at, bodies, name)?.joint.is_some() {
                    return conflict(at, &format!("'{name}' hangs on a joint; only free bodies can fly"));
                }
                if !known.insert(name) {
                    return conflict(at, &format!("'{name}' is named twice"));
                }
            }
        }
        let list = at.field("obstacles");
        for (index, name) in self.obstacles.iter().enumerate() {
            body_named(list.index(index), bodies, name)?;
        }
        Ok(())
    }
}
