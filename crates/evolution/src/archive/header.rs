//! The header of an archive: the program that wrote it, the configuration and the founders. It is written once, with
//! a hash of all of it (the column `seal`).

use burgess_creature::{AnyGenome, store};

use super::{Archive, ArchiveError};
use crate::Version;
use crate::breeder::Child;
use crate::champions::ChampionSettings;
use crate::config::RunConfig;
use crate::digest::chained;
use crate::individual::Operator;

/// SQLite's application id for files of this program ('Brgs').
pub(super) const APPLICATION_ID: i64 = 0x4272_6773;

/// An individual of the first generation that comes from a file or from another run.
#[derive(Debug, Clone, PartialEq)]
pub struct Founder {
    /// Genome of the founder.
    pub genome: AnyGenome,
    /// Source: a file, or a run and the individual's number in it.
    pub origin: String,
}

/// Hash of everything that is written before the first individual.
pub(super) fn header_hash(program: &str, generator: &str, config: &str, founders: &[Founder]) -> u64 {
    let head = [program, generator, config].into_iter().fold(0, |link, text| chained(link, text.as_bytes()));
    let founder =
        |link, founder: &Founder| chained(chained(link, &store::store(&founder.genome)), founder.origin.as_bytes());
    founders.iter().fold(head, founder)
}

/// First link of the chain: a hash of the configuration and the founders.
pub(super) fn first_link(config: &str, founders: &[Founder]) -> u64 {
    let config = chained(0, config.as_bytes());
    founders.iter().fold(config, |link, founder| chained(link, &store::store(&founder.genome)))
}

impl Archive {
    /// Verifies the hash of the header, and starts the chain with it.
    pub(super) fn verify_header(&mut self) -> Result<(), ArchiveError> {
        let query = "SELECT program, generator, config, seal FROM run";
        let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, i64>(3)?));
        let header: (String, String, String, i64) =
            self.database.query_row(query, [], read).map_err(|cause| self.failed(cause))?;
        let (program, generator, config, hash) = header;
        let founders = self.origins()?;
        if header_hash(&program, &generator, &config, &founders) != hash as u64 {
            return Err(self.damaged(None, "its header is not the one that was written".to_string()));
        }
        self.link = first_link(&config, &founders);
        Ok(())
    }

    /// Verifies that this program computes the same bits as the one that wrote the file.
    ///
    /// Computing the version is slow, so it is done only before writing.
    pub(super) fn verify_program(&self) -> Result<(), ArchiveError> {
        let (found, own) = (self.program()?, Version::own().to_string());
        if found != own {
            return Err(ArchiveError::Program { file: self.file.clone(), found, own });
        }
        Ok(())
    }

    /// Version of the program that wrote the file, as [`Version`] displays it.
    pub fn program(&self) -> Result<String, ArchiveError> {
        self.header_text("program")
    }

    /// A random name that identifies the run wherever its file is moved. It is not part of the hash.
    pub fn name(&self) -> Result<String, ArchiveError> {
        self.header_text("name")
    }

    fn header_text(&self, column: &str) -> Result<String, ArchiveError> {
        let text = self.database.query_row(&format!("SELECT {column} FROM run"), [], |row| row.get(0));
        text.map_err(|cause| self.failed(cause))
    }

    /// Configuration of the run.
    pub fn config(&self) -> Result<RunConfig, ArchiveError> {
        let damaged = |error| self.damaged(None, format!("its configuration cannot be read: {error}"));
        let text = self.header_text("config")?;
        let mut config: RunConfig = toml::from_str(&text).map_err(damaged)?;
        // Files of versions without retests do not mention them.
        if !text.parse::<toml::Table>().map_err(damaged)?.contains_key("champions") {
            config.champions = ChampionSettings::NONE;
        }
        let evaluations = self.database.query_row("SELECT evaluations FROM run", [], |row| row.get::<_, i64>(0));
        let evaluations = evaluations.map_err(|cause| self.failed(cause))? as u64;
        if evaluations < self.count {
            return Err(
                self.damaged(None, format!("it was set up for {evaluations} individuals and has {}", self.count))
            );
        }
        Ok(RunConfig { evaluations, ..config })
    }

    /// Changes how many individuals the run evaluates in all. The last births of a run are retests; they are removed,
    /// so that an extended run is the same as a longer run. This must happen before the run continues.
    pub fn extend(&mut self, evaluations: u64) -> Result<(), ArchiveError> {
        let config = self.config()?;
        let kept = config.champions.final_start(config.evaluations);
        let removes = evaluations != config.evaluations && self.count > kept;
        self.write(|database| {
            let transaction = database.transaction()?;
            if removes {
                transaction.execute("DELETE FROM parents WHERE child >= ?1", [kept as i64])?;
                transaction.execute("DELETE FROM meetings WHERE individual >= ?1", [kept as i64])?;
                transaction.execute("DELETE FROM individuals WHERE id >= ?1", [kept as i64])?;
            }
            transaction.execute("UPDATE run SET evaluations = ?1", [evaluations as i64])?;
            transaction.commit()
        })?;
        if removes {
            // The chain is checked again from its start.
            (self.count, self.checked) = (kept, 0);
            self.missing.retain(|id| *id < kept);
            self.verify_header()?;
        }
        Ok(())
    }

    /// Founders of the first generation, as births.
    pub fn founders(&self) -> Result<Vec<Child>, ArchiveError> {
        let immigrant = |Founder { genome, .. }| Child { genome, parents: Vec::new(), operator: Operator::Immigrant };
        Ok(self.origins()?.into_iter().map(immigrant).collect())
    }

    /// Founders of the first generation, with their origins.
    pub fn origins(&self) -> Result<Vec<Founder>, ArchiveError> {
        let read = || -> rusqlite::Result<Vec<(Vec<u8>, String)>> {
            let mut statement = self.database.prepare("SELECT genome, origin FROM founders ORDER BY number")?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let founder = |(bytes, origin): (Vec<u8>, String)| {
            let damaged = |error| self.damaged(None, format!("the founder from {origin} cannot be read: {error}"));
            Ok(Founder { genome: store::retrieve(&bytes).map_err(damaged)?, origin })
        };
        read().map_err(|cause| self.failed(cause))?.into_iter().map(founder).collect()
    }
}
