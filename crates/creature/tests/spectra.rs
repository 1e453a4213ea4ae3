//! Actuator functions by spectral synthesis: the transform, time, clocks, and feedback of senses.

use std::f64::consts::PI;

use burgess_creature::brain::{Brain, Feedback, Oscillator, Pace, SpectralBrain};
use burgess_creature::legged::{Gait, LeggedGenome, LeggedSettings, Spectrum};
use burgess_creature::{Genome, Physiology, Random};

fn random_spectrum(seed: u64, samples: usize) -> Spectrum {
    let settings = LeggedSettings { samples, ..LeggedSettings::default() };
    let genome = LeggedGenome::random(&settings, &mut Random::new(seed));
    genome.limb_pairs[0].hip.drive.spectrum.clone()
}

/// h_k by the sum over all N coefficients as in Arnold (1997); real and imaginary part.
fn direct(spectrum: &Spectrum, k: usize) -> [f64; 2] {
    let count = spectrum.sample_count();
    let mut all = vec![[0.0; 2]; count];
    all[0] = [spectrum.constant, 0.0];
    for (n, &[real, imaginary]) in (1..).zip(&spectrum.coefficients) {
        all[n] = [real, imaginary];
        all[count - n] = [real, -imaginary];
    }
    let mut sum = [0.0; 2];
    for (n, [real, imaginary]) in all.into_iter().enumerate() {
        let (sin, cos) = libm::sincos(-2.0 * PI * (k * n) as f64 / count as f64);
        sum = [sum[0] + real * cos - imaginary * sin, sum[1] + real * sin + imaginary * cos];
    }
    sum.map(|part| part / count as f64)
}

fn oscillator(samples: Vec<f64>, pace: Pace) -> Oscillator {
    Oscillator { samples, phase: 0.0, pace, range: [-100.0, 100.0], feedback: Vec::new() }
}

/// Outputs of a brain at equidistant times, always with the same senses.
fn play(brain: &SpectralBrain, period: f64, senses: &[f64], updates: usize) -> Vec<Vec<f64>> {
    let mut memory = vec![0.0; brain.memory()];
    brain.initial(&mut memory);
    let update = |_| {
        let mut outputs = vec![0.0; brain.oscillators.len()];
        brain.update(&mut memory, senses, period, &mut outputs);
        outputs
    };
    (0..updates).map(update).collect()
}

#[test]
fn samples_are_the_inverse_transform() {
    for (seed, count) in [(1, 4), (2, 8), (3, 16), (4, 30), (5, 64)] {
        let spectrum = random_spectrum(seed, count);
        let samples = spectrum.samples();
        assert_eq!(samples.len(), count);
        for (k, sample) in samples.iter().enumerate() {
            let [real, imaginary] = direct(&spectrum, k);
            // Rounding of 64 terms of order one.
            assert!((sample - real).abs() < 1e-13 && imaginary.abs() < 1e-13, "{sample}, {real} + {imaginary} i");
        }
    }
}

#[test]
fn variance_falls_exponentially_with_frequency() {
    let settings = LeggedSettings::default();
    let mut squares = [0.0; 7];
    for seed in 0..400 {
        let genome = LeggedGenome::random(&settings, &mut Random::new(seed));
        for joint in genome.limb_pairs.iter().flat_map(|pair| [&pair.hip, &pair.knee]) {
            for (square, part) in squares.iter_mut().zip(&joint.drive.spectrum.coefficients) {
                *square += part[0] * part[0] + part[1] * part[1];
            }
        }
    }
    for pair in squares.windows(2) {
        // Of 4800 draws each: the ratio has a deviation of 3 %.
        let ratio = pair[1] / pair[0] / libm::exp(-settings.decay);
        assert!((ratio - 1.0).abs() < 0.15, "{ratio}");
    }
}

#[test]
fn functions_interpolate_their_samples_and_are_periodic() {
    let spectrum = random_spectrum(9, 16);
    let (samples, period) = (spectrum.samples(), spectrum.period());
    assert_eq!(period, 16.0 * spectrum.sample_time);
    let brain = SpectralBrain { oscillators: vec![oscillator(samples.clone(), Pace::Own(1.0 / period))], clock: 0.0 };
    // Four updates for a sample: linear between them.
    for (update, output) in play(&brain, 0.25 * spectrum.sample_time, &[], 200).iter().enumerate() {
        let (k, share) = (update / 4, 0.25 * (update % 4) as f64);
        let expected = samples[k % 16] * (1.0 - share) + samples[(k + 1) % 16] * share;
        // Rounding of 200 additions to the phase, times the steepest slope.
        assert!((output[0] - expected).abs() < 1e-12, "{update}: {} instead of {expected}", output[0]);
    }
}

#[test]
fn sides_alternate_half_a_period_apart_or_hop_together() {
    for seed in 0..50 {
        let genome = LeggedGenome::random(&LeggedSettings::arnold_1997(), &mut Random::new(seed));
        let Ok(phenotype) = genome.grow(&Physiology::default()) else { continue };
        let Brain::Spectral(brain) = &phenotype.brain else { panic!("no spectral brain") };
        for ((_, pair), limbs) in genome.grown_pairs().zip(brain.oscillators.chunks(4)) {
            for (right, left) in [(&limbs[0], &limbs[2]), (&limbs[1], &limbs[3])] {
                assert_eq!((&right.samples, right.pace, right.range), (&left.samples, left.pace, left.range));
                let apart = match pair.gait {
                    Gait::Hopping => 0.0,
                    Gait::Alternating => 0.5,
                };
                for at in [0.0, 0.3, 0.77] {
                    let (right, left) = (right.value(right.phase + at + apart), left.value(left.phase + at));
                    assert!((right - left).abs() < 1e-12, "{right} and {left}");
                }
            }
        }
    }
}

#[test]
fn functions_with_a_shared_clock_keep_their_phases_for_any_senses() {
    let wave: Vec<f64> = (0..32).map(|k| libm::sin(2.0 * PI * f64::from(k) / 32.0)).collect();
    let feedback = Feedback { sense: 0, to_rate: 0.8, to_gain: 0.0 };
    let hurried = Oscillator { feedback: vec![feedback], ..oscillator(wave.clone(), Pace::Shared(1)) };
    let brain =
        |first| SpectralBrain { oscillators: vec![first, oscillator(wave.clone(), Pace::Shared(2))], clock: 1.0 };
    let slow = play(&brain(oscillator(wave.clone(), Pace::Shared(1))), 0.01, &[1.0], 1000);
    assert!((slow[25][0] - 1.0).abs() < 1e-9 && slow[25][1].abs() < 1e-9, "{:?}", slow[25]);
    // One of two is 1.8 times as fast: the clock is 1.4 times as fast for both.
    let fast = play(&brain(hurried), 0.01 / 1.4, &[1.0], 1000);
    for (slow, fast) in slow.iter().zip(&fast) {
        assert!((slow[0] - fast[0]).abs() < 1e-9 && (slow[1] - fast[1]).abs() < 1e-9);
    }
}

#[test]
fn senses_change_rate_and_gain_within_bounds() {
    let wave = vec![0.0, 1.0, 0.0, -1.0];
    let felt = |to_rate, to_gain| {
        let feedback = vec![Feedback { sense: 1, to_rate, to_gain }];
        let brain = SpectralBrain {
            oscillators: vec![Oscillator { feedback, ..oscillator(wave.clone(), Pace::Own(1.0)) }],
            clock: 0.0,
        };
        let outputs = play(&brain, 0.25, &[0.0, 0.5], 3);
        [outputs[1][0], outputs[2][0]]
    };
    assert_eq!(felt(0.0, 0.0), [1.0, 0.0]);
    assert_eq!(felt(2.0, 0.0), [0.0, 0.0], "twice as fast");
    assert_eq!(felt(100.0, 0.0), [0.0, 0.0], "not faster than that");
    assert_eq!(felt(-100.0, 0.0), [0.0, 0.0], "stands still at the start");
    assert_eq!(felt(0.0, 1.0), [1.5, 0.0]);
    assert_eq!(felt(0.0, 100.0), [2.0, 0.0]);
    assert_eq!(felt(0.0, -100.0), [0.0, 0.0]);
}

#[test]
fn outputs_are_finite_and_within_the_range_for_any_senses() {
    let feedback =
        vec![Feedback { sense: 0, to_rate: 1.0, to_gain: 1.0 }, Feedback { sense: 9, to_rate: 1.0, to_gain: 1.0 }];
    let wild = vec![0.1, 1e300, -1e300, f64::NAN, -0.1, 0.3];
    for range in [[-0.5, 0.4], [0.0, 0.4], [0.0, 0.0]] {
        let one = |pace| Oscillator { range, feedback: feedback.clone(), ..oscillator(wild.clone(), pace) };
        let brain = SpectralBrain { oscillators: vec![one(Pace::Own(1.3)), one(Pace::Shared(3))], clock: 0.7 };
        for felt in [0.0, 1.0, -1e9, f64::NAN, f64::INFINITY] {
            for outputs in play(&brain, 0.0137, &[felt], 500) {
                assert!(outputs.iter().all(|output| (range[0]..=range[1]).contains(output)), "{outputs:?}");
            }
        }
    }
}

#[test]
fn small_angles_are_unchanged() {
    let brain = |value| SpectralBrain {
        oscillators: vec![Oscillator { range: [-1.0, 0.6], ..oscillator(vec![value], Pace::Own(1.0)) }],
        clock: 0.0,
    };
    let output = |value| play(&brain(value), 0.1, &[], 1)[0][0];
    assert_eq!([output(0.3), output(-0.5), output(0.0)], [0.3, -0.5, 0.0]);
    // Beyond half of the range: 1/2 + 1/2 b / (1 + b) of it, b how far beyond by half the range.
    assert!((output(0.6) - 0.45).abs() < 1e-15 && (output(-1.0) + 0.75).abs() < 1e-15);
}
