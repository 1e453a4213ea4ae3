//! The measurement protocol: Burgess ("ours") and a peer ("theirs") alternate on the same inputs in short slices, so
//! that other load on the machine affects both. The result is the median of the paired ratios.

use anyhow::{Result, bail};
use rustix::time::{ClockId, clock_gettime};

/// Index of Burgess.
pub const OURS: usize = 0;
/// Index of the peer.
pub const THEIRS: usize = 1;

/// Two implementations of one task.
pub trait Duel {
    /// Prepares the inputs of the next slice, `work` units. Not timed.
    fn prepare(&mut self, work: usize) -> Result<()>;
    /// Processes the slice with one side: [`OURS`] or [`THEIRS`].
    fn run(&mut self, side: usize);
    /// Checks that both results agree. Called after every slice, not timed.
    fn agree(&mut self) -> Result<()>;
}

/// One of two implementations that consume their inputs, which are therefore prepared before every short batch.
pub trait Side {
    /// Prepares the inputs of a batch, numbered from 0. Not timed.
    fn prepare(&mut self, batch: usize) -> Result<()>;
    /// Processes the batch.
    fn work(&mut self);
}

/// Medians over all slices.
pub struct Measured {
    /// Time of Burgess per unit of work, in ns.
    pub ours: f64,
    /// Time of the peer per unit of work, in ns.
    pub theirs: f64,
    /// Median of the paired ratios of the peer's time to that of Burgess.
    pub ratio: f64,
    /// First and third quartile of the paired ratios.
    pub ratio_quartiles: (f64, f64),
}

impl Measured {
    /// Divides the times by a number of parts of a unit of work.
    pub fn per(self, parts: f64) -> Self {
        Self { ours: self.ours / parts, theirs: self.theirs / parts, ..self }
    }
}

/// Minimum duration of a slice of the slower side, in s; the maximum is twice as long. Slices are long because each
/// starts with the other side's data in the caches.
const MIN_SLICE_SECONDS: f64 = 0.02;

/// Measures until `seconds` of timed work are done.
pub fn run(duel: &mut dyn Duel, seconds: f64) -> Result<Measured> {
    let work = calibrated_work(duel)?;
    let mut samples: Vec<(f64, f64)> = Vec::new();
    let mut spent = 0.0;
    while spent < seconds || samples.len() < 3 {
        // The order alternates, because the second finds the inputs in the cache.
        let (ours, theirs) = slice(duel, work, samples.len().is_multiple_of(2))?;
        spent += ours + theirs;
        samples.push((ours, theirs));
    }
    Ok(measured(&samples, work))
}

/// Measures a number of slices with given work, after one slice in which buffers grow.
pub fn run_slices(duel: &mut dyn Duel, work: usize, slices: usize) -> Result<Measured> {
    slice(duel, work, true)?;
    let samples: Result<Vec<_>> = (0..slices).map(|index| slice(duel, work, index.is_multiple_of(2))).collect();
    Ok(measured(&samples?, work))
}

/// Measures two sides until `seconds` of timed work are done. A slice consists of as many batches of `units` of work as
/// necessary; each side is timed directly after its inputs were prepared.
pub fn run_sides(ours: &mut dyn Side, theirs: &mut dyn Side, units: usize, seconds: f64) -> Result<Measured> {
    let batches = calibrated_batches(ours, theirs)?;
    let mut samples: Vec<(f64, f64)> = Vec::new();
    let (mut spent, mut batch) = (0.0, 0);
    while spent < seconds || samples.len() < 3 {
        let mut sums = (0.0, 0.0);
        for _ in 0..batches {
            // The order alternates.
            if batch % 2 == 0 {
                sums.0 += seconds_of_batch(ours, batch)?;
                sums.1 += seconds_of_batch(theirs, batch)?;
            } else {
                sums.1 += seconds_of_batch(theirs, batch)?;
                sums.0 += seconds_of_batch(ours, batch)?;
            }
            batch += 1;
        }
        spent += sums.0 + sums.1;
        samples.push(sums);
    }
    Ok(measured(&samples, batches * units))
}

/// Returns the number of batches of a slice. The calibration also warms up both sides.
fn calibrated_batches(ours: &mut dyn Side, theirs: &mut dyn Side) -> Result<usize> {
    let (mut sums, mut batches) = ((0.0, 0.0), 0);
    while f64::max(sums.0, sums.1) < MIN_SLICE_SECONDS {
        sums.0 += seconds_of_batch(ours, batches)?;
        sums.1 += seconds_of_batch(theirs, batches)?;
        batches += 1;
        if batches >= 1 << 24 {
            bail!("{batches} batches of work take no measurable time");
        }
    }
    Ok(batches)
}

fn seconds_of_batch(side: &mut dyn Side, batch: usize) -> Result<f64> {
    side.prepare(batch)?;
    Ok(seconds_of(|| side.work()))
}

fn measured(samples: &[(f64, f64)], work: usize) -> Measured {
    let per_unit = 1e9 / work as f64;
    let ratios = sorted(samples.iter().map(|(ours, theirs)| theirs / ours));
    Measured {
        ours: median(samples.iter().map(|s| s.0)) * per_unit,
        theirs: median(samples.iter().map(|s| s.1)) * per_unit,
        ratio: quantile(&ratios, 0.5),
        ratio_quartiles: (quantile(&ratios, 0.25), quantile(&ratios, 0.75)),
    }
}

/// Doubles the work until a slice is long enough for the clock. This also warms up both sides.
fn calibrated_work(duel: &mut dyn Duel) -> Result<usize> {
    let mut work = 1;
    // Buffers grow in the first slice.
    slice(duel, work, true)?;
    loop {
        let (ours, theirs) = slice(duel, work, true)?;
        if ours.max(theirs) >= MIN_SLICE_SECONDS {
            return Ok(work);
        }
        if work >= 1 << 28 {
            bail!("{work} units of work take no measurable time");
        }
        work *= 2;
    }
}

/// Returns the times of both sides for one slice, in s.
fn slice(duel: &mut dyn Duel, work: usize, ours_first: bool) -> Result<(f64, f64)> {
    duel.prepare(work)?;
    let (ours, theirs);
    if ours_first {
        ours = seconds_of(|| duel.run(OURS));
        theirs = seconds_of(|| duel.run(THEIRS));
    } else {
        theirs = seconds_of(|| duel.run(THEIRS));
        ours = seconds_of(|| duel.run(OURS));
    }
    duel.agree()?;
    Ok((ours, theirs))
}

fn seconds_of(work: impl FnOnce()) -> f64 {
    let start = processor_seconds();
    work();
    processor_seconds() - start
}

/// Returns the CPU time of this thread in s, which excludes other processes.
pub fn processor_seconds() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Returns the median of at least one value.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    quantile(&sorted(values), 0.5)
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Returns an interpolated quantile of sorted values.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (low, fraction) = (place as usize, place.fract());
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + fraction * (sorted[high] - sorted[low])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate() {
        let values = sorted([4.0, 1.0, 3.0, 2.0, 5.0].into_iter());
        assert_eq!(quantile(&values, 0.0), 1.0);
        assert_eq!(quantile(&values, 0.5), 3.0);
        assert_eq!(quantile(&values, 1.0), 5.0);
        assert_eq!(quantile(&values[..4], 0.5), 2.5);
        assert_eq!(quantile(&values[..1], 0.75), 1.0);
    }
}
