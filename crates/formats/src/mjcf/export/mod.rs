//! Exports scenes as MJCF.
//!
//! Bodies are nested in their parents, in the configuration in which all joint positions are zero. Joint frames are
//! folded into body frames: with P the joint frame on the parent and C the joint frame on the body,
//!
//! ```text
//!   body: pos, quat = P C^-1        joint: pos = C anchor,  axis = C axis        ball: q_mujoco = C q C^-1
//! ```
//!
//! Masses and inertias are written explicitly, so MuJoCo computes none from geoms. The start of the scene becomes the
//! keyframe `start`: positions, velocities, and controls, which include the targets of motors.
//!
//! Features that MuJoCo does not support are omitted with a warning: restitution, scripts, controllers, friction that
//! is not the larger of two, drag on faces. MuJoCo's contacts, limits and constraints are soft; they get the default
//! softness, except for limits with springs, which get equivalent parameters.

mod actuators;
mod assets;
mod bodies;
mod cameras;
mod constraints;
mod contact_bits;
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
mod tree;

use std::path::Path;

use burgess_scene::SceneError;
use burgess_scene::spec::SceneSpec;

use crate::export::{Exported, Warnings};
use crate::xml::XmlWriter;

/// Exports a scene as MJCF that MuJoCo loads without warnings. Mesh files of the scene are read from `folder`; the
/// result needs no files. A scene with includes must have been read from a file.
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
    let constraints = constraints::plan(scene, &tree, &mut sites, &mut warnings);
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
    tendons::write(&mut xml, scene, &tree, &constraints);
    constraints.write_equalities(&mut xml);
    actuators.write(&mut xml);
    sensors::write(&mut xml, &sensors);
    keyframes::write(&mut xml, scene, &tree, &actuators);
    options::warn_about_controllers(scene, &mut warnings);
    Ok(Exported { xml: xml.finish(), warnings: warnings.into_list() })
}
