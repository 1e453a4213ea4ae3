//! The index of runs: what is listed about each run. A file is read again only when it has changed, which its size and
//! its time of modification and those of its write-ahead log tell. Other files of the run directory are ignored.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use burgess_catalog::RUN_EXTENSION;
use burgess_evolution::{Archive, ArchiveError};

use super::list::{Entry, RunState};
use super::run_directory::locked;
use crate::hub::Hub;
use crate::session::LibraryError;

/// Maximum number of files that are examined.
const MAX_FILES: usize = 40_000;
/// A file that was modified less than this time before it was read is read again: it may have changed once more within
/// the resolution of the file system's clock.
const SETTLING_TIME: Duration = Duration::from_secs(1);

/// Size and time of modification of a file.
type Modified = (u64, Option<SystemTime>);

/// The state of the files of a run. It changes whenever the run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FileState {
    archive: Modified,
    /// State of the write-ahead log, if there is one.
    log: Option<Modified>,
}

impl FileState {
    /// The state of the files of a run.
    pub fn of(archive: &Path) -> Option<Self> {
        let log = archive.with_extension(format!("{RUN_EXTENSION}-wal"));
        Some(Self { archive: modified(archive)?, log: modified(&log) })
    }

    fn newest(&self) -> Option<SystemTime> {
        self.archive.1.max(self.log.and_then(|log| log.1))
    }
}

fn modified(file: &Path) -> Option<Modified> {
    let found = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    Some((found.len(), found.modified().ok()))
}

/// A run that was read.
#[derive(Debug)]
struct Known {
    files: FileState,
    is_settled: bool,
    entry: Arc<Entry>,
}

/// What is known about the runs of a directory.
#[derive(Debug, Default)]
pub(super) struct RunIndex {
    known: Mutex<BTreeMap<String, Known>>,
    /// Number of changes of the entries so far.
    changes: AtomicU64,
    /// Held while files are read, so that no file is read twice.
    reading: Mutex<()>,
    /// Whether a thread reads all files that have changed.
    is_reading: AtomicBool,
}

/// The runs of a directory at one moment.
#[derive(Debug)]
pub(super) struct Listing {
    /// Identifies the content.
    pub version: String,
    /// The runs, sorted by name.
    pub runs: Vec<Entry>,
    /// Number of runs that are new or have changed and were not read yet.
    pub unread: usize,
}

impl RunIndex {
    /// Names of the runs that are new or have changed. Runs whose files are gone are forgotten.
    fn unread(&self, files: &BTreeMap<String, FileState>) -> Vec<String> {
        let mut known = locked(&self.known);
        known.retain(|name, _| files.contains_key(name));
        let is_read = |name: &String, state: &FileState| {
            known.get(name).is_some_and(|known| known.is_settled && known.files == *state)
        };
        files.iter().filter(|(name, state)| !is_read(name, state)).map(|(name, _)| name.clone()).collect()
    }

    fn keep(&self, name: &str, files: FileState, entry: Option<Entry>) {
        let mut known = locked(&self.known);
        if known.get(name).map(|known| &*known.entry) != entry.as_ref() {
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
        let Some(entry) = entry else {
            known.remove(name);
            return;
        };
        // A time in the future does not pass by waiting.
        let age = files.newest().and_then(|newest| newest.elapsed().ok());
        let is_settled = age.is_none_or(|age| age > SETTLING_TIME);
        known.insert(name.to_string(), Known { files, is_settled, entry: Arc::new(entry) });
    }
}

impl Hub {
    /// Lists all runs. At most `most` files are read for it; if more have changed, none is, and the list has what was
    /// known before.
    pub(super) fn list_runs(&self, most: usize) -> Listing {
        let index = &self.runs.index;
        let mut files = run_files(self.folder());
        let mut unread = index.unread(&files);
        if !unread.is_empty() && unread.len() <= most {
            let _lock = locked(&index.reading);
            // Another thread may have read some of them meanwhile.
            for name in index.unread(&files) {
                self.read_into_index(&name, &mut files);
            }
            unread.clear();
        }
        let known = locked(&index.known);
        let version = self.version_of(&files, unread.len());
        let runs = known.iter().map(|(name, known)| {
            let state = self.runs.live(name).map_or(known.entry.state, |live| live.state());
            Entry { state, ..Entry::clone(&known.entry) }
        });
        Listing { version, runs: runs.collect(), unread: unread.len() }
    }

    /// Identifies the content of the list of runs. No file is read.
    pub(crate) fn version_of_runs(&self) -> String {
        let files = run_files(self.folder());
        self.version_of(&files, self.runs.index.unread(&files).len())
    }

    fn version_of(&self, files: &BTreeMap<String, FileState>, unread: usize) -> String {
        let mut hasher = DefaultHasher::new();
        (unread, self.runs.index.changes.load(Ordering::Relaxed)).hash(&mut hasher);
        for (name, state) in files {
            let live = self.runs.live(name).map(|live| live.state() == RunState::Paused);
            (name, state, live).hash(&mut hasher);
        }
        format!("{:016x}", hasher.finish())
    }

    /// Reads all runs that are new or have changed, on a thread of its own.
    pub fn read_runs_in_background(self: &Arc<Self>) {
        let is_reading = &self.runs.index.is_reading;
        if is_reading.swap(true, Ordering::AcqRel) {
            return;
        }
        let hub = Arc::clone(self);
        let work = move || {
            hub.read_all_runs();
            hub.runs.index.is_reading.store(false, Ordering::Release);
        };
        if std::thread::Builder::new().name("burgess-index".to_string()).spawn(work).is_err() {
            is_reading.store(false, Ordering::Release);
        }
    }

    /// Reads all runs that are new or have changed, and once more those that were still new then.
    fn read_all_runs(&self) {
        for _ in 0..2 {
            let mut files = run_files(self.folder());
            for name in self.runs.index.unread(&files) {
                if *self.closing().borrow() {
                    return;
                }
                let _lock = locked(&self.runs.index.reading);
                self.read_into_index(&name, &mut files);
            }
            if self.runs.index.unread(&files).is_empty() {
                return;
            }
            std::thread::sleep(SETTLING_TIME);
        }
    }

    /// Reads a run into the index. `files` gets the state that was read, or loses the run if its file is gone.
    fn read_into_index(&self, name: &str, files: &mut BTreeMap<String, FileState>) {
        // The state is taken before the content: a later change is then noticed.
        let state = FileState::of(&self.folder().join(format!("{name}.{RUN_EXTENSION}")));
        let Some(state) = state else {
            files.remove(name);
            return self.runs.index.keep(name, FileState { archive: (0, None), log: None }, None);
        };
        let entry = self.read_entry(name).map(|entry| {
            let modified = state.newest().and_then(|newest| newest.duration_since(UNIX_EPOCH).ok());
            Entry { modified: modified.map(|since| since.as_secs()), ..entry }
        });
        if entry.is_some() {
            files.insert(name.to_string(), state);
        } else {
            files.remove(name);
        }
        self.runs.index.keep(name, state, entry);
    }

    /// Describes a run, or says why it cannot be read; none if its file is gone.
    fn read_entry(&self, name: &str) -> Option<Entry> {
        let file = match self.library.run(name) {
            Ok(file) => file,
            Err(LibraryError::Missing { .. }) => return None,
            Err(error) => return Some(Entry::unreadable(name, error.to_string())),
        };
        let read = Archive::open_read_only(&file).and_then(|archive| Entry::of(self, name, &archive));
        match read {
            Ok((entry, _)) => Some(entry),
            Err(ArchiveError::Missing(_)) => None,
            Err(error) => Some(Entry::unreadable(name, self.guard.hide_folder(&error.to_string()))),
        }
    }
}

/// The names of the runs in a folder and the state of their files; none if the folder is missing.
fn run_files(folder: &Path) -> BTreeMap<String, FileState> {
    let extension = format!(".{RUN_EXTENSION}");
    let found = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
    let names = found.filter_map(|file| {
        let name = file.file_name().into_string().ok()?;
        name.strip_suffix(&extension).filter(|name| !name.is_empty() && !name.starts_with('.')).map(String::from)
    });
    names
        .filter_map(|name| FileState::of(&folder.join(format!("{name}{extension}"))).map(|state| (name, state)))
        .collect()
}
