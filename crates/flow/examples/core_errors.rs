//! Writes fields with known vortex cores, the exact cores, and the cores that Burgess finds: `core_errors FOLDER`.
//!
//! `bench/flow` compares them with the cores that another program finds in the same files.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use burgess_flow::extract::{ExtractSettings, extract};
use burgess_flow::field::FlowField;
use burgess_flow::filament::Filament;
use burgess_flow::flows::{StraightVortex, filament_field};
use burgess_flow::grid::Grid;
use burgess_flow::tubes::Curve;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

#[path = "../tests/support.rs"]
#[allow(dead_code)]
mod support;
#[path = "../tests/trigonometric.rs"]
mod trigonometric;

use support::{direction, within};
use trigonometric::Trigonometric;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let folder = std::env::args().nth(1).ok_or("expected a folder")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let mut random = Pcg64::seed_from_u64(1);
    for number in 0..3 {
        let grid = Grid::new([64; 3], DVec3::splat(-1.0), DVec3::splat(2.0 / 63.0), [false; 3])?;
        let vortex = StraightVortex {
            centre: within(&mut random, 0.3),
            direction: direction(&mut random),
            circulation: 1.0,
            radius: grid.cell() * random.random_range(2.5..5.0),
        };
        let exact: Vec<DVec3> = (-300..=300)
            .map(|step| vortex.centre + 0.005 * f64::from(step) * vortex.direction)
            .filter(|place| place.abs().max_element() < 0.95)
            .collect();
        compare(folder, &format!("straight-{number}"), &vortex.field(&grid, 0.0)?, &exact)?;
    }
    for number in 0..3 {
        let (side, points) = (3.4, 48);
        let axis = direction(&mut random);
        let centre = within(&mut random, 0.1);
        let ring = Filament::ring(centre, axis, 1.0, 1.0, std::f64::consts::FRAC_1_SQRT_2 / 5.0, 512);
        let along = |node: usize| vec![(ring.nodes[node] - centre).normalize(), axis];
        periodic(folder, &format!("ring-{number}"), side, points, &ring, along)?;
    }
    for (number, bend) in [0.05, 0.1, 0.15].into_iter().enumerate() {
        let (side, points, count) = (2.0, 48, 512);
        let node = |node: usize| {
            let angle = std::f64::consts::TAU * node as f64 / count as f64;
            let x = side * (node as f64 / count as f64 - 0.5);
            DVec3::new(x, bend * side * libm::cos(angle), bend * side * libm::sin(angle))
        };
        let nodes: Vec<DVec3> = (0..count).map(node).collect();
        let helix = Filament { nodes, period: DVec3::X * side, circulation: 1.0, sigma: 0.1 };
        let elements: Vec<(DVec3, DVec3)> = helix.elements().collect();
        let along = |node: usize| {
            let (first, second) = elements[node].1.normalize().any_orthonormal_pair();
            vec![first, second]
        };
        periodic(folder, &format!("helix-{number}"), side, points, &helix, along)?;
    }
    Ok(())
}

/// A filament in a periodic box, whose exact core is the minimum of pressure on a grid that is twice as fine, between
/// whose points the pressure is a trigonometric polynomial.
fn periodic(
    folder: &Path,
    name: &str,
    side: f64,
    points: usize,
    filament: &Filament,
    across: impl Fn(usize) -> Vec<DVec3>,
) -> Outcome {
    let grid_of = |points: usize| Grid::periodic([points; 3], DVec3::splat(-0.5 * side), side / points as f64);
    let filaments = std::slice::from_ref(filament);
    let fine = grid_of(2 * points)?;
    let exact = Trigonometric::new(fine, filament_field(&fine, 0.0, filaments)?.pressure());
    let places: Vec<DVec3> = (0..filament.nodes.len())
        .step_by(16)
        .map(|node| {
            let across = across(node);
            exact.minimum(filament.nodes[node], [across[0], across[1]])
        })
        .collect();
    let places = Curve::new(places, Some(filament.period));
    let places: Vec<DVec3> = (0..places.pieces())
        .flat_map(|piece| [0.0, 0.25, 0.5, 0.75].map(|share| places.position(piece, share)))
        .collect();
    compare(folder, name, &filament_field(&grid_of(points)?, 0.0, filaments)?, &places)
}

fn compare(folder: &Path, name: &str, field: &FlowField, exact: &[DVec3]) -> Outcome {
    write_vtk(&folder.join(format!("{name}.vtk")), field)?;
    let mut seconds = f64::INFINITY;
    let mut found = extract(field, &ExtractSettings::default());
    for _ in 0..3 {
        let start = Instant::now();
        found = extract(field, &ExtractSettings::default());
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    let list = |places: &mut dyn Iterator<Item = DVec3>| {
        places.map(|place| format!("[{},{},{}]", place.x, place.y, place.z)).collect::<Vec<_>>().join(",")
    };
    let (cell, periodic) = (field.grid().cell(), field.grid().is_periodic());
    let mut text = String::new();
    writeln!(
        text,
        "{{\"name\":\"{name}\",\"cell\":{cell},\"side\":{},\"periodic\":{periodic},\"seconds\":{seconds},\
         \"exact\":[{}],\"found\":[{}]}}",
        field.grid().extent().x,
        list(&mut exact.iter().copied()),
        list(&mut found.tubes.iter().flat_map(|tube| &tube.points).map(|point| point.position)),
    )?;
    std::fs::write(folder.join(format!("{name}.json")), text)?;
    Ok(())
}

/// Writes a field in the legacy format of VTK.
fn write_vtk(path: &Path, field: &FlowField) -> std::io::Result<()> {
    let grid = field.grid();
    let ([x, y, z], [a, b, c], [d, e, f]) = (grid.size(), grid.origin().to_array(), grid.spacing().to_array());
    let mut bytes = format!(
        "# vtk DataFile Version 3.0\nflow\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS {x} {y} {z}\n\
         ORIGIN {a} {b} {c}\nSPACING {d} {e} {f}\nPOINT_DATA {}\nVECTORS velocity float\n",
        grid.points()
    )
    .into_bytes();
    let [u, v, w] = field.velocity();
    for ((u, v), w) in u.iter().zip(v).zip(w) {
        [u, v, w].into_iter().for_each(|value| bytes.extend(value.to_be_bytes()));
    }
    bytes.extend(b"\nSCALARS pressure float\nLOOKUP_TABLE default\n");
    field.pressure().iter().for_each(|value| bytes.extend(value.to_be_bytes()));
    std::fs::write(path, bytes)
}
