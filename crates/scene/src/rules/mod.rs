//! Rules that fields of all kinds follow: ranges of numbers, directions, colours, poses.

pub(crate) mod names;

use burgess_files::{At, Fault};
use glam::DVec3;

use crate::MAX_STEP;
use crate::error::FieldError;
use crate::spec::{AnchorSpec, Orientation, PoseSpec};

/// The result of a check.
pub(crate) type Checked = Result<(), FieldError>;

/// Checks the length of a step, in s.
pub(crate) fn check_step(at: At, step: f64) -> Checked {
    if step > 0.0 && step <= MAX_STEP { Ok(()) } else { refuse(at, "more than 0 s and at most 1 s", step) }
}

pub(crate) fn refuse(at: At, expected: &'static str, found: f64) -> Checked {
    Err(at.fault(Fault::OutOfRange { expected, found }))
}

pub(crate) fn conflict(at: At, why: &str) -> Checked {
    Err(at.fault(Fault::Conflict(why.to_string())))
}

pub(crate) fn positive(at: At, value: f64) -> Checked {
    if value > 0.0 && value.is_finite() { Ok(()) } else { refuse(at, "positive", value) }
}

pub(crate) fn not_negative(at: At, value: f64) -> Checked {
    if value >= 0.0 && value.is_finite() { Ok(()) } else { refuse(at, "finite and not negative", value) }
}

pub(crate) fn share(at: At, value: f64) -> Checked {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { refuse(at, "from 0 to 1", value) }
}

pub(crate) fn finite(at: At, value: f64) -> Checked {
    if value.is_finite() { Ok(()) } else { refuse(at, "finite", value) }
}

pub(crate) fn finite_vector(at: At, vector: DVec3) -> Checked {
    for (index, value) in vector.to_array().into_iter().enumerate() {
        finite(at.index(index), value)?;
    }
    Ok(())
}

pub(crate) fn direction(at: At, vector: DVec3) -> Checked {
    finite_vector(at, vector)?;
    match vector.try_normalize() {
        Some(_) => Ok(()),
        None => Err(at.fault(Fault::Invalid { expected: "a direction, which has a length" })),
    }
}

pub(crate) fn check_color(at: At, color: DVec3) -> Checked {
    for (index, value) in color.to_array().into_iter().enumerate() {
        share(at.index(index), value)?;
    }
    Ok(())
}

pub(crate) fn check_orientation(at: At, orientation: &Orientation) -> Checked {
    match orientation.rotation() {
        Some(_) => Ok(()),
        None => Err(at.fault(Fault::Invalid { expected: "finite, with an axis or quaternion that has a length" })),
    }
}

pub(crate) fn check_pose(at: At, pose: &PoseSpec) -> Checked {
    finite_vector(at.field("position"), pose.position)?;
    check_orientation(at.field("orientation"), &pose.orientation)
}

pub(crate) fn check_anchor(at: At, anchor: &AnchorSpec) -> Checked {
    finite_vector(at.field("position"), anchor.position)?;
    check_orientation(at.field("orientation"), &anchor.orientation)
}
