//! The surface of every kind of shape, with smooth normals on curved parts.

use burgess_geometry::shape::tessellation;
use burgess_geometry::{GeometryError, Polyhedron, TriangleMesh};
use burgess_scene::spec::{HeightFieldShape, MeshShape, PoseSpec, ShapeKind};
use glam::{DVec3, dvec3};

use super::surface::{Surface, circle};

/// The square that represents a half-space; ignored for all other shapes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GroundSquare {
    /// Centre in the coordinates of the shape, in m.
    pub center: DVec3,
    /// Half the side, in m.
    pub half_side: f64,
}

/// Returns the surface of a shape in its own coordinates; `None` if it has too many vertices.
pub(super) fn surface_of(
    kind: &ShapeKind,
    ground: GroundSquare,
    max_vertices: usize,
) -> Result<Option<Surface>, String> {
    if min_vertices(kind) > max_vertices {
        return Ok(None);
    }
    let ShapeKind::Compound(compound) = kind else {
        let surface = surface_of_one(kind, ground)?;
        return Ok(Some(surface).filter(|surface| surface.corners.len() <= max_vertices));
    };
    let mut all = Surface::default();
    for part in &compound.parts {
        let pose = PoseSpec { position: part.position, orientation: part.orientation }.pose();
        all.append(surface_of_one(&part.kind, ground)?.moved(&pose));
        if all.corners.len() > max_vertices {
            return Ok(None);
        }
    }
    Ok(Some(all))
}

fn surface_of_one(kind: &ShapeKind, ground: GroundSquare) -> Result<Surface, String> {
    let of_polyhedron = |made: Result<Polyhedron, GeometryError>| {
        made.map(|polyhedron| Surface::polyhedron(&polyhedron)).map_err(|error| error.to_string())
    };
    Ok(match kind {
        ShapeKind::Sphere(ball) => Surface::sphere(ball.radius),
        ShapeKind::Box(block) => return of_polyhedron(Polyhedron::cuboid(0.5 * block.size)),
        ShapeKind::Capsule(round) => Surface::capsule(round.radius, round.length),
        ShapeKind::Cylinder(round) => Surface::frustum(round.radius, round.radius, round.length),
        ShapeKind::Cone(round) => Surface::frustum(round.radius, 0.0, round.length),
        ShapeKind::Frustum(frustum) => Surface::frustum(frustum.bottom_radius, frustum.top_radius, frustum.length),
        ShapeKind::Ellipsoid(ellipsoid) => Surface::ellipsoid(ellipsoid.semi_axes),
        ShapeKind::HalfSpace(_) => Surface::square(ground.center, ground.half_side),
        ShapeKind::Hull(hull) => return of_polyhedron(Polyhedron::hull(&hull.points)),
        ShapeKind::Mesh(mesh) => return of_mesh(mesh),
        // The check of scenes rejects nested compounds.
        ShapeKind::Compound(_) => return Err("a part of a compound is a compound itself".to_string()),
        ShapeKind::HeightField(field) => of_height_field(field)?,
        ShapeKind::Tube(tube) => {
            let (outer, inner, h) = (tube.outer_radius, tube.inner_radius, 0.5 * tube.length);
            Surface::ring(tube.sides, &[(inner, -h), (outer, -h), (outer, h), (inner, h)])
        }
        ShapeKind::Torus(torus) => {
            let on_section = |c: DVec3| (torus.major_radius + torus.minor_radius * c.x, torus.minor_radius * c.y);
            let section: Vec<_> = circle(torus.sides).map(on_section).collect();
            Surface::ring(torus.segments, &section)
        }
        ShapeKind::FacetedSphere(ball) => return of_polyhedron(tessellation::sphere(ball.radius, ball.subdivisions)),
        ShapeKind::FacetedCone(cone) => return of_polyhedron(tessellation::cone(cone.radius, cone.length, cone.sides)),
        ShapeKind::Pyramid(pyramid) => return of_polyhedron(tessellation::pyramid(pyramid.base, pyramid.length)),
    })
}

/// Returns a lower bound of the number of vertices, without computing the surface.
fn min_vertices(kind: &ShapeKind) -> usize {
    match kind {
        ShapeKind::HeightField(field) => field.columns.saturating_mul(field.rows),
        // A vertex of a closed mesh has about six triangles.
        ShapeKind::Mesh(mesh) => mesh.triangles.len() / 2,
        _ => 0,
    }
}

fn of_mesh(mesh: &MeshShape) -> Result<Surface, String> {
    if let Some(file) = &mesh.file {
        return Err(format!("its mesh is not in the scene, but in the file '{}'", file.display()));
    }
    let vertices = mesh.vertices.iter().map(|&vertex| vertex * mesh.scale).collect();
    let solid = TriangleMesh::new(vertices, mesh.triangles.clone()).map_err(|error| error.to_string())?;
    Ok(Surface::creased(solid.vertices(), solid.triangles()))
}

/// Returns only the upper surface.
fn of_height_field(field: &HeightFieldShape) -> Result<Surface, String> {
    let (columns, rows) = (field.columns, field.rows);
    if columns < 2 || rows < 2 || u32::try_from(field.heights.len()) != Ok((columns * rows) as u32) {
        return Err(format!("it has {columns} columns and {rows} rows, but {} heights", field.heights.len()));
    }
    let share = |index: usize, count: usize| index as f64 / (count - 1) as f64 - 0.5;
    let vertex = |(place, &height): (usize, &f64)| {
        let (column, row) = (place % columns, place / columns);
        dvec3(share(column, columns) * field.size.x, share(row, rows) * field.size.y, height)
    };
    let vertices: Vec<DVec3> = field.heights.iter().enumerate().map(vertex).collect();
    let mut triangles = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let low = (row * columns + column) as u32;
            let high = low + columns as u32 + 1;
            triangles.extend([[low, low + 1, high], [low, high, high - 1]]);
        }
    }
    Ok(Surface::creased(&vertices, &triangles))
}
