//! What several tests use.

use burgess_flow::extract::{ExtractSettings, Extraction, extract};
use burgess_flow::field::FlowField;
use glam::DVec3;
use rand::{Rng, RngExt};

/// A random unit vector.
pub fn direction(random: &mut impl Rng) -> DVec3 {
    loop {
        let mut part = || random.random_range(-1.0..1.0);
        let vector = DVec3::new(part(), part(), part());
        if (0.1..1.0).contains(&vector.length()) {
            return vector.normalize();
        }
    }
}

/// A random vector within a cube around zero.
pub fn within(random: &mut impl Rng, half_side: f64) -> DVec3 {
    let mut part = || random.random_range(-half_side..half_side);
    DVec3::new(part(), part(), part())
}

/// Extraction with the default settings.
pub fn extracted(field: &FlowField) -> Extraction {
    extract(field, &ExtractSettings::default())
}
