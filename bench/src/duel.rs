//! The protocol: ours and theirs take turns on the same inputs, in slices so short that whatever else the machine does
//! hits both; what counts is the median of the paired ratios.

use anyhow::{Result, bail};
use rustix::time::{ClockId, clock_gettime};

/// Two implementations of one task.
pub trait Duel {
    /// Makes the inputs of the next slice, `work` units of them. Not timed.
    fn prepare(&mut self, work: usize) -> Result<()>;
    /// Ours works through the slice.
    fn ours(&mut self);
    /// Theirs works through the same slice.
    fn theirs(&mut self);
    /// Did both answer the same? Called after every slice, not timed.
    fn agree(&mut self) -> Result<()>;
}

/// One of two that work in short batches and use up what was made for them, so that it is made anew before every batch.
pub trait Side {
    /// Makes the inputs of a batch, which is counted from 0. Not timed.
    fn prepare(&mut self, batch: usize) -> Result<()>;
    /// Works through the batch.
    fn work(&mut self);
}

/// Medians over all slices.
pub struct Measured {
    /// Nanoseconds per unit of work.
    pub ours: f64,
    /// Nanoseconds per unit of work.
    pub theirs: f64,
    /// Theirs over ours, paired.
    pub ratio: f64,
    /// First and third quartile of the paired ratios.
    pub ratio_quartiles: (f64, f64),
}

impl Measured {
    /// The same with the times divided by so many parts of a unit of work.
    pub fn per(self, parts: f64) -> Self {
        Self { ours: self.ours / parts, theirs: self.theirs / parts, ..self }
    }
}

/// The slower side's slice ends up between this and twice as many seconds: at most 50 ms. Long, as every slice
/// begins with the other's data in the caches.
const SLICE: f64 = 0.02;

/// Measures until `seconds` of timed work are done.
pub fn run(duel: &mut dyn Duel, seconds: f64) -> Result<Measured> {
    let work = calibrated_work(duel)?;
    let mut samples: Vec<(f64, f64)> = Vec::new();
    let mut spent = 0.0;
    while spent < seconds || samples.len() < 3 {
        // Who goes first changes every time: the second finds the inputs in the cache.
        let (ours, theirs) = slice(duel, work, samples.len().is_multiple_of(2))?;
        spent += ours + theirs;
        samples.push((ours, theirs));
    }
    Ok(measured(&samples, work))
}

/// Measures so many slices of so much work, after one that pays for growing buffers.
pub fn run_slices(duel: &mut dyn Duel, work: usize, slices: usize) -> Result<Measured> {
    slice(duel, work, true)?;
    let samples: Result<Vec<_>> = (0..slices).map(|index| slice(duel, work, index.is_multiple_of(2))).collect();
    Ok(measured(&samples?, work))
}

/// Measures two sides until `seconds` of timed work are done. A slice is as many batches of `units` of work as it takes; each
/// side is timed right after its own inputs were made.
pub fn run_sides(ours: &mut dyn Side, theirs: &mut dyn Side, units: usize, seconds: f64) -> Result<Measured> {
    let batches = calibrated_batches(ours, theirs)?;
    let mut samples: Vec<(f64, f64)> = Vec::new();
    let (mut spent, mut batch) = (0.0, 0);
    while spent < seconds || samples.len() < 3 {
        let mut sums = (0.0, 0.0);
        for _ in 0..batches {
            // Who goes first changes every time, as elsewhere.
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

/// How many batches are a slice; counting them also warms both sides up.
fn calibrated_batches(ours: &mut dyn Side, theirs: &mut dyn Side) -> Result<usize> {
    let (mut sums, mut batches) = ((0.0, 0.0), 0);
    while f64::max(sums.0, sums.1) < SLICE {
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

/// Doubles the work until a slice is long enough for the clock; this also warms both sides up.
fn calibrated_work(duel: &mut dyn Duel) -> Result<usize> {
    let mut work = 1;
    // The first slice pays for growing buffers.
    slice(duel, work, true)?;
    loop {
        let (ours, theirs) = slice(duel, work, true)?;
        if ours.max(theirs) >= SLICE {
            return Ok(work);
        }
        if work >= 1 << 28 {
            bail!("{work} units of work take no measurable time");
        }
        work *= 2;
    }
}

/// Seconds that ours and theirs took for one slice.
fn slice(duel: &mut dyn Duel, work: usize, ours_first: bool) -> Result<(f64, f64)> {
    duel.prepare(work)?;
    let (ours, theirs);
    if ours_first {
        ours = seconds_of(|| duel.ours());
        theirs = seconds_of(|| duel.theirs());
    } else {
        theirs = seconds_of(|| duel.theirs());
        ours = seconds_of(|| duel.ours());
    }
    duel.agree()?;
    Ok((ours, theirs))
}

fn seconds_of(work: impl FnOnce()) -> f64 {
    let start = processor_seconds();
    work();
    processor_seconds() - start
}

/// Time that this thread has spent on a processor: what others do in between does not count.
pub fn processor_seconds() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// The median of at least one value.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    quantile(&sorted(values), 0.5)
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// A quantile of sorted values, interpolated.
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
