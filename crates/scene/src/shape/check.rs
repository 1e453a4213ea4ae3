//! Checks of shapes. What needs geometry (whether points enclose a volume) is checked when the world is built.

use burgess_files::At;
use burgess_geometry::shape::MAX_SAMPLES_PER_SIDE;
use glam::DVec3;

use crate::rules::{
    Checked, check_color, check_orientation, conflict, finite, finite_vector, not_negative, positive, refuse, share,
};
use crate::spec::{BodySpec, MeshShape, ShapeKind, ShapeSpec};

/// Largest number of faces of a torus. Building this many takes well under a second, many more take minutes.
const MAX_TORUS_FACES: usize = 16384;

pub(crate) fn check_shape(at: At, shape: &ShapeSpec, body: &BodySpec) -> Checked {
    check_kind(at, &shape.kind)?;
    finite_vector(at.field("position"), shape.position)?;
    check_orientation(at.field("orientation"), &shape.orientation)?;
    positive(at.field("density"), shape.density)?;
    not_negative(at.field("margin"), shape.margin)?;
    if let Some(color) = shape.color {
        check_color(at.field("color"), color)?;
    }
    let moves_by_forces = !body.fixed && body.script.is_none();
    match &shape.kind {
        ShapeKind::HalfSpace(_) if !body.fixed => {
            conflict(at, "a half-space has no end, so it cannot move; give it to a body with fixed = true")
        }
        ShapeKind::HeightField(_) if moves_by_forces => {
            conflict(at, "a height field has no mass; give it to a body with fixed = true or with a script")
        }
        _ => Ok(()),
    }
}

/// Returns whether a shape is not convex.
fn is_hollow(kind: &ShapeKind) -> bool {
    use ShapeKind::{Compound, HalfSpace, HeightField, Mesh, Torus, Tube};
    matches!(kind, Compound(_) | HalfSpace(_) | HeightField(_) | Mesh(_) | Torus(_) | Tube(_))
}

fn check_kind(at: At, kind: &ShapeKind) -> Checked {
    match kind {
        ShapeKind::Sphere(ball) => positive(at.field("radius"), ball.radius),
        ShapeKind::Box(block) => positive_vector(at.field("size"), block.size),
        ShapeKind::Capsule(round) | ShapeKind::Cylinder(round) | ShapeKind::Cone(round) => {
            positive(at.field("radius"), round.radius)?;
            positive(at.field("length"), round.length)
        }
        ShapeKind::Frustum(frustum) => {
            positive(at.field("bottom_radius"), frustum.bottom_radius)?;
            positive(at.field("top_radius"), frustum.top_radius)?;
            positive(at.field("length"), frustum.length)
        }
        ShapeKind::Ellipsoid(ellipsoid) => positive_vector(at.field("semi_axes"), ellipsoid.semi_axes),
        ShapeKind::HalfSpace(_) => Ok(()),
        ShapeKind::Hull(hull) => {
            let list = at.field("points");
            (hull.points.iter().enumerate()).try_for_each(|(index, point)| finite_vector(list.index(index), *point))
        }
        ShapeKind::Mesh(mesh) => check_mesh(at, mesh),
        ShapeKind::Compound(compound) => {
            let list = at.field("parts");
            for (index, part) in compound.parts.iter().enumerate() {
                let at = list.index(index);
                if is_hollow(&part.kind) {
                    return conflict(at, "the parts of a compound are convex shapes; give this one to the body itself");
                }
                check_kind(at, &part.kind)?;
                finite_vector(at.field("position"), part.position)?;
                check_orientation(at.field("orientation"), &part.orientation)?;
            }
            Ok(())
        }
        ShapeKind::HeightField(field) => {
            for (name, count) in [("columns", field.columns), ("rows", field.rows)] {
                check_count(at.field(name), count, 2, MAX_SAMPLES_PER_SIDE, "2 to 16384")?;
            }
            positive_vector(at.field("size"), field.size.extend(1.0))?;
            let (found, expected) = (field.heights.len(), field.columns * field.rows);
            if found != expected {
                return conflict(
                    at.field("heights"),
                    &format!("must be columns times rows, {expected}, found {found}"),
                );
            }
            let list = at.field("heights");
            for (index, &height) in field.heights.iter().enumerate() {
                finite(list.index(index), height)?;
            }
            field.depth.map_or(Ok(()), |depth| positive(at.field("depth"), depth))
        }
        ShapeKind::Tube(tube) => {
            positive(at.field("outer_radius"), tube.outer_radius)?;
            positive(at.field("inner_radius"), tube.inner_radius)?;
            if tube.inner_radius >= tube.outer_radius {
                return refuse(at.field("inner_radius"), "less than outer_radius", tube.inner_radius);
            }
            positive(at.field("length"), tube.length)?;
            check_sides(at.field("sides"), tube.sides)
        }
        ShapeKind::Torus(torus) => {
            positive(at.field("major_radius"), torus.major_radius)?;
            positive(at.field("minor_radius"), torus.minor_radius)?;
            if torus.minor_radius >= torus.major_radius {
                return refuse(at.field("minor_radius"), "less than major_radius", torus.minor_radius);
            }
            check_sides(at.field("segments"), torus.segments)?;
            check_sides(at.field("sides"), torus.sides)?;
            let faces = torus.segments * torus.sides;
            if faces > MAX_TORUS_FACES {
                return refuse(at, "a ring of at most 16384 faces (segments times sides)", faces as f64);
            }
            Ok(())
        }
        ShapeKind::FacetedSphere(ball) => {
            positive(at.field("radius"), ball.radius)?;
            check_count(at.field("subdivisions"), ball.subdivisions, 0, 6, "0 to 6")
        }
        ShapeKind::FacetedCone(cone) => {
            positive(at.field("radius"), cone.radius)?;
            positive(at.field("length"), cone.length)?;
            check_sides(at.field("sides"), cone.sides)
        }
        ShapeKind::Pyramid(pyramid) => {
            positive(at.field("base"), pyramid.base)?;
            positive(at.field("length"), pyramid.length)
        }
    }
}

fn check_mesh(at: At, mesh: &MeshShape) -> Checked {
    let inline = !mesh.vertices.is_empty() || !mesh.triangles.is_empty();
    if inline == mesh.file.is_some() {
        return conflict(at, "a mesh has either a file, or vertices and triangles");
    }
    let list = at.field("vertices");
    for (index, vertex) in mesh.vertices.iter().enumerate() {
        finite_vector(list.index(index), *vertex)?;
    }
    positive(at.field("scale"), mesh.scale)?;
    check_count(at.field("resolution"), mesh.resolution as usize, 8, 256, "8 to 256")?;
    check_count(at.field("max_parts"), mesh.max_parts as usize, 4, 4096, "4 to 4096")?;
    share(at.field("concavity"), mesh.concavity)
}

fn positive_vector(at: At, vector: DVec3) -> Checked {
    for (index, value) in vector.to_array().into_iter().enumerate() {
        positive(at.index(index), value)?;
    }
    Ok(())
}

/// Checks a number of sides; the bound keeps building fast.
fn check_sides(at: At, sides: usize) -> Checked {
    check_count(at, sides, 3, 1024, "3 to 1024")
}

fn check_count(at: At, count: usize, least: usize, most: usize, range: &'static str) -> Checked {
    if (least..=most).contains(&count) { Ok(()) } else { refuse(at, range, count as f64) }
}
