//! Reads the links, joints and transmissions of a file.

use std::collections::BTreeMap;

use burgess_files::{NameFault, closest};
use burgess_scene::MAX_BODIES;

use super::UrdfWarnings;
use super::colors::Palette;
use super::joint::{self, Joint};
use super::link::{self, Link};
use super::mesh::Meshes;
use crate::import::{ImportError, ImportFault, ModelFolder};
use crate::xml::Element;

/// Contents of a file.
pub(super) struct Robot<'a> {
    pub links: Vec<Link<'a>>,
    pub joints: Vec<Joint<'a>>,
    pub transmissions: Vec<Transmission<'a>>,
}

/// The actuator of a transmission and its joint.
pub(super) struct Transmission<'a> {
    pub name: &'a str,
    pub joint: usize,
    pub element: &'a Element,
}

/// Indices by name.
type Names<'a> = BTreeMap<&'a str, usize>;

pub(super) fn read<'a>(
    root: &'a Element,
    folder: &'a ModelFolder,
    warnings: &mut UrdfWarnings<'a>,
) -> Result<Robot<'a>, ImportError> {
    let limit = |what| root.fault(ImportFault::TooMany { what, limit: MAX_BODIES });
    if root.children("link").count() > MAX_BODIES {
        return Err(limit("links"));
    }
    warn_about_extensions(root, warnings);
    let palette = Palette::read(root, warnings)?;
    let mut meshes = Meshes::new(folder);
    let (mut links, mut link_names) = (Vec::new(), Names::new());
    for element in root.children("link") {
        let link = link::read(element, &palette, &mut meshes, warnings)?;
        insert(&mut link_names, link.name, links.len(), element, "link")?;
        links.push(link);
    }
    let (mut joints, mut joint_names) = (Vec::new(), Names::new());
    for element in root.children("joint") {
        let find = |end: &'static str| {
            let end =
                element.child(end).ok_or_else(|| element.fault(ImportFault::Missing { what: format!("<{end}>") }))?;
            find(&link_names, end, "link", "link")
        };
        let joint = joint::read(element, find("parent")?, find("child")?, warnings)?;
        insert(&mut joint_names, joint.name, joints.len(), element, "joint")?;
        joints.push(joint);
    }
    let transmissions = read_transmissions(root, &joint_names)?;
    Ok(Robot { links, joints, transmissions })
}

/// Adds a name; fails if it is already used.
fn insert<'a>(
    names: &mut Names<'a>,
    name: &'a str,
    index: usize,
    element: &Element,
    what: &'static str,
) -> Result<(), ImportError> {
    match names.insert(name, index) {
        None => Ok(()),
        Some(_) => Err(element.fault(ImportFault::Name(NameFault::Duplicate { what, name: name.to_string() }))),
    }
}

/// Returns the index of the item that an attribute names.
fn find(names: &Names, element: &Element, attribute: &'static str, what: &'static str) -> Result<usize, ImportError> {
    let name = element.required(attribute)?;
    names.get(name).copied().ok_or_else(|| {
        let suggestion = closest(name, names.keys().copied());
        element.fault(ImportFault::Name(NameFault::Unknown { what, name: name.to_string(), suggestion }))
    })
}

/// Adds warnings about extensions of other programs.
fn warn_about_extensions<'a>(root: &'a Element, warnings: &mut UrdfWarnings<'a>) {
    for child in &root.children {
        match &*child.name {
            // <mujoco> contains only settings of MuJoCo's importer; transmissions are read elsewhere.
            "link" | "joint" | "material" | "transmission" | "mujoco" => {}
            "gazebo" => warnings.add("extensions for Gazebo (gazebo)", child),
            "ros2_control" => warnings.add("<ros2_control>", child),
            _ => warnings.add_unknown(child),
        }
    }
}

/// Reads the transmissions. As in ROS, the control is the effort at the joint; a reduction does not change it.
fn read_transmissions<'a>(root: &'a Element, joints: &Names) -> Result<Vec<Transmission<'a>>, ImportError> {
    let mut transmissions = Vec::new();
    for transmission in root.children("transmission") {
        let mut actuators = transmission.children("actuator");
        for element in transmission.children("joint") {
            let joint = find(joints, element, "name", "joint")?;
            let own = actuators.next().and_then(|actuator| actuator.text("name"));
            let name = own.or(transmission.text("name")).or(element.text("name")).unwrap_or_default();
            transmissions.push(Transmission { name, joint, element });
        }
    }
    Ok(transmissions)
}
