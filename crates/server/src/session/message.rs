//! JSON messages of a session to its viewers.

use std::sync::Arc;

use serde::Serialize;

use super::history::Exactness;
use super::probe::Probe;
use super::section::SectionKind;

/// A message to a viewer.
#[derive(Debug, Serialize)]
#[serde(tag = "say", rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum SessionMessage<'a> {
    /// The state of the session, several times a second.
    Status(Status<'a>),
    /// The state of the body that the viewer probes.
    Probe(Probe),
    /// The last command was refused.
    Refused {
        /// A sentence with the reason.
        why: &'a str,
    },
}

/// The state of a session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Status<'a> {
    /// Whether the session is playing.
    pub playing: bool,
    /// Speed, as a multiple of real time.
    pub speed: f64,
    /// The step that is shown.
    pub step: u64,
    /// The latest step that was reached.
    pub latest: u64,
    /// Number of the current appearance.
    pub epoch: u32,
    /// Number of viewers.
    pub viewers: usize,
    /// Result of comparing state hashes.
    pub exact: Exactness,
    /// Name of the paradigm, if the subject is simulated.
    pub paradigm: Option<&'static str>,
    /// Length of a step, in s.
    pub step_length: f64,
    /// Reason why the session cannot advance beyond this step.
    pub ended: Option<&'a str>,
    /// Overlays that frames contain now.
    pub overlays: Vec<SectionKind>,
}

impl SessionMessage<'_> {
    /// The message as JSON text.
    pub fn to_json(&self) -> Arc<str> {
        // These types contain no maps with non-string keys, so serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default().into()
    }
}
