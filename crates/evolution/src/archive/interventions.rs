//! Interventions in the file of the run. Each row has a hash of its content and of the previous hash (the column
//! `seal`). The link of an individual includes the last such hash before its birth, so interventions are part of the
//! archive's hash.

use std::collections::BTreeMap;

use burgess_creature::random::mix_seed;
use burgess_creature::store;
use rusqlite::{Connection, params};

use super::{Archive, ArchiveError, Individual};
use crate::digest::chained;
use crate::individual::{Id, Operator};
use crate::intervention::{Intervention, Marks, Refusal};
use crate::result::OutcomeKind;

/// An intervention that was recorded.
#[derive(Debug)]
pub(super) struct Recorded {
    /// Id of the birth before which it happened.
    at: Id,
    what: Intervention,
    hash: u64,
}

/// The columns except the number and the hash.
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
            (what, ..) => Err(format!("there is no intervention '{what}'")),
        }
    }

    fn hash(&self, before: u64) -> u64 {
        let bytes = [self.what.as_bytes(), self.genome.as_deref().unwrap_or(&[])];
        let origin = self.origin.as_deref().unwrap_or("").as_bytes();
        let link = bytes.into_iter().chain([origin]).fold(before, chained);
        mix_seed(link, &[self.at, self.one.unwrap_or(Id::MAX), self.other.unwrap_or(Id::MAX)])
    }

    fn write(&self, number: usize, hash: u64, database: &Connection) -> rusqlite::Result<()> {
        let [one, other] = [self.one, self.other].map(|id| id.map(|id| id as i64));
        let row = params![number as i64, self.at as i64, self.what, one, other, self.genome, self.origin, hash as i64];
        let insert = "INSERT INTO interventions (number, at, what, one, other, genome, origin, seal)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        database.execute(insert, row).map(|_| ())
    }
}

/// Reads all rows in order, each with its hash.
fn read(database: &Connection) -> rusqlite::Result<Vec<(Columns, u64)>> {
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
    /// Reads the interventions and verifies their hashes.
    pub(super) fn read_interventions(&mut self) -> Result<(), ArchiveError> {
        let rows = read(&self.database).map_err(|cause| self.failed(cause))?;
        for (number, (columns, stored)) in rows.into_iter().enumerate() {
            let damaged = |what: String| self.damaged(None, format!("intervention {number}: {what}"));
            let (before, last) = self.interventions.last().map_or((0, 0), |last| (last.hash, last.at));
            let hash = columns.hash(before);
            if hash != stored || columns.at < last {
                return Err(damaged("it is not what was written".to_string()));
            }
            let what = columns.intervention().map_err(damaged)?;
            if what.names().iter().any(|id| *id >= columns.at) {
                return Err(damaged("it refers to an individual that was not born yet".to_string()));
            }
            self.interventions.push(Recorded { at: columns.at, what, hash });
        }
        Ok(())
    }

    /// Writes all interventions to another file.
    pub(super) fn write_interventions(&self, database: &Connection) -> rusqlite::Result<()> {
        let write = |(number, Recorded { at, what, hash }): (usize, &Recorded)| {
            Columns::of(*at, what).write(number, *hash, database)
        };
        self.interventions.iter().enumerate().try_for_each(write)
    }

    /// Returns the interventions in order, each with the id of the birth before which it happened.
    pub fn interventions(&self) -> impl Iterator<Item = (Id, &Intervention)> {
        self.interventions.iter().map(|recorded| (recorded.at, &recorded.what))
    }

    /// Returns the individuals that a person has marked.
    pub fn marks(&self) -> Marks {
        let mut marks = Marks::default();
        self.interventions().for_each(|(_, what)| marks.apply(what));
        marks
    }

    /// Returns the individuals that a person has removed, each with the id of the birth before which it happened.
    pub(super) fn removals(&self) -> BTreeMap<Id, Id> {
        let mut removals = BTreeMap::new();
        for (at, what) in self.interventions() {
            if let Intervention::Remove { id } = what {
                removals.entry(*id).or_insert(at);
            }
        }
        removals
    }

    /// Returns the first birth before which an intervention can still be recorded.
    pub fn next_birth(&self) -> Id {
        let after = |last: &Recorded| last.at + u64::from(last.what.is_birth());
        self.interventions.last().map_or(0, after).max(self.count)
    }

    /// Records an intervention before a birth, which must not be earlier than [`next_birth`](Self::next_birth). To
    /// repeat the interventions of another run, record all of them before this run begins.
    pub fn intervene(&mut self, at: Id, what: &Intervention) -> Result<(), ArchiveError> {
        if at < self.next_birth() || what.names().iter().any(|id| *id >= at) {
            return Err(ArchiveError::OutOfOrder(at));
        }
        let columns = Columns::of(at, what);
        let hash = columns.hash(self.interventions.last().map_or(0, |last| last.hash));
        let number = self.interventions.len();
        self.write(|database| columns.write(number, hash, database))?;
        self.interventions.push(Recorded { at, what: what.clone(), hash });
        Ok(())
    }

    /// Marks an individual while no process runs the evolution. Interventions that cause births are refused.
    pub fn mark(&mut self, what: &Intervention) -> Result<Result<(), Refusal>, ArchiveError> {
        if what.is_birth() {
            return Ok(Err(Refusal::Over));
        }
        if let Err(refusal) = self.check_intervention(what, self.count)? {
            return Ok(Err(refusal));
        }
        self.intervene(self.next_birth(), what).map(Ok)
    }

    /// Returns whether an intervention is possible when `count` individuals have been evaluated.
    pub(crate) fn check_intervention(
        &self,
        what: &Intervention,
        count: Id,
    ) -> Result<Result<(), Refusal>, ArchiveError> {
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
            if needs_parents && one.result.outcome != OutcomeKind::Scored {
                return Ok(Err(Refusal::NotScored(id)));
            }
            families.push(one.genome.family());
        }
        match families[..] {
            [one, other] if one != other => Ok(Err(Refusal::Families([one, other]))),
            _ => Ok(Ok(())),
        }
    }

    /// Returns the origin of an immigrant: a file, or a run and an id.
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

    /// Combines a link of the chain with the interventions before a birth.
    pub(super) fn link_with_interventions(&self, link: u64, id: Id) -> u64 {
        let end = self.interventions.partition_point(|recorded| recorded.at <= id);
        match self.interventions[..end].last() {
            Some(last) if last.at == id => mix_seed(link, &[last.hash]),
            _ => link,
        }
    }
}
