//! What a scene says about its pedestrians.

use glam::DVec2;

use crate::crowd::{CrowdSettings, Floor, Goal};
use crate::net::BehaviourNet;
use crate::network::{Guard, Network};

/// Variables of a network besides its signals, in order: the time in the state first. Those after `time` are of the
/// walker that runs the network, and 0 for others.
pub const WALKER_VARIABLES: [&str; 9] =
    ["state_time", "time", "arrived", "blocked", "at_gate", "no_way", "waited", "stuck", "speed"];

/// Everything about pedestrians that does not change.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Settings of the crowd.
    pub settings: CrowdSettings,
    /// The floor.
    pub floor: Floor,
    /// The goals.
    pub goals: Vec<Goal>,
    /// For each goal, whether the networks of a walker pause while it walks there.
    pub pauses: Vec<bool>,
    /// Goal of each walker at the start.
    pub first_goals: Vec<usize>,
    /// Speed of each walker, in m/s.
    pub speeds: Vec<f64>,
    /// Links of the walkers' bodies.
    pub bodies: Vec<usize>,
    /// For each gate, when it is open; always if there is no formula.
    pub gates_open: Vec<Option<Guard>>,
    /// Number of signals. All start at 0.
    pub signals: usize,
    /// Transition networks.
    pub networks: Vec<Network>,
    /// The behaviour net of every walker.
    pub net: BehaviourNet,
    /// Links of the bodies that the net's object sensors perceive.
    pub objects: Vec<usize>,
    /// Lanes of vehicles.
    pub lanes: Vec<Lane>,
    /// Vehicles.
    pub vehicles: Vec<VehiclePlan>,
    /// Time between two steps of the crowd, in s.
    pub period: f64,
}

/// A closed lane.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    /// Corners, in m, at least three. The last is joined to the first.
    pub points: Vec<DVec2>,
    /// Places where vehicles stop.
    pub stops: Vec<StopLine>,
}

/// A place of a lane where vehicles stop while a formula is not zero.
#[derive(Debug, Clone, PartialEq)]
pub struct StopLine {
    /// Length of the lane up to it, in m.
    pub at: f64,
    /// When vehicles stop.
    pub closed: Guard,
}

/// A vehicle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VehiclePlan {
    /// Link of its body.
    pub body: usize,
    /// Index of its lane.
    pub lane: usize,
    /// Length of the lane up to where it starts, in m.
    pub start: f64,
    /// Speed on a free road, in m/s.
    pub speed: f64,
    /// Length and width, in m.
    pub size: [f64; 2],
}
