//! Meshes from files that a model names. A closed mesh is taken as it is, or as a hull if it is convex; one with holes
//! becomes its convex hull, as most programs take any mesh.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use burgess_geometry::mesh_file::{self, Triangles};
use burgess_geometry::{Polyhedron, TriangleMesh};
use burgess_scene::spec::{HullShape, MeshShape, ShapeKind};
use glam::DVec3;

use super::Notes;
use super::geometry::MeshName;
use crate::import::{ImportError, ImportFault, MAX_ASSET_BYTES, ModelFolder, read_bytes};

/// More corners of meshes in one model are refused; a mesh counts as often as it is used.
const MAX_CORNERS: usize = 10_000_000;
/// A mesh that fills its hull up to this part is convex: single precision makes as much.
const CONVEX: f64 = 1e-5;

/// The meshes of a model, each read once.
pub(super) struct Meshes<'a> {
    folder: &'a ModelFolder,
    read: BTreeMap<PathBuf, Rc<Triangles>>,
    corners_left: usize,
}

impl<'a> Meshes<'a> {
    pub fn new(folder: &'a ModelFolder) -> Self {
        Self { folder, read: BTreeMap::new(), corners_left: MAX_CORNERS }
    }

    /// Is it an OBJ or STL file, by its name?
    pub fn is_known_kind(mesh: &MeshName) -> bool {
        extension(mesh.file).is_some_and(|kind| kind.eq_ignore_ascii_case("obj") || kind.eq_ignore_ascii_case("stl"))
    }

    /// Refuses a file of another kind.
    pub fn unknown_kind(mesh: &MeshName) -> ImportError {
        let why = match extension(mesh.file) {
            Some(kind) if kind.eq_ignore_ascii_case("dae") => {
                "is a COLLADA file, which is not read; convert it to OBJ or STL".to_string()
            }
            _ => "is of an unknown kind; expected a name that ends in .obj or .stl".to_string(),
        };
        mesh.element.fault(ImportFault::File { path: mesh.file.to_string(), why })
    }

    /// Where the file is: `package://NAME/...` in the folder of packages, in the package itself, or, as some programs have
    /// it, in the folder of the model; others in that folder.
    pub fn path(&self, mesh: &MeshName) -> Result<PathBuf, ImportError> {
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
                why: "has an unknown kind of address".to_string(),
            }),
        };
        found.map_err(|fault| mesh.element.fault(fault))
    }

    /// What touches: a mesh if it is a solid that is not convex, a hull otherwise.
    pub fn solid(&mut self, mesh: &MeshName<'a>, notes: &mut Notes<'a>) -> Result<ShapeKind, ImportError> {
        let Triangles { vertices, triangles } = self.scaled(mesh)?;
        let hull = hull_of(mesh, &vertices)?;
        let Ok(solid) = mesh_file::solid(vertices, triangles, mesh.file) else {
            notes.add("meshes that are no closed surfaces: their convex hulls touch instead", mesh.element);
            return Ok(kept(&hull));
        };
        let volume = hull.mass_properties(1.0).map_or(f64::INFINITY, |filled| filled.mass);
        if volume <= (1.0 + CONVEX) * solid.volume() {
            return Ok(kept(&hull));
        }
        Ok(ShapeKind::Mesh(inline(&solid)))
    }

    /// What is only seen: its hull.
    pub fn hull(&mut self, mesh: &MeshName<'a>) -> Result<ShapeKind, ImportError> {
        let scaled = self.scaled(mesh)?;
        Ok(kept(&hull_of(mesh, &scaled.vertices)?))
    }

    fn scaled(&mut self, mesh: &MeshName) -> Result<Triangles, ImportError> {
        let path = self.path(mesh)?;
        let read = match self.read.get(&path) {
            Some(read) => read.clone(),
            None => {
                let read = Rc::new(read_triangles(mesh, &path)?);
                self.read.insert(path, read.clone());
                read
            }
        };
        let corners = read.vertices.len().max(read.triangles.len());
        let Some(left) = self.corners_left.checked_sub(corners) else {
            return Err(mesh.element.fault(ImportFault::TooMany { what: "corners of meshes", limit: MAX_CORNERS }));
        };
        self.corners_left = left;
        let mut triangles = read.triangles.clone();
        // A mirror turns triangles over.
        if mesh.scale.to_array().into_iter().filter(|&scale| scale < 0.0).count() % 2 == 1 {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        Ok(Triangles { vertices: read.vertices.iter().map(|&vertex| vertex * mesh.scale).collect(), triangles })
    }
}

/// What follows the last dot of a file's name.
fn extension(file: &str) -> Option<&str> {
    file.rsplit_once('.').map(|(_, kind)| kind)
}

fn read_triangles(mesh: &MeshName, path: &Path) -> Result<Triangles, ImportError> {
    let bytes = read_bytes(path, MAX_ASSET_BYTES).map_err(|fault| mesh.element.fault(fault))?;
    let parse = if extension(mesh.file).is_some_and(|kind| kind.eq_ignore_ascii_case("stl")) {
        mesh_file::stl_triangles
    } else {
        mesh_file::obj_triangles
    };
    parse(&bytes, mesh.file).map_err(|error| mesh.element.conflict(error.to_string()))
}

fn hull_of(mesh: &MeshName, points: &[DVec3]) -> Result<Polyhedron, ImportError> {
    let hull = Polyhedron::hull(points);
    hull.map_err(|error| mesh.element.conflict(format!("the mesh '{}' has no convex hull: {error}", mesh.file)))
}

fn kept(hull: &Polyhedron) -> ShapeKind {
    ShapeKind::Hull(HullShape { points: hull.vertices().to_vec() })
}

fn inline(solid: &TriangleMesh) -> MeshShape {
    MeshShape { vertices: solid.vertices().to_vec(), triangles: solid.triangles().to_vec(), ..MeshShape::default() }
}
