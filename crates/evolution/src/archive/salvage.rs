//! Salvage: a copy of an archive with every row that is whole.
//!
//! Rows keep their ids and links. Since a run is a function of its configuration, resuming the copy evaluates the lost
//! individuals again, and the links of the following rows verify that the result is the same.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::create::{Header, create_with};
use super::header::{first_link, header_hash};
use super::survey::{Chain, Found};
use super::{Archive, ArchiveError, Damage};
use crate::Version;
use crate::config::RunConfig;
use crate::individual::Id;

/// Smallest number of bytes of a row, for a bound on the number of rows in a file.
const MIN_ROW_BYTES: u64 = 64;

/// Largest file that is padded, in bytes. The size is read from a file that is damaged.
const MAX_PADDED_BYTES: u64 = 1 << 40;

/// A temporary copy of a file whose end is cut off, with zeros in place of the end. SQLite reads no file that is shorter
/// than its first page says.
struct Padded(PathBuf);

impl Padded {
    /// Copies a file to a place beside `to`, if its end is cut off.
    fn of(from: &Path, to: &Path) -> Option<Self> {
        let whole = bytes_in_header(from)?;
        if std::fs::metadata(from).ok()?.len() >= whole || whole > MAX_PADDED_BYTES || to.exists() {
            return None;
        }
        let padded = Self(PathBuf::from(format!("{}.padded", to.display())));
        // Not `fs::copy`: the copy of a file that is read-only must be writable.
        let mut copy = File::create(&padded.0).ok()?;
        std::io::copy(&mut File::open(from).ok()?, &mut copy).ok()?;
        copy.set_len(whole).ok()?;
        Some(padded)
    }
}

impl Drop for Padded {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The size of an SQLite file by its first page: the size of a page at byte 16 and the number of pages at byte 28, which
/// counts if the numbers of changes at the bytes 24 and 92 agree.
fn bytes_in_header(file: &Path) -> Option<u64> {
    let mut header = [0; 96];
    File::open(file).and_then(|mut file| file.read_exact(&mut header)).ok()?;
    if header[24..28] != header[92..96] {
        return None;
    }
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        bytes => u64::from(bytes),
    };
    let pages = u32::from_be_bytes([header[28], header[29], header[30], header[31]]);
    Some(page * u64::from(pages))
}

/// What a salvage copied.
#[derive(Debug, Clone, PartialEq)]
pub struct Salvaged {
    /// Number of rows that the file had, as far as it can be known.
    pub rows: u64,
    /// Number of rows that were copied.
    pub copied: u64,
    /// What was wrong with the others.
    pub damage: Damage,
    /// Whether interventions were lost.
    pub lost_interventions: bool,
    /// Whether this program can resume the copy.
    pub can_be_resumed: bool,
}

impl Archive {
    /// Copies every row that is whole to a new file.
    pub fn salvage(from: &Path, to: &Path) -> Result<Salvaged, ArchiveError> {
        let connect = |file: &Path| Self::connect_unverified(file, OpenFlags::SQLITE_OPEN_READ_ONLY);
        // A short file may be whole together with its write-ahead log, so it is padded only if it cannot be read.
        let mut padded = None;
        let connected = connect(from).or_else(|error| {
            padded = Padded::of(from, to);
            padded.as_ref().and_then(|padded| connect(&padded.0).ok()).ok_or(error)
        });
        let (mut old, _) = connected?;
        old.file = from.to_path_buf();
        let header = old.salvaged_header()?;
        // The highest id may be on a damaged page.
        if old.count_rows().is_err() {
            let bytes = std::fs::metadata(from).map_err(|cause| ArchiveError::File { file: from.into(), cause })?.len();
            old.count = header.evaluations.min(bytes / MIN_ROW_BYTES);
        }
        let lost_interventions = old.read_interventions().is_err();
        let can_be_resumed = header.program == Version::own().to_string();
        let mut salvaged =
            Salvaged { rows: 0, copied: 0, damage: Damage::default(), lost_interventions, can_be_resumed };
        create_with(to, &header, |new| old.copy_to(new, &mut salvaged))?;
        Ok(salvaged)
    }

    /// Reads the header. If its hash is wrong, the configuration must be the one that the first row was linked to.
    fn salvaged_header(&mut self) -> Result<Header, ArchiveError> {
        let query = "SELECT program, generator, config, seal, evaluations, name FROM run";
        let read = |row: &rusqlite::Row| {
            let header = Header {
                program: row.get(0)?,
                generator: row.get(1)?,
                config: row.get(2)?,
                evaluations: row.get::<_, i64>(4)? as u64,
                name: row.get(5)?,
                founders: Vec::new(),
            };
            Ok((header, row.get::<_, i64>(3)? as u64))
        };
        let (mut header, hash) = self.database.query_row(query, [], read).map_err(|cause| self.failed(cause))?;
        header.founders = self.origins()?;
        self.link = first_link(&header.config, &header.founders);
        let has_hash = header_hash(&header.program, &header.generator, &header.config, &header.founders) == hash;
        let first_is_whole = || matches!(Chain(vec![self.link]).next(self, 0), Found::Whole(..));
        if toml::from_str::<RunConfig>(&header.config).is_err() || !has_hash && !first_is_whole() {
            return Err(self.damaged(None, "its configuration is not the one that was written".to_string()));
        }
        Ok(header)
    }

    /// Copies interventions and rows.
    fn copy_to(&self, new: &Connection, salvaged: &mut Salvaged) -> rusqlite::Result<()> {
        self.write_interventions(new)?;
        let mut chain = Chain(vec![self.link]);
        let mut missing: Vec<Id> = Vec::new();
        for id in 0..self.count {
            let (row, link) = match chain.next(self, id) {
                Found::Whole(row, link) => (row, link),
                Found::Unverified(row, link) => {
                    salvaged.damage.unverified.push(id);
                    (row, link)
                }
                Found::Damaged(what) => {
                    salvaged.damage.damaged.insert(id, what);
                    continue;
                }
                Found::Missing => {
                    missing.push(id);
                    continue;
                }
            };
            row.write(link, new)?;
            salvaged.copied += 1;
            salvaged.damage.missing.append(&mut missing);
            salvaged.rows = id + 1;
        }
        // Ids after the last row exist only if something of them was found.
        let last_damaged = salvaged.damage.damaged.keys().next_back().map_or(0, |id| id + 1);
        salvaged.rows = salvaged.rows.max(last_damaged);
        salvaged.damage.missing.extend(missing.into_iter().filter(|id| *id < last_damaged));
        Ok(())
    }
}
