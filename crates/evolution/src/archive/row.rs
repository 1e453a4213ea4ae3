//! One individual as it is stored, and its link in the hash chain.

use burgess_creature::evaluation::Side;
use burgess_creature::random::mix_seed;
use burgess_creature::store;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Entry, Individual};
use crate::digest::chained;
use crate::individual::{Id, Operator};
use crate::result::{EvaluationResult, Meeting, OutcomeKind};

/// All columns of an individual except its link, as they are stored.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub id: Id,
    generation: u64,
    operator: String,
    seed: u64,
    pub genome: Vec<u8>,
    opponent: Option<Id>,
    side: Option<u64>,
    outcome: String,
    reason: String,
    fitness: f64,
    parameters: String,
    measures: String,
    descriptors: String,
    steps: u64,
    seconds: f64,
    evaluation: u64,
    parents: Vec<Id>,
    /// Opponents and the fitness of both sides.
    meetings: Vec<(Id, Meeting)>,
}

const COLUMNS: &str =
    "id, generation, operator, seed, genome, opponent, outcome, reason, fitness, parameters, measures,
                       descriptors, steps, seconds, evaluation, side";

impl Row {
    pub fn of(entry: &Entry) -> Self {
        let Entry { id, generation, seed, parameters, birth, result } = entry;
        Self {
            id: *id,
            generation: *generation,
            operator: birth.operator.name().to_string(),
            seed: *seed,
            genome: store::store(&birth.genome),
            opponent: birth.opponents.first().map(|(id, _)| *id),
            side: birth.side.map(|side| side.index() as u64),
            outcome: result.outcome.name().to_string(),
            reason: result.reason.clone(),
            fitness: result.fitness,
            parameters: in_json(parameters),
            measures: in_json(&result.measures),
            descriptors: in_json(&result.descriptors),
            steps: result.steps,
            seconds: result.seconds,
            evaluation: result.hash,
            parents: birth.parents.clone(),
            meetings: birth.opponents.iter().map(|(id, _)| *id).zip(result.meetings.iter().copied()).collect(),
        }
    }

    /// Reads the row of an individual and its link, if it exists.
    pub fn read(database: &Connection, id: Id) -> rusqlite::Result<Option<(Self, u64)>> {
        let columns = format!("SELECT {COLUMNS}, link FROM individuals WHERE id = ?1");
        let row = database.prepare_cached(&columns)?.query_row([id as i64], |row| {
            let row_itself = Self {
                id: whole(row, 0)?,
                generation: whole(row, 1)?,
                operator: row.get(2)?,
                seed: whole(row, 3)?,
                genome: row.get(4)?,
                opponent: row.get::<_, Option<i64>>(5)?.map(|id| id as Id),
                side: row.get::<_, Option<i64>>(15)?.map(|side| side as u64),
                outcome: row.get(6)?,
                reason: row.get(7)?,
                fitness: row.get(8)?,
                parameters: row.get(9)?,
                measures: row.get(10)?,
                descriptors: row.get(11)?,
                steps: whole(row, 12)?,
                seconds: row.get(13)?,
                evaluation: whole(row, 14)?,
                parents: Vec::new(),
                meetings: Vec::new(),
            };
            Ok((row_itself, whole(row, 16)?))
        });
        let Some((mut row, link)) = row.optional()? else { return Ok(None) };
        let mut parents = database.prepare_cached("SELECT parent FROM parents WHERE child = ?1 ORDER BY place")?;
        row.parents = parents.query_map([id as i64], |parent| whole(parent, 0))?.collect::<Result<_, _>>()?;
        if row.side.is_some() {
            row.meetings = read_meetings(database, id)?;
        }
        Ok(Some((row, link)))
    }

    pub fn write(&self, link: u64, transaction: &Connection) -> rusqlite::Result<()> {
        let places = "?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17";
        let insert = format!("INSERT INTO individuals ({COLUMNS}, link) VALUES ({places})");
        transaction.prepare_cached(&insert)?.execute(params![
            self.id as i64,
            self.generation as i64,
            self.operator,
            self.seed as i64,
            self.genome,
            self.opponent.map(|id| id as i64),
            self.outcome,
            self.reason,
            self.fitness,
            self.parameters,
            self.measures,
            self.descriptors,
            self.steps as i64,
            self.seconds,
            self.evaluation as i64,
            self.side.map(|side| side as i64),
            link as i64,
        ])?;
        for (place, parent) in self.parents.iter().enumerate() {
            transaction.prepare_cached("INSERT INTO parents VALUES (?1, ?2, ?3)")?.execute(params![
                self.id as i64,
                place as i64,
                *parent as i64
            ])?;
        }
        for (place, (opponent, meeting)) in self.meetings.iter().enumerate() {
            let insert = "INSERT INTO meetings VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            transaction.prepare_cached(insert)?.execute(params![
                self.id as i64,
                place as i64,
                *opponent as i64,
                meeting.fitness,
                meeting.opponent_fitness,
                meeting.decision().name()
            ])?;
        }
        Ok(())
    }

    /// Hash of all columns and the previous link. What format 3 added counts only in contests, so that the links of other
    /// runs stay the same.
    pub fn link(&self, before: u64) -> u64 {
        let texts = [&self.operator, &self.outcome, &self.reason, &self.parameters, &self.measures, &self.descriptors];
        let link = texts.into_iter().fold(before, |link, text| chained(link, text.as_bytes()));
        let mut words = vec![chained(link, &self.genome), self.id, self.generation, self.seed];
        words.extend([self.opponent.unwrap_or(Id::MAX), self.fitness.to_bits(), self.steps]);
        words.extend([self.seconds.to_bits(), self.evaluation, self.parents.len() as u64]);
        words.extend(&self.parents);
        if let Some(side) = self.side {
            words.extend([side, self.meetings.len() as u64]);
        }
        for (opponent, meeting) in &self.meetings {
            words.extend([*opponent, meeting.fitness.to_bits(), meeting.opponent_fitness.to_bits()]);
        }
        mix_seed(before, &words)
    }

    /// Decodes the row.
    pub fn individual(self) -> Result<Individual, String> {
        Ok(Individual {
            id: self.id,
            generation: self.generation,
            operator: from_json::<Operator>(&format!("\"{}\"", self.operator))?,
            parents: self.parents.clone(),
            opponent: self.opponent,
            side: self.side.map(Side::of_index),
            meetings: self.meetings.clone(),
            seed: self.seed,
            parameters: from_json(&self.parameters)?,
            genome: store::retrieve(&self.genome).map_err(|error| error.to_string())?,
            result: self.result()?,
        })
    }

    /// Decodes the result of the evaluation.
    pub fn result(self) -> Result<EvaluationResult, String> {
        Ok(EvaluationResult {
            outcome: from_json::<OutcomeKind>(&format!("\"{}\"", self.outcome))?,
            reason: self.reason,
            fitness: self.fitness,
            measures: from_json(&self.measures)?,
            descriptors: from_json(&self.descriptors)?,
            steps: self.steps,
            seconds: self.seconds,
            hash: self.evaluation,
            meetings: self.meetings.into_iter().map(|(_, meeting)| meeting).collect(),
        })
    }
}

/// Reads the opponents that an individual met.
fn read_meetings(database: &Connection, id: Id) -> rusqlite::Result<Vec<(Id, Meeting)>> {
    let query = "SELECT opponent, fitness, opponent_fitness FROM meetings WHERE individual = ?1 ORDER BY place";
    let read =
        |row: &rusqlite::Row| Ok((whole(row, 0)?, Meeting { fitness: row.get(1)?, opponent_fitness: row.get(2)? }));
    database.prepare_cached(query)?.query_map([id as i64], read)?.collect()
}

fn whole(row: &rusqlite::Row, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)? as u64)
}

fn in_json<T: Serialize>(value: &T) -> String {
    // Maps of names and finite numbers can always be serialized.
    serde_json::to_string(value).unwrap_or_default()
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
