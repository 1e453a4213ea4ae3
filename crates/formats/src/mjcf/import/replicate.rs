//! `<replicate>`: copies of what is in it, each one step further along and turned, with a number behind all names.
//!
//! Every copy becomes a `<frame>`. What refers to something that was copied (drives, sensors, ties) is copied along: the
//! copies come after all others of their section, copy by copy, as MuJoCo has them.

use std::collections::{BTreeMap, BTreeSet};

use burgess_geometry::Pose;

use super::compiler::Compiler;
use super::placement::Placement;
use crate::import::{ImportError, ImportFault};
use crate::xml::{Attribute, Element};

/// More elements after copying are refused.
const MAX_ELEMENTS: usize = 1_000_000;

/// Sections whose elements refer to the tree, or to elements of a section before them.
const SECTIONS: [&str; 5] = ["contact", "equality", "tendon", "actuator", "sensor"];

/// One `<replicate>`: what has names in it, and what is put behind them.
struct Copies {
    /// What kind of thing it is, and its name.
    names: BTreeSet<(&'static str, String)>,
    suffixes: Vec<String>,
}

/// Replaces all of them.
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
            return Err(element.fault(ImportFault::TooMany { what: "elements after copying", limit: MAX_ELEMENTS }));
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
            frame.attributes = placed(&pose);
            frames.push(frame);
            pose = pose.compose(&step);
        }
        self.done.push(copies);
        Ok(frames)
    }
}

/// A pose as attributes, to the last bit.
fn placed(pose: &Pose) -> Vec<Attribute> {
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

/// What kind of thing an element of the tree is, if others may refer to it.
fn thing(name: &str) -> Option<&'static str> {
    match name {
        "joint" | "freejoint" => Some("joint"),
        "spatial" | "fixed" => Some("tendon"),
        _ => ["body", "geom", "site", "camera", "light"].into_iter().find(|kind| *kind == name),
    }
}

fn collect_names(element: &Element, names: &mut BTreeSet<(&'static str, String)>) {
    for child in &element.children {
        if let (Some(kind), Some(name)) = (thing(&child.name), child.text("name")) {
            names.insert((kind, name.to_string()));
        }
        collect_names(child, names);
    }
}

/// What kind of thing an attribute refers to.
fn referred(element: &Element, attribute: &str) -> Option<&'static str> {
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
        let kind = referred(element, &attribute.name);
        kind.is_some_and(|kind| self.names.contains(&(kind, attribute.value.to_string())))
    }

    /// Puts a suffix behind the names in an element of the tree, and behind what it refers to.
    fn rename(&self, element: &mut Element, suffix: &str) {
        let is_named = thing(&element.name).is_some();
        for place in 0..element.attributes.len() {
            let attribute = &element.attributes[place];
            if (is_named && *attribute.name == *"name") || self.refers(element, attribute) {
                element.attributes[place].value = format!("{}{suffix}", attribute.value).into();
            }
        }
        element.children.iter_mut().for_each(|child| self.rename(child, suffix));
    }

    fn concerns(&self, element: &Element) -> bool {
        element.attributes.iter().any(|attribute| self.refers(element, attribute))
            || element.children.iter().any(|child| self.concerns(child))
    }

    /// Copies the elements of a section that refer to what was copied.
    fn apply(&mut self, section: &mut Element) -> Result<(), ImportError> {
        let all = std::mem::take(&mut section.children);
        let (concerned, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|element| self.concerns(element));
        section.children = others;
        let whole: usize = concerned.iter().map(size).sum();
        if whole * self.suffixes.len() > MAX_ELEMENTS {
            return Err(section.fault(ImportFault::TooMany { what: "elements after copying", limit: MAX_ELEMENTS }));
        }
        for suffix in &self.suffixes {
            for element in &concerned {
                let mut copy = element.clone();
                self.rename(&mut copy, suffix);
                section.children.push(named(copy, suffix));
            }
        }
        // What refers to these is copied, too.
        let kind = BTreeMap::from([("tendon", "tendon"), ("actuator", "actuator")]).get(&*section.name).copied();
        for name in concerned.iter().filter_map(|element| element.text("name")) {
            self.names.extend(kind.map(|kind| (kind, name.to_string())));
        }
        Ok(())
    }
}

/// An element of a section with a suffix behind its own name, unless it has one already.
fn named(mut element: Element, suffix: &str) -> Element {
    if thing(&element.name).is_none() {
        for own in element.attributes.iter_mut().filter(|own| *own.name == *"name") {
            own.value = format!("{}{suffix}", own.value).into();
        }
    }
    element
}
