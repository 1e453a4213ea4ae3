//! What a scene file says, as plain data. Everything can be made in Rust as well as read from TOML, and is written back
//! to TOML that reads as the same.
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
pub use crate::sensor::spec::{Measured, OfActuator, OfBody, OfJoint, OfSite, SensorSpec, SiteSpec};
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
    /// In a word.
    pub name: String,
    /// In a sentence.
    #[serde(skip_serializing_if = "is_default")]
    pub description: String,
    /// How long it is worth watching, in s; 10 if left out.
    pub duration: f64,
    /// In m/s^2; -9.81 along z if left out.
    pub gravity: DVec3,
    /// Do links of one tree touch each other? Links and the links that they hang on never do, unless those are fixed.
    #[serde(skip_serializing_if = "is_true")]
    pub self_collision: bool,
    /// Pairs of bodies that pass through each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclusions: Vec<[String; 2]>,
    /// How it is simulated.
    #[serde(skip_serializing_if = "is_default")]
    pub simulation: SceneSettings,
    /// A fluid everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluid: Option<FluidSpec>,
    /// Other scenes whose bodies are in this one too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<IncludeSpec>,
    /// Surfaces by name. The one called `default` is that of shapes that are given none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub materials: BTreeMap<String, MaterialSpec>,
    /// Pairs of materials that meet otherwise than by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub surfaces: Vec<SurfaceSpec>,
    /// Bodies, in any order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodySpec>,
    /// Ties between bodies besides joints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintSpec>,
    /// Drives with an input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actuators: Vec<ActuatorSpec>,
    /// Springs over several joints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tendons: Vec<TendonSpec>,
    /// Places to measure at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sites: Vec<SiteSpec>,
    /// What is measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensors: Vec<SensorSpec>,
    /// Other states to start from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keyframes: Vec<KeyframeSpec>,
    /// What acts besides gravity, contacts and steady motors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub controllers: Vec<ControllerSpec>,
    /// How it is shown.
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

    /// The place of a body in the list.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|body| body.name == name)
    }
}

/// Another scene's bodies, materials, surfaces, constraints, exclusions, actuators, tendons, sites, sensors, keyframes and
/// controllers. Its gravity, fluid, settings and display stay behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IncludeSpec {
    /// A scene file, relative to this one.
    pub file: PathBuf,
    /// Put before all its names, so that they differ from others; nothing if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prefix: String,
    /// Where its origin is, in m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub position: DVec3,
    /// How it is turned.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orientation: Orientation,
}
