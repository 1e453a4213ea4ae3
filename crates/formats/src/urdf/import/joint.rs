//! Reads joints.

use burgess_geometry::Pose;
use burgess_scene::spec::{AxisSpec, StackAxisSpec};
use glam::DVec3;

use super::super::{UNLIMITED, planar};
use super::{UrdfWarnings, not_negative, origin};
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// Motion of a link relative to its parent.
pub(super) enum Motion {
    /// No motion.
    Fixed,
    /// Six degrees of freedom.
    Floating,
    /// Rotation about a point.
    Spherical,
    /// Rotations about and translations along axes in the joint frame.
    Axes(Vec<StackAxisSpec>),
}

/// A joint.
pub(super) struct Joint<'a> {
    pub name: &'a str,
    pub element: &'a Element,
    /// Index of the parent link.
    pub parent: usize,
    /// Index of the child link; the joint frame is the frame of this link at joint position zero.
    pub child: usize,
    /// Joint frame in parent link coordinates.
    pub origin: Pose,
    pub motion: Motion,
}

const KINDS: [&str; 7] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

pub(super) fn read<'a>(
    element: &'a Element,
    parent: usize,
    child: usize,
    warnings: &mut UrdfWarnings<'a>,
) -> Result<Joint<'a>, ImportError> {
    element.required("name")?;
    let name = element.name("name")?.unwrap_or_default();
    if let Some(mimic) = element.child("mimic") {
        let why = format!(
            "joint '{name}' mimics '{}', but mimic joints are not supported; make it 'fixed', or remove <mimic> and actuate \
             it independently",
            mimic.text("joint").unwrap_or("another joint")
        );
        return Err(mimic.conflict(why));
    }
    warn_about_children(element, warnings);
    element.required("type")?;
    let kind = element.keyword("type", &KINDS)?.unwrap_or_default();
    let motion = match kind {
        "fixed" => Motion::Fixed,
        "floating" => Motion::Floating,
        "spherical" => Motion::Spherical,
        "planar" => Motion::Axes(read_planar(element, warnings)?),
        _ => {
            let mut axis = AxisSpec::new(direction(element)?);
            read_dynamics(element, &mut axis)?;
            read_limit(element, kind != "continuous", &mut axis, warnings)?;
            Motion::Axes(vec![if kind == "prismatic" {
                StackAxisSpec::Slide(axis)
            } else {
                StackAxisSpec::Hinge(axis)
            }])
        }
    };
    Ok(Joint { name, element, parent, child, origin: origin(element)?, motion })
}

/// Reads a planar joint as two slides, then a hinge about the normal.
fn read_planar<'a>(element: &'a Element, warnings: &mut UrdfWarnings<'a>) -> Result<Vec<StackAxisSpec>, ImportError> {
    if element.child("limit").is_some_and(|limit| limit.text("lower").or(limit.text("upper")).is_some()) {
        warnings.add("limits of planar joints (limit)", element);
    }
    let normal = direction(element)?;
    let [mut first, mut second] = planar::directions(normal.normalize()).map(AxisSpec::new);
    let mut hinge = AxisSpec::new(normal);
    for axis in [&mut first, &mut second, &mut hinge] {
        read_dynamics(element, axis)?;
    }
    Ok(vec![StackAxisSpec::Slide(first), StackAxisSpec::Slide(second), StackAxisSpec::Hinge(hinge)])
}

fn warn_about_children<'a>(element: &'a Element, warnings: &mut UrdfWarnings<'a>) {
    for child in &element.children {
        match &*child.name {
            "origin" | "parent" | "child" | "axis" | "dynamics" | "limit" => {}
            "safety_controller" => warnings.add("safety controllers (safety_controller)", child),
            "calibration" => warnings.add("calibrations of joints (calibration)", child),
            _ => warnings.add_unknown(child),
        }
    }
}

/// Reads the axis; the default is x.
fn direction(element: &Element) -> Result<DVec3, ImportError> {
    let Some(axis) = element.child("axis") else { return Ok(DVec3::X) };
    let found = axis.vector("xyz")?.unwrap_or(DVec3::X);
    match found.try_normalize() {
        Some(_) => Ok(found),
        None => Err(axis.wrong("xyz", "a vector that is not zero")),
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
    warnings: &mut UrdfWarnings<'a>,
) -> Result<(), ImportError> {
    let Some(limit) = element.child("limit") else {
        if has_range {
            warnings.add("revolute and prismatic joints without <limit>; they are unlimited", element);
        }
        return Ok(());
    };
    let (low, high) = (limit.number("lower")?, limit.number("upper")?);
    if has_range {
        match (low, high) {
            (None, None) => warnings.add("<limit> without lower and upper; the joint is unlimited", limit),
            (low, high) => {
                // The default of a missing limit is zero.
                let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(0.0));
                // Both limits are zero in files that do not use them; a joint that cannot move would be a fixed joint.
                if low > high || [low, high] == [0.0; 2] {
                    warnings.add("empty ranges of <limit>; the joint is unlimited", limit);
                } else if low > -UNLIMITED || high < UNLIMITED {
                    let low = if low <= -UNLIMITED { f64::NEG_INFINITY } else { low };
                    let high = if high >= UNLIMITED { f64::INFINITY } else { high };
                    axis.limit = Some([low, high]);
                    // Zero may be outside the limits.
                    axis.position = 0.0_f64.clamp(low, high);
                }
            }
        }
    }
    match limit.number("effort")? {
        Some(effort) if effort < 0.0 => return Err(limit.wrong("effort", "at least zero")),
        Some(0.0) => warnings.add("an effort limit of 0; the effort is unlimited", limit),
        effort => axis.max_effort = effort.filter(|&effort| effort < UNLIMITED),
    }
    if limit.number("velocity")?.is_some_and(|velocity| velocity < UNLIMITED) {
        warnings.add("velocity limits (velocity)", limit);
    }
    Ok(())
}

impl Joint<'_> {
    /// Creates an error at this joint from a message.
    pub fn conflict(&self, why: &str) -> ImportError {
        self.element.fault(ImportFault::Conflict(format!("joint '{}': {why}", self.name)))
    }
}
