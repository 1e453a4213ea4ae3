//! Commands of viewers, as JSON (`docs/protocol.md`, section Commands). An invalid command is refused with a sentence
//! before it reaches the session.

use serde::Deserialize;
use thiserror::Error;

use super::edit::{Edit, MAX_COORDINATE, MAX_SPEED, check_number, check_vector, short};
use super::reach::Reach;
use super::section::SectionKind;
use super::signal::Signal;

/// Maximum size of a command, in bytes.
pub const MAX_BYTES: usize = 4096;
/// Minimum and maximum speed, as multiples of real time.
const SPEEDS: [f64; 2] = [0.001, 1000.0];
/// Maximum number of steps of one command.
const MAX_STEPS: i64 = 1_000_000;
/// Maximum length of the ray along which something is grabbed, in m.
const MAX_REACH: f64 = 1000.0;
/// Maximum number of signals that a viewer plots.
pub const MAX_SIGNALS: usize = 16;
/// The last step that a session can reach.
pub const MAX_STEP: u64 = 1 << 40;

/// Reason why a command is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refused(pub String);

/// A command of a viewer.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Starts playing.
    Play,
    /// Pauses.
    Pause,
    /// Sets the speed, as a multiple of real time.
    Speed(f64),
    /// Shows the first step.
    Restart,
    /// Pauses, and moves by a number of steps, which may be negative.
    Step(i64),
    /// Shows a step.
    Seek(u64),
    /// Sets the overlays of this viewer.
    Overlays(Vec<SectionKind>),
    /// Sets the body that this viewer probes.
    Probe(Option<usize>),
    /// Sets the signals that this viewer plots.
    Plot(Vec<Signal>),
    /// Sets whether this viewer receives the times of the modules of a step.
    Profile(bool),
    /// Measures how fast a copy of the world would be simulated after an edit.
    Measure(Edit),
    /// Grabs or pushes the first body along a ray.
    Reach(Reach),
    /// Releases the body that this viewer holds, with a velocity more, in m/s.
    ThrowHeld([f64; 3]),
    /// Edits the world.
    Edit(Edit),
}

/// A command as JSON.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Command"))]
pub(crate) enum WireCommand {
    Play {},
    Pause {},
    Speed {
        speed: f64,
    },
    Restart {},
    Step {
        steps: i64,
    },
    Seek {
        step: u64,
    },
    Overlays {
        #[cfg_attr(test, schemars(with = "Vec<SectionKind>"))]
        overlays: Vec<String>,
    },
    Probe {
        body: Option<usize>,
    },
    Grab {
        body: usize,
        point: [f64; 3],
        to: [f64; 3],
    },
    Drag {
        to: [f64; 3],
    },
    Reach {
        from: [f64; 3],
        along: [f64; 3],
        length: f64,
        push: Option<f64>,
    },
    Release {
        velocity: Option<[f64; 3]>,
    },
    Body {
        foot: [f64; 3],
        height: f64,
        radius: f64,
    },
    Twist {
        body: usize,
        torque: [f64; 3],
    },
    Push {
        body: usize,
        impulse: [f64; 3],
        #[serde(default)]
        angular_impulse: [f64; 3],
    },
    Control {
        actuator: usize,
        control: Option<f64>,
    },
    Keyframe {
        name: String,
    },
    Throw {
        from: [f64; 3],
        velocity: [f64; 3],
        radius: f64,
        density: f64,
    },
    Change {
        gravity: Option<[f64; 3]>,
        friction: Option<f64>,
        restitution: Option<f64>,
    },
    Simulate {
        paradigm: Option<String>,
        step: Option<f64>,
        sleeping: Option<bool>,
    },
    Guide {
        person: String,
        to: [f64; 2],
    },
    Block {
        at: [f64; 2],
    },
    Gate {
        gate: String,
        open: bool,
    },
    Join {
        at: [f64; 2],
    },
    Hurry {
        factor: f64,
    },
    Measure {
        paradigm: Option<String>,
        step: Option<f64>,
        sleeping: Option<bool>,
    },
    Plot {
        signals: Vec<Signal>,
    },
    Profile {
        on: bool,
    },
    Hashing {
        on: bool,
    },
}

impl Command {
    /// Parses a command. `viewer` is the number of the viewer.
    pub fn parse(text: &str, viewer: u32) -> Result<Self, Refused> {
        if text.len() > MAX_BYTES {
            return Err(Refused(format!("the command has {} bytes, expected at most {MAX_BYTES}", text.len())));
        }
        let unreadable = |error: serde_json::Error| Refused(format!("invalid command: {}", short_error(&error)));
        let command = match serde_json::from_str(text).map_err(unreadable)? {
            WireCommand::Play {} => Self::Play,
            WireCommand::Pause {} => Self::Pause,
            WireCommand::Speed { speed } => Self::Speed(speed),
            WireCommand::Restart {} => Self::Restart,
            WireCommand::Step { steps } => Self::Step(steps),
            WireCommand::Seek { step } => Self::Seek(step),
            WireCommand::Overlays { overlays } => Self::Overlays(section_kinds(&overlays)?),
            WireCommand::Probe { body } => Self::Probe(body),
            WireCommand::Grab { body, point, to } => Self::Edit(Edit::Grab { viewer, body, point, to }),
            WireCommand::Drag { to } => Self::Edit(Edit::Drag { viewer, to }),
            WireCommand::Reach { from, along, length, push } => Self::Reach(Reach { from, along, length, push }),
            WireCommand::Release { velocity: None } => Self::Edit(Edit::Release { viewer }),
            WireCommand::Release { velocity: Some(velocity) } => Self::ThrowHeld(velocity),
            WireCommand::Body { foot, height, radius } => Self::Edit(Edit::Body { viewer, foot, height, radius }),
            WireCommand::Throw { from, velocity, radius, density } => {
                Self::Edit(Edit::Throw { from, velocity, radius, density })
            }
            WireCommand::Change { gravity, friction, restitution } => {
                Self::Edit(Edit::Change { gravity, friction, restitution })
            }
            WireCommand::Twist { body, torque } => Self::Edit(Edit::Twist { viewer, body, torque }),
            WireCommand::Push { body, impulse, angular_impulse } => {
                Self::Edit(Edit::Push { body, impulse, angular_impulse })
            }
            WireCommand::Control { actuator, control } => Self::Edit(Edit::Control { actuator, control }),
            WireCommand::Keyframe { name } => Self::Edit(Edit::Keyframe { name }),
            WireCommand::Simulate { paradigm, step, sleeping } => {
                Self::Edit(Edit::Simulate { paradigm, step, sleeping })
            }
            WireCommand::Guide { person, to } => Self::Edit(Edit::Guide { person, to }),
            WireCommand::Block { at } => Self::Edit(Edit::Block { at }),
            WireCommand::Gate { gate, open } => Self::Edit(Edit::Gate { gate, open }),
            WireCommand::Join { at } => Self::Edit(Edit::Join { at }),
            WireCommand::Hurry { factor } => Self::Edit(Edit::Hurry { factor }),
            WireCommand::Measure { paradigm, step, sleeping } => {
                Self::Measure(Edit::Simulate { paradigm, step, sleeping })
            }
            WireCommand::Plot { signals } => Self::Plot(signals),
            WireCommand::Profile { on } => Self::Profile(on),
            WireCommand::Hashing { on } => Self::Edit(Edit::Hashing { on }),
        };
        command.check().map_err(Refused)?;
        Ok(command)
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Speed(speed) => check_number("speed", *speed, SPEEDS, "times real time"),
            Self::Step(steps) if !(-MAX_STEPS..=MAX_STEPS).contains(steps) => {
                Err(format!("steps must be from -{MAX_STEPS} to {MAX_STEPS}, found {steps}"))
            }
            Self::Seek(step) if *step > MAX_STEP => Err(format!("step must be at most {MAX_STEP}, found {step}")),
            Self::Plot(signals) if signals.len() > MAX_SIGNALS => {
                Err(format!("expected at most {MAX_SIGNALS} signals, found {}", signals.len()))
            }
            Self::Reach(reach) => {
                check_vector("from", &reach.from, MAX_COORDINATE, "m")?;
                check_vector("along", &reach.along, 1.0, "unit")?;
                check_number("length", reach.length, [0.0, MAX_REACH], "m")?;
                reach.push.map_or(Ok(()), |speed| check_number("push", speed, [0.0, MAX_SPEED], "m/s"))
            }
            Self::ThrowHeld(velocity) => check_vector("velocity", velocity, MAX_SPEED, "m/s"),
            Self::Edit(edit) | Self::Measure(edit) => edit.check(),
            _ => Ok(()),
        }
    }
}

fn section_kinds(names: &[String]) -> Result<Vec<SectionKind>, Refused> {
    let parse = |name: &String| {
        let known = || SectionKind::ALL.map(SectionKind::name).join(", ");
        let unknown = || Refused(format!("unknown overlay '{}', expected some of {}", short(name), known()));
        SectionKind::from_name(name).ok_or_else(unknown)
    };
    names.iter().map(parse).collect()
}

/// The text of a JSON error, which quotes its input, truncated and without control characters.
fn short_error(error: &serde_json::Error) -> String {
    error.to_string().chars().filter(|letter| !letter.is_control()).take(300).collect()
}
