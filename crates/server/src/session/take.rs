//! Takes: recorded sessions that can be replayed bit for bit. A take contains the source, the settings, every edit with
//! its step, and state hashes to verify the replay.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::command::MAX_STEP;
use super::edit::RecordedEdit;
use super::history::{EditLog, MAX_EDITS};
use super::session::Settings;
use super::source::Source;

/// The format version that is written, and the only one that is read.
pub const VERSION: u32 = 1;
/// Maximum size of the file of a take, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// A recorded session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// Version of the format.
    pub version: u32,
    /// The subject of the session.
    pub source: Source,
    /// Name of the paradigm, if it is not that of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paradigm: Option<String>,
    /// Length of a step, in s, if it is not that of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Name of the keyframe that the session started from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyframe: Option<String>,
    /// The latest step that was reached.
    pub latest: u64,
    /// All edits, in order.
    pub events: Vec<RecordedEdit>,
    /// Step and state hash (16 hexadecimal digits) of every tenth frame.
    pub hashes: Vec<(u64, String)>,
}

impl Take {
    /// Reads the file of a take; or returns a sentence that says what is wrong.
    pub fn read(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let mut text = String::new();
        let read = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text));
        read.map_err(|error| format!("{name}: cannot be read: {error}"))?;
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(format!("{name}: has more than {MAX_FILE_BYTES} bytes, the largest size of a take"));
        }
        serde_json::from_str(&text).map_err(|error| format!("{name}: is not a take: {error}"))
    }

    /// The settings that the session was opened with.
    pub(super) fn settings(&self) -> Settings {
        Settings { paradigm: self.paradigm.clone(), step: self.step, keyframe: self.keyframe.clone() }
    }

    /// Checks the take and returns its edits and hashes, or a sentence that says what is wrong.
    pub fn log(&self) -> Result<EditLog, String> {
        if self.version != VERSION {
            return Err(format!("unknown take version {}, expected {VERSION}", self.version));
        }
        if self.events.len() > MAX_EDITS {
            return Err(format!("the take has {} events, expected at most {MAX_EDITS}", self.events.len()));
        }
        if self.latest > MAX_STEP {
            return Err(format!("the take has {} steps, expected at most {MAX_STEP}", self.latest));
        }
        for (number, event) in self.events.iter().enumerate() {
            event.edit.check().map_err(|why| format!("event {number} of the take: {why}"))?;
            let next = self.events.get(number + 1).map_or(self.latest, |next| next.step);
            if event.step > next {
                return Err(format!("event {number} of the take is at step {}, after step {next}", event.step));
            }
        }
        let mut hashes = BTreeMap::new();
        for (step, text) in &self.hashes {
            let hash = u64::from_str_radix(text, 16);
            let hash = hash.map_err(|_| format!("the hash of step {step} of the take is not hexadecimal"))?;
            hashes.insert(*step, hash);
        }
        Ok(EditLog { edits: self.events.clone(), hashes, latest: self.latest })
    }

    /// Formats hashes as they are written to a take.
    pub fn hex(hashes: &BTreeMap<u64, u64>) -> Vec<(u64, String)> {
        hashes.iter().map(|(&step, hash)| (step, format!("{hash:016x}"))).collect()
    }
}
