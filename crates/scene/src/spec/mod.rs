//! Scenes as plain data. They can be made in Rust or read from TOML, and are written as TOML that reads back as the
//! same scene. The specs of single elements are in their folders.
//!
//! Units are SI; angles are radians unless a field's name (or a joint's `angle_unit`) says degrees.

mod body;
mod display;
mod paradigms;
pub(crate) mod pose;
mod settings;
mod surroundings;
pub(crate) mod tagged;

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::DVec3;
use serde::{Deserialize, Serialize};

pub use crate::actuator::spec::ActuatorSpec;
pub use crate::constraint::spec::{AnchorSpec, ConstraintSpec, LengthTie, NoNumbers, SpringTie, TieKind};
pub use crate::controller::crowd::behaviour::{
    ActionSpec, AveragingSpec, BehaviourLinkSpec, BehaviourNodeKind, BehaviourNodeSpec, ControlNode, LineNode,
    LocationNode, NetworkOwner, NetworkSpec, ObjectNode, OfLink, ProximityNode, SectorNode, SendAction, SignalAction,
    SpawnAction, StateSpec, TerrainNode, TransitionSpec, WaitAction, WalkNode, WeighAction,
};
pub use crate::controller::crowd::spec::{
    CrowdSpec, GateSpec, GoalSpec, LaneSpec, RectangleSpec, StopSpec, VehicleSpec,
};
pub use crate::controller::flock::FlockSpec;
pub use crate::controller::spec::{
    BetweenKeys, ConstantForceSpec, ControllerSpec, ForceFieldSpec, FrameSpec, ImpulseSpec, Interval,
    MotorScheduleSpec, RegionSpec, SpeedLimiterSpec, SpringSpec, TargetKey,
};
pub use crate::joint::spec::{
    AngleUnit, AxisSpec, BallMotorSpec, EffortMotor, FreeJoint, JointKind, JointSpec, MotorSpec, PositionMotor,
    SphericalJoint, StackAxisSpec, StackJoint, UniversalJoint, VelocityMotor, WeldJoint,
};
pub use crate::keyframe::spec::{BodyStart, KeyframeSpec};
pub use crate::script::spec::{KeySpec, KeyframesScript, OscillationScript, ScriptSpec, SteadyScript};
pub use crate::sensor::spec::{
    Measured, OfActuator, OfBody, OfJoint, OfRegion, OfSite, OfStream, SensorSpec, SiteSpec,
};
pub use crate::shape::spec::{
    BoxShape, CompoundShape, EllipsoidShape, FacetedConeShape, FacetedSphereShape, FrustumShape, HalfSpaceShape,
    HeightFieldShape, HullShape, MeshShape, PartSpec, PyramidShape, RoundShape, ShapeKind, ShapeSpec, SphereShape,
    TorusShape, TubeShape,
};
pub use crate::tendon::spec::{TendonJoint, TendonSpec};
pub use body::BodySpec;
pub use display::{AmbientLight, CameraSpec, DirectionalLight, DisplaySpec, LightSpec, PointLight};
pub use paradigms::{
    AnalyticalTable, HybridTable, ImpulseTable, LawSpec, MethodSpec, OrderSpec, PenaltyTable, PointsSpec,
    TimeSteppingTable, UpdateSpec,
};
pub use pose::{Orientation, PoseSpec};
pub use settings::{Paradigm, SceneSettings};
pub use surroundings::{FluidSpec, InertiaBoxFluid, LinearFluid, MaterialSpec, QuadraticFluid, SurfaceSpec};

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_true(value: &bool) -> bool {
    *value
}

/// A whole scene.
///
/// ```
/// use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
/// use glam::DVec3;
///
/// let mut scene = SceneSpec::new("drop", "A ball falls on the ground.");
/// scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
/// scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
/// let built = scene.build(".").unwrap();
/// assert_eq!(built.state.q[2], 1.0);
/// let text = scene.to_toml().unwrap();
/// assert_eq!(SceneSpec::from_toml(&text, "drop.toml").unwrap(), scene);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SceneSpec {
    /// Name.
    pub name: String,
    /// Description in a sentence.
    #[serde(skip_serializing_if = "is_default")]
    pub description: String,
    /// Suggested duration, in s; 10 if left out.
    pub duration: f64,
    /// Gravity, in m/s^2; -9.81 along z if left out.
    pub gravity: DVec3,
    /// Whether links of one tree collide with each other. A link and its parent never do, unless the parent is fixed.
    #[serde(skip_serializing_if = "is_true")]
    pub self_collision: bool,
    /// Pairs of bodies that do not collide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclusions: Vec<[String; 2]>,
    /// Settings of the simulation.
    #[serde(skip_serializing_if = "is_default")]
    pub simulation: SceneSettings,
    /// Fluid that fills the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluid: Option<FluidSpec>,
    /// Included scenes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<IncludeSpec>,
    /// Materials by name. Shapes without a material have the one called `default`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub materials: BTreeMap<String, MaterialSpec>,
    /// Surfaces of pairs of materials that differ from the combination of the two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub surfaces: Vec<SurfaceSpec>,
    /// Bodies, in any order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodySpec>,
    /// Constraints between bodies besides joints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintSpec>,
    /// Actuators.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<ActuatorSpec>,
    /// Tendons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tendons: Vec<TendonSpec>,
    /// Sites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<SiteSpec>,
    /// Sensors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<SensorSpec>,
    /// Keyframes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<KeyframeSpec>,
    /// Controllers: what acts besides gravity, contacts and constant motors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub controllers: Vec<ControllerSpec>,
    /// Background, lights and cameras.
    #[serde(skip_serializing_if = "is_default")]
    pub display: DisplaySpec,
}

impl Default for SceneSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            duration: 10.0,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            self_collision: true,
            exclusions: Vec::new(),
            simulation: SceneSettings::default(),
            fluid: None,
            include: Vec::new(),
            materials: BTreeMap::new(),
            surfaces: Vec::new(),
            bodies: Vec::new(),
            constraints: Vec::new(),
            actuators: Vec::new(),
            tendons: Vec::new(),
            sites: Vec::new(),
            sensors: Vec::new(),
            keyframes: Vec::new(),
            controllers: Vec::new(),
            display: DisplaySpec::default(),
        }
    }
}

impl SceneSpec {
    /// An empty scene with gravity.
    pub fn new(name: &str, description: &str) -> Self {
        Self { name: name.to_string(), description: description.to_string(), ..Self::default() }
    }

    /// Index of a body by its name.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }
}

/// An included scene: its bodies, materials, surfaces, constraints, exclusions, actuators, tendons, sites, sensors,
/// keyframes and controllers. Its gravity, fluid, settings and display are ignored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IncludeSpec {
    /// A scene file, relative to this one.
    pub file: PathBuf,
    /// Prefix of all its names, to keep them unique; none if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prefix: String,
    /// Position of its origin, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// Orientation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}
