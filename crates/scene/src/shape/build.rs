//! Builds shapes. Shapes that are slow to build are cached, so that bodies can share them.

use std::path::Path;
use std::sync::Arc;

use burgess_files::At;
use burgess_geometry::shape::{
    Capsule, Compound, Cone, Cuboid, Cylinder, Decomposition, Ellipsoid, Frustum, HalfSpace, HeightField, Mesh,
    NodeBounds, Sphere, tessellation,
};
use burgess_geometry::{GeometryError, Polyhedron, Shape, TriangleMesh, load_mesh};

use crate::error::{FieldError, SceneFault};
use crate::spec::{CompoundShape, MeshShape, PoseSpec, ShapeKind};

/// Largest number of shapes in the cache.
const REMEMBERED: usize = 256;

/// Builds shapes from their specs.
pub(crate) struct ShapeMaker<'a> {
    /// Folder of the mesh files.
    folder: &'a Path,
    made: Vec<(ShapeKind, Arc<Shape>)>,
}

impl<'a> ShapeMaker<'a> {
    pub fn new(folder: &'a Path) -> Self {
        Self { folder, made: Vec::new() }
    }

    pub fn make(&mut self, at: At, kind: &ShapeKind) -> Result<Arc<Shape>, FieldError> {
        if let Some((_, shape)) = self.made.iter().find(|(known, _)| known == kind) {
            return Ok(shape.clone());
        }
        let shape = Arc::new(self.make_new(at, kind)?);
        if self.made.len() < REMEMBERED {
            self.made.push((kind.clone(), shape.clone()));
        }
        Ok(shape)
    }

    fn make_new(&self, at: At, kind: &ShapeKind) -> Result<Shape, FieldError> {
        let made = match kind {
            ShapeKind::Mesh(mesh) => return self.mesh(at, mesh),
            ShapeKind::Compound(compound) => return self.compound(at, compound),
            ShapeKind::Sphere(ball) => Sphere::new(ball.radius).map(Shape::Sphere),
            ShapeKind::Box(block) => Cuboid::new(0.5 * block.size).map(Shape::Cuboid),
            ShapeKind::Capsule(round) => Capsule::new(round.radius, 0.5 * round.length).map(Shape::Capsule),
            ShapeKind::Cylinder(round) => Cylinder::new(round.radius, 0.5 * round.length).map(Shape::Cylinder),
            ShapeKind::Cone(round) => Cone::new(round.radius, 0.5 * round.length).map(Shape::Cone),
            ShapeKind::Frustum(f) => Frustum::new(f.bottom_radius, f.top_radius, 0.5 * f.length).map(Shape::Frustum),
            ShapeKind::Ellipsoid(ellipsoid) => Ellipsoid::new(ellipsoid.semi_axes).map(Shape::Ellipsoid),
            ShapeKind::HalfSpace(_) => Ok(Shape::HalfSpace(HalfSpace)),
            ShapeKind::Hull(hull) => Polyhedron::hull(&hull.points).map(polyhedron),
            ShapeKind::HeightField(field) => {
                let ground = HeightField::new(field.columns, field.rows, field.size, field.heights.clone());
                let deep = |ground: HeightField| match field.depth {
                    Some(depth) => ground.with_depth(depth),
                    None => Ok(ground),
                };
                ground.and_then(deep).map(|ground| Shape::HeightField(Arc::new(ground)))
            }
            ShapeKind::Tube(tube) => {
                tessellation::tube(tube.outer_radius, tube.inner_radius, tube.length, tube.sides).map(parts)
            }
            ShapeKind::Torus(torus) => {
                tessellation::torus(torus.major_radius, torus.minor_radius, torus.segments, torus.sides).map(parts)
            }
            ShapeKind::FacetedSphere(ball) => tessellation::sphere(ball.radius, ball.subdivisions).map(polyhedron),
            ShapeKind::FacetedCone(cone) => tessellation::cone(cone.radius, cone.length, cone.sides).map(polyhedron),
            ShapeKind::Pyramid(pyramid) => tessellation::pyramid(pyramid.base, pyramid.length).map(polyhedron),
        };
        made.map_err(|error: GeometryError| at.fault(SceneFault::Shape(error)))
    }

    fn compound(&self, at: At, compound: &CompoundShape) -> Result<Shape, FieldError> {
        let list = at.field("parts");
        let mut made = Vec::new();
        for (index, part) in compound.parts.iter().enumerate() {
            let pose = PoseSpec { position: part.position, orientation: part.orientation }.pose();
            made.push((self.make_new(list.index(index), &part.kind)?, pose));
        }
        let compound = Compound::new(&made, NodeBounds::Hull).map_err(|error| at.fault(SceneFault::Shape(error)))?;
        Ok(parts(compound))
    }

    fn mesh(&self, at: At, mesh: &MeshShape) -> Result<Shape, FieldError> {
        let surface = self.surface(at, mesh)?;
        let decomposition = Decomposition {
            resolution: mesh.resolution,
            concavity: mesh.concavity,
            max_parts: mesh.max_parts,
            cavities: mesh.cavities,
            bounds: NodeBounds::Hull,
        };
        let made = Mesh::new(surface, &decomposition).map_err(|error| at.fault(SceneFault::Shape(error)))?;
        Ok(Shape::Mesh(Arc::new(made)))
    }

    fn surface(&self, at: At, mesh: &MeshShape) -> Result<TriangleMesh, FieldError> {
        let not_solid = |error| at.fault(SceneFault::MeshFile(format!("not a solid: {error}")));
        let (vertices, triangles) = match &mesh.file {
            Some(file) => {
                let loaded = load_mesh(self.folder.join(file));
                let loaded = loaded.map_err(|error| at.field("file").fault(SceneFault::MeshFile(error.to_string())))?;
                (loaded.vertices().to_vec(), loaded.triangles().to_vec())
            }
            None => (mesh.vertices.clone(), mesh.triangles.clone()),
        };
        let scaled = vertices.into_iter().map(|vertex| vertex * mesh.scale).collect();
        TriangleMesh::new(scaled, triangles).map_err(not_solid)
    }
}

fn polyhedron(polyhedron: Polyhedron) -> Shape {
    Shape::Polyhedron(Arc::new(polyhedron))
}

fn parts(compound: Compound) -> Shape {
    Shape::Compound(Arc::new(compound))
}
