//! Checks of controllers.

use burgess_files::At;

use crate::rules::names::{Bodies, check_ends, joint_of, movable_body};
use crate::rules::{Checked, check_anchor, conflict, finite, finite_vector, not_negative, positive, refuse};
use crate::spec::{ControllerSpec, Interval, MotorScheduleSpec};

pub(crate) fn check_controller(at: At, controller: &ControllerSpec) -> Checked {
    match controller {
        ControllerSpec::ForceField(field) => {
            match (field.acceleration, field.force) {
                (Some(acceleration), None) => finite_vector(at.field("acceleration"), acceleration)?,
                (None, Some(force)) => finite_vector(at.field("force"), force)?,
                _ => return conflict(at, "a force field has either an acceleration or a force"),
            }
            if let Some(region) = field.region {
                let at = at.field("region");
                finite_vector(at.field("min"), region.min)?;
                finite_vector(at.field("max"), region.max)?;
                if region.min.cmpgt(region.max).any() {
                    return conflict(at, "min must not be above max");
                }
            }
            check_interval(at.field("when"), &field.when)
        }
        ControllerSpec::Spring(spring) => {
            check_anchor(at.field("a"), &spring.a)?;
            check_anchor(at.field("b"), &spring.b)?;
            not_negative(at.field("length"), spring.length)?;
            not_negative(at.field("stiffness"), spring.stiffness)?;
            not_negative(at.field("damping"), spring.damping)?;
            check_interval(at.field("when"), &spring.when)
        }
        ControllerSpec::ConstantForce(force) => {
            finite_vector(at.field("force"), force.force)?;
            finite_vector(at.field("torque"), force.torque)?;
            finite_vector(at.field("point"), force.point.unwrap_or_default())?;
            check_interval(at.field("when"), &force.when)
        }
        ControllerSpec::MotorSchedule(schedule) => check_schedule(at, schedule),
        ControllerSpec::SpeedLimiter(limiter) => {
            finite(at.field("torque"), limiter.torque)?;
            positive(at.field("max_speed"), limiter.max_speed)?;
            if limiter.joints.is_empty() {
                return conflict(at.field("joints"), "name at least one joint");
            }
            check_interval(at.field("when"), &limiter.when)
        }
        ControllerSpec::Impulse(blow) => {
            finite_vector(at.field("impulse"), blow.impulse)?;
            finite_vector(at.field("point"), blow.point.unwrap_or_default())?;
            not_negative(at.field("time"), blow.time)
        }
        ControllerSpec::Flock(flock) => flock.check(at),
        // A crowd is checked together with its names.
        ControllerSpec::Crowd(_) => Ok(()),
    }
}

fn check_interval(at: At, when: &Interval) -> Checked {
    finite(at.field("from"), when.from)?;
    match when.until {
        Some(until) if until.is_nan() || until <= when.from => refuse(at.field("until"), "later than from", until),
        _ => Ok(()),
    }
}

fn check_schedule(at: At, schedule: &MotorScheduleSpec) -> Checked {
    let list = at.field("keys");
    let mut earliest = f64::NEG_INFINITY;
    for (index, key) in schedule.keys.iter().enumerate() {
        let at = list.index(index);
        finite(at.field("time"), key.time)?;
        finite(at.field("target"), key.target)?;
        if key.time <= earliest {
            return refuse(at.field("time"), "later than that of the key before", key.time);
        }
        earliest = key.time;
    }
    if schedule.keys.is_empty() {
        return conflict(list, "a schedule needs at least one key");
    }
    match schedule.period {
        Some(period) if !(period.is_finite() && period > 0.0 && period >= earliest) => {
            refuse(at.field("period"), "positive and not before the last key", period)
        }
        Some(_) if schedule.keys[0].time < 0.0 => {
            refuse(list.index(0), "at time 0 or later where a period is given", schedule.keys[0].time)
        }
        _ => Ok(()),
    }
}

/// Checks that the bodies and joints of a controller exist and can be driven.
pub(crate) fn check_names(at: At, bodies: &Bodies, controller: &ControllerSpec) -> Checked {
    match controller {
        ControllerSpec::ForceField(field) => {
            let list = at.field("bodies");
            for (index, name) in field.bodies.iter().enumerate() {
                movable_body(list.index(index), bodies, name)?;
            }
            Ok(())
        }
        ControllerSpec::Spring(spring) => check_ends(at, bodies, [&spring.a, &spring.b]),
        ControllerSpec::ConstantForce(force) => movable_body(at.field("body"), bodies, &force.body),
        ControllerSpec::Impulse(blow) => movable_body(at.field("body"), bodies, &blow.body),
        ControllerSpec::Flock(flock) => flock.check_names(at, bodies),
        ControllerSpec::Crowd(crowd) => crowd.check_names(at, bodies),
        ControllerSpec::MotorSchedule(schedule) => {
            let joint = joint_of(at.field("joint"), bodies, &schedule.joint, schedule.axis)?;
            if joint.has_motor(schedule.axis) {
                return Ok(());
            }
            conflict(at.field("joint"), &format!("the joint of '{}' has no motor on this axis", schedule.joint))
        }
        ControllerSpec::SpeedLimiter(limiter) => {
            let list = at.field("joints");
            for (index, name) in limiter.joints.iter().enumerate() {
                joint_of(list.index(index), bodies, name, limiter.axis)?;
            }
            Ok(())
        }
    }
}
