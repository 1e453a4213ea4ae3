//! Hyperbolic manifolds and orbifolds. Sources: Weber and Seifert (1933), *Die beiden Dodekaederraeume*; Weeks (1985),
//! *Hyperbolic Structures on Three-Manifolds*; Thurston (1997), *Three-Dimensional Geometry and Topology*.

use std::f64::consts::TAU;

use glam::{DMat4, DVec3, DVec4};

use super::clip::Cutting;
use super::domain::OpenFace;
use super::{Domain, ManifoldError};
use crate::space::{Isometry, Space};

const SPACE: Space = Space::Hyperbolic;

/// Cosine of the angle between neighbouring face normals of a regular dodecahedron: `1 / sqrt(5)`.
fn neighbour_cosine() -> f64 {
    1.0 / libm::sqrt(5.0)
}

/// Returns the distance of the faces from the centre of a regular dodecahedron with a given dihedral angle. The normals
/// of neighbouring faces are `n = (cosh h u, -sinh h)`, and their product is minus the cosine of the angle.
fn in_radius(dihedral_cosine: f64) -> f64 {
    libm::acosh(libm::sqrt((1.0 + dihedral_cosine) / (1.0 - neighbour_cosine())))
}

/// Returns the unit normals of a regular dodecahedron, opposite ones last to first.
fn dodecahedron_normals() -> [DVec3; 12] {
    let golden = (1.0 + libm::sqrt(5.0)) / 2.0;
    let half = [
        DVec3::new(1.0, 0.0, golden),
        DVec3::new(-1.0, 0.0, golden),
        DVec3::new(golden, 1.0, 0.0),
        DVec3::new(golden, -1.0, 0.0),
        DVec3::new(0.0, golden, 1.0),
        DVec3::new(0.0, golden, -1.0),
    ];
    std::array::from_fn(|i| if i < 6 { half[i].normalize() } else { -half[11 - i].normalize() })
}

/// Returns generators of the group of the Seifert-Weber space: opposite faces of a dodecahedron with dihedral angles of
/// a fifth of a turn are joined after three tenths of a turn.
pub fn seifert_weber() -> Vec<Isometry> {
    let height = in_radius(libm::cos(TAU / 5.0));
    let screw =
        |u: DVec3| Isometry::translation(SPACE, u * (2.0 * height)) * Isometry::turn(SPACE, u, TAU * 3.0 / 10.0);
    dodecahedron_normals()[..6].iter().map(|u| screw(*u)).collect()
}

/// Returns the regular dodecahedron with right angles. Six of its edges are axes of order 4: a quarter of a turn about
/// such an edge maps one of its faces to the other. The orbifold is the three-sphere with the Borromean rings as axes.
pub fn right_angled_dodecahedron() -> Result<Domain, ManifoldError> {
    let height = in_radius(0.0);
    let normals = dodecahedron_normals();
    let planes = normals.map(|u| (u * libm::cosh(height)).extend(-libm::sinh(height)));
    let mut cutting = Cutting::cube(1.0);
    for (face, plane) in planes.iter().enumerate() {
        cutting.cut(*plane, face);
    }
    let mut numbers = vec![usize::MAX; cutting.vertices.len()];
    let mut vertices = Vec::new();
    let mut open = Vec::new();
    for face in &cutting.faces {
        let label = face.label.ok_or(ManifoldError::Unbounded)?;
        let corners: Vec<usize> = face
            .corners
            .iter()
            .map(|&corner| {
                if numbers[corner] == usize::MAX {
                    numbers[corner] = vertices.len();
                    vertices.push(SPACE.on_line(cutting.vertices[corner]).ok_or(ManifoldError::Unbounded)?);
                }
                Ok(numbers[corner])
            })
            .collect::<Result<_, ManifoldError>>()?;
        let sum: DVec4 = corners.iter().map(|&c| vertices[c]).sum();
        let centre = SPACE.on_line(sum).ok_or(ManifoldError::Unbounded)?;
        // The two faces at an axis are mirror images in the plane whose normal is their shortest difference.
        let u = normals[label];
        let across = if u.x == 0.0 {
            DVec3::Z
        } else if u.y == 0.0 {
            DVec3::X
        } else {
            DVec3::Y
        };
        let mirror = Isometry::reflection(SPACE, across.extend(0.0));
        let pairing = Isometry::reflection(SPACE, planes[label]) * mirror;
        open.push(OpenFace { plane: planes[label], centre, pairing, corners });
    }
    Domain::assemble(SPACE, vertices, open)
}

/// Returns generators of the group of the Weeks manifold, about a point with the largest injectivity radius. It is the
/// closed hyperbolic manifold of smallest volume, the (-3, 1) filling of the manifold m003.
pub fn weeks() -> Vec<Isometry> {
    // Rows in the order x, y, z, w; computed with 60 digits from the triangulation.
    const ROWS: [[[f64; 4]; 4]; 3] = [
        [
            [0.338_498_296_872_671_5, 1.446_424_601_018_856_2, 0.120_745_881_951_689_37, 1.105_126_595_203_711_3],
            [0.792_663_025_986_999_4, -0.359_589_057_015_144_93, -0.571_535_528_466_182_7, -0.290_296_095_376_817_66],
            [-0.510_611_516_463_846_5, 0.545_900_486_072_695_1, -0.813_294_094_308_674_8, 0.469_232_080_400_819_93],
            [-0.060_165_525_827_294_15, 1.232_662_061_171_675_4, -0.051_765_936_143_159_746, 1.589_262_520_697_841],
        ],
        [
            [-0.907_400_974_107_182_5, -0.201_073_511_936_487, -0.938_805_238_310_682_1, -0.863_227_872_865_973_1],
            [-0.143_913_982_446_502_89, 1.089_900_162_090_828_6, 0.596_330_633_005_110_9, 0.751_135_022_169_452],
            [0.757_637_316_713_179_5, 0.665_226_847_246_605_1, -0.447_043_751_436_741_3, 0.465_176_501_634_207_2],
            [0.646_608_123_851_396_2, 0.819_048_032_062_677_8, 0.660_918_765_839_257_8, 1.589_262_520_697_841],
        ],
        [
            [0.294_861_440_685_543_3, -1.042_011_859_951_832_4, 0.050_628_407_873_846_37, 0.418_682_721_362_217_1],
            [-0.855_654_504_523_277_1, 0.024_235_583_329_237_365, -0.932_138_013_007_110_3, -0.775_637_331_426_954_3],
            [0.484_294_872_761_237_5, 0.428_701_412_281_724_8, -1.153_481_878_465_928_9, -0.865_359_386_974_254],
            [0.231_580_275_707_911_15, -0.519_770_122_911_976_3, 1.096_341_623_275_324, 1.589_262_520_697_841],
        ],
    ];
    let read = |rows: &[[f64; 4]; 4]| {
        let matrix = DMat4::from_cols_array_2d(rows).transpose();
        Isometry::from_matrix(SPACE, matrix, 1e-9).unwrap_or_else(|| Isometry::identity(SPACE))
    };
    ROWS.iter().map(read).collect()
}
