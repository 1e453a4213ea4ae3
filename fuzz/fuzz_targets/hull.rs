//! Any points: a convex polyhedron around them, or an error.
#![no_main]

use burgess_geometry::Polyhedron;
use glam::DVec3;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // The first byte chooses between wild numbers and a small lattice, on which nearly everything is degenerate.
    let Some((&kind, rest)) = bytes.split_first() else { return };
    let points: Vec<DVec3> = if kind % 2 == 0 {
        let number = |b: &[u8]| f64::from_le_bytes(b.try_into().unwrap());
        rest.chunks_exact(24).map(|c| DVec3::new(number(&c[..8]), number(&c[8..16]), number(&c[16..]))).collect()
    } else {
        let scale = if kind % 4 == 1 { 1.0 } else { 0.1 };
        rest.chunks_exact(3).map(|c| DVec3::new(f64::from(c[0]), f64::from(c[1]), f64::from(c[2])) * scale).collect()
    };
    if let Ok(hull) = Polyhedron::hull(&points) {
        let extent = hull.bounds().extents().max_element();
        for face in hull.faces() {
            for &point in &points {
                assert!(face.plane.distance(point) <= 1e-9 * extent, "{point} is {} outside", face.plane.distance(point));
            }
        }
    }
});
