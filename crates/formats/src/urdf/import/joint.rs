//! Joints as a file has them.

use burgess_geometry::Pose;
use burgess_scene::spec::{AxisSpec, StackAxisSpec};
use glam::DVec3;

use super::super::{UNLIMITED, planar};
use super::{Notes, not_negative, origin};
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// How a link moves on its parent.
pub(super) enum Motion {
    /// Not at all.
    Fixed,
    /// Any way.
    Floating,
    /// About a point.
    Spherical,
    /// About and along axes in the joint's frame.
    Axes(Vec<StackAxisSpec>),
}

/// A joint.
pub(super) struct Joint<'a> {
    pub name: &'a str,
    pub element: &'a Element,
    /// Index of the link that carries it.
    pub parent: usize,
    /// Index of the link that it carries; the joint's frame is that link's at zero.
    pub child: usize,
    /// The joint's frame in the parent link's coordinates.
    pub origin: Pose,
    pub motion: Motion,
}

const KINDS: [&str; 7] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

pub(super) fn read<'a>(
    element: &'a Element,
    parent: usize,
    child: usize,
    notes: &mut Notes<'a>,
) -> Result<Joint<'a>, ImportError> {
    element.required("name")?;
    let name = element.name("name")?.unwrap_or_default();
    if let Some(mimic) = element.child("mimic") {
        let why = format!(
            "joint '{name}' mimics '{}': joints that follow others are not supported; make it 'fixed', or take the \
             <mimic> out and drive it by itself",
            mimic.text("joint").unwrap_or("another joint")
        );
        return Err(mimic.conflict(why));
    }
    note_children(element, notes);
    element.required("type")?;
    let kind = element.keyword("type", &KINDS)?.unwrap_or_default();
    let motion = match kind {
        "fixed" => Motion::Fixed,
        "floating" => Motion::Floating,
        "spherical" => Motion::Spherical,
        "planar" => Motion::Axes(read_planar(element, notes)?),
        _ => {
            let mut axis = AxisSpec::new(direction(element)?);
            read_dynamics(element, &mut axis)?;
            read_limit(element, kind != "continuous", &mut axis, notes)?;
            Motion::Axes(vec![if kind == "prismatic" {
                StackAxisSpec::Slide(axis)
            } else {
                StackAxisSpec::Hinge(axis)
            }])
        }
    };
    Ok(Joint { name, element, parent, child, origin: origin(element)?, motion })
}

/// Two slides, then a hinge about the normal.
fn read_planar<'a>(element: &'a Element, notes: &mut Notes<'a>) -> Result<Vec<StackAxisSpec>, ImportError> {
    if element.child("limit").is_some_and(|limit| limit.text("lower").or(limit.text("upper")).is_some()) {
        notes.add("limits of planar joints", element);
    }
    let normal = direction(element)?;
    let [mut first, mut second] = planar::directions(normal.normalize()).map(AxisSpec::new);
    let mut hinge = AxisSpec::new(normal);
    for axis in [&mut first, &mut second, &mut hinge] {
        read_dynamics(element, axis)?;
    }
    Ok(vec![StackAxisSpec::Slide(first), StackAxisSpec::Slide(second), StackAxisSpec::Hinge(hinge)])
}

fn note_children<'a>(element: &'a Element, notes: &mut Notes<'a>) {
    for child in &element.children {
        match &*child.name {
            "origin" | "parent" | "child" | "axis" | "dynamics" | "limit" => {}
            "safety_controller" => notes.add("safety controllers", child),
            "calibration" => notes.add("calibration", child),
            _ => notes.stranger(child),
        }
    }
}

/// The axis, along x if left out.
fn direction(element: &Element) -> Result<DVec3, ImportError> {
    let Some(axis) = element.child("axis") else { return Ok(DVec3::X) };
    let found = axis.vector("xyz")?.unwrap_or(DVec3::X);
    match found.try_normalize() {
        Some(_) => Ok(found),
        None => Err(axis.wrong("xyz", "a direction, which has a length")),
    }
}

fn read_dynamics(element: &Element, axis: &mut AxisSpec) -> Result<(), ImportError> {
    if let Some(dynamics) = element.child("dynamics") {
        axis.damping = not_negative(dynamics, "damping")?.unwrap_or(0.0);
        axis.friction = not_negative(dynamics, "friction")?.unwrap_or(0.0);
    }
    Ok(())
}

fn read_limit<'a>(
    element: &'a Element,
    has_range: bool,
    axis: &mut AxisSpec,
    notes: &mut Notes<'a>,
) -> Result<(), ImportError> {
    let Some(limit) = element.child("limit") else {
        if has_range {
            notes.add("revolute and prismatic joints without <limit>: they move without limits", element);
        }
        return Ok(());
    };
    let (low, high) = (limit.number("lower")?, limit.number("upper")?);
    if has_range {
        match (low, high) {
            (None, None) => notes.add("<limit> without lower and upper: the joint moves without limits", limit),
            (low, high) => {
                // A limit that is left out is zero.
                let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(0.0));
                // A joint that cannot move would be a fixed one.
                if low > high || [low, high] == [0.0; 2] {
                    notes.add("limits that leave no room: the joint moves without limits", limit);
                } else if low > -UNLIMITED || high < UNLIMITED {
                    let low = if low <= -UNLIMITED { f64::NEG_INFINITY } else { low };
                    let high = if high >= UNLIMITED { f64::INFINITY } else { high };
                    axis.limit = Some([low, high]);
                    // Zero may be out of reach.
                    axis.position = 0.0_f64.clamp(low, high);
                }
            }
        }
    }
    match limit.number("effort")? {
        Some(effort) if effort < 0.0 => return Err(limit.wrong("effort", "zero or more")),
        Some(0.0) => notes.add("an effort of 0: the joint's drive is not limited", limit),
        effort => axis.max_effort = effort.filter(|&effort| effort < UNLIMITED),
    }
    if limit.number("velocity")?.is_some_and(|velocity| velocity < UNLIMITED) {
        notes.add("limits of velocity", limit);
    }
    Ok(())
}

impl Joint<'_> {
    /// Refuses it with a sentence.
    pub fn conflict(&self, why: &str) -> ImportError {
        self.element.fault(ImportFault::Conflict(format!("joint '{}': {why}", self.name)))
    }
}
