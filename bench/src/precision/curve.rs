//! The cost of an error, between measured steps.

/// A measured step of an engine.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Error at this step.
    pub error: f64,
    /// Cost of this step, in any unit of time.
    pub cost: f64,
}

/// The cost of an error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The cost.
    pub cost: f64,
    /// Whether the error is larger or smaller than all measured ones.
    pub is_extrapolated: bool,
}

/// Returns the lowest cost at which an engine has at most an error. The points are in the order of decreasing steps.
/// Between them, the logarithms of error and cost are interpolated linearly. Beyond them, the error is
/// proportional to the step and the cost to its inverse.
pub fn at_error(points: &[Point], error: f64) -> Cost {
    let (first, last) = (points[0], points[points.len() - 1]);
    if first.error <= error {
        return Cost { cost: first.cost * first.error / error, is_extrapolated: true };
    }
    for pair in points.windows(2) {
        let [coarse, fine] = [pair[0], pair[1]];
        if fine.error <= error {
            let share = libm::log(coarse.error / error) / libm::log(coarse.error / fine.error);
            let cost = coarse.cost * libm::exp(share * libm::log(fine.cost / coarse.cost));
            return Cost { cost, is_extrapolated: false };
        }
    }
    Cost { cost: last.cost * last.error / error, is_extrapolated: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(errors: [f64; 3]) -> Vec<Point> {
        errors.iter().zip([1.0, 2.0, 4.0]).map(|(&error, cost)| Point { error, cost }).collect()
    }

    fn is_near(found: Cost, cost: f64, is_extrapolated: bool) -> bool {
        // Rounding of logarithms.
        (found.cost - cost).abs() < 1e-12 && found.is_extrapolated == is_extrapolated
    }

    #[test]
    fn costs_of_a_second_order_method_are_powers_of_the_error() {
        let points = points([1.6, 0.4, 0.1]);
        assert!(is_near(at_error(&points, 0.4), 2.0, false));
        assert!(is_near(at_error(&points, 0.8), 2.0_f64.sqrt(), false));
        assert!(is_near(at_error(&points, 0.1), 4.0, false));
    }

    #[test]
    fn errors_beyond_the_measured_ones_are_of_first_order() {
        let points = points([1.6, 0.4, 0.1]);
        assert!(is_near(at_error(&points, 3.2), 0.5, true));
        assert!(is_near(at_error(&points, 0.05), 8.0, true));
    }

    #[test]
    fn errors_that_do_not_decrease_are_skipped() {
        assert!(is_near(at_error(&points([1.0, 2.0, 0.5]), 0.5), 4.0, false));
    }
}
