//! A flock: spec and checks.

use std::collections::BTreeSet;
use std::fmt;

use burgess_agents::flock::FlockSettings;
use burgess_files::At;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::rules::names::{Bodies, body_named, movable_body};
use crate::rules::{Checked, conflict, finite_vector, not_negative, positive, refuse};
use crate::spec::is_default;
use crate::spec::tagged::{Rest, once};

/// Maximum number of rounds in which every member decides once.
const MAX_ROUNDS: usize = 1000;

/// Maximum number of neighbours that a member minds.
const MAX_NEIGHBOURS: usize = 1000;

/// Minimum time between two rounds of decisions, in s. A step makes all rounds that are due.
const MIN_PERIOD: f64 = 1e-4;

/// High level: bodies that fly together as a flock. Its table holds the fields of [`FlockSettings`] besides its own.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct FlockSpec {
    /// Names of the members, which are free bodies. Their x axis is their front, their z axis their back.
    pub bodies: Vec<String>,
    /// Names of bodies that hunt the members.
    #[serde(skip_serializing_if = "is_default")]
    pub predators: Vec<String>,
    /// Names of bodies that the members avoid.
    #[serde(skip_serializing_if = "is_default")]
    pub obstacles: Vec<String>,
    /// The rules of the flock.
    #[serde(flatten)]
    pub settings: FlockSettings,
}

impl<'de> Deserialize<'de> for FlockSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FlockReader)
    }
}

/// Reads the settings in place, so that errors have their line.
struct FlockReader;

impl<'de> Visitor<'de> for FlockReader {
    type Value = FlockSpec;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table of a flock")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FlockSpec, A::Error> {
        let (mut bodies, mut predators, mut obstacles) = (None, None, None);
        let take = |key: &str, map: &mut A| match key {
            "bodies" => once(&mut bodies, "bodies", map),
            "predators" => once(&mut predators, "predators", map),
            "obstacles" => once(&mut obstacles, "obstacles", map),
            _ => Ok(false),
        };
        let rest = Rest { map: &mut map, own: &["bodies", "predators", "obstacles"], take };
        let settings = FlockSettings::deserialize(MapAccessDeserializer::new(rest))?;
        let [bodies, predators, obstacles] = [bodies, predators, obstacles].map(Option::unwrap_or_default);
        Ok(FlockSpec { bodies, predators, obstacles, settings })
    }
}

impl FlockSpec {
    /// Names of all bodies, members first, then predators, then obstacles.
    pub(super) fn names_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.bodies.iter_mut().chain(&mut self.predators).chain(&mut self.obstacles)
    }

    pub(super) fn check(&self, at: At) -> Checked {
        let settings = &self.settings;
        let quantities = [
            ("full_view_distance", settings.full_view_distance),
            ("full_view_angle", settings.full_view_angle),
            ("avoidance", settings.avoidance),
            ("matching", settings.matching),
            ("centring", settings.centring),
            ("speed", settings.speed),
            ("speed_rate", settings.speed_rate),
            ("predator_speed", settings.predator_speed),
            ("radius", settings.radius),
            ("pull", settings.pull),
        ];
        for (name, value) in quantities {
            not_negative(at.field(name), value)?;
        }
        let lengths = [
            ("view_distance", settings.view_distance),
            ("view_angle", settings.view_angle),
            ("max_acceleration", settings.max_acceleration),
            ("obstacle_distance", settings.obstacle_distance),
            ("flee_distance", settings.flee_distance),
            ("period", settings.period),
        ];
        for (name, value) in lengths {
            positive(at.field(name), value)?;
        }
        if settings.period < MIN_PERIOD {
            return refuse(at.field("period"), "at least 0.0001 s", settings.period);
        }
        finite_vector(at.field("center"), settings.center)?;
        for (full, end, name) in [
            (settings.full_view_distance, settings.view_distance, "full_view_distance"),
            (settings.full_view_angle, settings.view_angle, "full_view_angle"),
        ] {
            if full > end {
                return refuse(at.field(name), "not beyond the limit of the view", full);
            }
        }
        if !(1..=MAX_ROUNDS).contains(&settings.rounds) {
            return refuse(at.field("rounds"), "1 to 1000", settings.rounds as f64);
        }
        if !(1..=MAX_NEIGHBOURS).contains(&settings.neighbours) {
            return refuse(at.field("neighbours"), "1 to 1000", settings.neighbours as f64);
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
