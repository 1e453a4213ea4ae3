//! The signals of all frames so far, so that a plot that is added later shows the past, too. A row contains every signal
//! of a session at the end of a step, before the edits that were made there. There is one row for each frame at normal
//! speed, about 60 per simulated second.
//!
//! The memory is bounded: above [`MAX_ROWS`] rows or [`MAX_BYTES`], every second row is dropped, and from then on half as
//! many are recorded. A session of 100 bodies keeps 60 rows per second for two minutes, then 30 for four, and so on.

use super::signal::{Layout, Signal};

/// Maximum number of rows: more than a plot can show.
const MAX_ROWS: usize = 20_000;
/// Maximum memory of all rows, in bytes.
const MAX_BYTES: usize = 48 << 20;

/// The signals of a step.
#[derive(Debug)]
struct Row {
    step: u64,
    time: f64,
    /// Index of the layout.
    layout: usize,
    numbers: Box<[f32]>,
}

/// Signals over time.
#[derive(Debug, PartialEq, Default)]
pub struct Series {
    /// Number of steps from the start.
    pub steps: Vec<u64>,
    /// Simulated time, in s.
    pub times: Vec<f64>,
    /// Values of each signal; NaN where it did not exist.
    pub values: Vec<Vec<f32>>,
}

/// The rows of a session.
#[derive(Debug)]
pub struct SignalLog {
    rows: Vec<Row>,
    layouts: Vec<Layout>,
    bytes: usize,
    /// Number of frames between rows.
    stride: u64,
    max_rows: usize,
    max_bytes: usize,
}

impl Default for SignalLog {
    fn default() -> Self {
        Self::with_limits(MAX_ROWS, MAX_BYTES)
    }
}

impl SignalLog {
    fn with_limits(max_rows: usize, max_bytes: usize) -> Self {
        Self { rows: Vec::new(), layouts: Vec::new(), bytes: 0, stride: 1, max_rows, max_bytes }
    }

    /// The last step with a row.
    pub fn last_step(&self) -> Option<u64> {
        self.rows.last().map(|row| row.step)
    }

    /// Whether a row is due at a step.
    pub fn wants(&self, step: u64, steps_per_frame: u64) -> bool {
        step.is_multiple_of(steps_per_frame.saturating_mul(self.stride))
            && self.last_step().is_none_or(|last| last < step)
    }

    /// The next step after a step at which a row is due.
    pub fn next_due(&self, step: u64, steps_per_frame: u64) -> u64 {
        let every = steps_per_frame.saturating_mul(self.stride).max(1);
        (step / every).saturating_add(1).saturating_mul(every)
    }

    /// Sets the layout of the following rows.
    pub fn set_layout(&mut self, layout: Layout) {
        if self.layouts.last() != Some(&layout) {
            self.layouts.push(layout);
        }
    }

    /// Adds the row of a step after the last one.
    pub fn add(&mut self, step: u64, time: f64, numbers: &[f32]) {
        let Some(layout) = self.layouts.len().checked_sub(1) else { return };
        self.bytes += row_bytes(numbers);
        self.rows.push(Row { step, time, layout, numbers: numbers.into() });
        while (self.rows.len() > self.max_rows || self.bytes > self.max_bytes) && self.rows.len() > 2 {
            self.stride = self.stride.saturating_mul(2);
            let mut index = 0;
            self.rows.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.bytes = self.rows.iter().map(|row| row_bytes(&row.numbers)).sum();
        }
    }

    /// Drops all rows after a step.
    pub fn truncate(&mut self, step: u64) {
        let kept = self.rows.partition_point(|row| row.step <= step);
        self.rows.truncate(kept);
        self.bytes = self.rows.iter().map(|row| row_bytes(&row.numbers)).sum();
    }

    /// Whether a signal exists in the current world.
    pub fn has(&self, signal: &Signal) -> bool {
        self.layouts.last().is_some_and(|layout| layout.index(signal).is_some())
    }

    /// The values of signals after a step, or all. If there are more than `most` rows, every second, third, ... row.
    pub fn series(&self, signals: &[Signal], after: Option<u64>, most: usize) -> Series {
        let first = after.map_or(0, |after| self.rows.partition_point(|row| row.step <= after));
        let rows = &self.rows[first..];
        let every = rows.len().div_ceil(most.max(1)).max(1);
        // The last row is always among them, so that the next series continues there.
        let skipped = rows.len().saturating_sub(1) % every;
        let chosen = || rows.iter().skip(skipped).step_by(every);
        let values = |signal: &Signal| {
            let places: Vec<Option<usize>> = self.layouts.iter().map(|layout| layout.index(signal)).collect();
            let number = |row: &Row| places[row.layout].and_then(|place| row.numbers.get(place).copied());
            chosen().map(|row| number(row).unwrap_or(f32::NAN)).collect()
        };
        Series {
            steps: chosen().map(|row| row.step).collect(),
            times: chosen().map(|row| row.time).collect(),
            values: signals.iter().map(values).collect(),
        }
    }
}

/// Memory of a row, in bytes.
fn row_bytes(numbers: &[f32]) -> usize {
    4 * numbers.len() + size_of::<Row>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::signal::WorldQuantity;

    const KINETIC: Signal = Signal::World { quantity: WorldQuantity::KineticEnergy };

    fn filled(steps: u64, max_rows: usize, max_bytes: usize) -> SignalLog {
        let mut log = SignalLog::with_limits(max_rows, max_bytes);
        log.set_layout(Layout::default());
        for step in 0..steps {
            if log.wants(step, 4) {
                log.add(step, step as f64 / 240.0, &[step as f32; WorldQuantity::ALL.len()]);
            }
        }
        log
    }

    #[test]
    fn memory_is_bounded_and_rows_stay_evenly_spaced() {
        for (max_rows, max_bytes) in [(100, usize::MAX), (usize::MAX, 10_000)] {
            let log = filled(100_000, max_rows, max_bytes);
            assert!(log.rows.len() <= max_rows && log.bytes <= max_bytes);
            let series = log.series(&[KINETIC], None, usize::MAX);
            assert_eq!(series.steps[0], 0);
            let gaps: Vec<u64> = series.steps.windows(2).map(|pair| pair[1] - pair[0]).collect();
            assert!(gaps.iter().all(|gap| *gap == gaps[0]), "{gaps:?}");
            assert!(series.steps.iter().zip(&series.values[0]).all(|(step, value)| *step as f32 == *value));
            assert!(100_000 - series.steps.last().unwrap() <= gaps[0]);
        }
    }

    #[test]
    fn a_series_continues_where_the_last_one_ended() {
        let mut log = filled(400, MAX_ROWS, MAX_BYTES);
        for most in [1, 7, 50, 1000] {
            let series = log.series(&[KINETIC], None, most);
            assert!(series.steps.len() <= most);
            assert_eq!(series.steps.last(), Some(&396));
            assert_eq!(log.series(&[KINETIC], Some(396), most), Series { values: vec![vec![]], ..Series::default() });
        }
        log.truncate(200);
        assert_eq!(log.last_step(), Some(200));
        assert!(log.wants(204, 4) && !log.wants(203, 4) && !log.wants(200, 4));
        assert_eq!(log.next_due(200, 4), 204);
    }

    #[test]
    fn signals_of_bodies_that_did_not_exist_are_unknown() {
        let mut log = SignalLog::default();
        let place = |bodies: usize| Layout { axes: vec![0; bodies], ..Layout::default() };
        for bodies in 1..=2 {
            log.set_layout(place(bodies));
            log.add(bodies as u64, 0.0, &vec![bodies as f32; place(bodies).floats()]);
        }
        let second = Signal::Body { body: 1, quantity: crate::session::signal::BodyQuantity::PositionZ };
        let series = log.series(&[second], None, 10);
        assert!(series.values[0][0].is_nan());
        assert_eq!(series.values[0][1], 2.0);
        assert!(log.has(&second));
    }
}
