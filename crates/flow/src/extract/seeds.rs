//! Seeds: points where the vorticity is high and the pressure has a minimum across it.

use glam::DVec3;

use super::ExtractSettings;
use crate::differences::derivative;
use crate::field::FlowField;

/// Bounds of the traced cores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Thresholds {
    /// Vorticity below which a core ends.
    pub(crate) least_vorticity: f64,
    /// Pressure above which a core ends.
    pub(crate) most_pressure: f64,
}

/// Positions of all seeds, those with the lowest pressure first, and the bounds for cores.
pub(crate) fn find_seeds(field: &FlowField, settings: &ExtractSettings) -> (Vec<DVec3>, Thresholds) {
    let grid = field.grid();
    let points = grid.points();
    let vorticity = vorticity(field);
    let square = |index: usize| vorticity.iter().map(|axis| axis[index] * axis[index]).sum::<f64>();
    let root_mean_square = ((0..points).map(square).sum::<f64>() / points as f64).sqrt();
    let pressure = field.pressure();
    let mean = pressure.iter().map(|value| f64::from(*value)).sum::<f64>() / points as f64;
    let spread = pressure.iter().map(|value| (f64::from(*value) - mean) * (f64::from(*value) - mean)).sum::<f64>();
    let deviation = (spread / points as f64).sqrt();
    let least = settings.vorticity * root_mean_square;
    let most = mean - settings.pressure * deviation;
    let is_seed = |index: &usize| {
        f64::from(pressure[*index]) <= most && square(*index) >= least * least && is_minimum(field, &vorticity, *index)
    };
    // In a flow at rest nothing is a vortex.
    let mut seeds: Vec<usize> = if root_mean_square > 0.0 { (0..points).filter(is_seed).collect() } else { Vec::new() };
    seeds.sort_by(|a, b| pressure[*a].total_cmp(&pressure[*b]).then(a.cmp(b)));
    let positions = seeds.into_iter().map(|index| grid.position(grid.point(index))).collect();
    (positions, Thresholds { least_vorticity: 0.5 * least, most_pressure: mean })
}

/// Whether the pressure is lowest among the eight neighbours in the plane that is most nearly across the vorticity.
fn is_minimum(field: &FlowField, vorticity: &[Vec<f64>; 3], index: usize) -> bool {
    let sizes = [0, 1, 2].map(|axis| vorticity[axis][index].abs());
    let along = (0..3).fold(0, |best, axis| if sizes[axis] > sizes[best] { axis } else { best });
    let (first, second) = ((along + 1) % 3, (along + 2) % 3);
    let (grid, pressure) = (field.grid(), field.pressure());
    let point = grid.point(index);
    let neighbours = (-1..=1).flat_map(|a| (-1..=1).map(move |b| (a, b))).filter(|place| *place != (0, 0));
    let lower = |(a, b): (isize, isize)| {
        let neighbour = grid.neighbour(point, first, a).and_then(|point| grid.neighbour(point, second, b));
        neighbour.is_some_and(|neighbour| pressure[grid.index(neighbour)] < pressure[index])
    };
    !neighbours.into_iter().any(lower)
}

/// Vorticity at the points of the grid.
fn vorticity(field: &FlowField) -> [Vec<f64>; 3] {
    let double = |axis: usize| field.velocity()[axis].iter().map(|value| f64::from(*value)).collect::<Vec<f64>>();
    let velocity = [double(0), double(1), double(2)];
    [0, 1, 2].map(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let first = derivative(field.grid(), &velocity[last], next);
        let second = derivative(field.grid(), &velocity[next], last);
        first.into_iter().zip(second).map(|(first, second)| first - second).collect()
    })
}
