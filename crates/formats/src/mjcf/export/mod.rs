//! Scenes for MuJoCo.
//!
//! Bodies are nested as they hang on each other, in the pose in which all joint positions are zero. Frames of joints are
//! folded into those of the bodies: with P the joint's frame on the parent and C that on the body itself,
//!
//! ```text
//!   body: pos, quat = P C^-1        joint: pos = C anchor,  axis = C axis        ball: q_mujoco = C q C^-1
//! ```
//!
//! Masses and inertias are given as numbers, so that MuJoCo computes none from shapes. Where the scene starts is the
//! keyframe `start`: positions, velocities, and the targets of motors, which are actuators there.
//!
//! What MuJoCo has no word for is left out with a warning: restitution, scripts, controllers, friction that is not the larger
//! of two, drag on faces. Its contacts, limits and ties are soft, ours are not; they get its default softness.
//! Limits that are springs here get theirs.

mod actuators;
mod assets;
mod bodies;
mod cameras;
mod contacts;
mod frictions;
mod geoms;
mod joints;
mod keyframes;
mod options;
mod sensors;
mod sites;
mod soft_limits;
mod tendons;
mod ties;
mod touching;
mod tree;

use std::path::Path;

use burgess_scene::SceneError;
use burgess_scene::spec::SceneSpec;

use crate::export::{Exported, Warnings};
use crate::xml::XmlWriter;

/// Writes a scene as MJCF that MuJoCo loads without a complaint. Mesh files are looked for in `folder`; the result needs
/// none. Scenes with includes must have been read from a file.
///
/// ```
/// use burgess_formats::mjcf;
/// use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
/// use glam::DVec3;
///
/// let mut scene = SceneSpec::new("drop", "A ball falls.");
/// scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
/// let exported = mjcf::export(&scene, ".".as_ref()).unwrap();
/// assert!(exported.xml.contains("<geom type=\"sphere\" size=\"0.1\""));
/// assert!(exported.warnings.is_empty());
/// ```
pub fn export(scene: &SceneSpec, folder: &Path) -> Result<Exported, SceneError> {
    let built = scene.build(folder)?;
    let mut warnings = Warnings::default();
    let tree = tree::Tree::new(scene, &built, &mut warnings);
    let shapes = geoms::plan(scene, &built, &tree.order, &mut warnings);
    let contacts = contacts::plan(scene, &tree, &mut warnings);
    let mut sites = sites::Sites::new(scene, &tree);
    let ties = ties::plan(scene, &tree, &mut sites, &mut warnings);
    let actuators = actuators::plan(scene, &tree, &mut warnings);
    let cameras = cameras::plan(scene, &built, &tree);
    let sensors = sensors::plan(scene, &built, &tree, &actuators, &mut sites, &mut warnings);

    let mut xml = XmlWriter::new();
    xml.open("mujoco").attribute("model", &scene.name);
    if !scene.description.is_empty() {
        xml.comment(&scene.description);
    }
    options::write(&mut xml, scene, &mut warnings);
    shapes.assets.write(&mut xml);
    bodies::write(&mut xml, &tree, &shapes, &sites, &cameras);
    contacts.write(&mut xml);
    tendons::write(&mut xml, scene, &tree, &ties);
    ties.write_equalities(&mut xml);
    actuators.write(&mut xml);
    sensors::write(&mut xml, &sensors);
    keyframes::write(&mut xml, scene, &tree, &actuators);
    options::warn_of_controllers(scene, &mut warnings);
    Ok(Exported { xml: xml.finish(), warnings: warnings.into_list() })
}
