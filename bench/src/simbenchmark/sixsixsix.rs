//! A cube of 6 x 6 x 6 balls collapses: radius 0.1 m, 10 kg, spacing 0.21 m, random displacements of up to 1 mm, no
//! friction and no restitution. The error is the sum of the squares of all penetrations. In addition, no ball may
//! hover.

use anyhow::Result;
use burgess_geometry::shape::{HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Simulation, WorldBuilder};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Simulate, time_mean};

/// Radius of a ball, in m.
pub const RADIUS: f64 = 0.1;
/// Density of a ball of 10 kg, in kg/m^3.
pub const DENSITY: f64 = 10.0 / (4.0 / 3.0 * core::f64::consts::PI * RADIUS * RADIUS * RADIUS);
/// Simulated time, in s.
pub const SECONDS: f64 = 10.0;
/// Maximum vertical speed of a ball at rest, in m/s.
const REST: f64 = 1e-3;

/// Results of the test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heap {
    /// Time mean of the sum of squared penetrations, in m^2.
    pub error: f64,
    /// Largest gap below a ball at rest at the end, in m; negative if all of them penetrate slightly.
    pub hovering: f64,
    /// Number of balls at rest at the end.
    pub resting: usize,
    /// Maximum penetration at any time, in m.
    pub deepest: f64,
}

/// Builds the balls with random displacements; the centres of the lowest are at `height` in m.
pub(super) fn cube(height: f64, restitution: f64, jitter: u64) -> Result<WorldBuilder> {
    let mut builder = WorldBuilder::new();
    builder.default_material(Material { friction: 0.0, restitution, ..Material::default() });
    builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let mut random = Pcg64Mcg::seed_from_u64(jitter);
    for index in 0..216_u32 {
        let place = DVec3::new(f64::from(index / 36), f64::from(index / 6 % 6), f64::from(index % 6));
        let shift = DVec3::from_array(core::array::from_fn(|_| random.random_range(0.0..1e-3)));
        let shape = ColliderSpec::new(Shape::Sphere(Sphere::new(RADIUS)?)).with_density(DENSITY);
        builder.body("ball", Pose::from_translation(0.21 * place + shift + DVec3::Z * height), [shape])?;
    }
    Ok(builder)
}

/// Runs the test without restitution.
pub fn heap_666(simulate: &Simulate, jitter: u64) -> Result<Heap> {
    let (world, state) = cube(0.101, 0.0, jitter)?.build()?;
    let mut simulation = simulate(world, state)?;
    let mut deepest = 0.0_f64;
    let error = time_mean(&mut simulation, SECONDS, |simulation| {
        let (sum, deep) = penetration(&places(simulation));
        deepest = deepest.max(deep);
        sum
    })?;
    let (hovering, resting) = hovering(&simulation);
    Ok(Heap { error, hovering, resting, deepest })
}

fn places(simulation: &Simulation) -> Vec<DVec3> {
    let (state, links) = (simulation.state(), simulation.world().model().links());
    links.iter().map(|link| DVec3::from_slice(&state.q[link.q..])).collect()
}

/// Returns the sum of squared penetrations in m^2 and the maximum in m.
fn penetration(places: &[DVec3]) -> (f64, f64) {
    let (mut sum, mut deepest) = (0.0, 0.0_f64);
    let mut add = |depth: f64| {
        if depth > 0.0 {
            sum += depth * depth;
            deepest = deepest.max(depth);
        }
    };
    for (index, a) in places.iter().enumerate() {
        add(RADIUS - a.z);
        for b in &places[index + 1..] {
            let apart = *b - *a;
            if apart.length_squared() < 4.0 * RADIUS * RADIUS {
                add(2.0 * RADIUS - apart.length());
            }
        }
    }
    (sum, deepest)
}

/// Returns the largest gap and the number of balls at rest.
fn hovering(simulation: &Simulation) -> (f64, usize) {
    let (state, links) = (simulation.state(), simulation.world().model().links());
    let places = places(simulation);
    let gap_under = |index: usize| {
        let place = places[index];
        let others = places.iter().filter(|other| other.z < place.z);
        others.fold(place.z - RADIUS, |gap, other| gap.min(place.distance(*other) - 2.0 * RADIUS))
    };
    let resting = (0..places.len()).filter(|&index| state.v[links[index].v + 5].abs() < REST);
    resting.map(gap_under).fold((f64::NEG_INFINITY, 0), |(most, count), gap| (gap.max(most), count + 1))
}
