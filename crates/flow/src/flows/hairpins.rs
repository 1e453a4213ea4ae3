//! Hairpin and necklace vortices over a wall: filaments with their images, stretched by the flow along the wall.

use glam::DVec3;

use super::{FlowOptions, MadeFlow, MakeError};
use crate::field::FlowField;
use crate::filament::{Filament, advance};
use crate::fourier::biot_savart::{velocity_of, vorticity_of};
use crate::fourier::periodic_pressure;
use crate::grid::Grid;

/// Lengths of the box: along the flow, across it, and above the wall.
const BOX: [f64; 3] = [8.0, 4.0, 2.0];
/// Height at which the outer flow has most of its speed.
const LAYER: f64 = 0.6;
/// Speed of the outer flow, far from the wall.
const SPEED: f64 = 1.0;
/// Largest time step.
const MAX_STEP: f64 = 0.05;
/// Distance of the nodes of a filament.
const NODE_DISTANCE: f64 = 0.05;
/// Most nodes of a filament.
const MAX_NODES: usize = 320;

/// Speed of the outer flow at a height.
fn outer(place: DVec3) -> DVec3 {
    let ratio = place.z / LAYER;
    DVec3::new(SPEED * -libm::expm1(-ratio * ratio), 0.0, 0.0)
}

/// A spanwise filament at a height, with a hump whose legs become those of a hairpin.
fn hump(x: f64, height: f64, size: f64, circulation: f64) -> Filament {
    let nodes = (BOX[1] / NODE_DISTANCE) as usize;
    let node = |number: usize| {
        let y = BOX[1] * (number as f64 / nodes as f64 - 0.5);
        let bump = libm::exp(-(y * y) / 0.18);
        DVec3::new(x - 0.4 * size * bump, y, height + size * bump)
    };
    let period = DVec3::Y * BOX[1];
    Filament { nodes: (0..nodes).map(node).collect(), period, circulation, sigma: 0.09 }
}

/// Filaments that lift and stretch over the wall z = 0.
pub(super) fn hairpins(options: &FlowOptions) -> Result<MadeFlow, MakeError> {
    let spacing = BOX[0] / (2 * options.points) as f64;
    let size = [2 * options.points, options.points, options.points / 2 + 1];
    let origin = DVec3::new(-0.5 * BOX[0], -0.5 * BOX[1], 0.0);
    let grid = Grid::new(size, origin, DVec3::splat(spacing), [true, true, false])?;
    let doubled = Grid::periodic([size[0], size[1], 2 * (size[2] - 1)], origin, spacing)?;
    // Filaments turn with the shear of the outer flow. The long one in front wraps around the others as a necklace.
    let mut filaments = vec![hump(-2.2, 0.30, 0.16, 0.5), hump(-2.9, 0.34, 0.22, 0.5), hump(-1.2, 0.24, -0.06, 0.35)];
    let (steps, interval, viscosity) = (options.steps, options.interval, 1.0 / options.reynolds);
    let substeps = libm::ceil(interval / MAX_STEP).max(1.0) as usize;
    let field = move |step: usize| {
        if step > 0 {
            let small = interval / substeps as f64;
            for _ in 0..substeps {
                advance(&mut filaments, small, true, &outer);
                for filament in &mut filaments {
                    filament.sigma = (filament.sigma * filament.sigma + 2.0 * viscosity * small).sqrt();
                    let count = (filament.length() / NODE_DISTANCE) as usize;
                    filament.redistribute(count.clamp(filament.nodes.len(), MAX_NODES));
                }
            }
        }
        half_field(&grid, &doubled, step as f64 * interval, &filaments)
    };
    let wind = DVec3::X * SPEED;
    Ok(MadeFlow { grid, wall: true, wind, fields: Box::new((0..steps).map(field)) })
}

/// The field above the wall of filaments and their images in a box that is mirrored at the wall.
fn half_field(grid: &Grid, doubled: &Grid, time: f64, filaments: &[Filament]) -> Result<FlowField, MakeError> {
    let images = filaments.iter().map(Filament::image);
    let all: Vec<Filament> = filaments.iter().cloned().chain(images).collect();
    let mut velocity = velocity_of(doubled, &vorticity_of(doubled, &all));
    for (index, speed) in velocity[0].iter_mut().enumerate() {
        let mut place = doubled.position(doubled.point(index));
        place.z = place.z.min(doubled.extent().z - place.z);
        *speed += outer(place).x;
    }
    let pressure = periodic_pressure(doubled, &velocity);
    let upper = |values: &[f64]| values[..grid.points()].to_vec();
    let velocity = [upper(&velocity[0]), upper(&velocity[1]), upper(&velocity[2])];
    Ok(FlowField::from_f64(*grid, time, &velocity, &upper(&pressure))?)
}
