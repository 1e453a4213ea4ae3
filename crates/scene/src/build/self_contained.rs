//! Scenes that need no other file: for recordings, and to be sent.

use std::path::Path;

use burgess_files::At;
use burgess_geometry::load_mesh;

use crate::error::{FieldError, SceneError, SceneFault, without_file};
use crate::spec::{MeshShape, SceneSpec, ShapeKind};

impl SceneSpec {
    /// The same scene with all meshes of its shapes in it. Meshes that are only for display are left out: the shapes
    /// are shown instead. Mesh files are looked for in `folder`.
    pub fn self_contained(&self, folder: impl AsRef<Path>) -> Result<SceneSpec, SceneError> {
        self.with_meshes(folder.as_ref()).map_err(without_file)
    }

    pub(crate) fn with_meshes(&self, folder: &Path) -> Result<SceneSpec, FieldError> {
        let mut scene = self.clone();
        let list = At::ROOT.field("bodies");
        for (index, body) in scene.bodies.iter_mut().enumerate() {
            body.display_mesh = None;
            let at = list.index(index);
            let shapes = at.field("shapes");
            for (index, shape) in body.shapes.iter_mut().enumerate() {
                let ShapeKind::Mesh(mesh) = &mut shape.kind else { continue };
                take_in(shapes.index(index), mesh, folder)?;
            }
        }
        Ok(scene)
    }
}

fn take_in(at: At, mesh: &mut MeshShape, folder: &Path) -> Result<(), FieldError> {
    if let Some(file) = &mesh.file {
        let loaded = load_mesh(folder.join(file));
        let loaded = loaded.map_err(|error| at.field("file").fault(SceneFault::MeshFile(error.to_string())))?;
        (mesh.vertices, mesh.triangles) = (loaded.vertices().to_vec(), loaded.triangles().to_vec());
        mesh.file = None;
    }
    Ok(())
}
