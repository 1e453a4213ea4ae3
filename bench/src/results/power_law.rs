//! Fits power laws: straight lines through points on logarithmic axes.

/// A power law y = factor * x^exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PowerLaw {
    /// Slope of the line on logarithmic axes.
    pub exponent: f64,
    /// Value at x = 1.
    pub factor: f64,
}

impl PowerLaw {
    /// Fits by least squares of the logarithms; all coordinates must be positive.
    pub fn fit(points: &[(f64, f64)]) -> Self {
        let count = points.len() as f64;
        let logarithms: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (libm::log(x), libm::log(y))).collect();
        let mean_x = logarithms.iter().map(|p| p.0).sum::<f64>() / count;
        let mean_y = logarithms.iter().map(|p| p.1).sum::<f64>() / count;
        let covariance: f64 = logarithms.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let variance: f64 = logarithms.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
        let exponent = covariance / variance;
        Self { exponent, factor: libm::exp(mean_y - exponent * mean_x) }
    }

    /// Returns the value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.factor * libm::pow(x, self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_found_again() {
        let points: Vec<(f64, f64)> = (1..10).map(|i| f64::from(i * i)).map(|x| (x, 3.0 * x.sqrt())).collect();
        let law = PowerLaw::fit(&points);
        assert!((law.exponent - 0.5).abs() < 1e-12 && (law.factor - 3.0).abs() < 1e-12, "{law:?}");
        assert!((law.at(100.0) - 30.0).abs() < 1e-10);
    }
}
