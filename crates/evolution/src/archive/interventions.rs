//! What a person did to the run, in the run's file. The table is there once anybody did anything. Every row is sealed over its contents and the
//! seal before, and the link of an individual goes over the last seal before its birth: what was done is a part of the hash.

use burgess_creature::random::mix_seed;
use burgess_creature::store;
use rusqlite::{Connection, params};

use super::{Archive, ArchiveError, Individual};
use crate::digest::chained;
use crate::individual::{Id, Operator};
use crate::intervention::{Intervention, Marks, Refusal};
use crate::result::Ending;

const TABLE: &str = "CREATE TABLE IF NOT EXISTS interventions (
  number INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT NULL, one INTEGER, other INTEGER, genome BLOB,
  origin TEXT, seal INTEGER NOT NULL)";

/// Something that was done.
#[derive(Debug)]
pub(super) struct Recorded {
    /// Before which birth.
    at: Id,
    what: Intervention,
    seal: u64,
}

/// The columns, but for the number and the seal.
#[derive(Debug, Default)]
struct Columns {
    at: Id,
    what: String,
    one: Option<Id>,
    other: Option<Id>,
    genome: Option<Vec<u8>>,
    origin: Option<String>,
}

impl Columns {
    fn of(at: Id, what: &Intervention) -> Self {
        let named = |what: &str, one, other| Self { at, what: what.to_string(), one, other, ..Self::default() };
        match what {
            Intervention::Favourite { id, on: true } => named("favourite", Some(*id), None),
            Intervention::Favourite { id, on: false } => named("no_favourite", Some(*id), None),
            Intervention::Remove { id } => named("remove", Some(*id), None),
            Intervention::Breed { parents: [one, other] } => named("breed", Some(*one), Some(*other)),
            Intervention::Join { genome, origin } => {
                Self { genome: Some(store::store(genome)), origin: Some(origin.clone()), ..named("join", None, None) }
            }
        }
    }

    fn intervention(&self) -> Result<Intervention, String> {
        match (self.what.as_str(), self.one, self.other, &self.genome, &self.origin) {
            ("favourite", Some(id), None, None, None) => Ok(Intervention::Favourite { id, on: true }),
            ("no_favourite", Some(id), None, None, None) => Ok(Intervention::Favourite { id, on: false }),
            ("remove", Some(id), None, None, None) => Ok(Intervention::Remove { id }),
            ("breed", Some(one), Some(other), None, None) => Ok(Intervention::Breed { parents: [one, other] }),
            ("join", None, None, Some(genome), Some(origin)) => {
                let genome = store::retrieve(genome).map_err(|error| error.to_string())?;
                Ok(Intervention::Join { genome, origin: origin.clone() })
            }
            (what, ..) => Err(format!("nobody knows how to '{what}'")),
        }
    }

    fn seal(&self, before: u64) -> u64 {
        let bytes = [self.what.as_bytes(), self.genome.as_deref().unwrap_or(&[])];
        let origin = self.origin.as_deref().unwrap_or("").as_bytes();
        let link = bytes.into_iter().chain([origin]).fold(before, chained);
        mix_seed(link, &[self.at, self.one.unwrap_or(Id::MAX), self.other.unwrap_or(Id::MAX)])
    }

    fn write(&self, number: usize, seal: u64, database: &Connection) -> rusqlite::Result<()> {
        let [one, other] = [self.one, self.other].map(|id| id.map(|id| id as i64));
        let row = params![number as i64, self.at as i64, self.what, one, other, self.genome, self.origin, seal as i64];
        database.execute("INSERT INTO interventions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", row).map(|_| ())
    }
}

/// All rows in order, each with its seal.
fn read(database: &Connection) -> rusqlite::Result<Vec<(Columns, u64)>> {
    let there = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'interventions'";
    if database.query_row(there, [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(Vec::new());
    }
    let query = "SELECT at, what, one, other, genome, origin, seal FROM interventions ORDER BY number";
    let mut statement = database.prepare(query)?;
    let rows = statement.query_map([], |row| {
        let number = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(|id| id as Id));
        let columns = Columns {
            at: row.get::<_, i64>(0)? as Id,
            what: row.get(1)?,
            one: number(2)?,
            other: number(3)?,
            genome: row.get(4)?,
            origin: row.get(5)?,
        };
        Ok((columns, row.get::<_, i64>(6)? as u64))
    })?;
    rows.collect()
}

impl Archive {
    /// Reads what was done, and checks the seals.
    pub(super) fn read_interventions(&mut self) -> Result<(), ArchiveError> {
        let rows = read(&self.database).map_err(|source| self.failed(source))?;
        for (number, (columns, kept)) in rows.into_iter().enumerate() {
            let damaged =
                |what: String| self.damaged(None, format!("number {number} of what was done by hand: {what}"));
            let (before, last) = self.interventions.last().map_or((0, 0), |last| (last.seal, last.at));
            let seal = columns.seal(before);
            if seal != kept || columns.at < last {
                return Err(damaged("it is not what was written".to_string()));
            }
            let what = columns.intervention().map_err(damaged)?;
            if what.names().iter().any(|id| *id >= columns.at) {
                return Err(damaged("it is about somebody who was not born".to_string()));
            }
            self.interventions.push(Recorded { at: columns.at, what, seal });
        }
        Ok(())
    }

    /// What a person did, each with the number of the birth before which it was done, in order.
    pub fn interventions(&self) -> impl Iterator<Item = (Id, &Intervention)> {
        self.interventions.iter().map(|recorded| (recorded.at, &recorded.what))
    }

    /// Whom a person has marked.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        self.interventions().for_each(|(_, what)| marks.note(what));
        marks
    }

    /// The first birth before which anything can still be done, as far as the file knows.
    pub fn next_birth(&self) -> Id {
        let after = |last: &Recorded| last.at + u64::from(last.what.is_birth());
        self.interventions.last().map_or(0, after).max(self.count)
    }

    /// Writes down that something is done before a birth, which is not before [any that is in the file](Self::next_birth). To do
    /// again what was done to another run, this is given all of it before the run begins.
    pub fn intervene(&mut self, at: Id, what: &Intervention) -> Result<(), ArchiveError> {
        if at < self.next_birth() || what.names().iter().any(|id| *id >= at) {
            return Err(ArchiveError::OutOfOrder(at));
        }
        let columns = Columns::of(at, what);
        let seal = columns.seal(self.interventions.last().map_or(0, |last| last.seal));
        let number = self.interventions.len();
        let mut write = || -> rusqlite::Result<()> {
            let transaction = self.database.transaction()?;
            transaction.execute_batch(TABLE)?;
            columns.write(number, seal, &transaction)?;
            transaction.commit()
        };
        write().map_err(|source| self.failed(source))?;
        self.interventions.push(Recorded { at, what: what.clone(), seal });
        Ok(())
    }

    /// Marks somebody while nobody is at work on the run. Births are the run's own business.
    pub fn mark(&mut self, what: &Intervention) -> Result<Result<(), Refusal>, ArchiveError> {
        if what.is_birth() {
            return Ok(Err(Refusal::Over));
        }
        if let Err(refusal) = self.may(what, self.count)? {
            return Ok(Err(refusal));
        }
        self.intervene(self.next_birth(), what).map(Ok)
    }

    /// Can this be done to those it is about, when so many have been evaluated?
    pub(crate) fn may(&self, what: &Intervention, count: Id) -> Result<Result<(), Refusal>, ArchiveError> {
        let marks = self.marks();
        let needs_parents = !matches!(what, Intervention::Favourite { on: false, .. } | Intervention::Remove { .. });
        let mut families = Vec::new();
        for &id in what.names() {
            if id >= count {
                return Ok(Err(Refusal::Unknown { id, count }));
            }
            if marks.removed.contains(&id) {
                return Ok(Err(Refusal::Removed(id)));
            }
            let one = self.individual(id)?;
            if needs_parents && one.result.outcome != Ending::Scored {
                return Ok(Err(Refusal::NotScored(id)));
            }
            families.push(one.genome.family());
        }
        match families[..] {
            [one, other] if one != other => Ok(Err(Refusal::Families([one, other]))),
            _ => Ok(Ok(())),
        }
    }

    /// Where an immigrant came from.
    pub fn origin_of(&self, one: &Individual) -> Result<Option<String>, ArchiveError> {
        if one.operator != Operator::Immigrant {
            return Ok(None);
        }
        let joined = self.interventions().find_map(|(at, what)| match what {
            Intervention::Join { origin, .. } if at == one.id => Some(origin.clone()),
            _ => None,
        });
        if joined.is_some() {
            return Ok(joined);
        }
        Ok(self.origins()?.into_iter().find(|founder| founder.genome == one.genome).map(|founder| founder.origin))
    }

    /// A link of the chain with what was done before a birth.
    pub(super) fn steered(&self, link: u64, id: Id) -> u64 {
        let end = self.interventions.partition_point(|recorded| recorded.at <= id);
        match self.interventions[..end].last() {
            Some(last) if last.at == id => mix_seed(link, &[last.seal]),
            _ => link,
        }
    }
}
