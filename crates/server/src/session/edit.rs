//! Edits: changes that viewers make to a simulation while it runs. An edit belongs to a step: it is applied before the
//! next step is made, and again each time the session passes the same step, so that replay is exact. Some edits act on
//! bodies (grabbing), others change the world (another ball, other friction, another paradigm) and begin a new epoch.

use burgess_paradigms::Paradigm;
use serde::{Deserialize, Serialize};

/// Maximum coordinate of a point, in m.
pub const MAX_COORDINATE: f64 = 1e5;
/// Maximum component of the velocity of a ball or of a thrown body, in m/s.
pub const MAX_SPEED: f64 = 1000.0;
/// Minimum and maximum radius of a ball, in m.
const RADII: [f64; 2] = [0.001, 100.0];
/// Minimum and maximum density of a ball, in kg/m^3.
const DENSITIES: [f64; 2] = [0.1, 1e5];
/// Maximum component of gravity, in m/s^2.
const MAX_GRAVITY: f64 = 1000.0;
/// Maximum friction coefficient.
const MAX_FRICTION: f64 = 10.0;
/// Maximum component of an impulse, in N s and N m s, and of a torque, in N m.
const MAX_IMPULSE: f64 = 1e6;
/// Minimum and maximum control of an actuator. The actuator's own range is smaller.
const CONTROLS: [f64; 2] = [-1e6, 1e6];
/// Minimum and maximum height of a user, in m.
const USER_HEIGHTS: [f64; 2] = [0.2, 3.0];
/// Minimum and maximum radius of a user, in m.
const USER_RADII: [f64; 2] = [0.05, 1.0];
/// Minimum and maximum factor by which people hurry.
const HURRY: [f64; 2] = [0.1, 10.0];
/// Minimum and maximum length of a step, in s.
pub const STEP_LENGTHS: [f64; 2] = [1e-5, 0.1];

/// A change that a viewer makes to a simulation.
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Edit {
    /// Attaches a spring from a body to a point that the viewer moves.
    Grab {
        /// Number of the viewer. Several viewers may grab at once.
        #[serde(rename = "hand")]
        viewer: u32,
        /// Index of the body in a frame.
        body: usize,
        /// Attachment point in the frame of the body, in m.
        point: [f64; 3],
        /// Target point in the world, in m.
        to: [f64; 3],
    },
    /// Moves the target point of the spring.
    Drag {
        /// Number of the viewer.
        #[serde(rename = "hand")]
        viewer: u32,
        /// Target point in the world, in m.
        to: [f64; 3],
    },
    /// Removes the spring.
    Release {
        /// Number of the viewer.
        #[serde(rename = "hand")]
        viewer: u32,
    },
    /// Applies a torque to a body until the viewer releases it. Replaces what the viewer held before.
    Twist {
        /// Number of the viewer.
        #[serde(rename = "hand")]
        viewer: u32,
        /// Index of the body in a frame.
        body: usize,
        /// Torque along the axes of the world, in N m.
        torque: [f64; 3],
    },
    /// Puts the body of the user into the world, or moves it: an upright capsule that bodies bounce off. Replaces what
    /// the viewer held before.
    Body {
        /// Number of the viewer.
        #[serde(rename = "hand")]
        viewer: u32,
        /// Lowest point of the capsule, in m.
        foot: [f64; 3],
        /// Height of the capsule, in m.
        height: f64,
        /// Radius of the capsule, in m.
        radius: f64,
    },
    /// Applies an impulse to a body at its centre of mass.
    Push {
        /// Index of the body in a frame.
        body: usize,
        /// Impulse, in N s.
        impulse: [f64; 3],
        /// Angular impulse, in N m s.
        #[serde(default)]
        angular_impulse: [f64; 3],
    },
    /// Overrides the control of an actuator: controllers cannot change it.
    Control {
        /// Index of the actuator.
        actuator: usize,
        /// The control, or null to end the override.
        control: Option<f64>,
    },
    /// Sets positions, velocities and controls to those of a keyframe. Time continues.
    Keyframe {
        /// Name of the keyframe.
        name: String,
    },
    /// Adds a ball to the world.
    Throw {
        /// Initial position of the ball, in m.
        from: [f64; 3],
        /// Initial velocity of the ball, in m/s.
        velocity: [f64; 3],
        /// Radius of the ball, in m.
        radius: f64,
        /// Density of the ball, in kg/m^3.
        density: f64,
    },
    /// Changes parameters of the whole world.
    Change {
        /// Gravity, in m/s^2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gravity: Option<[f64; 3]>,
        /// Friction coefficient of all surfaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        friction: Option<f64>,
        /// Restitution coefficient of all surfaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restitution: Option<f64>,
    },
    /// Changes how the world is simulated from this step on.
    Simulate {
        /// Name of a paradigm.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paradigm: Option<String>,
        /// Length of a step, in s.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<f64>,
        /// Whether bodies at rest sleep, with time stepping.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sleeping: Option<bool>,
    },
    /// Sends a person of a crowd to a place, until its networks decide again: when it has arrived, or after a wait.
    Guide {
        /// Name of the person's body.
        person: String,
        /// The place, in m.
        to: [f64; 2],
    },
    /// Puts a block on the floor of a crowd. Nobody walks through it.
    Block {
        /// Its middle, in m.
        at: [f64; 2],
    },
    /// Opens or closes a gate of a crowd, which no longer follows its formula.
    Gate {
        /// Name of the gate.
        gate: String,
        /// Whether it is open.
        open: bool,
    },
    /// Adds a person to a crowd.
    Join {
        /// Where it stands at first, in m.
        at: [f64; 2],
    },
    /// Multiplies the speeds at which people walk on a free way.
    Hurry {
        /// The factor.
        factor: f64,
    },
    /// In the collision demonstration: selects the broad phase.
    Hashing {
        /// Whether spatial hashing is used instead of testing every pair.
        on: bool,
    },
}

/// An edit and the step at which it was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RecordedEdit {
    /// Number of steps from the start.
    pub step: u64,
    /// The edit.
    #[serde(rename = "deed")]
    pub edit: Edit,
}

impl Edit {
    /// Whether the edit changes the world and begins a new epoch.
    pub fn changes_world(&self) -> bool {
        let is_general =
            matches!(self, Self::Throw { .. } | Self::Change { .. } | Self::Simulate { .. } | Self::Hashing { .. });
        is_general || self.changes_crowd()
    }

    /// Whether the edit changes a crowd.
    pub fn changes_crowd(&self) -> bool {
        use Edit::{Block, Gate, Guide, Hurry, Join};
        matches!(self, Guide { .. } | Block { .. } | Gate { .. } | Join { .. } | Hurry { .. })
    }

    /// Checks all numbers; returns a sentence that says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Grab { point, to, .. } => {
                check_vector("point", point, MAX_COORDINATE, "m")?;
                check_vector("to", to, MAX_COORDINATE, "m")
            }
            Self::Drag { to, .. } => check_vector("to", to, MAX_COORDINATE, "m"),
            Self::Release { .. } | Self::Hashing { .. } | Self::Keyframe { .. } | Self::Gate { .. } => Ok(()),
            Self::Guide { to: [x, y], .. } => check_vector("to", &[*x, *y, 0.0], MAX_COORDINATE, "m"),
            Self::Block { at: [x, y] } | Self::Join { at: [x, y] } => {
                check_vector("at", &[*x, *y, 0.0], MAX_COORDINATE, "m")
            }
            Self::Hurry { factor } => check_number("factor", *factor, HURRY, ""),
            Self::Twist { torque, .. } => check_vector("torque", torque, MAX_IMPULSE, "N m"),
            Self::Body { foot, height, radius, .. } => {
                check_vector("foot", foot, MAX_COORDINATE, "m")?;
                check_number("height", *height, USER_HEIGHTS, "m")?;
                check_number("radius", *radius, [USER_RADII[0], USER_RADII[1].min(0.5 * height)], "m")
            }
            Self::Push { impulse, angular_impulse, .. } => {
                check_vector("impulse", impulse, MAX_IMPULSE, "N s")?;
                check_vector("angular_impulse", angular_impulse, MAX_IMPULSE, "N m s")
            }
            Self::Control { control, .. } => {
                control.map_or(Ok(()), |control| check_number("control", control, CONTROLS, ""))
            }
            Self::Throw { from, velocity, radius, density } => {
                check_vector("from", from, MAX_COORDINATE, "m")?;
                check_vector("velocity", velocity, MAX_SPEED, "m/s")?;
                check_number("radius", *radius, RADII, "m")?;
                check_number("density", *density, DENSITIES, "kg/m^3")
            }
            Self::Change { gravity, friction, restitution } => {
                if gravity.is_none() && friction.is_none() && restitution.is_none() {
                    return Err("expected gravity, friction or restitution, found none of them".to_string());
                }
                gravity.map_or(Ok(()), |gravity| check_vector("gravity", &gravity, MAX_GRAVITY, "m/s^2"))?;
                friction.map_or(Ok(()), |friction| check_number("friction", friction, [0.0, MAX_FRICTION], ""))?;
                restitution.map_or(Ok(()), |number| check_number("restitution", number, [0.0, 1.0], ""))
            }
            Self::Simulate { paradigm, step, sleeping } => {
                if paradigm.is_none() && step.is_none() && sleeping.is_none() {
                    return Err("expected a paradigm, a step or sleeping, found none of them".to_string());
                }
                paradigm.as_deref().map_or(Ok(()), |name| paradigm_of(name).map(|_| ()))?;
                step.map_or(Ok(()), |step| check_number("step", step, STEP_LENGTHS, "s"))
            }
        }
    }
}

/// Finds a paradigm by its name.
pub fn paradigm_of(name: &str) -> Result<Paradigm, String> {
    let known = || Paradigm::ALL.map(Paradigm::name).join(", ");
    Paradigm::from_name(name).ok_or_else(|| format!("unknown paradigm '{}', expected one of {}", short(name), known()))
}

impl Edit {
    /// Short description of the edit, for a mark on the time axis. None for the parts of a longer edit.
    pub fn label(&self) -> Option<&'static str> {
        match self {
            Self::Grab { .. } => Some("grab"),
            Self::Twist { .. } => Some("twist"),
            Self::Push { .. } => Some("push"),
            Self::Control { .. } => Some("control"),
            Self::Keyframe { .. } => Some("keyframe"),
            Self::Throw { .. } => Some("throw"),
            Self::Change { .. } => Some("change"),
            Self::Simulate { .. } => Some("simulate"),
            Self::Guide { .. } => Some("guide"),
            Self::Block { .. } => Some("block"),
            Self::Gate { .. } => Some("gate"),
            Self::Join { .. } => Some("join"),
            Self::Hurry { .. } => Some("hurry"),
            Self::Hashing { .. } => Some("hashing"),
            Self::Drag { .. } | Self::Release { .. } | Self::Body { .. } => None,
        }
    }

    /// Whether this edit replaces an earlier one that was made at the same step.
    pub fn replaces(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Drag { viewer, .. }, Self::Drag { viewer: other, .. })
            | (Self::Twist { viewer, .. }, Self::Twist { viewer: other, .. }) => viewer == other,
            (Self::Control { actuator, .. }, Self::Control { actuator: other, .. }) => actuator == other,
            _ => false,
        }
    }
}

/// Checks that a number is within bounds, which are included.
pub fn check_number(what: &str, number: f64, [low, high]: [f64; 2], unit: &str) -> Result<(), String> {
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let fits = number >= low && number <= high;
    if fits { Ok(()) } else { Err(format!("{what} must be from {low} to {high}{unit}, found {number}")) }
}

/// Checks that the components of a vector are within a bound.
pub fn check_vector(what: &str, vector: &[f64; 3], max: f64, unit: &str) -> Result<(), String> {
    let worst = vector.iter().find(|number| number.is_nan() || number.abs() > max);
    worst.map_or(Ok(()), |number| Err(format!("{what} must be within {max} {unit} of zero, found {number}")))
}

/// The beginning of a text of a client, for error messages.
pub fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(40).collect()
}
