//! Cores against their exact position.

use burgess_flow::flows::{FlowName, FlowOptions, StraightVortex, make};
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
        worst = worst.max(error);
        // From wall to wall: the shortest way through the box near its middle is almost its side.
        assert!(tube.length() > 1.8, "{number}: {}", tube.length());
        for point in tube.points.iter().filter(|point| point.position.abs().max_element() < 0.6) {
            // The edge is where the vorticity falls to 1/e; within it is 1 - 1/e of the circulation.
            assert!((point.section.mean() / vortex.radius - 1.0).abs() < 0.02, "{}", point.section.mean());
            let share = point.quantities[0] / vortex.circulation;
            assert!((share - (1.0 - 1.0 / std::f64::consts::E)).abs() < 0.02, "{share}");
        }
    }
    println!("straight cores: {worst:.4} cells");
    assert!(worst < 0.1, "{worst}");
}

/// The strongest vortices of the ABC flow wind along y around x = pi / 2 and z = 0, where A and B add up. Their cores
/// close through the faces of the periodic box.
#[test]
fn the_abc_flow_has_tubes_along_its_strongest_vortices() {
    let options = FlowOptions { points: 32, steps: 1, ..FlowOptions::of(FlowName::Abc) };
    let field = make(FlowName::Abc, &options).unwrap().fields.next().unwrap().unwrap();
    let tubes = extracted(&field).tubes;
    println!("{} tubes, closures {:?}", tubes.len(), tubes.iter().map(|tube| tube.closure).collect::<Vec<_>>());
    let axis = DVec3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
    let near = tubes.iter().any(|tube| {
        tube.points.iter().all(|point| {
            let away = field.grid().difference(axis, point.position);
            DVec3::new(away.x, 0.0, away.z).length() < 1.2
        })
    });
    assert!(near, "{} tubes", tubes.len());
}
