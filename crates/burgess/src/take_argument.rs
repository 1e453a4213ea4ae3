//! A take named on the command line: a session of the viewer that can be replayed.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use burgess_catalog::RUN_EXTENSION;
use burgess_scene::recording::RecordingReader;
use burgess_server::session::{Library, Source, Take, record_take};

/// The run directory that is used unless a subject is in another one.
pub const RUN_DIRECTORY: &str = "runs";

/// Replays a take and records its motion.
pub fn recording_of_take(path: &Path) -> Result<RecordingReader<Cursor<Vec<u8>>>> {
    record_take(path, &Library::new(directory_of_take(path)?)).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// The run directory of a take of an individual or a recording: the folder of the take if the file is there, otherwise
/// the default one.
pub fn directory_of_take(path: &Path) -> Result<PathBuf> {
    let file = match Take::read(path).map_err(|why| anyhow!(why))?.source {
        Source::Individual { run, .. } => format!("{run}.{RUN_EXTENSION}"),
        Source::Recording { name } => name,
        _ => return Ok(PathBuf::from(RUN_DIRECTORY)),
    };
    let folder = crate::page::folder_of(path)?;
    Ok(if folder.join(file).exists() { folder } else { PathBuf::from(RUN_DIRECTORY) })
}
