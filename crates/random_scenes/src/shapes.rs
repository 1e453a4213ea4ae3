//! Random shapes, 0.05 to 0.5 m across.

use burgess_scene::spec::{
    BoxShape, CompoundShape, EllipsoidShape, FacetedConeShape, FacetedSphereShape, FrustumShape, HullShape, MeshShape,
    PartSpec, PyramidShape, RoundShape, ShapeKind, ShapeSpec, SphereShape, TorusShape, TubeShape,
};
use glam::DVec3;

use super::random::Random;

/// A shape with a material and about a density (kg/m^3).
pub(super) fn random(random: &mut Random, density: f64) -> ShapeSpec {
    let kind = if random.chance(0.7) { convex(random) } else { any(random) };
    ShapeSpec::new(kind)
        .of(&random.material())
        .with_density((density * random.magnitude(0.5, 2.0)).clamp(100.0, 8000.0))
}

/// Half of a shape's width, in m.
fn half(random: &mut Random) -> f64 {
    random.between(0.04, 0.2)
}

fn convex(random: &mut Random) -> ShapeKind {
    let round = |random: &mut Random| RoundShape { radius: half(random), length: 2.0 * half(random) };
    match random.below(11) {
        0 => ShapeKind::Sphere(SphereShape { radius: half(random) }),
        1 => ShapeKind::Box(BoxShape { size: 2.0 * DVec3::new(half(random), half(random), half(random)) }),
        2 => ShapeKind::Capsule(RoundShape { radius: 0.5 * half(random), length: 2.0 * half(random) }),
        3 => ShapeKind::Cylinder(round(random)),
        4 => ShapeKind::Cone(round(random)),
        5 => ShapeKind::Frustum(FrustumShape {
            bottom_radius: half(random),
            top_radius: half(random),
            length: 2.0 * half(random),
        }),
        6 => ShapeKind::Ellipsoid(EllipsoidShape { semi_axes: DVec3::new(half(random), half(random), half(random)) }),
        7 => {
            let radius = half(random).max(0.08);
            let corners = 6 + random.below(20);
            ShapeKind::Hull(HullShape { points: (0..corners).map(|_| random.direction() * radius).collect() })
        }
        8 => ShapeKind::FacetedSphere(FacetedSphereShape { radius: half(random), subdivisions: random.below(2) }),
        9 => {
            let sides = 3 + random.below(8);
            ShapeKind::FacetedCone(FacetedConeShape { radius: half(random), length: 2.0 * half(random), sides })
        }
        _ => ShapeKind::Pyramid(PyramidShape { base: 2.0 * half(random), length: 2.0 * half(random) }),
    }
}

fn any(random: &mut Random) -> ShapeKind {
    match random.below(4) {
        0 => {
            let outer_radius = half(random).max(0.08);
            let inner_radius = outer_radius * random.between(0.4, 0.8);
            ShapeKind::Tube(TubeShape {
                outer_radius,
                inner_radius,
                length: 2.0 * half(random),
                sides: 6 + random.below(7),
            })
        }
        1 => {
            let major_radius = half(random).max(0.1);
            let minor_radius = major_radius * random.between(0.25, 0.5);
            let (segments, sides) = (6 + random.below(7), 3 + random.below(4));
            ShapeKind::Torus(TorusShape { major_radius, minor_radius, segments, sides })
        }
        2 => bracket(random),
        _ => {
            let parts = 2 + random.below(3);
            let part = |random: &mut Random| PartSpec {
                kind: convex(random),
                position: random.vector(0.1),
                orientation: random.orientation(),
            };
            ShapeKind::Compound(CompoundShape { parts: (0..parts).map(|_| part(random)).collect() })
        }
    }
}

/// A mesh: an L, 0.1 to 0.4 m long.
fn bracket(random: &mut Random) -> ShapeKind {
    let (long, thick, wide) = (2.0 * half(random).max(0.06), random.between(0.03, 0.06), half(random));
    let outline = [(0.0, 0.0), (long, 0.0), (long, thick), (thick, thick), (thick, long), (0.0, long)];
    let at = |z: f64| outline.iter().map(move |&(x, y)| DVec3::new(x - 0.5 * long, y - 0.5 * long, z));
    let vertices = at(-wide).chain(at(wide)).collect();
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for [a, b, c] in caps {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    for side in 0..6 {
        let next = (side + 1) % 6;
        triangles.extend([[side, next, next + 6], [side, next + 6, side + 6]]);
    }
    ShapeKind::Mesh(MeshShape { vertices, triangles, resolution: 16, max_parts: 4, ..MeshShape::default() })
}
