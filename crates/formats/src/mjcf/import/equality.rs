//! `<equality>`: `connect` and `weld` become constraints. `line` handles fixed lengths of straight tendons. Other kinds
//! are not supported.

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

/// Settings of an equality constraint: the attributes of an element over those of its default class.
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
    /// Returns whether a constraint of this class is active at the start of a simulation.
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
        // A constraint that is inactive at the start cannot be activated later in a scene, so it is omitted.
        if !settings.active {
            continue;
        }
        let frames = match &*element.name {
            "connect" | "weld" if element.text("site1").is_some() || element.text("site2").is_some() => {
                sites(element, tree)?
            }
            "connect" => connect(element, tree)?,
            "weld" => weld(element, tree)?,
            "tendon" if lines.fix_length_by(element) => continue,
            other => {
                warnings.add(&format!("equality constraints of kind '{other}'"), element);
                continue;
            }
        };
        let [a, b] = frames.map(|(body, pose)| anchor(tree, body, &pose));
        if a.body == b.body {
            return Err(element.conflict("connects two points of the same rigid body"));
        }
        let free = element.number("torquescale")? == Some(0.0);
        let pin = *element.name == *"connect" || free;
        let kind = if pin { TieKind::Pin(NoNumbers {}) } else { TieKind::Weld(NoNumbers {}) };
        ties.push(ConstraintSpec { kind, a, b });
    }
    Ok(ties)
}

/// Returns a frame on a body as an anchor. For a static body the anchor is on the world.
pub(super) fn anchor(tree: &Tree, index: usize, pose: &Pose) -> AnchorSpec {
    let body = &tree.bodies[index];
    let (name, pose) =
        if body.is_static { (None, body.world_pose.compose(pose)) } else { (Some(body.name.clone()), *pose) };
    let orientation = Orientation::from_quaternion(pose.rotation);
    AnchorSpec { body: name, position: pose.translation, orientation }
}

type Frames = [(usize, Pose); 2];

fn sites(element: &Element, tree: &Tree) -> Result<Frames, ImportError> {
    let place = |attribute| tree.site(element, attribute).map(|site| (site.body, site.pose));
    Ok([place("site1")?, place("site2")?])
}

fn bodies(element: &Element, tree: &Tree) -> Result<(usize, usize), ImportError> {
    let first = tree.body(element, "body1")?;
    let second = if element.text("body2").is_some() { tree.body(element, "body2")? } else { 0 };
    Ok((first, second))
}

/// Returns the two frames of a `connect`, whose origins coincide in the reference configuration.
fn connect(element: &Element, tree: &Tree) -> Result<Frames, ImportError> {
    let (first, second) = bodies(element, tree)?;
    element.required("anchor")?;
    let anchor = element.vector("anchor")?.unwrap_or_default();
    let world = tree.bodies[first].world_pose.transform_point(anchor);
    let other = tree.bodies[second].world_pose.inverse().transform_point(world);
    let at = |point: DVec3| Pose::new(glam::DQuat::IDENTITY, point);
    Ok([(first, at(anchor)), (second, at(other))])
}

/// Returns the two frames of a `weld`. The second body keeps its pose relative to the first, by default that of the
/// reference configuration. The anchor is on the second body.
fn weld(element: &Element, tree: &Tree) -> Result<Frames, ImportError> {
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

/// Returns the pairs of bodies without contacts between them.
pub(super) fn exclusions(root: &Element, tree: &Tree) -> Result<Vec<[usize; 2]>, ImportError> {
    let mut pairs = Vec::new();
    for element in root.children("contact").flat_map(|section| section.children("exclude")) {
        let pair = [tree.body(element, "body1")?, tree.body(element, "body2")?];
        if pair[0] == pair[1] {
            return Err(element.conflict("body1 and body2 are the same body; expected two different bodies"));
        }
        pairs.push(pair);
    }
    Ok(pairs)
}
