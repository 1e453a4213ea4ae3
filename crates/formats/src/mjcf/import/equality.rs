//! `<equality>`: pins and welds between bodies become constraints, and so do lengths of tendons that are lines (`line`); the
//! others have no counterpart.

use burgess_geometry::Pose;
use burgess_scene::spec::{AnchorSpec, ConstraintSpec, NoNumbers, Orientation, TieKind};
use glam::DVec3;

use super::compiler::set;
use super::defaults::Classes;
use super::line::Lines;
use super::placement::quaternion;
use super::softness;
use super::tree::Tree;
use crate::import::{ImportError, Warnings};
use crate::xml::Element;

/// What an element says, over what its class says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EqualitySettings {
    active: bool,
}

impl Default for EqualitySettings {
    fn default() -> Self {
        Self { active: true }
    }
}

impl EqualitySettings {
    /// Is a constraint of this class on when a run begins?
    pub fn is_active(&self, element: &Element) -> Result<bool, ImportError> {
        Ok(element.boolean("active")?.unwrap_or(self.active))
    }

    pub fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        set(&mut self.active, element.boolean("active")?);
        softness::check(element, ["solref", "solimp"], "softness of equality constraints (solref, solimp)", warnings)
    }
}

pub(super) fn read(
    root: &Element,
    tree: &Tree,
    classes: &Classes,
    warnings: &mut Warnings,
) -> Result<Vec<ConstraintSpec>, ImportError> {
    let lines = Lines::new(root);
    let mut ties = Vec::new();
    for element in root.children("equality").flat_map(|section| &section.children) {
        let mut settings = classes.of(element, None)?.equality.clone();
        settings.apply(element, warnings)?;
        // What is off when a run begins stays off: nothing here turns it on.
        if !settings.active {
            continue;
        }
        let places = match &*element.name {
            "connect" | "weld" if element.text("site1").is_some() || element.text("site2").is_some() => {
                sites(element, tree)?
            }
            "connect" => connect(element, tree)?,
            "weld" => weld(element, tree)?,
            "tendon" if lines.are_kept_by(element) => continue,
            other => {
                warnings.add(&format!("equality constraints of the kind {other}"), element);
                continue;
            }
        };
        let [a, b] = places.map(|(body, pose)| anchor(tree, body, &pose));
        if a.body == b.body {
            return Err(element.conflict("ties two places that cannot move against each other"));
        }
        let free = element.number("torquescale")? == Some(0.0);
        let pin = *element.name == *"connect" || free;
        let kind = if pin { TieKind::Pin(NoNumbers {}) } else { TieKind::Weld(NoNumbers {}) };
        ties.push(ConstraintSpec { kind, a, b });
    }
    Ok(ties)
}

/// A place on a body; bodies that stand in the world are the world.
pub(super) fn anchor(tree: &Tree, index: usize, pose: &Pose) -> AnchorSpec {
    let body = &tree.bodies[index];
    let (name, pose) =
        if body.is_static { (None, body.world_pose.compose(pose)) } else { (Some(body.name.clone()), *pose) };
    let orientation = Orientation::from_quaternion(pose.rotation);
    AnchorSpec { body: name, position: pose.translation, orientation }
}

type Places = [(usize, Pose); 2];

fn sites(element: &Element, tree: &Tree) -> Result<Places, ImportError> {
    let place = |attribute| tree.site(element, attribute).map(|site| (site.body, site.pose));
    Ok([place("site1")?, place("site2")?])
}

fn bodies(element: &Element, tree: &Tree) -> Result<(usize, usize), ImportError> {
    let first = tree.body(element, "body1")?;
    let second = if element.text("body2").is_some() { tree.body(element, "body2")? } else { 0 };
    Ok((first, second))
}

/// The points coincide where the model is drawn.
fn connect(element: &Element, tree: &Tree) -> Result<Places, ImportError> {
    let (first, second) = bodies(element, tree)?;
    element.required("anchor")?;
    let anchor = element.vector("anchor")?.unwrap_or_default();
    let world = tree.bodies[first].world_pose.transform_point(anchor);
    let other = tree.bodies[second].world_pose.inverse().transform_point(world);
    let at = |point: DVec3| Pose::new(glam::DQuat::IDENTITY, point);
    Ok([(first, at(anchor)), (second, at(other))])
}

/// The second body keeps its pose in the first, by default that where the model is drawn. The anchor is on the second one.
fn weld(element: &Element, tree: &Tree) -> Result<Places, ImportError> {
    let (first, second) = bodies(element, tree)?;
    let anchor = Pose::new(glam::DQuat::IDENTITY, element.vector("anchor")?.unwrap_or_default());
    let given: Option<[f64; 7]> = element.array("relpose")?;
    let given = given.filter(|[_, _, _, turn @ ..]| *turn != [0.0; 4]);
    let on_first = match given {
        Some([x, y, z, turn @ ..]) => {
            let rotation = quaternion(turn);
            let rotation = rotation.ok_or_else(|| element.wrong("relpose", "a position and a quaternion"))?;
            Pose::new(rotation, DVec3::new(x, y, z))
        }
        None => {
            let (a, b) = (&tree.bodies[first].world_pose, &tree.bodies[second].world_pose);
            a.inverse().compose(&b.compose(&anchor))
        }
    };
    Ok([(first, on_first), (second, anchor)])
}

/// Pairs of bodies that pass through each other.
pub(super) fn exclusions(root: &Element, tree: &Tree) -> Result<Vec<[usize; 2]>, ImportError> {
    let mut pairs = Vec::new();
    for element in root.children("contact").flat_map(|section| section.children("exclude")) {
        let pair = [tree.body(element, "body1")?, tree.body(element, "body2")?];
        if pair[0] == pair[1] {
            return Err(element.conflict("a body never touches itself"));
        }
        pairs.push(pair);
    }
    Ok(pairs)
}
