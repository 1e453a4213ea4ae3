//! What people do to a world while it runs. A deed belongs to a step: it is done before the next one is made, and again each
//! time that the same moment is passed, so that what follows is the same to the last bit. Two kinds: some move what is there
//! (hands that grab), others make another world of it (a ball more, other friction, another paradigm), which is an epoch.

use burgess_paradigms::Paradigm;
use serde::{Deserialize, Serialize};

/// Places may not be farther away than this from the origin, in m.
const FARTHEST: f64 = 1e5;
/// Nothing is thrown faster than this, in m/s.
const FASTEST: f64 = 1000.0;
/// Radii of balls, in m.
const RADII: [f64; 2] = [0.001, 100.0];
/// Densities of balls, in kg/m^3.
const DENSITIES: [f64; 2] = [0.1, 1e5];
/// No more gravity than this, in m/s^2.
const MOST_GRAVITY: f64 = 1000.0;
/// No more friction than this.
const MOST_FRICTION: f64 = 10.0;
/// Lengths of steps, in s.
pub const STEPS: [f64; 2] = [1e-5, 0.1];

/// Something that somebody did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Deed {
    /// A hand takes hold of a body.
    Grab {
        /// Whose hand: several may grab at once.
        hand: u32,
        /// Its place in a frame.
        body: usize,
        /// In the body, in m.
        point: [f64; 3],
        /// Where the hand is, in m.
        to: [f64; 3],
    },
    /// The hand moves.
    Drag {
        /// Whose.
        hand: u32,
        /// In m.
        to: [f64; 3],
    },
    /// The hand lets go.
    Release {
        /// Whose.
        hand: u32,
    },
    /// A ball comes into the world.
    Throw {
        /// In m.
        from: [f64; 3],
        /// In m/s.
        velocity: [f64; 3],
        /// In m.
        radius: f64,
        /// In kg/m^3.
        density: f64,
    },
    /// Other numbers for the whole world.
    Change {
        /// In m/s^2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        gravity: Option<[f64; 3]>,
        /// Of all surfaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        friction: Option<f64>,
        /// Of all surfaces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restitution: Option<f64>,
    },
    /// Simulated otherwise from here on.
    Simulate {
        /// By its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paradigm: Option<String>,
        /// In s.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<f64>,
    },
    /// Of bounce: hashing, or every pair of boxes.
    Hashing {
        /// Hashing?
        on: bool,
    },
}

/// A deed at its step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Steps from the start.
    pub step: u64,
    /// What was done.
    pub deed: Deed,
}

impl Deed {
    /// Does it make another world?
    pub fn changes_world(&self) -> bool {
        matches!(self, Self::Throw { .. } | Self::Change { .. } | Self::Simulate { .. } | Self::Hashing { .. })
    }

    /// Refuses numbers that make no sense, with a sentence.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Grab { point, to, .. } => {
                check_vector("point", point, FARTHEST, "m")?;
                check_vector("to", to, FARTHEST, "m")
            }
            Self::Drag { to, .. } => check_vector("to", to, FARTHEST, "m"),
            Self::Release { .. } | Self::Hashing { .. } => Ok(()),
            Self::Throw { from, velocity, radius, density } => {
                check_vector("from", from, FARTHEST, "m")?;
                check_vector("velocity", velocity, FASTEST, "m/s")?;
                check_number("radius", *radius, RADII, "m")?;
                check_number("density", *density, DENSITIES, "kg/m^3")
            }
            Self::Change { gravity, friction, restitution } => {
                if gravity.is_none() && friction.is_none() && restitution.is_none() {
                    return Err("a change has gravity, friction or restitution, found none".to_string());
                }
                gravity.map_or(Ok(()), |gravity| check_vector("gravity", &gravity, MOST_GRAVITY, "m/s^2"))?;
                friction.map_or(Ok(()), |friction| check_number("friction", friction, [0.0, MOST_FRICTION], ""))?;
                restitution.map_or(Ok(()), |number| check_number("restitution", number, [0.0, 1.0], ""))
            }
            Self::Simulate { paradigm, step } => {
                if paradigm.is_none() && step.is_none() {
                    return Err("simulate has a paradigm or a step, found none".to_string());
                }
                paradigm.as_deref().map_or(Ok(()), |name| paradigm_of(name).map(|_| ()))?;
                step.map_or(Ok(()), |step| check_number("step", step, STEPS, "s"))
            }
        }
    }
}

/// The paradigm of a name.
pub fn paradigm_of(name: &str) -> Result<Paradigm, String> {
    let known = || Paradigm::ALL.map(Paradigm::name).join(", ");
    Paradigm::from_name(name)
        .ok_or_else(|| format!("there is no paradigm '{}'; expected one of {}", short(name), known()))
}

/// A number within bounds, both of them included.
pub fn check_number(what: &str, number: f64, [low, high]: [f64; 2], unit: &str) -> Result<(), String> {
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let fits = number >= low && number <= high;
    if fits { Ok(()) } else { Err(format!("{what} must be from {low} to {high}{unit}, found {number}")) }
}

fn check_vector(what: &str, vector: &[f64; 3], most: f64, unit: &str) -> Result<(), String> {
    let worst = vector.iter().find(|number| number.is_nan() || number.abs() > most);
    worst.map_or(Ok(()), |number| Err(format!("{what} must be within {most} {unit} of zero, found {number}")))
}

/// The beginning of a text of strangers, to be told back.
pub fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(40).collect()
}
