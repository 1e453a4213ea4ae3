//! Takes: all that is needed to see the same again, to the last bit: where the world came from, how it was simulated, what
//! people did at which step, and the hashes to tell whether it is the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::history::{Ledger, MOST_EVENTS};
use super::interference::Event;
use super::order::LAST_STEP;
use super::source::Source;

/// The version that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// What was on stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// Of this format.
    pub version: u32,
    /// Where the world came from.
    pub source: Source,
    /// Name of a paradigm, if not the source's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paradigm: Option<String>,
    /// In s, if not the source's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Name of the keyframe that it started from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyframe: Option<String>,
    /// The farthest step.
    pub latest: u64,
    /// What people did, in order.
    pub events: Vec<Event>,
    /// Step and state hash, as hex, of every tenth frame.
    pub hashes: Vec<(u64, String)>,
}

impl Take {
    /// What was done and seen; or a sentence why this take makes no sense.
    pub fn ledger(&self) -> Result<Ledger, String> {
        if self.version != VERSION {
            return Err(format!("takes of version {} are not known; expected {VERSION}", self.version));
        }
        if self.events.len() > MOST_EVENTS {
            return Err(format!("a take with {} events is too long: at most {MOST_EVENTS}", self.events.len()));
        }
        if self.latest > LAST_STEP {
            return Err(format!("a take of {} steps is too long: at most {LAST_STEP}", self.latest));
        }
        for (number, event) in self.events.iter().enumerate() {
            event.deed.check().map_err(|why| format!("event {number} of the take: {why}"))?;
            let next = self.events.get(number + 1).map_or(self.latest, |next| next.step);
            if event.step > next {
                return Err(format!("event {number} of the take is at step {}, after step {next}", event.step));
            }
        }
        let mut hashes = BTreeMap::new();
        for (step, text) in &self.hashes {
            let hash = u64::from_str_radix(text, 16);
            let hash = hash.map_err(|_| format!("the take's hash of step {step} is not 16 digits of hex"))?;
            hashes.insert(*step, hash);
        }
        Ok(Ledger { events: self.events.clone(), hashes, latest: self.latest })
    }

    /// Hashes as they are written.
    pub fn hex(hashes: &BTreeMap<u64, u64>) -> Vec<(u64, String)> {
        hashes.iter().map(|(&step, hash)| (step, format!("{hash:016x}"))).collect()
    }
}
