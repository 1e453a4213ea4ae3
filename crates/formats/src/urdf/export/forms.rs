//! Shapes as URDF has them: its own where it has them, meshes in OBJ files otherwise. A mesh is written once however often
//! it is used.

use std::collections::BTreeMap;

use burgess_geometry::shape::tessellation;
use burgess_geometry::{Polyhedron, Pose, Shape};
use glam::DVec3;

use super::ExportedFile;
use crate::export::Names;
use crate::xml::push_number;

/// Round bodies become hulls of their farthest points in the directions of an icosahedron cut so often: the faces are
/// within 0.3 % of the radius.
const SUBDIVISIONS: usize = 3;
/// Cones become pyramids with so many sides.
const SIDES: usize = 32;

/// A form of URDF; lengths are whole ones, in m.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Box(DVec3),
    Sphere(f64),
    Cylinder { radius: f64, length: f64 },
    Mesh(String),
}

/// Mesh files, as they are needed.
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

    /// The path of a file with these bytes.
    pub fn file(&mut self, wanted: &str, kind: &str, bytes: Vec<u8>) -> String {
        if let Some(path) = self.path_by_bytes.get(&bytes) {
            return path.clone();
        }
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let plain: String = wanted.chars().take(60).map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        // Some systems do not tell large letters from small ones.
        let path = format!("{}/{}.{kind}", self.folder, self.names.give(&plain.to_ascii_lowercase()));
        self.path_by_bytes.insert(bytes.clone(), path.clone());
        self.files.push(ExportedFile { path: path.clone(), bytes });
        path
    }

    /// The forms of a shape, each with its place in it; none if it has no end. `note` is told of curves that become flat.
    pub fn forms(&mut self, wanted: &str, shape: &Shape, note: &mut impl FnMut()) -> Vec<(Form, Pose)> {
        let mut forms = Vec::new();
        self.add_forms(wanted, shape, &Pose::IDENTITY, note, &mut forms);
        forms
    }

    fn add_forms(
        &mut self,
        wanted: &str,
        shape: &Shape,
        pose: &Pose,
        note: &mut impl FnMut(),
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
                let path = self.file(wanted, "obj", obj(surface.vertices(), surface.triangles()));
                return forms.push((Form::Mesh(path), *pose));
            }
            Shape::Compound(compound) => {
                for part in compound.parts() {
                    self.add_forms(wanted, part.shape(), &pose.compose(part.pose()), note, forms);
                }
                return;
            }
            // Ground without end, or without sides.
            Shape::HalfSpace(_) | Shape::HeightField(_) => return,
            Shape::Polyhedron(polyhedron) => {
                let (vertices, triangles) = fans(polyhedron);
                let path = self.file(wanted, "obj", obj(vertices, &triangles));
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
        note();
        // Points of a body with a size have a hull.
        if let Ok(hull) = Polyhedron::hull(&points) {
            let (vertices, triangles) = fans(&hull);
            let path = self.file(wanted, "obj", obj(vertices, &triangles));
            forms.push((Form::Mesh(path), *pose));
        }
    }
}

/// Unit vectors all around.
fn directions() -> Vec<DVec3> {
    tessellation::sphere(1.0, SUBDIVISIONS).map(|ball| ball.vertices().to_vec()).unwrap_or_default()
}

fn circle(radius: f64, z: f64) -> Vec<DVec3> {
    let point = |side: usize| {
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * side as f64 / SIDES as f64);
        DVec3::new(radius * cosine, radius * sine, z)
    };
    (0..SIDES).map(point).collect()
}

/// The faces of a polyhedron, cut into triangles.
fn fans(polyhedron: &Polyhedron) -> (&[DVec3], Vec<[u32; 3]>) {
    let mut triangles = Vec::new();
    for face in 0..polyhedron.faces().len() as u32 {
        let sides = polyhedron.sides(face);
        for pair in sides.windows(2).skip(1) {
            triangles.push([sides[0].vertex, pair[0].vertex, pair[1].vertex]);
        }
    }
    (polyhedron.vertices(), triangles)
}

/// An OBJ file, in the fewest digits that read back as the same bits.
fn obj(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<u8> {
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
