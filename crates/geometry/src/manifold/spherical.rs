//! Spherical manifolds. Source: Threlfall and Seifert (1931), *Topologische Untersuchung der Diskontinuitaetsbereiche
//! endlicher Bewegungsgruppen des dreidimensionalen sphaerischen Raumes*.

use std::f64::consts::{PI, TAU};

use glam::{DMat4, DVec4};

use super::domain::OpenFace;
use super::{Domain, ManifoldError};
use crate::space::{Isometry, Space};

/// Returns the domain of the three-sphere itself, without faces.
pub fn three_sphere() -> Domain {
    Domain { space: Space::Spherical, vertices: Vec::new(), edges: Vec::new(), faces: Vec::new() }
}

/// Returns the generator of the lens space L(p, q): it turns the circle of z and w by 1/p, that of x and y by q/p.
pub fn lens_generator(p: u32, q: u32) -> Isometry {
    let turn = |numerator: u32| libm::sincos(TAU * f64::from(numerator) / f64::from(p));
    let ((sine, cosine), (along_sine, along_cosine)) = (turn(q % p), turn(1));
    let matrix = DMat4::from_cols(
        DVec4::new(cosine, sine, 0.0, 0.0),
        DVec4::new(-sine, cosine, 0.0, 0.0),
        DVec4::new(0.0, 0.0, along_cosine, -along_sine),
        DVec4::new(0.0, 0.0, along_sine, along_cosine),
    );
    let generator = Isometry::from_matrix(Space::Spherical, matrix, 1e-9);
    generator.unwrap_or_else(|| Isometry::identity(Space::Spherical))
}

/// Returns the domain of the lens space L(p, q): a lens between two planes that meet in a great circle. Its edge is
/// divided so that the pairing maps edges to edges.
pub fn lens(p: u32, q: u32) -> Result<Domain, ManifoldError> {
    let generator = lens_generator(p, q);
    // Edges of half a great circle would not be determined by their ends.
    let corners = if p == 2 { 4 } else { p };
    let vertices = (0..corners).map(|i| {
        let (sine, cosine) = libm::sincos(TAU * f64::from(i) / f64::from(corners));
        DVec4::new(cosine, sine, 0.0, 0.0)
    });
    // Half the thickness: copies of the lens are 1/p of a great circle apart.
    let (sine, cosine) = libm::sincos(PI / f64::from(p));
    let forward: Vec<usize> = (0..corners as usize).collect();
    let backward: Vec<usize> = forward.iter().rev().copied().collect();
    let (plane, centre) = (DVec4::new(0.0, 0.0, cosine, -sine), DVec4::new(0.0, 0.0, sine, cosine));
    let mirror = DVec4::new(1.0, 1.0, -1.0, 1.0);
    let upper = OpenFace { plane, centre, pairing: generator, corners: forward };
    let lower =
        OpenFace { plane: plane * mirror, centre: centre * mirror, pairing: generator.inverse(), corners: backward };
    Domain::assemble(Space::Spherical, vertices.collect(), vec![upper, lower])
}

/// Returns generators of the quaternion group of order 8, which acts on the three-sphere by left multiplication.
pub fn quaternion() -> Vec<Isometry> {
    vec![Isometry::left_multiplication(DVec4::X), Isometry::left_multiplication(DVec4::Y)]
}

/// Returns generators of the binary icosahedral group of order 120, which acts on the three-sphere by left
/// multiplication.
pub fn poincare() -> Vec<Isometry> {
    let golden = (1.0 + libm::sqrt(5.0)) / 2.0;
    let sixth = DVec4::new(0.5, 0.5, 0.5, 0.5);
    let tenth = DVec4::new(0.5 / golden, 0.5, 0.0, 0.5 * golden);
    vec![Isometry::left_multiplication(sixth), Isometry::left_multiplication(tenth)]
}
