//! A straight vortex of Lamb and Oseen.

use glam::DVec3;

use super::{FlowOptions, MadeFlow, MakeError, at_points};
use crate::field::{FieldError, FlowField};
use crate::fourier::wall_pressure;
use crate::grid::Grid;

/// A straight vortex in closed form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StraightVortex {
    /// A point of the core.
    pub centre: DVec3,
    /// Unit vector along the core.
    pub direction: DVec3,
    /// Circulation.
    pub circulation: f64,
    /// Core radius, `sqrt(4 nu t)`.
    pub radius: f64,
}

impl StraightVortex {
    /// Velocity at a place: `circulation / (2 pi r) (1 - exp(-r^2 / radius^2))` around the core.
    pub fn velocity(&self, place: DVec3) -> DVec3 {
        let from_core = self.direction.cross(place - self.centre);
        let square = from_core.length_squared();
        let ratio = square / (self.radius * self.radius);
        // expm1 keeps all digits near the core, where the quotient tends to one.
        let share = if ratio > 1e-12 { -libm::expm1(-ratio) / ratio } else { 1.0 };
        self.circulation * share / (std::f64::consts::TAU * self.radius * self.radius) * from_core
    }

    /// Distance of a place from the core.
    pub fn distance(&self, place: DVec3) -> f64 {
        self.direction.cross(place - self.centre).length()
    }

    /// Velocity and pressure on a bounded grid.
    pub fn field(&self, grid: &Grid, time: f64) -> Result<FlowField, FieldError> {
        let velocity = at_points(grid, |place| self.velocity(place));
        let pressure = wall_pressure(grid, &velocity);
        FlowField::from_f64(*grid, time, &velocity, &pressure)
    }
}

/// Core radius at the start, for a box of side 2.
const FIRST_RADIUS: f64 = 0.2;

/// A vortex across a bounded box, which is not aligned with the grid.
pub(super) fn straight_vortex(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    let points = options.points;
    let spacing = DVec3::splat(2.0 / (points - 1) as f64);
    let grid = Grid::new([points; 3], DVec3::splat(-1.0), spacing, [false; 3])?;
    let (steps, interval, viscosity) = (options.steps, options.interval, 1.0 / options.reynolds);
    let field = move |step: usize| {
        let time = step as f64 * interval;
        let vortex = StraightVortex {
            centre: DVec3::new(0.05, -0.03, 0.0),
            direction: DVec3::new(1.0, 0.2, 0.1).normalize(),
            circulation: 1.0,
            radius: (FIRST_RADIUS * FIRST_RADIUS + 4.0 * viscosity * time).sqrt(),
        };
        Ok(vortex.field(&grid, time)?)
    };
    Ok(MadeFlow { grid, wall: false, wind: DVec3::ZERO, fields: Box::new((0..steps).map(field)) })
}
