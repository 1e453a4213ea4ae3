//! Edits: changes that viewers make to a simulation while it runs. An edit belongs to a step: it is applied before the
//! next step is made, and again each time the session passes the same step, so that replay is exact. Some edits act on
//! bodies (grabbing), others change the world (another ball, other friction, another paradigm) and begin a new epoch.

use burgess_paradigms::Paradigm;
use serde::{Deserialize, Serialize};

/// Maximum coordinate of a point, in m.
const MAX_COORDINATE: f64 = 1e5;
/// Maximum component of the velocity of a ball, in m/s.
const MAX_SPEED: f64 = 1000.0;
/// Minimum and maximum radius of a ball, in m.
const RADII: [f64; 2] = [0.001, 100.0];
/// Minimum and maximum density of a ball, in kg/m^3.
const DENSITIES: [f64; 2] = [0.1, 1e5];
/// Maximum component of gravity, in m/s^2.
const MAX_GRAVITY: f64 = 1000.0;
/// Maximum friction coefficient.
const MAX_FRICTION: f64 = 10.0;
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
        matches!(self, Self::Throw { .. } | Self::Change { .. } | Self::Simulate { .. } | Self::Hashing { .. })
    }

    /// Checks all numbers; returns a sentence that says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Grab { point, to, .. } => {
                check_vector("point", point, MAX_COORDINATE, "m")?;
                check_vector("to", to, MAX_COORDINATE, "m")
            }
            Self::Drag { to, .. } => check_vector("to", to, MAX_COORDINATE, "m"),
            Self::Release { .. } | Self::Hashing { .. } => Ok(()),
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
            Self::Simulate { paradigm, step } => {
                if paradigm.is_none() && step.is_none() {
                    return Err("expected a paradigm or a step, found none of them".to_string());
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

/// Checks that a number is within bounds, which are included.
pub fn check_number(what: &str, number: f64, [low, high]: [f64; 2], unit: &str) -> Result<(), String> {
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let fits = number >= low && number <= high;
    if fits { Ok(()) } else { Err(format!("{what} must be from {low} to {high}{unit}, found {number}")) }
}

fn check_vector(what: &str, vector: &[f64; 3], max: f64, unit: &str) -> Result<(), String> {
    let worst = vector.iter().find(|number| number.is_nan() || number.abs() > max);
    worst.map_or(Ok(()), |number| Err(format!("{what} must be within {max} {unit} of zero, found {number}")))
}

/// The beginning of a text of a client, for error messages.
pub fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(40).collect()
}
