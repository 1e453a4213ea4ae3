//! Writes the XML.

use burgess_geometry::{MassProperties, Pose};
use burgess_scene::spec::{AxisSpec, SceneSpec};
use glam::{DQuat, DVec3};

use super::super::{UNLIMITED, rpy::rpy_of};
use super::forms::Form;
use super::plan::{Joint, Link, Model, Motion, Transmission};
use crate::xml::XmlWriter;

pub(super) fn write(scene: &SceneSpec, model: &Model, has_meshes: bool) -> String {
    let mut xml = XmlWriter::new();
    xml.open("robot").attribute("name", &scene.name);
    if !scene.description.is_empty() {
        xml.comment(&scene.description);
    }
    write_hints(&mut xml, model, has_meshes);
    for (index, color) in model.palette.colors.iter().enumerate() {
        xml.open("material").attribute("name", &color_name(index));
        xml.open("color").numbers("rgba", [color.x, color.y, color.z, 1.0]).close();
        xml.close();
    }
    for link in &model.links {
        write_link(&mut xml, link);
    }
    for joint in &model.joints {
        write_joint(&mut xml, model, joint);
    }
    for transmission in &model.transmissions {
        write_transmission(&mut xml, transmission);
    }
    xml.finish()
}

/// Writes settings for MuJoCo, which by default strips the folders of mesh paths and rejects moving links without mass.
fn write_hints(xml: &mut XmlWriter, model: &Model, has_meshes: bool) {
    if !(has_meshes || model.has_chains) {
        return;
    }
    xml.open("mujoco");
    xml.open("compiler");
    if has_meshes {
        xml.attribute("strippath", "false");
    }
    if model.has_chains {
        xml.number("boundmass", 1e-9).number("boundinertia", 1e-12);
    }
    xml.close().close();
}

fn color_name(index: usize) -> String {
    format!("color_{}", index + 1)
}

fn write_link(xml: &mut XmlWriter, link: &Link) {
    xml.open("link").attribute("name", &link.name);
    if let Some(mass) = &link.mass {
        write_mass(xml, mass);
    }
    for (form, pose, color) in &link.visuals {
        xml.open("visual");
        write_origin(xml, pose);
        write_form(xml, form);
        if let Some(color) = color {
            xml.open("material").attribute("name", &color_name(*color)).close();
        }
        xml.close();
    }
    for (form, pose) in &link.collisions {
        xml.open("collision");
        write_origin(xml, pose);
        write_form(xml, form);
        xml.close();
    }
    xml.close();
}

fn write_mass(xml: &mut XmlWriter, mass: &MassProperties) {
    let [x, y, z] = [mass.inertia.x_axis, mass.inertia.y_axis, mass.inertia.z_axis];
    xml.open("inertial");
    write_origin(xml, &Pose::from_translation(mass.center_of_mass));
    xml.open("mass").number("value", mass.mass).close();
    xml.open("inertia");
    for (name, value) in [("ixx", x.x), ("ixy", x.y), ("ixz", x.z), ("iyy", y.y), ("iyz", y.z), ("izz", z.z)] {
        xml.number(name, value);
    }
    xml.close().close();
}

fn write_origin(xml: &mut XmlWriter, pose: &Pose) {
    if *pose == Pose::IDENTITY {
        return;
    }
    xml.open("origin").numbers("xyz", pose.translation.to_array());
    let rpy = if pose.rotation == DQuat::IDENTITY { DVec3::ZERO } else { rpy_of(pose.rotation) };
    xml.numbers("rpy", rpy.to_array()).close();
}

fn write_form(xml: &mut XmlWriter, form: &Form) {
    xml.open("geometry");
    match form {
        Form::Box(size) => xml.open("box").numbers("size", size.to_array()),
        Form::Sphere(radius) => xml.open("sphere").number("radius", *radius),
        Form::Cylinder { radius, length } => xml.open("cylinder").number("radius", *radius).number("length", *length),
        Form::Mesh(path) => xml.open("mesh").attribute("filename", path),
    };
    xml.close().close();
}

fn write_joint(xml: &mut XmlWriter, model: &Model, joint: &Joint) {
    let kind = match &joint.motion {
        Motion::Fixed => "fixed",
        Motion::Floating => "floating",
        Motion::Axis { is_slide: true, .. } => "prismatic",
        Motion::Axis { is_slide: false, axis } if range(axis).is_none() => "continuous",
        Motion::Axis { .. } => "revolute",
    };
    xml.open("joint").attribute("name", &joint.name).attribute("type", kind);
    write_origin(xml, &joint.origin);
    xml.open("parent").attribute("link", &model.links[joint.parent].name).close();
    xml.open("child").attribute("link", &model.links[joint.child].name).close();
    if let Motion::Axis { is_slide, axis } = &joint.motion {
        // Scenes allow axes of any length, URDF only of length 1.
        xml.open("axis").numbers("xyz", axis.axis.normalize_or(axis.axis).to_array()).close();
        write_limit(xml, *is_slide, axis);
        if axis.damping != 0.0 || axis.friction != 0.0 {
            xml.open("dynamics").number("damping", axis.damping).number("friction", axis.friction).close();
        }
    }
    xml.close();
}

/// Returns the minimum and maximum position, if there is a limit.
fn range(axis: &AxisSpec) -> Option<[f64; 2]> {
    axis.limit.filter(|[low, high]| *low > -UNLIMITED || *high < UNLIMITED)
}

/// Writes the limit of an axis. URDF requires a range for a prismatic joint even if it is unlimited.
fn write_limit(xml: &mut XmlWriter, is_slide: bool, axis: &AxisSpec) {
    let unlimited = [-UNLIMITED, UNLIMITED];
    let range = range(axis).or(is_slide.then_some(unlimited));
    if range.is_none() && axis.max_effort.is_none() {
        return;
    }
    xml.open("limit");
    if let Some([low, high]) = range {
        xml.number("lower", low.max(-UNLIMITED)).number("upper", high.min(UNLIMITED));
    }
    xml.number("effort", axis.max_effort.unwrap_or(UNLIMITED)).number("velocity", UNLIMITED).close();
}

fn write_transmission(xml: &mut XmlWriter, transmission: &Transmission) {
    xml.open("transmission").attribute("name", &format!("{}_transmission", transmission.name));
    xml.text("type", "transmission_interface/SimpleTransmission");
    xml.open("joint").attribute("name", &transmission.joint);
    xml.text("hardwareInterface", "hardware_interface/EffortJointInterface").close();
    xml.open("actuator").attribute("name", &transmission.name);
    xml.text("mechanicalReduction", "1").close();
    xml.close();
}
