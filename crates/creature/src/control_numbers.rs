//! The numbers of a genome's control as a vector, for algorithms that search spaces of real numbers. The body and the
//! structure of the control stay as they are.

use std::f64::consts::PI;

use crate::genome::{AnyGenome, GenomeSettings};
use crate::graph::{GraphGenome, GraphSettings, RHYTHM, WEIGHT};
use crate::legged::{FREQUENCY, LeggedGenome, LeggedSettings, REFLEX_WEIGHT, SAMPLE_TIME};

/// A number of the control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlNumber {
    /// Its value.
    pub value: f64,
    /// Standard deviation of its mutations, more than 0.
    pub scale: f64,
    /// Lowest and highest value.
    bounds: [f64; 2],
    /// Whether values beyond a bound continue at the other.
    is_cyclic: bool,
}

impl ControlNumber {
    fn new(value: f64, scale: f64, bounds: [f64; 2]) -> Self {
        let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        Self { value, scale, bounds, is_cyclic: false }
    }

    /// Returns the valid value nearest to `wanted`.
    fn valid(&self, wanted: f64) -> f64 {
        match wanted {
            _ if !wanted.is_finite() => self.value,
            _ if self.is_cyclic => {
                let share = wanted - libm::floor(wanted);
                // A tiny step back from zero rounds to one.
                if share < 1.0 { share } else { 0.0 }
            }
            _ => wanted.clamp(self.bounds[0], self.bounds[1]),
        }
    }
}

impl AnyGenome {
    /// Returns the numbers of the control: of spectra, clocks and reflexes of limbs that grow, the rhythm and all weights of
    /// neurons, or all numbers of a tuning.
    pub fn control_numbers(&self, settings: &GenomeSettings) -> Vec<ControlNumber> {
        let mut found = Vec::new();
        self.clone().visit_control(settings, &mut |_, number| found.push(number));
        found
    }

    /// Returns a copy with other [numbers of the control](Self::control_numbers), in the same order. Each becomes the
    /// nearest valid value. Missing ones stay.
    pub fn with_control_numbers(&self, values: &[f64], settings: &GenomeSettings) -> Self {
        let (mut genome, mut values) = (self.clone(), values.iter());
        genome.visit_control(settings, &mut |place, number| {
            if let Some(wanted) = values.next() {
                *place = number.valid(*wanted);
            }
        });
        genome
    }

    fn visit_control(&mut self, settings: &GenomeSettings, each: &mut dyn FnMut(&mut f64, ControlNumber)) {
        match self {
            Self::Graph(genome) => visit_graph(genome, &settings.graph, each),
            Self::Legged(genome) => visit_legged(genome, &settings.legged, each),
            Self::Tuning(genome) => {
                for share in &mut genome.shares {
                    let number = ControlNumber::new(*share, settings.tuning.deviation, [0.0, 1.0]);
                    each(share, number);
                }
            }
        }
    }
}

fn visit_graph(genome: &mut GraphGenome, settings: &GraphSettings, each: &mut dyn FnMut(&mut f64, ControlNumber)) {
    let in_nodes = genome.nodes.iter_mut().flat_map(|node| {
        let neurons = node.neurons.iter_mut().flat_map(|neuron| neuron.inputs.iter_mut());
        neurons.chain(node.effectors.iter_mut())
    });
    let global = genome.global_neurons.iter_mut().flat_map(|neuron| neuron.inputs.iter_mut());
    let rhythm = genome.rhythm;
    each(&mut genome.rhythm, ControlNumber::new(rhythm, settings.magnitudes.rhythm * rhythm, RHYTHM));
    for input in in_nodes.chain(global) {
        let number = ControlNumber::new(input.weight, settings.magnitudes.weight, WEIGHT);
        each(&mut input.weight, number);
    }
}

fn visit_legged(genome: &mut LeggedGenome, settings: &LeggedSettings, each: &mut dyn FnMut(&mut f64, ControlNumber)) {
    let (mutation, has_own_clocks) = (&settings.mutation, !genome.rhythm.shared);
    if genome.rhythm.shared {
        let frequency = genome.rhythm.frequency;
        let scale = mutation.time_scales.deviation * frequency;
        each(&mut genome.rhythm.frequency, ControlNumber::new(frequency, scale, FREQUENCY));
    }
    for &slot in genome.grown_slots() {
        let pair = &mut genome.limb_pairs[slot];
        for drive in [&mut pair.hip.drive, &mut pair.knee.drive] {
            let spectrum = &mut drive.spectrum;
            let count = spectrum.sample_count() as f64;
            let (bounds, deviation) = ([-PI * count, PI * count], mutation.spectra.deviation);
            let constant = ControlNumber::new(spectrum.constant, deviation * count, bounds);
            each(&mut spectrum.constant, constant);
            for (coefficient, above) in spectrum.coefficients.iter_mut().zip(0..) {
                let scale = 0.5 * count * deviation * libm::exp(-0.5 * settings.decay * f64::from(above));
                for part in coefficient {
                    let number = ControlNumber::new(*part, scale, bounds);
                    each(part, number);
                }
            }
            let shift = ControlNumber::new(spectrum.shift, mutation.shifts.deviation, [0.0, 1.0]);
            each(&mut spectrum.shift, ControlNumber { is_cyclic: true, ..shift });
            if has_own_clocks {
                let time = spectrum.sample_time;
                let number = ControlNumber::new(time, mutation.time_scales.deviation * time, SAMPLE_TIME);
                each(&mut spectrum.sample_time, number);
            }
            for reflex in &mut drive.reflexes {
                for weight in [&mut reflex.to_rate, &mut reflex.to_gain] {
                    let scale = mutation.feedback_weights.deviation;
                    let number = ControlNumber::new(*weight, scale, REFLEX_WEIGHT);
                    each(weight, number);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::genome::Family;
    use crate::random::Random;

    #[test]
    fn numbers_are_replaced_one_by_one_and_stay_valid() {
        let settings = GenomeSettings::default();
        for (family, seed) in [(Family::Graph, 1), (Family::Graph, 2), (Family::Legged, 1), (Family::Legged, 2)] {
            let mut random = Random::new(seed);
            let genome = family.random(&settings, &mut random);
            let numbers = genome.control_numbers(&settings);
            assert!(numbers.len() >= 3 && numbers.iter().all(|number| number.scale > 0.0), "{}", numbers.len());
            let values: Vec<f64> = numbers.iter().map(|number| number.value).collect();
            assert_eq!(genome.with_control_numbers(&values, &settings), genome);
            for wild in [0.3, 1e12, -1e12, f64::NAN] {
                let other: Vec<f64> = numbers.iter().map(|number| number.value + wild * number.scale).collect();
                let changed = genome.with_control_numbers(&other, &settings);
                changed.validate().unwrap();
                let count = changed.control_numbers(&settings).len();
                assert_eq!((count, changed == genome), (numbers.len(), wild.is_nan()));
            }
            // The body is the same.
            let changed: Vec<f64> = numbers.iter().map(|number| number.value + random.normal(number.scale)).collect();
            let grown = |genome: &AnyGenome| genome.grow(&crate::Physiology::default()).map(|grown| grown.body);
            assert_eq!(grown(&genome.with_control_numbers(&changed, &settings)), grown(&genome));
        }
    }
}
