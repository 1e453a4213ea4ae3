//! Links, joints and transmissions as a file has them.

use std::collections::BTreeMap;

use burgess_files::closest;
use burgess_scene::MAX_BODIES;

use super::Notes;
use super::joint::{self, Joint};
use super::link::{self, Link};
use super::looks::Palette;
use super::mesh::Meshes;
use crate::import::{ImportError, ImportFault, ModelFolder};
use crate::xml::Element;

/// What a file describes.
pub(super) struct Robot<'a> {
    pub links: Vec<Link<'a>>,
    pub joints: Vec<Joint<'a>>,
    pub drives: Vec<Drive<'a>>,
}

/// A transmission's actuator and the joint that it drives.
pub(super) struct Drive<'a> {
    pub name: &'a str,
    pub joint: usize,
    pub element: &'a Element,
}

/// Indices by name.
type Names<'a> = BTreeMap<&'a str, usize>;

pub(super) fn read<'a>(
    root: &'a Element,
    folder: &'a ModelFolder,
    notes: &mut Notes<'a>,
) -> Result<Robot<'a>, ImportError> {
    let limit = |what| root.fault(ImportFault::TooMany { what, limit: MAX_BODIES });
    if root.children("link").count() > MAX_BODIES {
        return Err(limit("links"));
    }
    note_extensions(root, notes);
    let palette = Palette::read(root, notes)?;
    let mut meshes = Meshes::new(folder);
    let (mut links, mut link_names) = (Vec::new(), Names::new());
    for element in root.children("link") {
        let link = link::read(element, &palette, &mut meshes, notes)?;
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
        let joint = joint::read(element, find("parent")?, find("child")?, notes)?;
        insert(&mut joint_names, joint.name, joints.len(), element, "joint")?;
        joints.push(joint);
    }
    let drives = read_drives(root, &joint_names)?;
    Ok(Robot { links, joints, drives })
}

/// A name that no other has.
fn insert<'a>(
    names: &mut Names<'a>,
    name: &'a str,
    index: usize,
    element: &Element,
    what: &'static str,
) -> Result<(), ImportError> {
    match names.insert(name, index) {
        None => Ok(()),
        Some(_) => Err(element.fault(ImportFault::Duplicate { what, name: name.to_string() })),
    }
}

/// What an attribute of an element names.
fn find(names: &Names, element: &Element, attribute: &'static str, what: &'static str) -> Result<usize, ImportError> {
    let name = element.required(attribute)?;
    names.get(name).copied().ok_or_else(|| {
        let suggestion = closest(name, names.keys().copied());
        element.fault(ImportFault::UnknownName { what, name: name.to_string(), suggestion })
    })
}

/// What other programs keep in a file.
fn note_extensions<'a>(root: &'a Element, notes: &mut Notes<'a>) {
    for child in &root.children {
        match &*child.name {
            // MuJoCo's say how MuJoCo reads the file; transmissions are read elsewhere.
            "link" | "joint" | "material" | "transmission" | "mujoco" => {}
            "gazebo" => notes.add("extensions for Gazebo", child),
            "ros2_control" => notes.add("<ros2_control>", child),
            _ => notes.stranger(child),
        }
    }
}

/// The control of the motor that comes of it is the effort at the joint, as in ROS: a reduction does not change it.
fn read_drives<'a>(root: &'a Element, joints: &Names) -> Result<Vec<Drive<'a>>, ImportError> {
    let mut drives = Vec::new();
    for transmission in root.children("transmission") {
        let mut actuators = transmission.children("actuator");
        for element in transmission.children("joint") {
            let joint = find(joints, element, "name", "joint")?;
            let own = actuators.next().and_then(|actuator| actuator.text("name"));
            let name = own.or(transmission.text("name")).or(element.text("name")).unwrap_or_default();
            drives.push(Drive { name, joint, element });
        }
    }
    Ok(drives)
}
