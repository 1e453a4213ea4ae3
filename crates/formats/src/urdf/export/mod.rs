//! Scenes for programs that read URDF.
//!
//! The root is the link `world`; fixed bodies and joints to the world hang on it, free bodies by floating joints. A link is
//! turned as its body is, so that inertias and shapes keep their numbers; its origin is the body's, unless a hinge wants it
//! on its axis (`plan`). Joints with several axes are chains of links without mass, sites are links without mass on fixed
//! joints. Masses and inertias are those that the simulator uses.
//!
//! Boxes, balls and cylinders are URDF's own; everything else is a mesh in an OBJ file beside it. What URDF has no word for
//! is left out with a warning, one for each kind (`losses`). A ball joint is refused: three hinges are not the same.

mod forms;
mod losses;
mod plan;
mod write;

use std::path::Path;

use burgess_files::{At, Fault, FieldError};
use burgess_scene::spec::{JointKind, SceneSpec};
use burgess_scene::{SceneError, SceneFault};

use crate::export::{ExportWarning, Warnings};

/// A scene as URDF.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The model.
    pub xml: String,
    /// The meshes that it names.
    pub files: Vec<ExportedFile>,
    /// What was left out, or is not quite the same there.
    pub warnings: Vec<ExportWarning>,
}

/// A file beside the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportedFile {
    /// Relative to the model, with `/` between folders.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Writes a scene as URDF. Mesh files of the scene are looked for in `folder`; `mesh_folder` is the folder for those of the
/// model, relative to it. Scenes with includes must have been read from a file.
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
    refuse_balls(scene).map_err(in_scene)?;
    let built = scene.build(folder)?;
    let mut warnings = Warnings::default();
    let mut meshes = forms::Meshes::new(mesh_folder);
    let model = plan::plan(scene, &built, folder, &mut meshes, &mut warnings).map_err(in_scene)?;
    losses::note(scene, &mut warnings);
    let xml = write::write(scene, &model, !meshes.files.is_empty());
    Ok(Exported { xml, files: meshes.files, warnings: warnings.into_list() })
}

fn refuse_balls(scene: &SceneSpec) -> Result<(), FieldError<SceneFault>> {
    for (index, body) in scene.bodies.iter().enumerate() {
        if body.joint.as_ref().is_some_and(|joint| matches!(joint.kind, JointKind::Spherical(_))) {
            let list = At::ROOT.field("bodies");
            let why = format!(
                "'{}' is on a ball joint, which URDF does not have; a 'stack' of three hinges may do instead",
                body.name
            );
            return Err(list.index(index).field("joint").fault(Fault::Conflict(why)));
        }
    }
    Ok(())
}
