//! A file with the fields of all steps of a flow.
//!
//! The bytes `BURGFLOW`, the version of the format and the length of the header (u32 each), the header in JSON, then
//! each step: its time (f64), the three components of the velocity and the pressure (f32 each), all little-endian.

use std::io::{Read, Seek, SeekFrom, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::field::{FieldError, FlowField};
use crate::grid::Grid;

const MAGIC: &[u8; 8] = b"BURGFLOW";
const VERSION: u32 = 1;
const PREFIX_BYTES: u64 = 16;
/// Largest header, in bytes.
const MAX_HEADER_BYTES: u32 = 1 << 16;

/// What a file of fields contains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldsHeader {
    /// Name of the flow.
    pub flow: String,
    /// The grid.
    pub grid: Grid,
    /// Whether the plane of the lowest z is a wall.
    pub wall: bool,
    /// Velocity of the outer flow.
    pub wind: [f64; 3],
    /// Number of steps.
    pub steps: usize,
}

/// Why a file of fields cannot be read or written.
#[derive(Debug, Error)]
pub enum FieldFileError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The file is of another kind.
    #[error("is not a file of flow fields; 'burgess flow make' writes one")]
    OtherKind,
    /// The version of the format is not known.
    #[error("has version {0} of the format; this program reads version {VERSION}")]
    OtherVersion(u32),
    /// The header is damaged.
    #[error("the header is damaged: {0}")]
    Header(String),
    /// The file has the wrong length.
    #[error("has {found} bytes; {steps} steps of this grid take {expected}")]
    Length {
        /// Number of bytes of the file.
        found: u64,
        /// Number of bytes that the steps need.
        expected: u64,
        /// Number of steps.
        steps: usize,
    },
    /// A step is not valid.
    #[error("step {step} (byte {offset}): {source}")]
    Step {
        /// Number of the step.
        step: usize,
        /// Place in the file.
        offset: u64,
        /// What is wrong.
        source: FieldError,
    },
}

/// Writes the header.
pub fn write_header(target: &mut impl Write, header: &FieldsHeader) -> std::io::Result<()> {
    let text = serde_json::to_vec(header)?;
    target.write_all(MAGIC)?;
    target.write_all(&VERSION.to_le_bytes())?;
    target.write_all(&(text.len() as u32).to_le_bytes())?;
    target.write_all(&text)
}

/// Writes the next step.
pub fn write_field(target: &mut impl Write, field: &FlowField) -> std::io::Result<()> {
    target.write_all(&field.time().to_le_bytes())?;
    let [x, y, z] = field.velocity();
    for values in [x.as_slice(), y, z, field.pressure()] {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        target.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads fields step by step.
#[derive(Debug)]
pub struct FieldReader<R> {
    source: R,
    start: u64,
    header: FieldsHeader,
}

impl<R: Read + Seek> FieldReader<R> {
    /// Reads the header and checks the length of the file.
    pub fn new(mut source: R) -> Result<Self, FieldFileError> {
        let length = source.seek(SeekFrom::End(0))?;
        source.seek(SeekFrom::Start(0))?;
        let mut prefix = [0; PREFIX_BYTES as usize];
        if length < PREFIX_BYTES {
            return Err(FieldFileError::OtherKind);
        }
        source.read_exact(&mut prefix)?;
        if &prefix[..8] != MAGIC {
            return Err(FieldFileError::OtherKind);
        }
        let version = u32::from_le_bytes([prefix[8], prefix[9], prefix[10], prefix[11]]);
        let bytes = u32::from_le_bytes([prefix[12], prefix[13], prefix[14], prefix[15]]);
        if version != VERSION {
            return Err(FieldFileError::OtherVersion(version));
        }
        let start = PREFIX_BYTES + u64::from(bytes);
        if bytes > MAX_HEADER_BYTES || start > length {
            return Err(FieldFileError::Header(format!("it should have {bytes} bytes, the file has {length}")));
        }
        let mut text = vec![0; bytes as usize];
        source.read_exact(&mut text)?;
        let header: FieldsHeader =
            serde_json::from_slice(&text).map_err(|error| FieldFileError::Header(error.to_string()))?;
        let expected = (header.steps as u64).saturating_mul(step_bytes(&header.grid)).saturating_add(start);
        if length != expected {
            return Err(FieldFileError::Length { found: length, expected, steps: header.steps });
        }
        Ok(Self { source, start, header })
    }

    /// The header.
    pub fn header(&self) -> &FieldsHeader {
        &self.header
    }

    /// Reads one step. The number must be below that of the header.
    pub fn read(&mut self, step: usize) -> Result<FlowField, FieldFileError> {
        let grid = self.header.grid;
        let offset = self.start + step as u64 * step_bytes(&grid);
        self.source.seek(SeekFrom::Start(offset))?;
        let mut time = [0; 8];
        self.source.read_exact(&mut time)?;
        let mut bytes = vec![0; 4 * grid.points()];
        let mut next = || -> std::io::Result<Vec<f32>> {
            self.source.read_exact(&mut bytes)?;
            let value = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
            Ok(bytes.as_chunks::<4>().0.iter().map(value).collect())
        };
        let velocity = [next()?, next()?, next()?];
        let pressure = next()?;
        FlowField::new(grid, f64::from_le_bytes(time), velocity, pressure).map_err(|source| FieldFileError::Step {
            step,
            offset,
            source,
        })
    }
}

fn step_bytes(grid: &Grid) -> u64 {
    8 + 16 * grid.points() as u64
}
