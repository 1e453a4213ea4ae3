//! Curves: how a run went, generation by generation.
//!
//! Diversity is how far two of a generation are apart in the space of descriptors, each of which goes from 0 to 1 over the range
//! that the whole run has: the root of the mean square of the distance of two, as a share of the diagonal. It needs no pairs:
//!
//! ```text
//!   mean |x - y|^2 = 2 sum over descriptors of the variance
//! ```

use std::collections::BTreeMap;

use burgess_creature::evaluation::Descriptors;

use super::{Archive, ArchiveError};
use crate::result::Ending;

const NAMES: [&str; 7] = Descriptors::NAMES;

/// How a generation did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenerationSummary {
    /// From 0.
    pub generation: u64,
    /// How many were born, of whatever fate.
    pub born: usize,
    /// How many have a fitness.
    pub scored: usize,
    /// Of those that have one; all 0 if nobody has.
    pub best: f64,
    /// A quarter is better.
    pub upper_quartile: f64,
    /// Half are better.
    pub median: f64,
    /// A quarter is worse.
    pub lower_quartile: f64,
    /// How different they are: 0 if all are alike, 0.7 if one half are the contrary of the other.
    pub diversity: f64,
}

/// What is gathered of a generation.
#[derive(Default)]
struct Gathered {
    generation: u64,
    born: usize,
    /// The best first.
    fitness: Vec<f64>,
    means: [f64; NAMES.len()],
    /// Sums of squares about the means (Welford).
    squares: [f64; NAMES.len()],
}

impl Gathered {
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
        }
    }
}

impl Archive {
    /// Generation by generation.
    pub fn curve(&self) -> Result<Vec<GenerationSummary>, ArchiveError> {
        let mut ranges = [[f64::INFINITY, f64::NEG_INFINITY]; NAMES.len()];
        let mut found: Vec<Gathered> = Vec::new();
        let mut read = || -> rusqlite::Result<()> {
            let query = "SELECT generation, outcome, fitness, descriptors FROM individuals
                         ORDER BY generation, fitness DESC, id";
            let mut statement = self.database.prepare(query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let generation = row.get::<_, i64>(0)? as u64;
                if found.last().is_none_or(|last| last.generation != generation) {
                    found.push(Gathered { generation, ..Gathered::default() });
                }
                let Some(last) = found.last_mut() else { continue };
                last.born += 1;
                if row.get_ref(1)?.as_str()? == Ending::Scored.name() {
                    // Whoever wants to know of damage asks for a check.
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
        read().map_err(|source| self.failed(source))?;
        Ok(found.iter().map(|gathered| gathered.summary(&ranges)).collect())
    }
}
