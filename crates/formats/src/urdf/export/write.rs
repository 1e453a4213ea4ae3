//! The text of the file.

use burgess_geometry::{MassProperties, Pose};
use burgess_scene::spec::{AxisSpec, SceneSpec};
use glam::{DQuat, DVec3};

use super::super::{UNLIMITED, rpy::rpy_of};
use super::forms::Form;
use super::plan::{Drive, Joint, Link, Model, Motion};
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
    for drive in &model.drives {
        write_drive(&mut xml, drive);
    }
    xml.finish()
}

/// MuJoCo drops the folders of meshes, and refuses links without mass between joints, unless it is told otherwise.
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
        Motion::Axis { slides: true, .. } => "prismatic",
        Motion::Axis { slides: false, axis } if range(axis).is_none() => "continuous",
        Motion::Axis { .. } => "revolute",
    };
    xml.open("joint").attribute("name", &joint.name).attribute("type", kind);
    write_origin(xml, &joint.origin);
    xml.open("parent").attribute("link", &model.links[joint.parent].name).close();
    xml.open("child").attribute("link", &model.links[joint.child].name).close();
    if let Motion::Axis { slides, axis } = &joint.motion {
        xml.open("axis").numbers("xyz", axis.axis.to_array()).close();
        write_limit(xml, *slides, axis);
        if axis.damping != 0.0 || axis.friction != 0.0 {
            xml.open("dynamics").number("damping", axis.damping).number("friction", axis.friction).close();
        }
    }
    xml.close();
}

/// Lowest and highest position, if there is an end to either.
fn range(axis: &AxisSpec) -> Option<[f64; 2]> {
    axis.limit.filter(|[low, high]| *low > -UNLIMITED || *high < UNLIMITED)
}

/// A slide needs numbers even where it has no end.
fn write_limit(xml: &mut XmlWriter, slides: bool, axis: &AxisSpec) {
    let everywhere = [-UNLIMITED, UNLIMITED];
    let range = range(axis).or(slides.then_some(everywhere));
    if range.is_none() && axis.max_effort.is_none() {
        return;
    }
    xml.open("limit");
    if let Some([low, high]) = range {
        xml.number("lower", low.max(-UNLIMITED)).number("upper", high.min(UNLIMITED));
    }
    xml.number("effort", axis.max_effort.unwrap_or(UNLIMITED)).number("velocity", UNLIMITED).close();
}

fn write_drive(xml: &mut XmlWriter, drive: &Drive) {
    xml.open("transmission").attribute("name", &format!("{}_transmission", drive.name));
    xml.text("type", "transmission_interface/SimpleTransmission");
    xml.open("joint").attribute("name", &drive.joint);
    xml.text("hardwareInterface", "hardware_interface/EffortJointInterface").close();
    xml.open("actuator").attribute("name", &drive.name);
    xml.text("mechanicalReduction", "1").close();
    xml.close();
}
