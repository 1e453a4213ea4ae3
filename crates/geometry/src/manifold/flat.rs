//! Generators of the six orientable closed flat manifolds. Source: Weeks (2002), *The Shape of Space*; Wolf (1967),
//! *Spaces of Constant Curvature*.

use glam::{DMat3, DVec3};

use crate::space::{Isometry, Space};

fn shift(x: f64, y: f64, z: f64) -> Isometry {
    Isometry::translation(Space::Flat, DVec3::new(x, y, z))
}

/// Returns the translations of a 3-torus: three edges of a parallelepiped.
pub fn three_torus(sides: [f64; 3], shears: [f64; 3]) -> Vec<Isometry> {
    let [width, depth, height] = sides;
    let [x_of_y, x_of_z, y_of_z] = shears;
    vec![shift(width, 0.0, 0.0), shift(x_of_y, depth, 0.0), shift(x_of_z, y_of_z, height)]
}

/// Returns generators of the half-turn space: a parallelogram of translations, and a screw motion by half a turn.
pub fn half_turn(sides: [f64; 3], shear: f64) -> Vec<Isometry> {
    let [width, depth, height] = sides;
    let turn = Isometry::rotation(Space::Flat, DMat3::from_diagonal(DVec3::new(-1.0, -1.0, 1.0)));
    vec![shift(width, 0.0, 0.0), shift(shear, depth, 0.0), shift(0.0, 0.0, height) * turn]
}

/// Returns generators of the quarter-turn space: a square of translations, and a screw motion by a quarter of a turn.
pub fn quarter_turn(width: f64, height: f64) -> Vec<Isometry> {
    let turn = Isometry::rotation(Space::Flat, DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z));
    vec![shift(width, 0.0, 0.0), shift(0.0, width, 0.0), shift(0.0, 0.0, height) * turn]
}

/// Returns generators of the third-turn (`parts` = 3) or sixth-turn (`parts` = 6) space: a hexagonal lattice of
/// translations, and a screw motion by a part of a turn.
pub fn hexagonal_turn(width: f64, height: f64, parts: u32) -> Vec<Isometry> {
    let half_root = libm::sqrt(3.0) / 2.0;
    // Exact rotations by a third and a sixth of a turn.
    let cosine = if parts == 3 { -0.5 } else { 0.5 };
    let turn = DMat3::from_cols(DVec3::new(cosine, half_root, 0.0), DVec3::new(-half_root, cosine, 0.0), DVec3::Z);
    let second = shift(-0.5 * width, half_root * width, 0.0);
    vec![shift(width, 0.0, 0.0), second, shift(0.0, 0.0, height) * Isometry::rotation(Space::Flat, turn)]
}

/// Returns generators of the Hantzsche-Wendt space: screw motions by half a turn along three axes that do not meet.
pub fn hantzsche_wendt(sides: [f64; 3]) -> Vec<Isometry> {
    let [a, b, c] = sides.map(|side| 0.5 * side);
    let half_turn = |axis: DVec3| Isometry::rotation(Space::Flat, DMat3::from_diagonal(2.0 * axis - DVec3::ONE));
    vec![
        shift(a, b, 0.0) * half_turn(DVec3::X),
        shift(0.0, b, c) * half_turn(DVec3::Y),
        shift(a, 0.0, c) * half_turn(DVec3::Z),
    ]
}
