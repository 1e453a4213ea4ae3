//! Checks and building of the whole crowd.

use std::collections::BTreeSet;

use burgess_agents::crowd::{CrowdSettings, FREE_SPEED, Floor, FloorError, Gate, Goal, Obstacle, Region};
use burgess_agents::pedestrians::{Lane, Pedestrians, Plan, StopLine, VehiclePlan};
use burgess_files::{At, Fault};
use burgess_geometry::Pose;
use glam::{DVec2, DVec3};

use super::names::{Variables, position, unique};
use super::spec::{CrowdSpec, RectangleSpec};
use crate::error::FieldError;
use crate::rules::names::{Bodies, body_named};
use crate::rules::{Checked, conflict, finite, not_negative, positive};
use crate::spec::{BodySpec, JointKind, ShapeKind, StackAxisSpec};

/// Places where pedestrians and vehicles start: position (m) and heading (rad).
type Starts = Vec<(DVec2, f64)>;

impl CrowdSpec {
    /// Checks everything.
    pub(in crate::controller) fn check_names(&self, at: At, bodies: &Bodies) -> Checked {
        self.plan(at, bodies, |_| Some(0), 0.0).map(|_| ())
    }

    /// Builds the controller. `link` gives the link of a body; the crowd makes a step every `period` s.
    pub(in crate::controller) fn build(
        &self,
        at: At,
        bodies: &Bodies,
        link: impl Fn(&str) -> Option<usize>,
        period: f64,
    ) -> Result<Pedestrians, FieldError> {
        let (plan, starts) = self.plan(at, bodies, link, period)?;
        Ok(Pedestrians::new(plan, &starts))
    }

    fn plan(
        &self,
        at: At,
        bodies: &Bodies,
        link: impl Fn(&str) -> Option<usize>,
        period: f64,
    ) -> Result<(Plan, Starts), FieldError> {
        let variables = Variables::of(self);
        let mut taken = BTreeSet::new();
        let mut walker = |at: At, name: &str| -> Result<(usize, (DVec2, f64)), FieldError> {
            let start = start_of(at, body_named(at, bodies, name)?)?;
            if !taken.insert(name.to_string()) {
                conflict(at, &format!("'{name}' is named twice"))?;
            }
            Ok((link(name).unwrap_or(0), start))
        };
        let list = at.field("bodies");
        let (mut links, mut starts) = (Vec::new(), Vec::new());
        for (index, name) in self.bodies.iter().enumerate() {
            let (link, start) = walker(list.index(index), name)?;
            links.push(link);
            starts.push(start);
        }
        let (lanes, lane_names) = self.built_lanes(at, &variables)?;
        let list = at.field("vehicles");
        let mut vehicles = Vec::new();
        for (index, vehicle) in self.vehicles.iter().enumerate() {
            let at = list.index(index);
            let (body, _) = walker(at.field("body"), &vehicle.body)?;
            let lane = position(at.field("lane"), "lane", &vehicle.lane, lane_names.iter().copied())?;
            not_negative(at.field("start"), vehicle.start)?;
            positive(at.field("speed"), vehicle.speed)?;
            positive(at.field("length"), vehicle.length)?;
            positive(at.field("width"), vehicle.width)?;
            let size = [vehicle.length, vehicle.width];
            vehicles.push(VehiclePlan { body, lane, start: vehicle.start, speed: vehicle.speed, size });
        }
        let mut objects = Vec::new();
        let net = self.net(at, |at, name| {
            body_named(at, bodies, name)?;
            let Some(link) = link(name) else {
                return Err(at.fault(Fault::Conflict(format!("'{name}' is fixed; use a location node"))));
            };
            objects.push(link);
            Ok(objects.len() - 1)
        })?;
        let list = at.field("gates");
        let mut gates_open = Vec::new();
        for (index, gate) in self.gates.iter().enumerate() {
            let bind = |formula| variables.bind(list.index(index).field("open"), formula);
            gates_open.push(gate.open.as_ref().map(bind).transpose()?);
        }
        let (first_goals, speeds) = (self.first_goals(at)?, self.walking_speeds(at)?);
        let plan = Plan {
            settings: CrowdSettings::default(),
            floor: self.built_floor(at, bodies)?,
            goals: self.goals.iter().map(|goal| Goal::Region(Region { min: goal.min, max: goal.max })).collect(),
            pauses: self.goals.iter().map(|goal| goal.pauses).collect(),
            first_goals,
            speeds,
            bodies: links,
            gates_open,
            signals: self.signals.len(),
            networks: self.built_networks(at, &variables)?,
            net,
            objects,
            lanes,
            vehicles,
            period,
        };
        Ok((plan, starts))
    }

    fn first_goals(&self, at: At) -> Result<Vec<usize>, FieldError> {
        let goals = at.field("goals");
        unique(goals, self.goals.iter().map(|goal| goal.name.as_str()))?;
        for (index, goal) in self.goals.iter().enumerate() {
            if !(goal.min.is_finite() && goal.max.is_finite() && goal.min.cmple(goal.max).all()) {
                conflict(goals.index(index), "min must be finite and not above max")?;
            }
        }
        let list = at.field("walk_to");
        let names = self.goals.iter().map(|goal| goal.name.as_str());
        let mut found = Vec::new();
        for (index, name) in self.walk_to.iter().enumerate() {
            found.push(position(list.index(index), "goal", name, names.clone())?);
        }
        one_each(list, &found, self.bodies.len())
    }

    fn walking_speeds(&self, at: At) -> Result<Vec<f64>, FieldError> {
        let list = at.field("speeds");
        for (index, &speed) in self.speeds.iter().enumerate() {
            positive(list.index(index), speed)?;
        }
        let speeds = if self.speeds.is_empty() { &[FREE_SPEED][..] } else { &self.speeds };
        one_each(list, speeds, self.bodies.len())
    }

    fn built_floor(&self, at: At, bodies: &Bodies) -> Result<Floor, FieldError> {
        let list = at.field("obstacles");
        let mut obstacles = Vec::new();
        for (index, name) in self.obstacles.iter().enumerate() {
            let at = list.index(index);
            let body = body_named(at, bodies, name)?;
            if !body.fixed {
                conflict(at, &format!("'{name}' is not fixed"))?;
            }
            add_obstacles(at, body, &mut obstacles)?;
        }
        let blocked = self.blocked.iter().map(|&RectangleSpec { min, max }| Obstacle::Rectangle { min, max });
        obstacles.extend(blocked);
        let gate = |index: usize| {
            let gate = &self.gates[index];
            Gate { min: gate.min, max: gate.max, detour: gate.detour }
        };
        let gates = (0..self.gates.len()).map(gate).collect();
        Floor::new(self.floor.min, self.floor.max, obstacles, gates).map_err(|error| {
            let (at, why) = match error {
                FloorError::Extent => (at.field("floor"), "min must be finite and below max"),
                FloorError::TooLarge => (at.field("floor"), "is too large"),
                FloorError::Obstacle(_) => {
                    (at.field("obstacles"), "an obstacle or a blocked part is not finite, or its min is above its max")
                }
                FloorError::Gate(_) => (at.field("gates"), "min of a gate must be finite and not above max"),
            };
            at.fault(Fault::Conflict(why.to_string()))
        })
    }

    fn built_lanes(&self, at: At, variables: &Variables) -> Result<(Vec<Lane>, Vec<&str>), FieldError> {
        let list = at.field("lanes");
        unique(list, self.lanes.iter().map(|lane| lane.name.as_str()))?;
        let mut lanes = Vec::new();
        for (index, lane) in self.lanes.iter().enumerate() {
            let at = list.index(index);
            let bad = lane.points.iter().any(|point| !point.is_finite());
            if bad || lane.points.len() < 3 {
                conflict(at.field("points"), "a lane needs at least three finite points")?;
            }
            let mut stops = Vec::new();
            let list = at.field("stops");
            for (index, stop) in lane.stops.iter().enumerate() {
                finite(list.index(index).field("at"), stop.at)?;
                let closed = variables.bind(list.index(index).field("closed"), &stop.closed)?;
                stops.push(StopLine { at: stop.at, closed });
            }
            lanes.push(Lane { points: lane.points.clone(), stops });
        }
        Ok((lanes, self.lanes.iter().map(|lane| lane.name.as_str()).collect()))
    }
}

/// One value for all, or one for each.
fn one_each<T: Copy>(at: At, values: &[T], count: usize) -> Result<Vec<T>, FieldError> {
    match values {
        [all] => Ok(vec![*all; count]),
        _ if values.len() == count => Ok(values.to_vec()),
        _ => {
            let why = format!("has {} values for {count} bodies; give one for all, or one for each", values.len());
            Err(at.fault(Fault::Conflict(why)))
        }
    }
}

/// The place where a body on slides along x and y and a hinge about z starts.
fn start_of(at: At, body: &BodySpec) -> Result<(DVec2, f64), FieldError> {
    let axes = body.joint.as_ref().filter(|joint| joint.parent.is_none()).map(|joint| &joint.kind);
    if let Some(JointKind::Stack(stack)) = axes
        && let [StackAxisSpec::Slide(x), StackAxisSpec::Slide(y), StackAxisSpec::Hinge(turn)] = &stack.axes[..]
        && (x.axis, y.axis, turn.axis) == (DVec3::X, DVec3::Y, DVec3::Z)
    {
        return Ok((DVec2::new(x.position, y.position), turn.position));
    }
    let why = format!(
        "'{}' must be on a stack joint of the world with a slide along [1, 0, 0], a slide along [0, 1, 0] and a hinge \
         about [0, 0, 1]",
        body.name
    );
    Err(at.fault(Fault::Conflict(why)))
}

/// Adds what a fixed body covers of the floor.
fn add_obstacles(at: At, body: &BodySpec, obstacles: &mut Vec<Obstacle>) -> Checked {
    for shape in &body.shapes {
        let placed = Pose::new(shape.orientation.rotation().unwrap_or_default(), shape.position);
        let pose = body.pose().compose(&placed);
        let center = pose.translation.truncate();
        match &shape.kind {
            ShapeKind::Box(cuboid) => {
                let half = 0.5 * cuboid.size;
                let corner = |x: f64, y: f64| pose.transform_point(DVec3::new(x * half.x, y * half.y, 0.0)).truncate();
                let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                let (min, max) = corners
                    .into_iter()
                    .fold((corners[0], corners[0]), |(min, max), corner| (min.min(corner), max.max(corner)));
                let is_upright = (max - min - 2.0 * half.truncate()).length() < 1e-9;
                if is_upright {
                    obstacles.push(Obstacle::Rectangle { min, max });
                } else {
                    obstacles.extend((0..4).map(|side| Obstacle::Wall(corners[side], corners[(side + 1) % 4])));
                }
            }
            ShapeKind::Cylinder(round) | ShapeKind::Capsule(round) => {
                obstacles.push(Obstacle::Disc { center, radius: round.radius });
            }
            ShapeKind::Sphere(sphere) => obstacles.push(Obstacle::Disc { center, radius: sphere.radius }),
            _ => {
                conflict(at, &format!("'{}' must be made of boxes, cylinders, capsules and spheres", body.name))?;
            }
        }
    }
    Ok(())
}
