//! Orders: what viewers want, as JSON (`docs/protocol.md`, section Orders). What is not understood, or makes no sense, is
//! refused with a sentence before it gets anywhere.

use serde::Deserialize;
use thiserror::Error;

use super::frame::SectionKind;
use super::interference::{Deed, check_number, short};

/// Longer texts are refused, in bytes.
pub const MOST_BYTES: usize = 4096;
/// Speeds, as shares of that of time itself.
const SPEEDS: [f64; 2] = [0.001, 1000.0];
/// No more steps at once.
const MOST_STEPS: i64 = 1_000_000;
/// No step beyond this one is shown.
pub const LAST_STEP: u64 = 1 << 40;

/// Why an order was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// What a viewer wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Go on.
    Play,
    /// Stand still.
    Pause,
    /// How fast, as a share of the speed of time.
    Speed(f64),
    /// From the beginning.
    Restart,
    /// So many steps on, or back.
    Step(i64),
    /// Show this step.
    Seek(u64),
    /// What this viewer wants to see.
    Overlays(Vec<SectionKind>),
    /// What this viewer wants to know about.
    Probe(Option<usize>),
    /// Something is done to the world. The hand is the viewer's own.
    Do(Deed),
}

/// As it is written.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Written {
    Play {},
    Pause {},
    Speed { speed: f64 },
    Restart {},
    Step { steps: i64 },
    Seek { step: u64 },
    Overlays { overlays: Vec<String> },
    Probe { body: Option<usize> },
    Grab { body: usize, point: [f64; 3], to: [f64; 3] },
    Drag { to: [f64; 3] },
    Release {},
    Throw { from: [f64; 3], velocity: [f64; 3], radius: f64, density: f64 },
    Change { gravity: Option<[f64; 3]>, friction: Option<f64>, restitution: Option<f64> },
    Simulate { paradigm: Option<String>, step: Option<f64> },
    Hashing { on: bool },
}

impl Order {
    /// Reads an order of the viewer with this hand.
    pub fn parse(text: &str, hand: u32) -> Result<Self, Refused> {
        if text.len() > MOST_BYTES {
            return Err(Refused(format!("an order of {} bytes is too long: at most {MOST_BYTES}", text.len())));
        }
        let unreadable = |error: serde_json::Error| Refused(format!("this is no order: {}", short_error(&error)));
        let order = match serde_json::from_str(text).map_err(unreadable)? {
            Written::Play {} => Self::Play,
            Written::Pause {} => Self::Pause,
            Written::Speed { speed } => Self::Speed(speed),
            Written::Restart {} => Self::Restart,
            Written::Step { steps } => Self::Step(steps),
            Written::Seek { step } => Self::Seek(step),
            Written::Overlays { overlays } => Self::Overlays(kinds(&overlays)?),
            Written::Probe { body } => Self::Probe(body),
            Written::Grab { body, point, to } => Self::Do(Deed::Grab { hand, body, point, to }),
            Written::Drag { to } => Self::Do(Deed::Drag { hand, to }),
            Written::Release {} => Self::Do(Deed::Release { hand }),
            Written::Throw { from, velocity, radius, density } => {
                Self::Do(Deed::Throw { from, velocity, radius, density })
            }
            Written::Change { gravity, friction, restitution } => {
                Self::Do(Deed::Change { gravity, friction, restitution })
            }
            Written::Simulate { paradigm, step } => Self::Do(Deed::Simulate { paradigm, step }),
            Written::Hashing { on } => Self::Do(Deed::Hashing { on }),
        };
        order.check().map_err(Refused)?;
        Ok(order)
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Speed(speed) => check_number("speed", *speed, SPEEDS, "times that of time itself"),
            Self::Step(steps) if !(-MOST_STEPS..=MOST_STEPS).contains(steps) => {
                Err(format!("steps must be from -{MOST_STEPS} to {MOST_STEPS}, found {steps}"))
            }
            Self::Seek(step) if *step > LAST_STEP => Err(format!("step {step} is too far: at most {LAST_STEP}")),
            Self::Do(deed) => deed.check(),
            _ => Ok(()),
        }
    }
}

fn kinds(names: &[String]) -> Result<Vec<SectionKind>, Refused> {
    let kind = |name: &String| {
        let known = || SectionKind::ALL.map(SectionKind::name).join(", ");
        let unknown = || Refused(format!("there is no overlay '{}'; expected some of {}", short(name), known()));
        SectionKind::from_name(name).ok_or_else(unknown)
    };
    names.iter().map(kind).collect()
}

/// Errors quote what they have found, which may be long.
fn short_error(error: &serde_json::Error) -> String {
    error.to_string().chars().filter(|letter| !letter.is_control()).take(300).collect()
}
