//! Pressure against closed forms.

use burgess_flow::flows::{StraightVortex, abc_velocity};
use burgess_flow::fourier::{periodic_pressure, wall_pressure};
use burgess_flow::grid::Grid;
use glam::DVec3;

/// The pressure of the ABC flow is minus half the square of its speed.
#[test]
fn pressure_of_the_abc_flow() {
    let grid = Grid::periodic([16; 3], DVec3::ZERO, std::f64::consts::TAU / 16.0).unwrap();
    let vectors: Vec<DVec3> = (0..grid.points()).map(|index| abc_velocity(grid.position(grid.point(index)))).collect();
    let velocity = [0, 1, 2].map(|axis| vectors.iter().map(|vector| vector[axis]).collect::<Vec<f64>>());
    let exact: Vec<f64> = vectors.iter().map(|vector| -0.5 * vector.length_squared()).collect();
    let mean = exact.iter().sum::<f64>() / exact.len() as f64;
    for (found, exact) in periodic_pressure(&grid, &velocity).iter().zip(&exact) {
        assert!((found - (exact - mean)).abs() < 1e-13, "{found} {exact}");
    }
}

/// Pressure of a straight vortex at a distance, by integration of the centrifugal force inwards from far away.
fn vortex_pressure(vortex: &StraightVortex, distance: f64) -> f64 {
    let across = vortex.direction.any_orthonormal_vector();
    let force = |r: f64| vortex.velocity(vortex.centre + r * across).length_squared() / r;
    // Simpson's rule in the logarithm of the distance, and the tail of a point vortex.
    let (far, steps) = (60.0 * vortex.radius, 4000);
    let (low, high) = (libm::log(distance), libm::log(far));
    let width = (high - low) / f64::from(steps);
    let at = |step: i32| {
        let r = libm::exp(low + width * f64::from(step));
        force(r) * r
    };
    let inner: f64 = (1..steps).map(|step| at(step) * if step % 2 == 0 { 2.0 } else { 4.0 }).sum();
    let speed = vortex.velocity(vortex.centre + far * across).length();
    -(width / 3.0 * (at(0) + inner + at(steps))) - 0.5 * speed * speed
}

/// The pressure in a box with walls, from the velocity alone, is that of the vortex. Its error is of fourth order.
#[test]
fn pressure_of_a_straight_vortex_between_walls() {
    let mut errors = Vec::new();
    for points in [20, 40] {
        let grid =
            Grid::new([points; 3], DVec3::splat(-1.0), DVec3::splat(2.0 / (points - 1) as f64), [false; 3]).unwrap();
        let vortex = StraightVortex {
            centre: DVec3::new(0.1, 0.05, 0.0),
            direction: DVec3::new(0.2, 0.3, 1.0).normalize(),
            circulation: 1.0,
            radius: 0.35,
        };
        let places: Vec<DVec3> = (0..grid.points()).map(|index| grid.position(grid.point(index))).collect();
        let velocity =
            [0, 1, 2].map(|axis| places.iter().map(|place| vortex.velocity(*place)[axis]).collect::<Vec<f64>>());
        let found = wall_pressure(&grid, &velocity);
        let chosen: Vec<usize> = (0..grid.points()).step_by(grid.points() / 97).collect();
        let exact: Vec<f64> =
            chosen.iter().map(|index| vortex_pressure(&vortex, vortex.distance(places[*index]))).collect();
        // The pressure is known up to a constant.
        let shift =
            chosen.iter().zip(&exact).map(|(index, exact)| found[*index] - exact).sum::<f64>() / exact.len() as f64;
        let depth = exact.iter().fold(0.0, |depth: f64, exact| depth.max(-exact));
        let error = chosen.iter().zip(&exact).map(|(index, exact)| (found[*index] - shift - exact).abs() / depth);
        errors.push(error.fold(0.0, f64::max));
    }
    println!("errors of the pressure: {errors:?}");
    assert!(errors[1] < 2e-3, "{errors:?}");
    // Half the spacing, 16 times less by theory; 8 leaves room for the walls, whose differences are one-sided.
    assert!(errors[1] < errors[0] / 8.0, "{errors:?}");
}
