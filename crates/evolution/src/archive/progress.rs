//! Progress of a run over its evaluations, to compare runs whose generations differ in size.

use super::{Archive, ArchiveError};
use crate::individual::Id;

/// Fitness until a number of evaluations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProgressPoint {
    /// Number of evaluations, retests included.
    pub evaluations: u64,
    /// Highest fitness so far at the task of this moment; `None` if no individual was scored at it.
    pub best: Option<f64>,
    /// Median fitness of the individuals since the previous point; `None` if none was scored.
    pub median: Option<f64>,
}

impl Archive {
    /// Returns the progress at multiples of a round number of evaluations, and at the end: at most `most` + 1 points.
    /// When the task or its parameters change, the highest fitness starts anew, because fitness of different tasks
    /// cannot be compared.
    pub fn progress(&self, most: u64) -> Result<Vec<ProgressPoint>, ArchiveError> {
        let config = self.config()?;
        let step = round_step(self.count().div_ceil(most.max(1)));
        let mut points: Vec<ProgressPoint> = Vec::new();
        let (mut best, mut fitness): (Option<f64>, Vec<f64>) = (None, Vec::new());
        let (mut parameters, mut since) = (String::new(), 0);
        let mut read = || -> rusqlite::Result<()> {
            let query = format!(
                "SELECT id, outcome = 'scored' AND operator <> 'retest', fitness, parameters FROM individuals
                 WHERE {} ORDER BY id",
                self.undamaged()
            );
            let mut statement = self.database.prepare(&query)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let id = row.get::<_, i64>(0)? as Id;
                // Rows may be missing, so that several points can lie before this one.
                while points.last().map_or(0, |last| last.evaluations) + step <= id {
                    let evaluations = points.last().map_or(0, |last| last.evaluations) + step;
                    points.push(ProgressPoint { evaluations, best, median: median(&mut fitness) });
                }
                let own = row.get_ref(3)?.as_str()?;
                let start = config.same_task_since(id);
                if own != parameters || start != since {
                    (parameters, since, best) = (own.to_string(), start, None);
                    fitness.clear();
                }
                if row.get::<_, bool>(1)? {
                    let value = row.get::<_, f64>(2)?;
                    fitness.push(value);
                    best = Some(best.map_or(value, |best| best.max(value)));
                }
            }
            Ok(())
        };
        read().map_err(|cause| self.failed(cause))?;
        if self.count() > 0 {
            points.push(ProgressPoint { evaluations: self.count(), best, median: median(&mut fitness) });
        }
        Ok(points)
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50 and so on that is not below a number.
fn round_step(least: u64) -> u64 {
    let powers = (0..18).map(|power| 10_u64.pow(power));
    let mut steps = powers.flat_map(|power| [1, 2, 5].map(|digit| digit * power));
    steps.find(|step| *step >= least).unwrap_or(least)
}

/// Median of some numbers, the higher one of two; the numbers are removed.
fn median(numbers: &mut Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let median = numbers.get(numbers.len() / 2).copied();
    numbers.clear();
    median
}

#[cfg(test)]
mod tests {
    use super::round_step;

    #[test]
    fn steps_are_round() {
        let steps = [0, 1, 2, 3, 5, 6, 11, 21, 51, 499, 500, 501].map(round_step);
        assert_eq!(steps, [1, 1, 2, 5, 5, 10, 20, 50, 100, 500, 500, 1000]);
    }
}
