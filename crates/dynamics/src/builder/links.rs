//! Converts a link and its joint to the form that the passes use.

use burgess_geometry::{MassProperties, Pose};
use glam::{DMat3, DQuat, DVec3};

use super::Entry;
use crate::ModelError;
use crate::joint::{Joint, StackAxis};
use crate::model::{Link, LinkId, Model, WORLD};
use crate::spatial::{RigidInertia, Symmetric3};
use crate::spec::{Axis, AxisKind, JointKindSpec, LinkSpec};

/// Appends a link to the model, with its joint in the form that the passes use.
pub(super) fn push_link(model: &mut Model, id: LinkId, entry: &Entry) -> Result<(), ModelError> {
    let Entry { parent, joint, link } = entry;
    let parent = match parent {
        None => WORLD,
        Some(parent) => model.index(*parent)? as u32,
    };
    let refuse = |why: &str| Err(ModelError::Joint { link: link.name.clone(), why: why.to_string() });

    // The joint's frame on both sides, shifted and rotated as the passes require.
    let unit = |frame: &Pose| Pose::new(frame.rotation.normalize(), frame.translation);
    let (mut parent_frame, mut child_frame) = (unit(&joint.parent_frame), unit(&joint.child_frame));
    let kind = match &joint.kind {
        JointKindSpec::Weld => Joint::Weld,
        JointKindSpec::Spherical(_) => Joint::Spherical,
        JointKindSpec::Free(_) if parent != WORLD => return refuse("a free joint is for roots only"),
        JointKindSpec::Free(_) if child_frame != Pose::IDENTITY || parent_frame != Pose::IDENTITY => {
            return refuse("a free joint has no frames; set the pose of the link in the state");
        }
        JointKindSpec::Free(_) => {
            child_frame = Pose::from_translation(link.center_of_mass);
            Joint::Free
        }
        JointKindSpec::Scripted if parent != WORLD => return refuse("a scripted link is a root"),
        JointKindSpec::Scripted if child_frame != Pose::IDENTITY || parent_frame != Pose::IDENTITY => {
            return refuse("a scripted link has no joint frames; its script is the pose of the link itself");
        }
        JointKindSpec::Scripted => {
            model.scripts += 1;
            Joint::Scripted { slot: model.scripts as u32 - 1 }
        }
        JointKindSpec::Stack(axes) if axes.is_empty() || axes.len() > 6 => {
            return refuse("a stack has one to six axes");
        }
        JointKindSpec::Stack(axes) => {
            for (axis, Axis { direction, anchor, .. }) in axes.iter().enumerate() {
                if !direction.is_finite() || !anchor.is_finite() {
                    return Err(ModelError::NotFinite { link: link.name.clone(), what: "an axis of its joint" });
                }
                if direction.try_normalize().is_none() {
                    return Err(ModelError::ZeroAxis { link: link.name.clone(), axis });
                }
            }
            match &axes[..] {
                [axis] => {
                    // Any frame around the axis is suitable; the shortest rotation from z loses digits close to -z.
                    let z = axis.direction.normalize();
                    let (x, y) = z.any_orthonormal_pair();
                    let turn = DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize();
                    let inner = Pose::new(turn, axis.anchor);
                    parent_frame = parent_frame.compose(&inner);
                    child_frame = child_frame.compose(&inner);
                    if axis.kind == AxisKind::Hinge { Joint::Revolute } else { Joint::Prismatic }
                }
                axes => {
                    if !are_independent(axes) && axes.iter().any(|axis| axis.properties.armature == 0.0) {
                        return refuse(
                            "its axes are not independent in any position: take one away or give all armature",
                        );
                    }
                    let first = model.axes.len() as u32;
                    model.axes.extend(axes.iter().map(|axis| StackAxis {
                        kind: axis.kind,
                        direction: axis.direction.normalize(),
                        anchor: axis.anchor,
                    }));
                    Joint::Stack { first }
                }
            }
        }
    };
    // From the parent's own coordinates to its inner frame.
    let in_parent = match parent {
        WORLD => parent_frame,
        parent => model.links[parent as usize].frame.inverse().compose(&parent_frame),
    };
    let to_inner = child_frame.inverse();
    let turned = Symmetric3::from_matrix(&link.inertia).rotated(&to_inner.matrix());
    let inertia = RigidInertia::from_center(link.mass, to_inner.transform_point(link.center_of_mass), turned);
    let properties = joint.properties();
    let dofs = properties.len();
    let LinkSpec { ref name, mass, center_of_mass, inertia: about_center } = *link;
    model.names.push(name.clone());
    model.masses.push(MassProperties { mass, center_of_mass, inertia: about_center });
    model.links.push(Link {
        parent,
        joint: kind,
        dofs: dofs as u8,
        q: model.positions,
        v: model.properties.len(),
        block: model.block_length,
        tree_rotation: in_parent.matrix(),
        tree_translation: in_parent.translation,
        inertia,
        frame: child_frame,
        id,
    });
    model.positions += kind.positions(dofs);
    model.block_length += dofs * dofs;
    model.properties.extend(properties);
    Ok(())
}

/// Returns whether the axes of a stack are independent, at least in a position without symmetry.
fn are_independent(axes: &[Axis]) -> bool {
    const POSITIONS: [f64; 6] = [0.37, 0.71, -0.53, 0.29, 0.61, -0.43];
    let reach = axes.iter().map(|axis| axis.anchor.length()).fold(0.0, f64::max);
    let length = if reach > 0.0 { reach } else { 1.0 };
    let mut frame = Pose::IDENTITY;
    let mut found: Vec<[DVec3; 2]> = Vec::new();
    for (axis, position) in axes.iter().zip(POSITIONS) {
        let direction = frame.transform_vector(axis.direction.normalize());
        let mut motion = match axis.kind {
            AxisKind::Hinge => [direction, frame.transform_point(axis.anchor).cross(direction) / length],
            AxisKind::Slide => [DVec3::ZERO, direction],
        };
        let own = match axis.kind {
            AxisKind::Hinge => {
                let turn = DQuat::from_axis_angle(axis.direction.normalize(), position);
                Pose::new(turn, axis.anchor - turn * axis.anchor)
            }
            AxisKind::Slide => Pose::from_translation(position * length * axis.direction.normalize()),
        };
        frame = frame.compose(&own);
        // Gram-Schmidt: the remainder after all earlier axes.
        let size = (motion[0].length_squared() + motion[1].length_squared()).sqrt();
        for [angular, linear] in &found {
            let along = angular.dot(motion[0]) + linear.dot(motion[1]);
            motion = [motion[0] - along * *angular, motion[1] - along * *linear];
        }
        let rest = (motion[0].length_squared() + motion[1].length_squared()).sqrt();
        if rest < 1e-9 * size {
            return false;
        }
        found.push([motion[0] / rest, motion[1] / rest]);
    }
    true
}
