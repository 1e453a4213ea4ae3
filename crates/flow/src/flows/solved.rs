//! Flows that the spectral solver computes from their start.

use glam::DVec3;

use super::{FlowOptions, MadeFlow, MakeError, at_points};
use crate::fourier::solver::Solver;
use crate::grid::Grid;

/// Velocity of the three-dimensional vortices of Taylor and Green in a box of side 2 pi.
pub fn taylor_green_velocity(place: DVec3) -> DVec3 {
    let (sin, cos) = (place.to_array().map(libm::sin), place.to_array().map(libm::cos));
    DVec3::new(sin[0] * cos[1] * cos[2], -cos[0] * sin[1] * cos[2], 0.0)
}

/// Thickness of the layers of shear.
const LAYER: f64 = 0.35;
/// Speed of the disturbance that rolls the layers up.
const DISTURBANCE: f64 = 0.08;

/// Velocity of two layers of opposite shear in a box of side 2 pi, with waves along and across the flow.
pub fn shear_velocity(place: DVec3) -> DVec3 {
    use std::f64::consts::{FRAC_PI_2, PI};
    let layer = |height: f64| libm::tanh((place.z - height) / LAYER);
    let stream = layer(FRAC_PI_2) - layer(3.0 * FRAC_PI_2) - 1.0;
    let near = |height: f64| {
        let distance = (place.z - height) / LAYER;
        libm::exp(-0.25 * distance * distance)
    };
    // Two rolls that pair later, moved sideways along y.
    let wave = libm::sin(2.0 * place.x + 0.4 * libm::sin(place.y)) + 0.5 * libm::sin(place.x + 0.7);
    let lower = near(FRAC_PI_2) * wave;
    let upper = near(3.0 * FRAC_PI_2) * libm::sin(2.0 * (place.x + PI / 3.0) - 0.4 * libm::sin(place.y));
    DVec3::new(stream, 0.0, DISTURBANCE * (lower + upper))
}

pub(super) fn taylor_green(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    solved(options, taylor_green_velocity)
}

pub(super) fn shear(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    solved(options, shear_velocity)
}

fn solved(options: &FlowOptions, start: fn(DVec3) -> DVec3) -> Result<MadeFlow, MakeError> {
    let grid = Grid::periodic([options.points; 3], DVec3::ZERO, std::f64::consts::TAU / options.points as f64)?;
    let mut solver = Solver::new(grid, &at_points(&grid, start), 1.0 / options.reynolds)?;
    let (steps, interval) = (options.steps, options.interval);
    let field = move |step: usize| {
        if step > 0 {
            let substeps = libm::ceil(interval / solver.stable_step()).max(1.0) as usize;
            for _ in 0..substeps {
                solver.advance(interval / substeps as f64)?;
            }
        }
        Ok(solver.field()?)
    };
    Ok(MadeFlow { grid, wall: false, wind: DVec3::ZERO, fields: Box::new((0..steps).map(field)) })
}
