//! Reads mesh files. A closed mesh becomes a mesh shape, or a hull if it is convex. A mesh with holes becomes its
//! convex hull, which is what most programs use for any mesh.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use burgess_geometry::mesh_file::{self, Triangles};
use burgess_geometry::{Polyhedron, TriangleMesh};
use burgess_scene::spec::{HullShape, MeshShape, ShapeKind};
use glam::DVec3;

use super::UrdfWarnings;
use super::geometry::MeshReference;
use crate::import::{ImportError, ImportFault, MAX_ASSET_BYTES, ModelFolder, read_bytes};

/// Maximum total number of mesh vertices in one model; a mesh counts for each use.
const MAX_VERTICES: usize = 10_000_000;
/// Maximum relative difference between the volumes of a convex mesh and its hull; covers rounding to single precision.
const CONVEXITY_TOLERANCE: f64 = 1e-5;

/// The meshes of a model. Each file is read once.
pub(super) struct Meshes<'a> {
    folder: &'a ModelFolder,
    read: BTreeMap<PathBuf, Rc<Triangles>>,
    vertices_left: usize,
}

impl<'a> Meshes<'a> {
    pub fn new(folder: &'a ModelFolder) -> Self {
        Self { folder, read: BTreeMap::new(), vertices_left: MAX_VERTICES }
    }

    /// Returns whether the extension is that of an OBJ or STL file.
    pub fn is_supported(mesh: &MeshReference) -> bool {
        extension(mesh.file).is_some_and(|kind| kind.eq_ignore_ascii_case("obj") || kind.eq_ignore_ascii_case("stl"))
    }

    /// Creates an error for an unsupported file format.
    pub fn unsupported_format(mesh: &MeshReference) -> ImportError {
        let why = match extension(mesh.file) {
            Some(kind) if kind.eq_ignore_ascii_case("dae") => {
                "is a COLLADA file, which is not supported; convert it to OBJ or STL".to_string()
            }
            _ => "has an unknown extension; expected .obj or .stl".to_string(),
        };
        mesh.element.fault(ImportFault::File { path: mesh.file.to_string(), why })
    }

    /// Returns the path of the file. `package://NAME/...` is looked up in the folder of packages, then in the package
    /// itself, then (as some programs do) in the folder of the model. Other paths are relative to the folder of the
    /// model.
    pub fn path(&self, mesh: &MeshReference) -> Result<PathBuf, ImportError> {
        let (kind, place) = mesh.file.split_once("://").unwrap_or(("", mesh.file));
        let found = match kind {
            "package" | "model" => self.folder.find_in_package(place).or_else(|first| {
                let within = place.split_once('/').map_or("", |(_, within)| within);
                let found = self.folder.find_in_package(within);
                found.or_else(|_| self.folder.find("", place)).map_err(|_| first)
            }),
            "" | "file" => self.folder.find("", place),
            _ => Err(ImportFault::File {
                path: mesh.file.to_string(),
                why: "has an unknown URI scheme; expected package://, model:// or file://".to_string(),
            }),
        };
        found.map_err(|fault| mesh.element.fault(fault))
    }

    /// Returns the collision shape: a mesh if it is a solid that is not convex, else a hull.
    pub fn collision_shape(
        &mut self,
        mesh: &MeshReference<'a>,
        warnings: &mut UrdfWarnings<'a>,
    ) -> Result<ShapeKind, ImportError> {
        let Triangles { vertices, triangles } = self.scaled(mesh)?;
        let hull = compute_hull(mesh, &vertices)?;
        let Ok(solid) = mesh_file::solid(vertices, triangles, mesh.file) else {
            warnings.add("collision meshes that are not closed surfaces; their convex hulls are used", mesh.element);
            return Ok(hull_shape(&hull));
        };
        let volume = hull.mass_properties(1.0).map_or(f64::INFINITY, |filled| filled.mass);
        if volume <= (1.0 + CONVEXITY_TOLERANCE) * solid.volume() {
            return Ok(hull_shape(&hull));
        }
        Ok(ShapeKind::Mesh(mesh_shape(&solid)))
    }

    /// Returns the convex hull of a mesh that is only visual.
    pub fn hull(&mut self, mesh: &MeshReference<'a>) -> Result<ShapeKind, ImportError> {
        let scaled = self.scaled(mesh)?;
        Ok(hull_shape(&compute_hull(mesh, &scaled.vertices)?))
    }

    fn scaled(&mut self, mesh: &MeshReference) -> Result<Triangles, ImportError> {
        let path = self.path(mesh)?;
        let read = match self.read.get(&path) {
            Some(read) => read.clone(),
            None => {
                let read = Rc::new(read_triangles(mesh, &path)?);
                self.read.insert(path, read.clone());
                read
            }
        };
        let vertex_count = read.vertices.len().max(read.triangles.len());
        let Some(left) = self.vertices_left.checked_sub(vertex_count) else {
            return Err(mesh.element.fault(ImportFault::TooMany { what: "vertices of meshes", limit: MAX_VERTICES }));
        };
        self.vertices_left = left;
        let mut triangles = read.triangles.clone();
        // A reflection reverses the orientation of triangles.
        if mesh.scale.to_array().into_iter().filter(|&scale| scale < 0.0).count() % 2 == 1 {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        Ok(Triangles { vertices: read.vertices.iter().map(|&vertex| vertex * mesh.scale).collect(), triangles })
    }
}

/// Returns the part of a file name after the last dot.
fn extension(file: &str) -> Option<&str> {
    file.rsplit_once('.').map(|(_, kind)| kind)
}

fn read_triangles(mesh: &MeshReference, path: &Path) -> Result<Triangles, ImportError> {
    let bytes = read_bytes(path, MAX_ASSET_BYTES).map_err(|fault| mesh.element.fault(fault))?;
    let parse = if extension(mesh.file).is_some_and(|kind| kind.eq_ignore_ascii_case("stl")) {
        mesh_file::stl_triangles
    } else {
        mesh_file::obj_triangles
    };
    parse(&bytes, mesh.file).map_err(|error| mesh.element.conflict(error.to_string()))
}

fn compute_hull(mesh: &MeshReference, points: &[DVec3]) -> Result<Polyhedron, ImportError> {
    let hull = Polyhedron::hull(points);
    hull.map_err(|error| {
        mesh.element.conflict(format!("the convex hull of the mesh '{}' cannot be computed: {error}", mesh.file))
    })
}

fn hull_shape(hull: &Polyhedron) -> ShapeKind {
    ShapeKind::Hull(HullShape { points: hull.vertices().to_vec() })
}

fn mesh_shape(solid: &TriangleMesh) -> MeshShape {
    MeshShape { vertices: solid.vertices().to_vec(), triangles: solid.triangles().to_vec(), ..MeshShape::default() }
}
