//! Exports scenes as URDF.
//!
//! The root is the link `world`. Fixed bodies and bodies with a joint to the world are its children; free bodies are
//! attached by floating joints. A link has the orientation of its body, so that inertias and shapes keep their numbers.
//! Its origin is that of the body, or a point on the axis of a hinge (`plan`). Joints with several axes become chains
//! of massless links; sites become massless links on fixed joints. Masses and inertias are those that the simulator
//! uses.
//!
//! Boxes, spheres and cylinders become URDF primitives; all other shapes become meshes in OBJ files. Features that URDF
//! does not support are omitted with one warning per feature (`unsupported`). Ball joints are an error, because three
//! hinges are not equivalent.

mod forms;
mod plan;
mod unsupported;
mod write;

use std::path::Path;

use burgess_files::{At, Fault, FieldError};
use burgess_scene::spec::{JointKind, SceneSpec};
use burgess_scene::{SceneError, SceneFault};

use crate::export::{ExportWarning, Warnings};

/// The result of an export to URDF.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The text of the model.
    pub xml: String,
    /// The mesh files that the model refers to.
    pub files: Vec<ExportedFile>,
    /// Features that were omitted or approximated.
    pub warnings: Vec<ExportWarning>,
}

/// A file of an exported model.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedFile {
    /// Path relative to the model, with `/` as separator.
    pub path: String,
    /// Contents of the file.
    pub bytes: Vec<u8>,
}

/// Exports a scene as URDF. Mesh files of the scene are read from `folder`; `mesh_folder` is the folder for the mesh
/// files of the model, relative to the model. A scene with includes must have been read from a file.
///
/// ```
/// use burgess_scene::spec::{AxisSpec, BodySpec, JointSpec, SceneSpec, ShapeSpec};
/// use burgess_formats::urdf;
/// use glam::DVec3;
///
/// let mut scene = SceneSpec::new("pendulum", "A rod on a hinge.");
/// let rod = ShapeSpec::cuboid(DVec3::new(0.1, 0.1, 1.0)).at(DVec3::new(0.0, 0.0, -0.5));
/// scene.bodies.push(BodySpec::jointed("rod", JointSpec::revolute(AxisSpec::new(DVec3::Y)), [rod]));
/// let exported = urdf::export(&scene, ".".as_ref(), "pendulum_meshes").unwrap();
/// assert!(exported.xml.contains("<joint name=\"rod_joint\" type=\"continuous\">"));
/// assert!(exported.files.is_empty() && exported.warnings.is_empty());
/// ```
pub fn export(scene: &SceneSpec, folder: &Path, mesh_folder: &str) -> Result<Exported, SceneError> {
    let in_scene = |error: FieldError<SceneFault>| error.without_file("scene");
    check_no_ball_joints(scene).map_err(in_scene)?;
    let built = scene.build(folder)?;
    let mut warnings = Warnings::default();
    let mut meshes = forms::Meshes::new(mesh_folder);
    let model = plan::plan(scene, &built, folder, &mut meshes, &mut warnings).map_err(in_scene)?;
    unsupported::warn(scene, &mut warnings);
    let xml = write::write(scene, &model, !meshes.files.is_empty());
    Ok(Exported { xml, files: meshes.files, warnings: warnings.into_list() })
}

fn check_no_ball_joints(scene: &SceneSpec) -> Result<(), FieldError<SceneFault>> {
    for (index, body) in scene.bodies.iter().enumerate() {
        if body.joint.as_ref().is_some_and(|joint| matches!(joint.kind, JointKind::Spherical(_))) {
            let list = At::ROOT.field("bodies");
            let why = format!(
                "'{}' has a ball joint, which URDF does not support; replace it by a 'stack' of three hinges",
                body.name
            );
            return Err(list.index(index).field("joint").fault(Fault::Conflict(why)));
        }
    }
    Ok(())
}
