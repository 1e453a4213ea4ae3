//! Specs of behaviour nets and transition networks.

use burgess_formula::Formula;
use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::spec::RectangleSpec;
use crate::spec::is_default;
use crate::spec::tagged::{read_with_kind, tagged};

tagged! {
    /// What a node of a behaviour net does.
    pub enum BehaviourNodeKind {
        /// Perceives a body, wherever it is.
        "object" => Object(ObjectNode),
        /// Perceives a fixed point.
        "location" => Location(LocationNode),
        /// Perceives other pedestrians in a sector ahead.
        "proximity" => Proximity(ProximityNode),
        /// Perceives the nearest point of a line.
        "line" => Line(LineNode),
        /// Perceives the nearest point of regions that are bad to walk on.
        "terrain" => Terrain(TerrainNode),
        /// Perceives those who see this pedestrian.
        "field_of_view" => FieldOfView(SectorNode),
        /// Asks to come nearer.
        "attract" => Attract(ControlNode),
        /// Asks to get away.
        "avoid" => Avoid(ControlNode),
        /// Chooses the next step.
        "walk" => Walk(WalkNode),
    }
}

/// A node of a behaviour net.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BehaviourNodeSpec {
    /// What it does.
    #[serde(flatten)]
    pub kind: BehaviourNodeKind,
    /// Name, for links and guards: letters, digits and `_`.
    pub name: String,
}

read_with_kind!(BehaviourNodeSpec: BehaviourNodeKind { name = String::new() });

impl BehaviourNodeSpec {
    /// The name of the body that it perceives.
    pub(super) fn body_mut(&mut self) -> Option<&mut String> {
        match &mut self.kind {
            BehaviourNodeKind::Object(object) => Some(&mut object.body),
            _ => None,
        }
    }
}

/// A sensor of one body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectNode {
    /// Name of the body.
    pub body: String,
}

/// A sensor of one point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocationNode {
    /// The point, in m.
    pub point: DVec2,
}

/// How many pedestrians become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AveragingSpec {
    /// The nearest one.
    #[default]
    Nearest,
    /// The mean, weighted by nearness.
    Mean,
}

/// A sensor of pedestrians in a sector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProximityNode {
    /// Radius of the sector, in m.
    pub distance: f64,
    /// Largest angle from the heading, in rad.
    pub angle: f64,
    /// How many become one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub averaging: AveragingSpec,
}

/// A sensor of a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineNode {
    /// One end, in m.
    pub a: DVec2,
    /// The other end, in m.
    pub b: DVec2,
}

/// A sensor of bad terrain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainNode {
    /// The regions.
    pub regions: Vec<RectangleSpec>,
}

/// A field of view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectorNode {
    /// Distance, in m.
    pub distance: f64,
    /// Largest angle from the heading, in rad.
    pub angle: f64,
}

/// A control node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControlNode {
    /// Distance threshold, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub distance: f64,
    /// Angle threshold of attraction, in rad.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angle: f64,
    /// Weight of the distance.
    #[serde(default = "one")]
    pub distance_weight: f64,
    /// Weight of the angle, in m/rad.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angle_weight: f64,
}

fn one() -> f64 {
    1.0
}

/// The walk node; it has no parameters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkNode {}

/// A link of a behaviour net.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BehaviourLinkSpec {
    /// Name, for actions; may be left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// Name of the node that emits.
    pub from: String,
    /// Name of the node that loads.
    pub to: String,
    /// Factor of what it carries.
    #[serde(default = "one")]
    pub weight: f64,
    /// Whether it inhibits the node that it leads to, instead of adding to its inputs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inhibits: bool,
}

tagged! {
    /// What a network does when it enters a state.
    pub enum ActionSpec {
        /// Gives a link its own weight.
        "bind" => Bind(OfLink),
        /// Gives a link the weight 0.
        "unbind" => Unbind(OfLink),
        /// Gives a link a weight.
        "weigh" => Weigh(WeighAction),
        /// Sets a signal.
        "signal" => Signal(SignalAction),
        /// Sends the pedestrian to a goal.
        "send" => Send(SendAction),
        /// Starts another network.
        "spawn" => Spawn(SpawnAction),
        /// Waits before any transition is taken.
        "wait" => Wait(WaitAction),
    }
}

/// An action on a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfLink {
    /// Name of the link.
    pub link: String,
}

/// Sets the weight of a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeighAction {
    /// Name of the link.
    pub link: String,
    /// The weight, a formula.
    pub weight: Formula,
}

/// Sets a signal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalAction {
    /// Name of the signal.
    pub name: String,
    /// Its value, a formula.
    pub value: Formula,
}

/// Sends a pedestrian to a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendAction {
    /// Name of the goal.
    pub goal: String,
}

/// Starts a network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpawnAction {
    /// Name of the network.
    pub network: String,
}

/// Waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitAction {
    /// Time, in s, a formula.
    pub seconds: Formula,
}

/// A transition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionSpec {
    /// Name of the state that it leads to.
    pub to: String,
    /// A formula: the transition is taken when it is not zero.
    #[serde(rename = "if")]
    pub guard: Formula,
}

/// A state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateSpec {
    /// Name, for transitions.
    pub name: String,
    /// What happens when it is entered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub actions: Vec<ActionSpec>,
    /// Ways out of it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub transitions: Vec<TransitionSpec>,
}

/// Who runs a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkOwner {
    /// Every pedestrian runs its own instance.
    #[default]
    Pedestrians,
    /// There is one instance.
    Scene,
}

/// A transition network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkSpec {
    /// Name, for actions.
    pub name: String,
    /// Who runs it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub of: NetworkOwner,
    /// Whether it runs only after another network has spawned it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spawned: bool,
    /// States. The first is the one that it starts in.
    pub states: Vec<StateSpec>,
}
