//! Readers of flow fields of other programs: image data of VTK, in the legacy and the XML format.

mod legacy;
mod vti;
mod vti_data;

use thiserror::Error;

use crate::field::{FieldError, FlowField, check};
use crate::fourier::pressure_of;
use crate::grid::{Grid, GridError};

/// Largest file, in bytes.
pub const MAX_FILE_BYTES: u64 = 4 << 30;

/// Why a file cannot be read, with its name and the place of the fault.
#[derive(Debug, Error)]
#[error("{file}: {place}{fault}")]
pub struct ReadError {
    /// Name of the file.
    pub file: String,
    /// Line, byte or array, followed by a colon and a space; empty for the whole file.
    pub place: String,
    /// What is wrong.
    pub fault: ReadFault,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum ReadFault {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The file is too long.
    #[error("has {0} bytes; at most {MAX_FILE_BYTES} are allowed")]
    TooLong(u64),
    /// The format is not known.
    #[error("is not image data of VTK; expected a legacy .vtk file or a .vti file")]
    OtherKind,
    /// The file ends too early.
    #[error("the file ends here; expected {0}")]
    Truncated(String),
    /// Something else is expected.
    #[error("found {found}; expected {expected}")]
    Unexpected {
        /// What was found.
        found: String,
        /// What is expected.
        expected: String,
    },
    /// There is no velocity.
    #[error("has no velocity; expected an array of 3 components at the points, such as one named 'velocity'")]
    NoVelocity,
    /// The grid is not valid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The values are not valid.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// A place in a file.
pub(crate) struct Place {
    text: String,
    fault: ReadFault,
}

impl Place {
    fn line(line: usize, fault: impl Into<ReadFault>) -> Self {
        Self { text: format!("line {line}: "), fault: fault.into() }
    }

    fn whole(fault: impl Into<ReadFault>) -> Self {
        Self { text: String::new(), fault: fault.into() }
    }
}

fn unexpected(found: impl Into<String>, expected: impl Into<String>) -> ReadFault {
    ReadFault::Unexpected { found: shortened(&found.into()), expected: expected.into() }
}

/// A quoted word of a message, of bounded length.
fn shortened(text: &str) -> String {
    if text.is_empty() {
        return "nothing".to_string();
    }
    let short: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().nth(40).is_some() { format!("'{short}...'") } else { format!("'{short}'") }
}

/// Values of a file before they are checked.
pub(crate) struct RawField {
    grid: Grid,
    time: Option<f64>,
    velocity: [Vec<f32>; 3],
    pressure: Option<Vec<f32>>,
}

/// Reads image data of VTK from bytes. `step` is the time if the file names none. `periodic` says which axes continue
/// at their other end. Without a pressure in the file, that of the velocity is computed.
pub fn read_image(bytes: &[u8], file: &str, step: usize, periodic: [bool; 3]) -> Result<FlowField, ReadError> {
    let is_xml = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<');
    let raw = if is_xml { vti::parse(bytes, periodic) } else { legacy::parse(bytes, periodic) };
    let field = raw.and_then(|raw| {
        let RawField { grid, time, velocity, pressure } = raw;
        let pressure = match pressure {
            Some(pressure) => pressure,
            None => {
                for values in &velocity {
                    check(&grid, "the velocity", values).map_err(Place::whole)?;
                }
                let double = |axis: usize| velocity[axis].iter().map(|value| f64::from(*value)).collect::<Vec<f64>>();
                pressure_of(&grid, &[double(0), double(1), double(2)]).iter().map(|value| *value as f32).collect()
            }
        };
        FlowField::new(grid, time.unwrap_or(step as f64), velocity, pressure).map_err(Place::whole)
    });
    field.map_err(|place| ReadError { file: file.to_string(), place: place.text, fault: place.fault })
}

/// Whether a name is usual for a velocity.
fn is_velocity(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["velocity", "vel", "u", "v", "uvw"].contains(&name.as_str())
}

/// Whether a name is usual for a pressure.
fn is_pressure(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["pressure", "p", "pres"].contains(&name.as_str())
}

/// Splits triples into three arrays.
fn components(values: &[f32]) -> [Vec<f32>; 3] {
    [0, 1, 2].map(|axis| values.iter().skip(axis).step_by(3).copied().collect())
}
