//! Flows of filaments in a periodic box: rings and a bent vortex.

use glam::DVec3;

use super::{FlowOptions, MadeFlow, MakeError, filament_field};
use crate::filament::{Filament, advance};
use crate::grid::Grid;
use crate::reconnection::reconnect;

/// Nodes of a ring.
const RING_NODES: usize = 160;
/// Largest time step of filaments, for rings of radius and circulation 1.
const MAX_STEP: f64 = 0.02;

/// A ring of radius 1 and core radius 0.2 that starts below the middle of the box.
pub(super) fn ring(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    let sigma = 0.2 * std::f64::consts::FRAC_1_SQRT_2;
    let ring = Filament::ring(DVec3::new(0.0, 0.0, -0.6), DVec3::Z, 1.0, 1.0, sigma, RING_NODES);
    moving(options, 4.0, vec![ring], None)
}

/// Two equal rings on one axis.
pub(super) fn leapfrog(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    let ring = |z: f64| Filament::ring(DVec3::new(0.0, 0.0, z), DVec3::Z, 1.0, 1.0, 0.09, RING_NODES);
    moving(options, 3.6, vec![ring(-1.3), ring(-0.75)], None)
}

/// Two rings side by side whose axes lean towards each other.
pub(super) fn collision(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    let ring = |side: f64| {
        let axis = DVec3::new(-0.35 * side, 0.0, 1.0).normalize();
        Filament::ring(DVec3::new(0.95 * side, 0.0, -1.2), axis, 0.7, 1.0, 0.12, RING_NODES)
    };
    // They join when the distance of their axes is that of their thickness.
    moving(options, 4.4, vec![ring(-1.0), ring(1.0)], Some(0.16))
}

/// A helix along x that continues through the faces of the box.
pub(super) fn bent_vortex(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    let side = 2.0;
    let node = |number: usize| {
        let share = number as f64 / RING_NODES as f64;
        let angle = std::f64::consts::TAU * share;
        DVec3::new(side * (share - 0.5), options.bend * side * libm::cos(angle), options.bend * side * libm::sin(angle))
    };
    let helix = Filament {
        nodes: (0..RING_NODES).map(node).collect(),
        period: DVec3::X * side,
        circulation: 1.0,
        sigma: 0.2 * std::f64::consts::FRAC_1_SQRT_2,
    };
    moving(options, side, vec![helix], None)
}

/// Fields of filaments that move with their flow and spread by viscosity.
fn moving(
    options: &FlowOptions,
    side: f64,
    mut filaments: Vec<Filament>,
    reconnection: Option<f64>,
) -> Result<MadeFlow, MakeError> {
    let spacing = side / options.points as f64;
    let grid = Grid::periodic([options.points; 3], DVec3::splat(-0.5 * side), spacing)?;
    let (steps, interval, viscosity) = (options.steps, options.interval, 1.0 / options.reynolds);
    let substeps = libm::ceil(interval / MAX_STEP).max(1.0) as usize;
    let field = move |step: usize| {
        if step > 0 {
            let small = interval / substeps as f64;
            for _ in 0..substeps {
                advance(&mut filaments, small, false, &|_| DVec3::ZERO);
                for filament in &mut filaments {
                    filament.sigma = (filament.sigma * filament.sigma + 2.0 * viscosity * small).sqrt();
                }
                if reconnection.is_some_and(|distance| reconnect(&mut filaments, distance)) {
                    // Nodes that bunched together or spread apart are placed evenly.
                    for filament in &mut filaments {
                        let count = filament.nodes.len();
                        filament.redistribute(count);
                    }
                }
            }
        }
        Ok(filament_field(&grid, step as f64 * interval, &filaments)?)
    };
    Ok(MadeFlow { grid, wall: false, wind: DVec3::ZERO, fields: Box::new((0..steps).map(field)) })
}
