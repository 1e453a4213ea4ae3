//! The fields that `burgess flow extract` reads: one file of Burgess, or image data of VTK with one file per step.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use burgess_flow::field::FlowField;
use burgess_flow::field_file::{FieldFileError, FieldReader};
use burgess_flow::pipeline::FlowInfo;
use burgess_flow::read::{MAX_FILE_BYTES, ReadFault, read_image};

/// Fields of a flow.
pub(super) enum Source {
    /// A file of `burgess flow make`.
    Fields { path: PathBuf, info: FlowInfo, steps: usize },
    /// Image data, one file per step.
    Images { paths: Vec<PathBuf>, periodic: [bool; 3] },
}

impl Source {
    /// Finds out what the files are.
    pub(super) fn open(paths: &[PathBuf], periodic: Option<[bool; 3]>) -> Result<Self> {
        let [path] = paths else { return Ok(Self::images(paths, periodic)) };
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("{shown}: cannot be read"))?;
        match FieldReader::new(file) {
            Ok(_) if periodic.is_some() => bail!("--periodic applies to files of VTK only, and {shown} is none"),
            Ok(reader) => {
                let header = reader.header().clone();
                let info = FlowInfo { name: header.flow, wall: header.wall, wind: header.wind };
                Ok(Self::Fields { path: path.clone(), info, steps: header.steps })
            }
            Err(FieldFileError::OtherKind) => Ok(Self::images(paths, periodic)),
            Err(error) => bail!("{shown}: {error}"),
        }
    }

    fn images(paths: &[PathBuf], periodic: Option<[bool; 3]>) -> Self {
        Self::Images { paths: paths.to_vec(), periodic: periodic.unwrap_or_default() }
    }

    pub(super) fn steps(&self) -> usize {
        match self {
            Self::Fields { steps, .. } => *steps,
            Self::Images { paths, .. } => paths.len(),
        }
    }

    pub(super) fn info(&self) -> FlowInfo {
        match self {
            Self::Fields { info, .. } => info.clone(),
            Self::Images { paths, .. } => {
                let stem = paths.first().and_then(|path| path.file_stem()).unwrap_or_default();
                FlowInfo { name: stem.to_string_lossy().into_owned(), wall: false, wind: [0.0; 3] }
            }
        }
    }

    /// Reads one step.
    pub(super) fn load(&self, step: usize) -> Result<FlowField> {
        match self {
            Self::Fields { path, .. } => {
                let read = || FieldReader::new(File::open(path)?)?.read(step);
                read().map_err(|error: FieldFileError| anyhow!("{}: {error}", path.display()))
            }
            Self::Images { paths, periodic } => {
                let path = &paths[step];
                let name = path.display().to_string();
                let bytes = bounded_bytes(path).map_err(|fault| anyhow!("{name}: {fault}"))?;
                Ok(read_image(&bytes, &name, step, *periodic)?)
            }
        }
    }

    /// The error for a step whose grid is another one.
    pub(super) fn grids_differ(&self, step: usize) -> anyhow::Error {
        let name = match self {
            Self::Fields { path, .. } => path.display().to_string(),
            Self::Images { paths, .. } => paths[step].display().to_string(),
        };
        anyhow!("{name}: the grid of step {step} differs from that of step 0; all steps must have the same grid")
    }
}

fn bounded_bytes(path: &Path) -> Result<Vec<u8>, ReadFault> {
    let length = std::fs::metadata(path)?.len();
    if length > MAX_FILE_BYTES {
        return Err(ReadFault::TooLong(length));
    }
    Ok(std::fs::read(path)?)
}
