//! `<tendon>`: fixed tendons, whose length is a linear combination of joint positions. `line` reads spatial tendons.

use burgess_files::NameFault;
use burgess_scene::spec::{TendonJoint, TendonSpec};

use super::compiler::{Compiler, set, set_first};
use super::defaults::Classes;
use super::joint::Kind;
use super::line::is_straight;
use super::softness;
use super::tree::Tree;
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

/// Settings of a tendon: the attributes of an element over those of its default class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TendonSettings {
    limited: Option<bool>,
    range: [f64; 2],
    friction: f64,
    /// Lengths between which the spring is slack; -1 twice stands for the length at which the joint springs are
    /// relaxed.
    spring_length: [f64; 2],
    stiffness: [f64; 3],
    damping: [f64; 3],
    armature: f64,
}

impl Default for TendonSettings {
    fn default() -> Self {
        Self {
            limited: None,
            range: [0.0; 2],
            friction: 0.0,
            spring_length: [-1.0; 2],
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            armature: 0.0,
        }
    }
}

impl TendonSettings {
    pub fn apply(&mut self, element: &Element, warnings: &mut Warnings) -> Result<(), ImportError> {
        set(&mut self.limited, element.boolean_or_auto("limited")?);
        set(&mut self.range, element.array("range")?);
        set(&mut self.friction, element.number("frictionloss")?);
        if let Some(lengths) = element.numbers("springlength", 1..=2)? {
            self.spring_length = [lengths[0], *lengths.last().unwrap_or(&lengths[0])];
        }
        set_first(&mut self.stiffness, element.numbers("stiffness", 1..=3)?);
        set_first(&mut self.damping, element.numbers("damping", 1..=3)?);
        set(&mut self.armature, element.number("armature")?);
        for (attribute, values) in [("stiffness", self.stiffness), ("damping", self.damping)] {
            if values[0] < 0.0 {
                return Err(element.wrong(attribute, "at least zero"));
            }
            if values[1..] != [0.0; 2] && element.text(attribute).is_some() {
                warnings.add("nonlinear springs and dampers of tendons; the linear coefficient is used", element);
            }
        }
        if element.number("springyield")?.is_some_and(|threshold| threshold != 0.0) {
            warnings.add("yielding springs (springyield)", element);
        }
        let what = "softness of tendon limits and friction (solreflimit, solimplimit, solreffriction, solimpfriction)";
        softness::check(element, ["solreflimit", "solimplimit"], what, warnings)?;
        softness::check(element, ["solreffriction", "solimpfriction"], what, warnings)
    }
}

pub(super) fn read(
    root: &Element,
    tree: &Tree,
    classes: &Classes,
    compiler: &Compiler,
    warnings: &mut Warnings,
) -> Result<Vec<TendonSpec>, ImportError> {
    let mut tendons: Vec<TendonSpec> = Vec::new();
    let mut names = std::collections::BTreeSet::new();
    for element in root.children("tendon").flat_map(|section| &section.children) {
        let mut settings = classes.of(element, None)?.tendon.clone();
        settings.apply(element, warnings)?;
        let given = element.text("name").filter(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("tendon{}", names.len()), str::to_string);
        if !names.insert(name.clone()) {
            return Err(element.fault(ImportFault::Name(NameFault::Duplicate { what: "tendon", name })));
        }
        if is_straight(element) {
            continue;
        }
        if *element.name != *"fixed" {
            warnings.add("spatial tendons that are not a straight line between two sites (spatial)", element);
            continue;
        }
        tendons.push(settings.spec(name, element, tree, compiler, warnings)?);
    }
    Ok(tendons)
}

impl TendonSettings {
    /// Returns the minimum and maximum length if the tendon is limited.
    pub fn limits(&self, element: &Element, compiler: &Compiler) -> Result<Option<[f64; 2]>, ImportError> {
        Ok(compiler.is_limited(element, self.limited, self.range, "range")?.then_some(self.range))
    }

    /// Returns stiffness, damping, and the lengths between which the spring is slack.
    pub fn elasticity(&self) -> (f64, f64, [f64; 2]) {
        (self.stiffness[0], self.damping[0], self.spring_length)
    }

    fn spec(
        &self,
        name: String,
        element: &Element,
        tree: &Tree,
        compiler: &Compiler,
        warnings: &mut Warnings,
    ) -> Result<TendonSpec, ImportError> {
        if self.limits(element, compiler)?.is_some() {
            warnings.add("limits of fixed tendons (range)", element);
        }
        if self.friction > 0.0 {
            warnings.add("dry friction of tendons (frictionloss)", element);
        }
        if self.armature > 0.0 {
            warnings.add("inertia of tendons (armature)", element);
        }
        let mut joints = Vec::new();
        // Length in the reference configuration, and length with relaxed joint springs, from MuJoCo's positions.
        let (mut reference, mut relaxed) = (0.0, 0.0);
        for part in element.children("joint") {
            let (body, place) = tree.joint(part, "joint")?;
            part.required("coef")?;
            let coefficient = part.number("coef")?.unwrap_or_default();
            let joint = &tree.bodies[body].joints[place];
            if !matches!(joint.kind, Kind::Hinge | Kind::Slide) {
                return Err(part.conflict("a fixed tendon can contain only hinge and slide joints"));
            }
            reference += coefficient * joint.reference;
            relaxed += coefficient * joint.spring_reference;
            joints.push(TendonJoint { joint: tree.bodies[body].name.clone(), axis: place, coefficient });
        }
        if joints.is_empty() {
            return Err(element.fault(ImportFault::Missing { what: "joints".to_string() }));
        }
        let rest = if self.spring_length == [-1.0; 2] { [relaxed; 2] } else { self.spring_length };
        if rest[0] > rest[1] {
            return Err(element.wrong("springlength", "two numbers in increasing order"));
        }
        let rest = if self.stiffness[0] > 0.0 { rest.map(|length| length - reference) } else { [0.0; 2] };
        Ok(TendonSpec { name, joints, stiffness: self.stiffness[0], damping: self.damping[0], rest })
    }
}
