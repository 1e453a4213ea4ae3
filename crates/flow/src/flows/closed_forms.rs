//! The flow of Arnold, Beltrami and Childress, whose vorticity equals its velocity.

use glam::DVec3;

use super::{FlowOptions, MadeFlow, MakeError, at_points};
use crate::field::FlowField;
use crate::grid::Grid;

/// Velocity of the ABC flow with A = 1, B = sqrt(2/3), C = 0.2 in a box of side 2 pi. With a larger C, lines of low
/// pressure are far from parallel to the vorticity, so that there are no tubes.
pub fn abc_velocity(place: DVec3) -> DVec3 {
    let (a, b, c) = (1.0, (2.0_f64 / 3.0).sqrt(), 0.2);
    let (sin, cos) = (place.to_array().map(libm::sin), place.to_array().map(libm::cos));
    DVec3::new(a * sin[2] + c * cos[1], b * sin[0] + a * cos[2], c * sin[1] + b * cos[0])
}

/// The ABC flow, which decays by viscosity. Its pressure is minus half the square of the speed.
pub(super) fn abc(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    let grid = Grid::periodic([options.points; 3], DVec3::ZERO, std::f64::consts::TAU / options.points as f64)?;
    let (steps, interval, viscosity) = (options.steps, options.interval, 1.0 / options.reynolds);
    let field = move |step: usize| {
        let time = step as f64 * interval;
        let decay = libm::exp(-viscosity * time);
        let velocity = at_points(&grid, |place| decay * abc_velocity(place));
        let [x, y, z] = &velocity;
        let square = |index: usize| x[index] * x[index] + y[index] * y[index] + z[index] * z[index];
        let pressure: Vec<f64> = (0..grid.points()).map(|index| -0.5 * square(index)).collect();
        Ok(FlowField::from_f64(grid, time, &velocity, &pressure)?)
    };
    Ok(MadeFlow { grid, wall: false, wind: DVec3::ZERO, fields: Box::new((0..steps).map(field)) })
}
