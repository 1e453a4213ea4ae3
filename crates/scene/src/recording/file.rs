//! Recordings in files.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use burgess_files::sync_folder;
use burgess_geometry::Pose;

use super::{RecordingError, RecordingHeader, RecordingReader, RecordingWriter};

/// Writes a recording to a file. Until it is finished the file's name has `.part` added; it is left as it is, and can
/// be read, if it never is.
#[derive(Debug)]
pub struct FileRecorder {
    writer: RecordingWriter<BufWriter<File>>,
    part: PathBuf,
    path: PathBuf,
}

impl FileRecorder {
    /// Begins a recording. Refused if there is an unfinished one of the same name.
    pub fn create(path: impl AsRef<Path>, header: RecordingHeader) -> Result<Self, RecordingError> {
        let path = path.as_ref().to_path_buf();
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create_new(&part).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => RecordingError::Unfinished(part.display().to_string()),
            _ => error.into(),
        })?;
        match RecordingWriter::new(BufWriter::new(file), header) {
            Ok(writer) => Ok(Self { writer, part, path }),
            Err(error) => {
                // Nothing is in it yet; the first error is the one to tell.
                let _ = std::fs::remove_file(&part);
                Err(error)
            }
        }
    }

    /// Adds a frame: time in s, poses and statistics in the order of the head.
    pub fn frame(&mut self, time: f64, poses: &[Pose], statistics: &[f64]) -> Result<(), RecordingError> {
        self.writer.frame(time, poses, statistics)
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.writer.frames()
    }

    /// Writes what has been gathered: from here on it survives the end of the program.
    pub fn flush(&mut self) -> Result<(), RecordingError> {
        self.writer.flush()
    }

    /// Writes the index and gives the file its name.
    pub fn finish(self) -> Result<(), RecordingError> {
        let file = self.writer.finish()?.into_inner().map_err(|error| error.into_error())?;
        file.sync_all()?;
        std::fs::rename(&self.part, &self.path)?;
        sync_folder(&self.path);
        Ok(())
    }
}

impl RecordingReader<BufReader<File>> {
    /// Opens a recording, finished or not.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}
