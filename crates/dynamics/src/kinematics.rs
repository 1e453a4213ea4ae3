//! The first pass, from the roots outward: poses, velocities, axes, and what velocities alone accelerate.
//!
//! Accelerations are those of the links' points at their anchors (classical, not spatial ones), so the term that a
//! moving parent causes is `w x (w x r)` for the offset r and `2 w x v_rel` for a slide (000 eq. 3.46, 3.47).

use glam::{DMat3, DVec3};

use crate::joint::{Joint, StackAxis};
use crate::model::WORLD;
use crate::spatial::Motion;
use crate::spec::AxisKind;
use crate::state::{read_quaternion, read_vector};
use crate::workspace::LinkWork;
use crate::{Model, State, Workspace};

/// Brings the workspace to the positions and velocities of a state.
pub fn update_kinematics(model: &Model, state: &State, workspace: &mut Workspace) {
    outward_kinematics(model, &state.q, &state.v, workspace);
}

/// A frame on its way along a joint, about its own origin.
struct Carried {
    rotation: DMat3,
    origin: DVec3,
    velocity: Motion,
    bias: Motion,
}

pub(crate) fn outward_kinematics(model: &Model, q: &[f64], v: &[f64], workspace: &mut Workspace) {
    let ground = LinkWork { rotation: DMat3::IDENTITY, ..LinkWork::default() };
    for (index, link) in model.links.iter().enumerate() {
        let parent = if link.parent == WORLD { &ground } else { &workspace.links[link.parent as usize] };
        let parent_origin = parent.origin;
        let spin = parent.velocity.angular;
        let base = parent.rotation * link.tree_rotation;
        let arm = parent.rotation * link.tree_translation;
        let (q, v) = (&q[link.q..], &v[link.v..]);
        let axes = &mut workspace.axes[link.v..link.v + link.dofs as usize];

        let carried = match link.joint {
            Joint::Revolute => {
                let (sine, cosine) = libm::sincos(q[0]);
                let axis = base.z_axis;
                let rotation = DMat3::from_cols(
                    base.x_axis * cosine + base.y_axis * sine,
                    base.y_axis * cosine - base.x_axis * sine,
                    axis,
                );
                axes[0] = Motion::new(axis, DVec3::ZERO);
                let turn = axis * v[0];
                let swing = spin.cross(arm);
                Carried {
                    rotation,
                    origin: parent_origin + arm,
                    velocity: Motion::new(spin + turn, parent.velocity.linear + swing),
                    bias: Motion::new(spin.cross(turn), spin.cross(swing)),
                }
            }
            Joint::Weld => {
                let swing = spin.cross(arm);
                Carried {
                    rotation: base,
                    origin: parent_origin + arm,
                    velocity: Motion::new(spin, parent.velocity.linear + swing),
                    bias: Motion::new(DVec3::ZERO, spin.cross(swing)),
                }
            }
            Joint::Prismatic => {
                let axis = base.z_axis;
                axes[0] = Motion::new(DVec3::ZERO, axis);
                let arm = arm + axis * q[0];
                let (swing, slide) = (spin.cross(arm), axis * v[0]);
                Carried {
                    rotation: base,
                    origin: parent_origin + arm,
                    velocity: Motion::new(spin, parent.velocity.linear + swing + slide),
                    bias: Motion::new(DVec3::ZERO, spin.cross(swing + 2.0 * slide)),
                }
            }
            Joint::Spherical => {
                let rotation = base * DMat3::from_quat(read_quaternion(q));
                for (axis, direction) in axes.iter_mut().zip([rotation.x_axis, rotation.y_axis, rotation.z_axis]) {
                    *axis = Motion::new(direction, DVec3::ZERO);
                }
                let turn = rotation * read_vector(v);
                let swing = spin.cross(arm);
                Carried {
                    rotation,
                    origin: parent_origin + arm,
                    velocity: Motion::new(spin + turn, parent.velocity.linear + swing),
                    bias: Motion::new(spin.cross(turn), spin.cross(swing)),
                }
            }
            Joint::Free => {
                for (k, direction) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                    axes[k] = Motion::new(direction, DVec3::ZERO);
                    axes[k + 3] = Motion::new(DVec3::ZERO, direction);
                }
                Carried {
                    rotation: DMat3::from_quat(read_quaternion(&q[3..])),
                    origin: read_vector(q),
                    velocity: Motion::new(read_vector(v), read_vector(&v[3..])),
                    bias: Motion::ZERO,
                }
            }
            Joint::Scripted { slot } => {
                // A base that moves as told: its acceleration enters where that of velocities does.
                let motion = workspace.scripts[slot as usize];
                Carried {
                    rotation: motion.pose.matrix(),
                    origin: motion.pose.translation,
                    velocity: motion.velocity,
                    bias: motion.acceleration,
                }
            }
            Joint::Stack { first } => {
                let swing = spin.cross(arm);
                let mut carried = Carried {
                    rotation: base,
                    origin: parent_origin + arm,
                    velocity: Motion::new(spin, parent.velocity.linear + swing),
                    bias: Motion::new(DVec3::ZERO, spin.cross(swing)),
                };
                let stack = &model.axes[first as usize..first as usize + axes.len()];
                for (k, axis) in stack.iter().enumerate() {
                    axes[k] = carried.pass(axis, q[k], v[k]);
                }
                // The axes so far are about their own anchors; bring them to the link's.
                for (axis, work) in stack.iter().zip(axes.iter_mut()) {
                    if axis.kind == AxisKind::Hinge {
                        work.linear = work.angular.cross(carried.origin - work.linear);
                    }
                }
                carried
            }
        };
        let inertia = link.inertia.rotated(&carried.rotation);
        let work = &mut workspace.links[index];
        work.rotation = carried.rotation;
        work.origin = carried.origin;
        work.offset = carried.origin - parent_origin;
        work.velocity = carried.velocity;
        work.bias = carried.bias;
        work.inertia = inertia.articulated();
        work.force = inertia.bias(carried.velocity.angular) - workspace.external[index];
    }
}

impl Carried {
    /// Carries the frame over one axis. Returns the axis in the world: a slide's motion, or a hinge's direction with its
    /// anchor in place of the linear part.
    fn pass(&mut self, axis: &StackAxis, position: f64, speed: f64) -> Motion {
        let direction = self.rotation * axis.direction;
        let spin = self.velocity.angular;
        match axis.kind {
            AxisKind::Slide => {
                self.shift(direction * position);
                let slide = direction * speed;
                self.velocity.linear += slide;
                self.bias.linear += 2.0 * spin.cross(slide);
                Motion::new(DVec3::ZERO, direction)
            }
            AxisKind::Hinge => {
                let anchor = self.origin + self.rotation * axis.anchor;
                self.shift(anchor - self.origin);
                let turn = direction * speed;
                self.bias.angular += spin.cross(turn);
                self.velocity.angular += turn;
                let (sine, cosine) = libm::sincos(position);
                self.rotation *= turn_about(axis.direction, sine, cosine);
                self.shift(-(self.rotation * axis.anchor));
                Motion::new(direction, anchor)
            }
        }
    }

    /// Moves the origin to another point of the same rigid frame.
    fn shift(&mut self, offset: DVec3) {
        let swing = self.velocity.angular.cross(offset);
        self.bias.linear += self.bias.angular.cross(offset) + self.velocity.angular.cross(swing);
        self.velocity.linear += swing;
        self.origin += offset;
    }
}

/// A turn about a unit vector (Rodrigues). Multiplied onto a frame from the right it keeps what rounding took from the
/// frame's orthonormality as small as it was; turning about the frame's own, no longer unit, axis in the world would
/// multiply it by up to five, from joint to joint.
fn turn_about(axis: DVec3, sine: f64, cosine: f64) -> DMat3 {
    let (s, t) = (axis * sine, axis * (1.0 - cosine));
    let (x, y, z) = (t.x * axis, t.y * axis, t.z * axis);
    DMat3::from_cols(
        DVec3::new(x.x + cosine, x.y + s.z, x.z - s.y),
        DVec3::new(y.x - s.z, y.y + cosine, y.z + s.x),
        DVec3::new(z.x + s.y, z.y - s.x, z.z + cosine),
    )
}
