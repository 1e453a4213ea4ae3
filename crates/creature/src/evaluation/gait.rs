//! Gait frequency: the strongest frequency in the motion of a creature's joints.
//!
//! All joint angles are summed with different weights (so that left and right do not cancel) and sampled at 60 Hz. The
//! power at frequency f of the samples `s_k` minus their mean, with a Hann window `w_k`, is
//!
//! ```text
//!   P(f) = |sum over k of w_k s_k exp(-2 pi i f k / rate)|^2
//! ```
//!
//! The strongest of 199 frequencies from 0.25 to 25 Hz is refined by a parabola through its neighbours. Motions slower
//! than their window, and creatures that hardly move, have the gait frequency 0.

use std::f64::consts::PI;

/// Sample rate, in Hz.
pub(super) const RATE: f64 = 60.0;
/// Maximum number of samples that are analysed, the last ones: 10 s.
const WINDOW: usize = 600;
const MIN_FREQUENCY: f64 = 0.25;
const FREQUENCY_STEP: f64 = 0.125;
const FREQUENCY_COUNT: usize = 199;
/// Minimum root mean square of the weighted sum of angles for a gait, in rad.
const MIN_AMPLITUDE: f64 = 0.01;

/// Returns the weight of an axis in the sum: 1 to 2, all different.
pub(super) fn weight(axis: usize) -> f64 {
    let golden = 0.618_033_988_749_894_9 * axis as f64;
    1.0 + golden - libm::floor(golden)
}

/// Returns the gait frequency, in Hz, or 0 if there is none.
pub(super) fn frequency(samples: &[f64]) -> f64 {
    let samples = &samples[samples.len().saturating_sub(WINDOW)..];
    let count = samples.len();
    if count < 8 {
        return 0.0;
    }
    let mean = samples.iter().sum::<f64>() / count as f64;
    let variance = samples.iter().map(|sample| (sample - mean) * (sample - mean)).sum::<f64>() / count as f64;
    if variance.is_nan() || variance < MIN_AMPLITUDE * MIN_AMPLITUDE {
        return 0.0;
    }
    let mut windowed = [0.0; WINDOW];
    for (index, sample) in samples.iter().enumerate() {
        let hann = 0.5 - 0.5 * libm::cos(2.0 * PI * (index as f64 + 0.5) / count as f64);
        windowed[index] = hann * (sample - mean);
    }
    let powers: [f64; FREQUENCY_COUNT] =
        std::array::from_fn(|bin| power(&windowed[..count], MIN_FREQUENCY + FREQUENCY_STEP * bin as f64));
    // Two periods must fit into the window.
    let slowest = 2.0 * RATE / count as f64;
    let fits = |bin: &usize| MIN_FREQUENCY + FREQUENCY_STEP * *bin as f64 >= slowest;
    let Some(best) = (0..FREQUENCY_COUNT).filter(fits).max_by(|&a, &b| powers[a].total_cmp(&powers[b])) else {
        return 0.0;
    };
    let shift = match (best.checked_sub(1).map(|below| powers[below]), powers.get(best + 1)) {
        (Some(below), Some(&above)) if below < powers[best] && above < powers[best] => {
            0.5 * (below - above) / (below - 2.0 * powers[best] + above)
        }
        _ => 0.0,
    };
    MIN_FREQUENCY + FREQUENCY_STEP * (best as f64 + shift)
}

/// Returns the power at a frequency by Goertzel's recurrence, with one multiplication per sample.
fn power(samples: &[f64], frequency: f64) -> f64 {
    let coefficient = 2.0 * libm::cos(2.0 * PI * frequency / RATE);
    let (mut last, mut before) = (0.0, 0.0);
    for sample in samples {
        (last, before) = (sample + coefficient * last - before, last);
    }
    last * last + before * before - coefficient * last * before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sine_has_its_frequency() {
        for wanted in [0.6, 1.0, 2.37, 5.5, 11.0, 21.0] {
            for seconds in [4.0, 10.0, 25.0] {
                let wave = |k: usize| 3.0 + 0.4 * libm::sin(2.0 * PI * wanted * k as f64 / RATE + 0.7);
                let samples: Vec<f64> = (0..(seconds * RATE) as usize).map(wave).collect();
                // A bin is 0.125 Hz wide; the window blurs short samples.
                assert!(
                    (frequency(&samples) - wanted).abs() < 0.06,
                    "{wanted} Hz, {seconds} s: {}",
                    frequency(&samples)
                );
            }
        }
    }

    #[test]
    fn what_does_not_repeat_has_no_frequency() {
        assert_eq!(frequency(&[]), 0.0);
        assert_eq!(frequency(&[0.3; 600]), 0.0);
        assert_eq!(frequency(&[f64::NAN; 600]), 0.0);
        let trembling: Vec<f64> = (0..600).map(|k| 1e-3 * libm::sin(k as f64)).collect();
        assert_eq!(frequency(&trembling), 0.0);
    }
}
