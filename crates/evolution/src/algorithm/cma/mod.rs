//! Covariance matrix adaptation: search in the space of the [numbers of a genome's
//! control](burgess_creature::AnyGenome::control_numbers), for a body that stays as it is.

mod distribution;
mod es;
mod me;

pub use distribution::{Distribution, Sample};
pub use es::{CmaEs, CmaEsSettings};
pub use me::{CmaMe, CmaMeSettings};

use burgess_creature::{AnyGenome, GenomeSettings, Random};

use crate::breeder::Child;
use crate::individual::{EvaluatedIndividual, Id, Operator};

/// A distribution of children of one individual. Its coordinates are in units of the numbers' mutations.
#[derive(Debug)]
struct Emitter {
    /// Individual that children descend from.
    parent: Id,
    genome: AnyGenome,
    scales: Vec<f64>,
    distribution: Distribution,
}

impl Emitter {
    /// Creates an emitter about an individual.
    fn new(one: &EvaluatedIndividual, settings: &GenomeSettings, sigma: f64, population: usize) -> Self {
        let numbers = one.genome.control_numbers(settings);
        let mean = numbers.iter().map(|number| number.value / number.scale).collect();
        let distribution = Distribution::new(mean, sigma, population);
        let scales = numbers.iter().map(|number| number.scale).collect();
        Self { parent: one.id, genome: one.genome.clone(), scales, distribution }
    }

    /// Draws a child.
    fn child(&self, settings: &GenomeSettings, dice: &mut Random) -> (Child, Sample) {
        let sample = self.distribution.sample(dice);
        let values: Vec<f64> = sample.point.iter().zip(&self.scales).map(|(value, scale)| value * scale).collect();
        let genome = self.genome.with_control_numbers(&values, settings);
        (Child { genome, parents: vec![self.parent], operator: Operator::Mutation }, sample)
    }
}
