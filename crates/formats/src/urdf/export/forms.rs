//! Shapes. Those that URDF supports become primitives; others become meshes in OBJ files, each written once.

use std::collections::BTreeMap;

use burgess_geometry::shape::tessellation;
use burgess_geometry::{Polyhedron, Pose, Shape};
use glam::DVec3;

use super::ExportedFile;
use crate::export::{Names, circle};
use crate::xml::push_number;

/// Number of subdivisions of the icosahedron whose vertices are the directions in which curved shapes are sampled. The
/// faces of the hull are within 0.3 % of the radius.
const SUBDIVISIONS: usize = 3;

/// A URDF geometry; lengths are full lengths, in m.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Box(DVec3),
    Sphere(f64),
    Cylinder { radius: f64, length: f64 },
    Mesh(String),
}

/// The mesh files of a model.
pub(super) struct Meshes {
    folder: String,
    names: Names,
    path_by_bytes: BTreeMap<Vec<u8>, String>,
    pub files: Vec<ExportedFile>,
}

impl Meshes {
    pub fn new(folder: &str) -> Self {
        Self { folder: folder.to_string(), names: Names::default(), path_by_bytes: BTreeMap::new(), files: Vec::new() }
    }

    /// Returns the path of the file with the given bytes, and adds the file if it is new.
    pub fn file(&mut self, name: &str, kind: &str, bytes: Vec<u8>) -> String {
        if let Some(path) = self.path_by_bytes.get(&bytes) {
            return path.clone();
        }
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let plain: String = name.chars().take(60).map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        // Some file systems are not case-sensitive.
        let path = format!("{}/{}.{kind}", self.folder, self.names.unique(&plain.to_ascii_lowercase()));
        self.path_by_bytes.insert(bytes.clone(), path.clone());
        self.files.push(ExportedFile { path: path.clone(), bytes });
        path
    }

    /// Returns the forms of a shape with their poses in it; empty if the shape is unbounded. `warn_approximated` is
    /// called if a curved surface is approximated by flat faces.
    pub fn forms(&mut self, name: &str, shape: &Shape, warn_approximated: &mut impl FnMut()) -> Vec<(Form, Pose)> {
        let mut forms = Vec::new();
        self.add_forms(name, shape, &Pose::IDENTITY, warn_approximated, &mut forms);
        forms
    }

    fn add_forms(
        &mut self,
        name: &str,
        shape: &Shape,
        pose: &Pose,
        warn_approximated: &mut impl FnMut(),
        forms: &mut Vec<(Form, Pose)>,
    ) {
        let points = match shape {
            Shape::Sphere(ball) => return forms.push((Form::Sphere(ball.radius), *pose)),
            Shape::Cuboid(block) => return forms.push((Form::Box(2.0 * block.half_extents), *pose)),
            Shape::Cylinder(round) => {
                let form = Form::Cylinder { radius: round.radius, length: 2.0 * round.half_length };
                return forms.push((form, *pose));
            }
            Shape::Mesh(mesh) => {
                let surface = mesh.surface();
                let path = self.file(name, "obj", write_obj(surface.vertices(), surface.triangles()));
                return forms.push((Form::Mesh(path), *pose));
            }
            Shape::Compound(compound) => {
                for part in compound.parts() {
                    self.add_forms(name, part.shape(), &pose.compose(part.pose()), warn_approximated, forms);
                }
                return;
            }
            // Unbounded shapes, and surfaces without volume.
            Shape::HalfSpace(_) | Shape::HeightField(_) => return,
            Shape::Polyhedron(polyhedron) => {
                let (vertices, triangles) = triangulate(polyhedron);
                let path = self.file(name, "obj", write_obj(vertices, &triangles));
                return forms.push((Form::Mesh(path), *pose));
            }
            Shape::Cone(cone) => {
                let mut points = circle(cone.radius, -cone.half_length);
                points.push(DVec3::Z * cone.half_length);
                points
            }
            Shape::Frustum(frustum) => {
                let mut points = circle(frustum.bottom_radius, -frustum.half_length);
                points.extend(circle(frustum.top_radius, frustum.half_length));
                points
            }
            Shape::Capsule(capsule) => {
                let end =
                    |direction: DVec3, end: f64| capsule.radius * direction + DVec3::Z * (end * capsule.half_length);
                directions().into_iter().flat_map(|direction| [end(direction, -1.0), end(direction, 1.0)]).collect()
            }
            Shape::Ellipsoid(ellipsoid) => {
                directions().into_iter().map(|direction| ellipsoid.semi_axes * direction).collect()
            }
        };
        warn_approximated();
        // The points are not coplanar, so the hull exists.
        if let Ok(hull) = Polyhedron::hull(&points) {
            let (vertices, triangles) = triangulate(&hull);
            let path = self.file(name, "obj", write_obj(vertices, &triangles));
            forms.push((Form::Mesh(path), *pose));
        }
    }
}

/// Returns unit vectors distributed over the sphere.
fn directions() -> Vec<DVec3> {
    tessellation::sphere(1.0, SUBDIVISIONS).map(|ball| ball.vertices().to_vec()).unwrap_or_default()
}

/// Triangulates the faces of a polyhedron.
fn triangulate(polyhedron: &Polyhedron) -> (&[DVec3], Vec<[u32; 3]>) {
    let mut triangles = Vec::new();
    for face in 0..polyhedron.faces().len() as u32 {
        let sides = polyhedron.sides(face);
        for pair in sides.windows(2).skip(1) {
            triangles.push([sides[0].vertex, pair[0].vertex, pair[1].vertex]);
        }
    }
    (polyhedron.vertices(), triangles)
}

/// Writes an OBJ file with the fewest digits that read back as the same bits.
fn write_obj(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut text = String::new();
    for vertex in vertices {
        text.push('v');
        for coordinate in vertex.to_array() {
            text.push(' ');
            push_number(coordinate, &mut text);
        }
        text.push('\n');
    }
    for [a, b, c] in triangles {
        text.push_str(&format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    }
    text.into_bytes()
}
