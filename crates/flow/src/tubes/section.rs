//! The section of a tube: its radius as a function of the angle, in five complex Fourier terms.
//!
//! `r(a) = Re c_0 + 2 Re (c_1 e^(i a) + ... + c_4 e^(4 i a))`, with angles from the normal of the core towards the
//! cross product of tangent and normal (Banks and Singer 1994).

/// Number of Fourier terms.
pub const TERMS: usize = 5;
/// Number of angles at which the radius is measured: more than twice the highest term, so that it has no aliases.
pub const ANGLES: usize = 16;

/// The radius of a tube by angle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Section {
    /// Mean radius, then the real and imaginary parts of the terms 1 to 4.
    pub terms: [f64; 2 * TERMS - 1],
}

impl Section {
    /// The terms of radii at equal angles that start at 0.
    pub fn from_radii(radii: &[f64; ANGLES]) -> Self {
        let mut terms = [0.0; 2 * TERMS - 1];
        for (number, radius) in radii.iter().enumerate() {
            terms[0] += radius / ANGLES as f64;
            for order in 1..TERMS {
                let angle = angle_of(number * order);
                terms[2 * order - 1] += radius * libm::cos(angle) / ANGLES as f64;
                terms[2 * order] -= radius * libm::sin(angle) / ANGLES as f64;
            }
        }
        Self { terms }
    }

    /// The mean radius.
    pub fn mean(&self) -> f64 {
        self.terms[0]
    }

    /// The radius at an angle.
    pub fn radius(&self, angle: f64) -> f64 {
        let term = |order: usize| {
            let turned = order as f64 * angle;
            self.terms[2 * order - 1] * libm::cos(turned) - self.terms[2 * order] * libm::sin(turned)
        };
        self.terms[0] + 2.0 * (1..TERMS).map(term).sum::<f64>()
    }

    /// The derivative of the radius by the angle.
    pub fn slope(&self, angle: f64) -> f64 {
        let term = |order: usize| {
            let turned = order as f64 * angle;
            -(order as f64)
                * (self.terms[2 * order - 1] * libm::sin(turned) + self.terms[2 * order] * libm::cos(turned))
        };
        2.0 * (1..TERMS).map(term).sum::<f64>()
    }
}

/// The measured angle of a number.
pub(crate) fn angle_of(number: usize) -> f64 {
    std::f64::consts::TAU * (number % ANGLES) as f64 / ANGLES as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_terms_give_back_their_radii() {
        let wanted = |angle: f64| {
            2.0 + 0.3 * libm::cos(angle + 0.4) - 0.2 * libm::sin(3.0 * angle) + 0.1 * libm::cos(4.0 * angle)
        };
        let radii = std::array::from_fn(|number| wanted(angle_of(number)));
        let section = Section::from_radii(&radii);
        for step in 0..50 {
            let angle = 0.13 * f64::from(step);
            assert!((section.radius(angle) - wanted(angle)).abs() < 1e-14);
            let slope = (section.radius(angle + 1e-6) - section.radius(angle - 1e-6)) / 2e-6;
            assert!((section.slope(angle) - slope).abs() < 1e-8);
        }
    }
}
