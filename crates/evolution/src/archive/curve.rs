//! Learning curves: statistics of each generation.
//!
//! Diversity is the root mean square distance of two individuals of a generation in the space of descriptors. Each
//! descriptor is scaled to 0..1 over its range in the whole run, and the distance is divided by the diagonal. No pairs
//! are needed, because
//!
//! ```text
//!   mean |x - y|^2 = 2 sum over descriptors of the variance
//! ```

use std::collections::BTreeMap;

use burgess_creature::evaluation::Descriptors;

use super::{Archive, ArchiveError};
use crate::result::OutcomeKind;

const NAMES: [&str; 7] = Descriptors::NAMES;

/// Statistics of a generation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenerationSummary {
    /// Number of the generation, from 0.
    pub generation: u64,
    /// Number of births.
    pub born: usize,
    /// Number of individuals with a fitness.
    pub scored: usize,
    /// Best fitness. This and the quartiles are 0 if no individual was scored.
    pub best: f64,
    /// Fitness that a quarter of the scored individuals exceed.
    pub upper_quartile: f64,
    /// Median fitness.
    pub median: f64,
    /// Fitness that three quarters of the scored individuals exceed.
    pub lower_quartile: f64,
    /// Diversity: 0 if all are alike, 0.7 if the halves are at opposite corners of the descriptor space.
    pub diversity: f64,
    /// Whether the task or its parameters differ from those of the previous generation, so that fitness cannot be
    /// compared with earlier generations.
    pub is_new_task: bool,
}

/// Accumulated statistics of a generation.
#[derive(Default)]
struct Accumulator {
    generation: u64,
    born: usize,
    /// Fitness of the scored individuals, the best first.
    fitness: Vec<f64>,
    means: [f64; NAMES.len()],
    /// Sums of squared deviations from the means (Welford).
    squares: [f64; NAMES.len()],
    /// First birth of the stages with the same task, and the parameters of the task.
    task: (u64, String),
    is_new_task: bool,
}

impl Accumulator {
    fn add(&mut self, fitness: f64, values: &[f64; NAMES.len()]) {
        self.fitness.push(fitness);
        let count = self.fitness.len() as f64;
        for ((mean, square), value) in self.means.iter_mut().zip(&mut self.squares).zip(values) {
            let before = value - *mean;
            *mean += before / count;
            *square += before * (value - *mean);
        }
    }

    fn summary(&self, ranges: &[[f64; 2]; NAMES.len()]) -> GenerationSummary {
        let fitness = &self.fitness;
        let at = |share: f64| fitness.get((share * (fitness.len().max(1) - 1) as f64) as usize).copied().unwrap_or(0.0);
        let shares = self.squares.iter().zip(ranges).map(|(square, [low, high])| {
            let range = high - low;
            if range > 0.0 { square / fitness.len().max(1) as f64 / (range * range) } else { 0.0 }
        });
        GenerationSummary {
            generation: self.generation,
            born: self.born,
            scored: fitness.len(),
            best: at(0.0),
            upper_quartile: at(0.25),
            median: at(0.5),
            lower_quartile: at(0.75),
            diversity: libm::sqrt(2.0 * shares.sum::<f64>() / NAMES.len() as f64),
            is_new_task: self.is_new_task,
        }
    }
}

impl Archive {
    /// Returns the statistics of all generations, in order.
    pub fn curve(&self) -> Result<Vec<GenerationSummary>, ArchiveError> {
        let mut ranges = [[f64::INFINITY, f64::NEG_INFINITY]; NAMES.len()];
        let mut found: Vec<Accumulator> = Vec::new();
        let config = self.config()?;
        let mut read = || -> rusqlite::Result<()> {
            let query = format!(
                "SELECT generation, outcome, fitness, descriptors, id, parameters FROM individuals
                 WHERE operator <> 'retest' AND {} ORDER BY generation, fitness DESC, id",
                self.undamaged()
            );
            let mut statement = self.database.prepare(&query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let generation = row.get::<_, i64>(0)? as u64;
                if found.last().is_none_or(|last| last.generation != generation) {
                    let id = row.get::<_, i64>(4)? as u64;
                    let task = (config.same_task_since(id), row.get::<_, String>(5)?);
                    let is_new_task = found.last().is_some_and(|last| last.task != task);
                    found.push(Accumulator { generation, task, is_new_task, ..Accumulator::default() });
                }
                let Some(last) = found.last_mut() else { continue };
                last.born += 1;
                if row.get_ref(1)?.as_str()? == OutcomeKind::Scored.name() {
                    // Damage is found by `survey`, not here.
                    let all: BTreeMap<String, f64> =
                        serde_json::from_str(row.get_ref(3)?.as_str()?).unwrap_or_default();
                    let values = NAMES.map(|name| all.get(name).copied().unwrap_or(0.0));
                    for (range, value) in ranges.iter_mut().zip(values) {
                        *range = [range[0].min(value), range[1].max(value)];
                    }
                    last.add(row.get(2)?, &values);
                }
            }
            Ok(())
        };
        read().map_err(|cause| self.failed(cause))?;
        Ok(found.iter().map(|accumulator| accumulator.summary(&ranges)).collect())
    }
}
