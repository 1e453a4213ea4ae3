//! `<replicate>`: copies its contents, each copy moved and rotated by one more step, with a numeric suffix on all
//! names.
//!
//! Every copy becomes a `<frame>`. Elements that refer to a copied element (actuators, sensors, constraints) are
//! copied, too. These copies come after all other elements of their section, copy by copy, as in MuJoCo.

use std::collections::{BTreeMap, BTreeSet};

use burgess_geometry::Pose;

use super::compiler::Compiler;
use super::placement::Placement;
use crate::import::{ImportError, ImportFault};
use crate::xml::{Attribute, Element};

/// Maximum number of elements after replication.
const MAX_ELEMENTS: usize = 1_000_000;

/// Sections whose elements refer to the tree or to elements of an earlier section.
const SECTIONS: [&str; 5] = ["contact", "equality", "tendon", "actuator", "sensor"];

/// The names and suffixes of one `<replicate>`.
struct Copies {
    /// Kind and name of each named element in it.
    names: BTreeSet<(&'static str, String)>,
    suffixes: Vec<String>,
}

/// Expands all `<replicate>` elements of a model.
pub(super) fn expand(mut root: Element, compiler: &Compiler) -> Result<Element, ImportError> {
    let mut expander = Expander { compiler, done: Vec::new(), elements: 0 };
    for section in root.children.iter_mut().filter(|section| *section.name == *"worldbody") {
        expander.expand(section)?;
    }
    for mut copies in expander.done {
        for name in SECTIONS {
            for section in root.children.iter_mut().filter(|section| *section.name == *name) {
                copies.apply(section)?;
            }
        }
    }
    Ok(root)
}

struct Expander<'a> {
    compiler: &'a Compiler,
    done: Vec<Copies>,
    elements: usize,
}

impl Expander<'_> {
    fn expand(&mut self, element: &mut Element) -> Result<(), ImportError> {
        for mut child in std::mem::take(&mut element.children) {
            self.expand(&mut child)?;
            if *child.name == *"replicate" {
                element.children.extend(self.copies(&child)?);
            } else {
                element.children.push(child);
            }
        }
        Ok(())
    }

    fn copies(&mut self, element: &Element) -> Result<Vec<Element>, ImportError> {
        element.required("count")?;
        let count = element.whole("count", 1..=MAX_ELEMENTS as i64)?.unwrap_or(1) as usize;
        self.elements += count * size(element);
        if self.elements > MAX_ELEMENTS {
            return Err(element.fault(ImportFault::TooMany { what: "elements after replication", limit: MAX_ELEMENTS }));
        }
        let placement = Placement::read_step(element)?;
        let step = placement.pose(self.compiler, element)?;
        let digits = (count - 1).to_string().len();
        let separator = element.text("sep").unwrap_or_default();
        let suffix = |copy: usize| format!("{separator}{copy:0digits$}");
        let mut copies = Copies { names: BTreeSet::new(), suffixes: (0..count).map(suffix).collect() };
        collect_names(element, &mut copies.names);
        let mut pose = Pose::IDENTITY;
        let mut frames = Vec::with_capacity(count);
        for suffix in &copies.suffixes {
            let mut frame = element.clone();
            frame.name = "frame".into();
            frame.children.iter_mut().for_each(|child| copies.rename(child, suffix));
            frame.attributes = pose_attributes(&pose);
            frames.push(frame);
            pose = pose.compose(&step);
        }
        self.done.push(copies);
        Ok(frames)
    }
}

/// Writes a pose as attributes without loss of precision.
fn pose_attributes(pose: &Pose) -> Vec<Attribute> {
    let ([x, y, z], turn) = (pose.translation.to_array(), pose.rotation);
    let attribute = |name: &str, value: String| Attribute { name: name.into(), value: value.into() };
    vec![
        attribute("pos", format!("{x:?} {y:?} {z:?}")),
        attribute("quat", format!("{:?} {:?} {:?} {:?}", turn.w, turn.x, turn.y, turn.z)),
    ]
}

fn size(element: &Element) -> usize {
    1 + element.children.iter().map(size).sum::<usize>()
}

/// Returns the kind of a tree element that others may refer to.
fn referable_kind(name: &str) -> Option<&'static str> {
    match name {
        "joint" | "freejoint" => Some("joint"),
        "spatial" | "fixed" => Some("tendon"),
        _ => ["body", "geom", "site", "camera", "light"].into_iter().find(|kind| *kind == name),
    }
}

fn collect_names(element: &Element, names: &mut BTreeSet<(&'static str, String)>) {
    for child in &element.children {
        if let (Some(kind), Some(name)) = (referable_kind(&child.name), child.text("name")) {
            names.insert((kind, name.to_string()));
        }
        collect_names(child, names);
    }
}

/// Returns the kind of element that an attribute refers to.
fn reference_kind(element: &Element, attribute: &str) -> Option<&'static str> {
    let by_kind = |kind: &str| match element.text(kind) {
        Some("xbody") => Some("body"),
        Some(kind) => ["body", "geom", "site", "camera"].into_iter().find(|known| *known == kind),
        None => None,
    };
    match attribute {
        "joint" | "jointinparent" | "joint1" | "joint2" => Some("joint"),
        "body" | "body1" | "body2" | "target" | "subtree1" | "subtree2" => Some("body"),
        "site" | "site1" | "site2" | "slidersite" | "cranksite" | "refsite" | "sidesite" => Some("site"),
        "geom" | "geom1" | "geom2" => Some("geom"),
        "tendon" | "tendon1" | "tendon2" => Some("tendon"),
        "actuator" => Some("actuator"),
        "camera" => Some("camera"),
        "objname" => by_kind("objtype"),
        "refname" => by_kind("reftype"),
        _ => None,
    }
}

impl Copies {
    fn refers(&self, element: &Element, attribute: &Attribute) -> bool {
        let kind = reference_kind(element, &attribute.name);
        kind.is_some_and(|kind| self.names.contains(&(kind, attribute.value.to_string())))
    }

    /// Appends a suffix to the names of a tree element and its descendants, and to their references to copied elements.
    fn rename(&self, element: &mut Element, suffix: &str) {
        let is_named = referable_kind(&element.name).is_some();
        for place in 0..element.attributes.len() {
            let attribute = &element.attributes[place];
            if (is_named && *attribute.name == *"name") || self.refers(element, attribute) {
                element.attributes[place].value = format!("{}{suffix}", attribute.value).into();
            }
        }
        element.children.iter_mut().for_each(|child| self.rename(child, suffix));
    }

    fn refers_to_copies(&self, element: &Element) -> bool {
        element.attributes.iter().any(|attribute| self.refers(element, attribute))
            || element.children.iter().any(|child| self.refers_to_copies(child))
    }

    /// Copies the elements of a section that refer to copied elements.
    fn apply(&mut self, section: &mut Element) -> Result<(), ImportError> {
        let all = std::mem::take(&mut section.children);
        let (referring, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|element| self.refers_to_copies(element));
        section.children = others;
        let count: usize = referring.iter().map(size).sum();
        if count * self.suffixes.len() > MAX_ELEMENTS {
            return Err(section.fault(ImportFault::TooMany { what: "elements after replication", limit: MAX_ELEMENTS }));
        }
        for suffix in &self.suffixes {
            for element in &referring {
                let mut copy = element.clone();
                self.rename(&mut copy, suffix);
                section.children.push(with_suffix(copy, suffix));
            }
        }
        // Elements that refer to these are copied, too.
        let kind = BTreeMap::from([("tendon", "tendon"), ("actuator", "actuator")]).get(&*section.name).copied();
        for name in referring.iter().filter_map(|element| element.text("name")) {
            self.names.extend(kind.map(|kind| (kind, name.to_string())));
        }
        Ok(())
    }
}

/// Appends a suffix to the name of a section's element, unless `rename` has done so.
fn with_suffix(mut element: Element, suffix: &str) -> Element {
    if referable_kind(&element.name).is_none() {
        for own in element.attributes.iter_mut().filter(|own| *own.name == *"name") {
            own.value = format!("{}{suffix}", own.value).into();
        }
    }
    element
}
