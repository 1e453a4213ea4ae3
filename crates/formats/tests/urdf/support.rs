//! Shared helpers: temporary folders, import, export, and properties of bodies in the world.

use std::collections::BTreeMap;
use std::path::PathBuf;

use burgess_dynamics::{Workspace, update_kinematics};
use burgess_formats::import::{ImportError, ImportOptions, Imported};
use burgess_formats::urdf;
use burgess_geometry::Pose;
use burgess_scene::spec::{AxisSpec, BodySpec, JointKind, SceneSpec, StackAxisSpec};
use glam::{DMat3, DVec3};

/// Returns an empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("urdf").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Imports a text.
pub fn import(text: &str) -> Result<Imported, ImportError> {
    urdf::import_text(text, "robot.urdf", &ImportOptions::default())
}

/// Imports a text with a floating base.
pub fn import_floating(text: &str) -> Result<Imported, ImportError> {
    let options = ImportOptions { floating_base: true, ..ImportOptions::default() };
    urdf::import_text(text, "robot.urdf", &options)
}

/// Exports a scene into a folder and returns the path of the file.
pub fn export_to(name: &str, scene: &SceneSpec) -> (PathBuf, urdf::Exported) {
    let folder = folder(name);
    let exported = urdf::export(scene, ".".as_ref(), "robot_meshes").unwrap();
    for file in &exported.files {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.bytes).unwrap();
    }
    let path = folder.join("robot.urdf");
    std::fs::write(&path, &exported.xml).unwrap();
    (path, exported)
}

/// Returns the axes of a body's joint.
pub fn axes(body: &BodySpec) -> Vec<&AxisSpec> {
    match body.joint.as_ref().map(|joint| &joint.kind) {
        Some(JointKind::Revolute(axis) | JointKind::Prismatic(axis)) => vec![axis],
        Some(JointKind::Universal(pair)) => vec![&pair.first, &pair.second],
        Some(JointKind::Stack(stack)) => {
            let mut list = Vec::new();
            for axis in &stack.axes {
                let (StackAxisSpec::Hinge(axis) | StackAxisSpec::Slide(axis)) = axis;
                list.push(axis);
            }
            list
        }
        _ => Vec::new(),
    }
}

/// Sets the positions of all axes of a body's joint, in rad and m.
pub fn set_positions(body: &mut BodySpec, positions: &[f64]) {
    let Some(joint) = &mut body.joint else { return };
    let radian = if joint.angle_unit == Default::default() { 1.0 } else { 180.0 / std::f64::consts::PI };
    match &mut joint.kind {
        JointKind::Revolute(axis) => axis.position = positions[0] * radian,
        JointKind::Prismatic(axis) => axis.position = positions[0],
        JointKind::Universal(pair) => {
            (pair.first.position, pair.second.position) = (positions[0] * radian, positions[1] * radian);
        }
        JointKind::Stack(stack) => {
            for (axis, position) in stack.axes.iter_mut().zip(positions) {
                match axis {
                    StackAxisSpec::Hinge(axis) => axis.position = position * radian,
                    StackAxisSpec::Slide(axis) => axis.position = *position,
                }
            }
        }
        _ => {}
    }
}

/// Properties of a body in the world.
#[derive(Debug, Clone)]
pub struct Observed {
    pub mass: f64,
    pub center_of_mass: DVec3,
    /// Inertia about the centre of mass in world coordinates.
    pub inertia: DMat3,
    pub shapes: Vec<Pose>,
}

/// Returns the properties of all bodies of a scene at the start.
pub fn observe(scene: &SceneSpec) -> BTreeMap<String, Observed> {
    let built = scene.build(".").unwrap();
    let model = built.world.model();
    let mut workspace = Workspace::new(model);
    built.world.run_scripts(0.0, &mut workspace);
    update_kinematics(model, &built.state, &mut workspace);
    let mut observed = BTreeMap::new();
    for (index, body) in scene.bodies.iter().enumerate() {
        let made = &built.bodies[index];
        let frame = built.link_index(index).map_or(Pose::IDENTITY, |link| workspace.pose(model, link));
        let rotation = frame.matrix();
        let mass = made.mass.unwrap_or(burgess_geometry::MassProperties {
            mass: 0.0,
            center_of_mass: DVec3::ZERO,
            inertia: DMat3::ZERO,
        });
        let center_of_mass = if mass.mass > 0.0 { frame.transform_point(mass.center_of_mass) } else { DVec3::ZERO };
        let inertia = rotation * mass.inertia * rotation.transpose();
        let shapes = made.colliders.clone().map(|collider| built.world.collider_pose(&workspace, collider)).collect();
        observed.insert(body.name.clone(), Observed { mass: mass.mass, center_of_mass, inertia, shapes });
    }
    observed
}
