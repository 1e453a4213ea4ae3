//! Joints in body coordinates. A stack joint becomes several joints of one body.

use burgess_dynamics::{AxisProperties, Motor};
use burgess_scene::spec::{AxisSpec, JointKind, StackAxisSpec};
use glam::DVec3;

use super::soft_limits::IMPEDANCE;
use super::tree::Body;
use crate::export::Names;
use crate::export::Warnings;
use crate::xml::XmlWriter;

/// Bound of a range without limit on one side; MuJoCo requires finite numbers.
const UNLIMITED: f64 = 1e10;

/// Type of a joint in MuJoCo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Hinge,
    Slide,
    Ball,
    Free,
}

/// A joint in body coordinates.
pub(super) struct Joint {
    pub name: String,
    pub kind: Kind,
    /// A point on the axis, in m.
    anchor: DVec3,
    axis: DVec3,
    /// Inverse inertia where all positions are zero; used only for a limit with a spring.
    inverse_inertia: f64,
    /// Mechanical parameters; for a ball joint those of the first axis.
    pub properties: AxisProperties,
}

/// Returns the joints of a body.
pub(super) fn joints_of(body: &Body, names: &mut Names, warnings: &mut Warnings) -> Vec<Joint> {
    if body.spec.fixed || body.spec.script.is_some() {
        return Vec::new();
    }
    let axes: Vec<(Kind, &AxisSpec)> = match body.spec.joint.as_ref().map(|joint| &joint.kind) {
        None | Some(JointKind::Free(_)) => return vec![free(body, names, warnings)],
        Some(JointKind::Spherical(_)) => return vec![ball(body, names, warnings)],
        Some(JointKind::Weld(_)) => Vec::new(),
        Some(JointKind::Revolute(axis)) => vec![(Kind::Hinge, axis)],
        Some(JointKind::Prismatic(axis)) => vec![(Kind::Slide, axis)],
        Some(JointKind::Universal(pair)) => vec![(Kind::Hinge, &pair.first), (Kind::Hinge, &pair.second)],
        Some(JointKind::Stack(stack)) => (stack.axes.iter())
            .map(|axis| match axis {
                StackAxisSpec::Hinge(axis) => (Kind::Hinge, axis),
                StackAxisSpec::Slide(axis) => (Kind::Slide, axis),
            })
            .collect(),
    };
    let is_single = axes.len() == 1;
    let joint = |(number, ((kind, axis), properties)): (usize, ((Kind, &AxisSpec), &AxisProperties))| Joint {
        name: if is_single { names.unique(&body.name) } else { names.unique(&format!("{}_{number}", body.name)) },
        kind,
        // The anchor of a slide has no effect.
        anchor: if kind == Kind::Hinge { body.joint_frame.transform_point(axis.anchor) } else { DVec3::ZERO },
        axis: unit(body.joint_frame.transform_vector(axis.axis)),
        inverse_inertia: body.inverse_inertias.get(number).copied().unwrap_or(0.0),
        properties: *properties,
    };
    axes.into_iter().zip(&body.properties).enumerate().map(joint).collect()
}

/// Normalizes a vector; a unit vector keeps its bits.
fn unit(vector: DVec3) -> DVec3 {
    if (vector.length_squared() - 1.0).abs() < 1e-15 { vector } else { vector.normalize() }
}

fn free(body: &Body, names: &mut Names, warnings: &mut Warnings) -> Joint {
    let [angular, linear] = [0, 3].map(|axis| body.properties.get(axis).map_or(0.0, |own| own.damping));
    let damped = angular != 0.0 || linear != 0.0;
    if damped && (angular != linear || body.rigid_center != DVec3::ZERO) {
        let kind = "MuJoCo damps linear and angular velocity of a free body equally, at its origin; the smaller damping is used";
        warnings.add_named(kind, &body.spec.name);
    }
    let properties = AxisProperties { damping: angular.min(linear), ..AxisProperties::default() };
    let (name, kind) = (names.unique(&body.name), Kind::Free);
    Joint { name, kind, anchor: DVec3::ZERO, axis: DVec3::ZERO, inverse_inertia: 0.0, properties }
}

fn ball(body: &Body, names: &mut Names, warnings: &mut Warnings) -> Joint {
    let first = body.properties.first().copied().unwrap_or_default();
    if first.stiffness > 0.0 && body.properties.iter().any(|axis| axis.rest != 0.0) {
        let kind = "the spring of a ball joint is relaxed in the reference orientation in MuJoCo";
        warnings.add_named(kind, &body.spec.name);
    }
    Joint {
        name: names.unique(&body.name),
        kind: Kind::Ball,
        anchor: body.joint_frame.translation,
        axis: DVec3::ZERO,
        inverse_inertia: 0.0,
        properties: AxisProperties { rest: 0.0, ..first },
    }
}

/// Returns a range that MuJoCo accepts: both numbers finite, the first smaller than the second.
pub(super) fn range(low: f64, high: f64) -> [f64; 2] {
    let low = low.clamp(-UNLIMITED, UNLIMITED);
    let high = high.clamp(-UNLIMITED, UNLIMITED);
    [low, if high > low { high } else { low.next_up() }]
}

/// Returns a symmetric range of efforts. MuJoCo rejects an empty range, so the bound is positive.
pub(super) fn symmetric_range(bound: f64) -> [f64; 2] {
    let bound = bound.max(f64::from_bits(1));
    [-bound, bound]
}

impl Joint {
    pub fn write(&self, xml: &mut XmlWriter) {
        let AxisProperties { limit, limit_spring, stiffness, rest, damping, friction, armature, max_effort, motor } =
            self.properties;
        if self.kind == Kind::Free && damping == 0.0 {
            xml.open("freejoint").attribute("name", &self.name).close();
            return;
        }
        let kind = match self.kind {
            Kind::Hinge => "hinge",
            Kind::Slide => "slide",
            Kind::Ball => "ball",
            Kind::Free => "free",
        };
        xml.open("joint").attribute("name", &self.name).attribute("type", kind).vector_unless_zero("pos", self.anchor);
        if matches!(self.kind, Kind::Hinge | Kind::Slide) {
            xml.numbers("axis", self.axis.to_array());
        }
        if let Some((low, high)) = limit {
            xml.numbers("range", range(low, high));
        }
        if let Some(spring) = limit_spring {
            let scale = -(1.0 - IMPEDANCE) * self.inverse_inertia;
            xml.numbers("solreflimit", [scale * spring.stiffness, scale * spring.damping]);
            xml.numbers("solimplimit", [IMPEDANCE, IMPEDANCE, 0.001]);
        }
        xml.number_unless(0.0, "stiffness", stiffness);
        xml.number_unless(0.0, "springref", rest);
        xml.number_unless(0.0, "damping", damping);
        xml.number_unless(0.0, "frictionloss", friction);
        xml.number_unless(0.0, "armature", armature);
        // The actuator of a motor has this limit itself.
        if max_effort.is_finite() && motor == Motor::None && matches!(self.kind, Kind::Hinge | Kind::Slide) {
            xml.numbers("actuatorfrcrange", symmetric_range(max_effort));
        }
        xml.close();
    }
}
