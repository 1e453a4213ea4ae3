//! Cores against their exact position.

use burgess_flow::filament::Filament;
use burgess_flow::flows::{StraightVortex, filament_field};
use burgess_flow::grid::Grid;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::support::{direction, extracted, within};

/// The cores of straight vortices with random position, direction and radius are within 0.1 cell of the axis, from one
/// wall of the box to another, with the radius and the circulation of Lamb and Oseen.
#[test]
fn straight_cores_are_exact_to_a_tenth_of_a_cell() {
    let mut random = Pcg64::seed_from_u64(1);
    let grid = Grid::new([28; 3], DVec3::splat(-1.0), DVec3::splat(2.0 / 27.0), [false; 3]).unwrap();
    let cell = grid.cell();
    let mut worst: f64 = 0.0;
    for number in 0..24 {
        let vortex = StraightVortex {
            centre: within(&mut random, 0.3),
            direction: direction(&mut random),
            circulation: random.random_range(0.1..10.0),
            radius: cell * random.random_range(2.0..4.0),
        };
        let tubes = extracted(&vortex.field(&grid, 0.0).unwrap()).tubes;
        let [tube] = &tubes[..] else { panic!("{number}: {} tubes of {vortex:?}", tubes.len()) };
        let error = tube.points.iter().map(|point| vortex.distance(point.position) / cell).fold(0.0, f64::max);
        println!("{number} error {error} length {} radius {} {}", tube.length(), tube.radius() / vortex.radius, tube.points.len());
        worst = worst.max(error);
        for point in &tube.points {
            println!("  {} {} {:?}", vortex.distance(point.position) / cell, point.section.mean() / vortex.radius, point.quantities[0] / vortex.circulation);
        }
    }
    assert!(worst < 0.1, "{worst}");
}

#[test]
fn rings_explore() {
    let mut random = Pcg64::seed_from_u64(2);
    for number in 0..4 {
        let grid = Grid::periodic([32; 3], DVec3::splat(-2.0), 0.125).unwrap();
        let axis = direction(&mut random);
        let centre = within(&mut random, 1.0);
        let ring = Filament::ring(centre, axis, 1.0, 1.0, 0.2 * 0.7071 * 1.25, 256);
        let found = extracted(&filament_field(&grid, 0.0, &[ring]).unwrap());
        println!("{number}: {} tubes, {} seeds", found.tubes.len(), found.seeds);
        for tube in &found.tubes {
            println!("  {} points, length {}, closed {:?} radius {}", tube.points.len(), tube.length(), tube.closure, tube.radius());
            let d: Vec<f64> = tube.points.iter().map(|point| { let r = point.position - centre; let z = r.dot(axis); (r - z * axis).length() }).collect();
            println!("  {:?}", d.iter().fold([9.0_f64, 0.0_f64], |a, d| [a[0].min(*d), a[1].max(*d)]));
        }
    }
}
