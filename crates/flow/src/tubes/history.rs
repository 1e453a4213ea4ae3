//! A file with the tubes of all steps. It starts with an index, so that each step is read alone.
//!
//! The bytes `BURGTUBE`, the version of the format (u32), the length of the header and its checksum (u32 each), the
//! header in JSON, then the steps. Places of steps in the index count from the end of the header.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use glam::DVec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::encode::{StepError, decode_step};
use super::stored::StoredStep;
use crate::grid::Grid;
use crate::track::{Event, Track};

const MAGIC: &[u8; 8] = b"BURGTUBE";
const VERSION: u32 = 1;
const PREFIX_BYTES: u64 = 20;
/// Largest header, in bytes.
const MAX_HEADER_BYTES: u32 = 64 << 20;
/// Largest step, in bytes.
const MAX_STEP_BYTES: u64 = 256 << 20;

/// One step in the index.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepEntry {
    /// Time of the step.
    pub time: f64,
    /// Place of the first byte after the header.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// Checksum of the bytes (CRC-32).
    pub checksum: u32,
    /// Number of tubes.
    pub tubes: u32,
    /// Number of core points.
    pub points: u32,
}

/// What a history contains, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryHeader {
    /// Name of the flow.
    pub flow: String,
    /// Grid of the fields from which the tubes were extracted.
    pub grid: Grid,
    /// Whether the plane of the lowest z is a wall.
    pub wall: bool,
    /// Direction and speed of the outer flow.
    pub wind: [f64; 3],
    /// Bytes of the velocity of all fields, in single precision.
    pub velocity_bytes: u64,
    /// Largest distance of a core from the curve through its stored points, in cells.
    pub core_error: f64,
    /// Largest error of a radius between stored points, as a share.
    pub radius_error: f64,
    /// Least and largest value of each quantity.
    pub ranges: [[f64; 2]; 4],
    /// The steps.
    pub steps: Vec<StepEntry>,
    /// The tracks, by number.
    pub tracks: Vec<Track>,
    /// The events, by step.
    pub events: Vec<Event>,
    /// For each step after the first, the pairs of tubes, by place in their step, that overlap.
    pub links: Vec<Vec<[u32; 2]>>,
}

/// Why a history cannot be read.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The file is of another kind.
    #[error("is not a file of vortex tubes; 'burgess flow extract' writes one")]
    OtherKind,
    /// The version of the format is not known.
    #[error("has version {0} of the format; this program reads version {VERSION}")]
    OtherVersion(u32),
    /// The header is damaged.
    #[error("the header is damaged: {0}")]
    Header(String),
    /// A step is damaged.
    #[error("step {step} (byte {offset}) is damaged: {fault}")]
    Step {
        /// Number of the step.
        step: usize,
        /// Place in the file.
        offset: u64,
        /// What is wrong.
        fault: String,
    },
    /// There is no such step.
    #[error("there is no step {step}; the file has {steps}")]
    NoStep {
        /// The number that was asked for.
        step: usize,
        /// Number of steps.
        steps: usize,
    },
}

/// The bytes of a history. The index is filled in from the steps; times, tubes and points must be set.
pub fn write_history(mut header: HistoryHeader, steps: &[Vec<u8>]) -> Result<Vec<u8>, serde_json::Error> {
    let mut offset = 0;
    for (entry, bytes) in header.steps.iter_mut().zip(steps) {
        *entry = StepEntry { offset, bytes: bytes.len() as u64, checksum: crc32fast::hash(bytes), ..*entry };
        offset += entry.bytes;
    }
    let text = serde_json::to_vec(&header)?;
    let mut bytes = MAGIC.to_vec();
    for number in [VERSION, text.len() as u32, crc32fast::hash(&text)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(text);
    steps.iter().for_each(|step| bytes.extend(step));
    Ok(bytes)
}

/// Reads a history step by step.
#[derive(Debug)]
pub struct HistoryReader<R> {
    source: R,
    start: u64,
    length: u64,
    header: HistoryHeader,
}

impl HistoryReader<std::fs::File> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, HistoryError> {
        Self::new(std::fs::File::open(path)?)
    }
}

impl<R: Read + Seek> HistoryReader<R> {
    /// Reads the header.
    pub fn new(mut source: R) -> Result<Self, HistoryError> {
        let length = source.seek(SeekFrom::End(0))?;
        source.seek(SeekFrom::Start(0))?;
        let mut prefix = [0; PREFIX_BYTES as usize];
        if length < PREFIX_BYTES {
            return Err(HistoryError::OtherKind);
        }
        source.read_exact(&mut prefix)?;
        if &prefix[..8] != MAGIC {
            return Err(HistoryError::OtherKind);
        }
        let number =
            |place: usize| u32::from_le_bytes([prefix[place], prefix[place + 1], prefix[place + 2], prefix[place + 3]]);
        let (version, bytes, checksum) = (number(8), number(12), number(16));
        if version != VERSION {
            return Err(HistoryError::OtherVersion(version));
        }
        let start = PREFIX_BYTES + u64::from(bytes);
        if bytes > MAX_HEADER_BYTES || start > length {
            let fault = format!("it should have {bytes} bytes, the file has {length}");
            return Err(HistoryError::Header(fault));
        }
        let mut text = vec![0; bytes as usize];
        source.read_exact(&mut text)?;
        if crc32fast::hash(&text) != checksum {
            return Err(HistoryError::Header("its checksum differs".to_string()));
        }
        let header: HistoryHeader =
            serde_json::from_slice(&text).map_err(|error| HistoryError::Header(error.to_string()))?;
        Ok(Self { source, start, length, header })
    }

    /// The header.
    pub fn header(&self) -> &HistoryHeader {
        &self.header
    }

    /// Number of bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// Reads one step.
    pub fn read_step(&mut self, step: usize) -> Result<StoredStep, HistoryError> {
        let steps = self.header.steps.len();
        let entry = *self.header.steps.get(step).ok_or(HistoryError::NoStep { step, steps })?;
        let offset = self.start.saturating_add(entry.offset);
        let damaged = |fault: String| HistoryError::Step { step, offset, fault };
        let end = offset.checked_add(entry.bytes);
        if entry.bytes > MAX_STEP_BYTES || end.is_none_or(|end| end > self.length) {
            return Err(damaged(format!("it should have {} bytes, the file ends at {}", entry.bytes, self.length)));
        }
        self.source.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![0; entry.bytes as usize];
        self.source.read_exact(&mut bytes)?;
        if crc32fast::hash(&bytes) != entry.checksum {
            return Err(damaged("its checksum differs".to_string()));
        }
        decode_step(&bytes, self.extent()).map_err(|error: StepError| damaged(error.to_string()))
    }

    /// Lengths of the box.
    pub fn extent(&self) -> DVec3 {
        self.header.grid.extent()
    }
}
