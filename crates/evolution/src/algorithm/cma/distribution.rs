//! The normal distribution of an evolution strategy with covariance matrix adaptation, in the form of Beyer and Sendhoff
//! (2017), "Simplify your covariance matrix adaptation evolution strategy". It adapts a root M of the covariance matrix
//! directly, so that no matrix has to be factorized:
//!
//! ```text
//!   z ~ N(0, I),  d = M z,  x = m + sigma d                       a sample
//!   m     <- sum w_i x_i                                          over the mu best samples
//!   s     <- (1 - c_s) s + sqrt(mu_eff c_s (2 - c_s)) sum w_i z_i
//!   M     <- M (I + c_1/2 (s s' - I) + c_w/2 (sum w_i z_i z_i' - I))
//!   sigma <- sigma exp(c_s / d_s (|s| / E|N(0, I)| - 1))
//! ```
//!
//! Samples may come from an earlier distribution than the one that they update, because evaluations run in parallel.

use burgess_creature::Random;

/// Bounds of sigma, in multiples of its first value. Beyond them the search has ended or diverged.
const SIGMA: [f64; 2] = [1e-12, 1e6];

/// A sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Standard normal numbers.
    z: Vec<f64>,
    /// Direction M z.
    direction: Vec<f64>,
    /// The point.
    pub point: Vec<f64>,
}

/// A normal distribution that adapts.
#[derive(Debug, Clone)]
pub struct Distribution {
    mean: Vec<f64>,
    sigma: f64,
    first_sigma: f64,
    /// M, row by row.
    root: Vec<f64>,
    /// Search path s.
    path: Vec<f64>,
    /// Weights of the mu best samples.
    weights: Vec<f64>,
    effective_size: f64,
    rate_of_path: f64,
    rate_of_one: f64,
    rate_of_many: f64,
    damping: f64,
    /// Expected length of a standard normal vector.
    expected_length: f64,
}

impl Distribution {
    /// Creates a distribution about a point, for generations of `population` samples.
    pub fn new(mean: Vec<f64>, sigma: f64, population: usize) -> Self {
        let dimension = mean.len();
        let n = dimension as f64;
        let parents = (population / 2).max(1);
        let raw = (1..=parents).map(|rank| libm::log(parents as f64 + 0.5) - libm::log(rank as f64));
        let sum: f64 = raw.clone().sum();
        let weights: Vec<f64> = raw.map(|weight| weight / sum).collect();
        let effective_size = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let rate_of_path = (effective_size + 2.0) / (n + effective_size + 5.0);
        let rate_of_one = 2.0 / ((n + 1.3) * (n + 1.3) + effective_size);
        let many = 2.0 * (effective_size + 1.0 / effective_size - 2.0) / ((n + 2.0) * (n + 2.0) + effective_size);
        let excess = libm::sqrt(((effective_size - 1.0) / (n + 1.0)).max(0.0)) - 1.0;
        let mut root = vec![0.0; dimension * dimension];
        root.iter_mut().step_by(dimension + 1).for_each(|diagonal| *diagonal = 1.0);
        Self {
            path: vec![0.0; dimension],
            root,
            mean,
            sigma,
            first_sigma: sigma,
            weights,
            effective_size,
            rate_of_path,
            rate_of_one,
            rate_of_many: many.min(1.0 - rate_of_one),
            damping: 1.0 + rate_of_path + 2.0 * excess.max(0.0),
            expected_length: libm::sqrt(n) * (1.0 - 1.0 / (4.0 * n.max(1.0)) + 1.0 / (21.0 * n.max(1.0) * n.max(1.0))),
        }
    }

    /// Mean of the distribution.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Size of the steps.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Draws a sample.
    pub fn sample(&self, dice: &mut Random) -> Sample {
        let z: Vec<f64> = self.mean.iter().map(|_| dice.normal(1.0)).collect();
        let direction = self.turned(&z);
        let point = self.mean.iter().zip(&direction).map(|(mean, step)| mean + self.sigma * step).collect();
        Sample { z, direction, point }
    }

    /// Adapts to a generation of samples, the best first.
    pub fn update(&mut self, best_first: &[&Sample]) {
        let dimension = self.mean.len();
        let selected: Vec<(f64, &Sample)> = self.weights.iter().copied().zip(best_first.iter().copied()).collect();
        let total: f64 = selected.iter().map(|(weight, _)| weight).sum();
        if selected.is_empty() || dimension == 0 {
            return;
        }
        let weighted = |of: fn(&Sample) -> &[f64], place: usize| {
            selected.iter().map(|(weight, sample)| weight / total * of(sample)[place]).sum::<f64>()
        };
        self.mean = (0..dimension).map(|place| weighted(|sample| &sample.point, place)).collect();
        let keep = 1.0 - self.rate_of_path;
        let add = libm::sqrt(self.effective_size * self.rate_of_path * (1.0 + keep));
        for place in 0..dimension {
            self.path[place] = keep * self.path[place] + add * weighted(|sample| &sample.z, place);
        }
        let turned_path = self.turned(&self.path);
        let (one, many) = (0.5 * self.rate_of_one, 0.5 * self.rate_of_many);
        for (row, entries) in self.root.chunks_exact_mut(dimension).enumerate() {
            for (entry, path) in entries.iter_mut().zip(&self.path) {
                *entry = (1.0 - one - many) * *entry + one * turned_path[row] * path;
            }
            for (weight, sample) in &selected {
                let factor = many * weight / total * sample.direction[row];
                entries.iter_mut().zip(&sample.z).for_each(|(entry, z)| *entry += factor * z);
            }
        }
        let length = libm::sqrt(self.path.iter().map(|part| part * part).sum());
        let change = self.rate_of_path / self.damping * (length / self.expected_length - 1.0);
        let bounds = SIGMA.map(|bound| bound * self.first_sigma);
        self.sigma = (self.sigma * libm::exp(change.min(1.0))).clamp(bounds[0], bounds[1]);
    }

    /// M times a vector.
    fn turned(&self, vector: &[f64]) -> Vec<f64> {
        let row = |entries: &[f64]| entries.iter().zip(vector).map(|(entry, part)| entry * part).sum();
        self.root.chunks_exact(vector.len().max(1)).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of evaluations until a function is below 1e-9, at most `most`.
    fn evaluations(
        function: impl Fn(&[f64]) -> f64,
        start: f64,
        dimension: usize,
        population: usize,
        most: usize,
    ) -> usize {
        let mut distribution = Distribution::new(vec![start; dimension], 0.5, population);
        let mut dice = Random::new(1);
        for generation in 1..=most / population {
            let samples: Vec<Sample> = (0..population).map(|_| distribution.sample(&mut dice)).collect();
            let mut ranked: Vec<(f64, &Sample)> = samples.iter().map(|one| (function(&one.point), one)).collect();
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            if ranked[0].0 < 1e-9 {
                return generation * population;
            }
            distribution.update(&ranked.into_iter().map(|(_, sample)| sample).collect::<Vec<_>>());
        }
        usize::MAX
    }

    fn sphere(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    /// Condition number 10^6.
    fn ellipsoid(x: &[f64]) -> f64 {
        let last = (x.len() - 1) as f64;
        x.iter().zip(0..).map(|(x, place)| libm::pow(1e6, f64::from(place) / last) * x * x).sum()
    }

    fn rosenbrock(x: &[f64]) -> f64 {
        let term = |x: &[f64]| 100.0 * (x[1] - x[0] * x[0]) * (x[1] - x[0] * x[0]) + (1.0 - x[0]) * (1.0 - x[0]);
        x.windows(2).map(term).sum()
    }

    /// Budgets: about twice what Hansen (2016), "The CMA evolution strategy: a tutorial", reports for 10 dimensions.
    #[test]
    fn known_functions_are_minimized() {
        assert!(evaluations(sphere, 1.0, 10, 10, 20_000) < 3000);
        assert!(evaluations(ellipsoid, 1.0, 10, 10, 40_000) < 12_000);
        assert!(evaluations(rosenbrock, 0.0, 10, 10, 40_000) < 14_000);
        // More dimensions and larger generations, as for creatures.
        assert!(evaluations(sphere, 1.0, 60, 64, 100_000) < 40_000);
    }

    #[test]
    fn the_search_does_not_depend_on_scale_or_rotation() {
        // A rotation by 45 degrees in every pair of coordinates.
        let turned = |x: &[f64]| -> Vec<f64> {
            x.chunks(2)
                .flat_map(|pair| [(pair[0] + pair[1]) * 0.5_f64.sqrt(), (pair[0] - pair[1]) * 0.5_f64.sqrt()])
                .collect()
        };
        let plain = evaluations(ellipsoid, 1.0, 10, 10, 40_000) as f64;
        let rotated = evaluations(|x| ellipsoid(&turned(x)), 1.0, 10, 10, 40_000) as f64;
        assert!((0.7..1.4).contains(&(rotated / plain)), "{plain} {rotated}");
    }

    #[test]
    fn degenerate_generations_do_no_harm() {
        let mut empty = Distribution::new(Vec::new(), 1.0, 8);
        let sample = empty.sample(&mut Random::new(1));
        empty.update(&[&sample]);
        assert!(sample.point.is_empty());
        let mut one = Distribution::new(vec![1.0, 2.0], 1.0, 8);
        one.update(&[]);
        assert_eq!(one.mean(), [1.0, 2.0]);
        let sample = one.sample(&mut Random::new(1));
        one.update(&[&sample]);
        assert_eq!(one.mean(), sample.point);
        assert!(one.sigma().is_finite());
    }
}
