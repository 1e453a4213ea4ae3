//! Checks of sites and sensors.

use std::collections::BTreeSet;

use burgess_files::{At, Fault, NameFault, closest};
use glam::DVec2;

use crate::rules::names::{Bodies, body_named, joint_of};
use crate::rules::{Checked, check_orientation, conflict, finite_vector};
use crate::spec::{ControllerSpec, JointKind, Measured, OfJoint, SceneSpec, SensorSpec, SiteSpec};

/// Checks the numbers of a site.
pub(crate) fn check_site(at: At, site: &SiteSpec) -> Checked {
    check_name(at, &site.name)?;
    finite_vector(at.field("position"), site.position)?;
    check_orientation(at.field("orientation"), &site.orientation)
}

pub(crate) fn check_sensor(at: At, sensor: &SensorSpec) -> Checked {
    check_name(at, &sensor.name)?;
    match &sensor.kind {
        Measured::CrowdDensity(of) | Measured::CrowdSpeed(of) => check_region(at, of.min, of.max),
        Measured::CrowdFlow(of) => {
            check_region(at, of.min, of.max)?;
            if !(of.direction.is_finite() && of.direction.length() > 0.0) {
                conflict(at.field("direction"), "must be finite and not zero")?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn check_region(at: At, min: DVec2, max: DVec2) -> Checked {
    if !(min.is_finite() && max.is_finite() && min.cmplt(max).all()) {
        conflict(at.field("max"), "must be finite and above min")?;
    }
    Ok(())
}

fn check_name(at: At, name: &str) -> Checked {
    if name.is_empty() {
        return Err(at.field("name").fault(Fault::Invalid { expected: "at least one letter" }));
    }
    Ok(())
}

/// Checks that names are unique and that what is measured exists.
pub(crate) fn check_names(scene: &SceneSpec, bodies: &Bodies) -> Checked {
    let list = At::ROOT.field("sites");
    let mut sites = BTreeSet::new();
    for (index, site) in scene.sites.iter().enumerate() {
        let at = list.index(index);
        if !sites.insert(site.name.as_str()) {
            return Err(at
                .field("name")
                .fault(Fault::Name(NameFault::Duplicate { what: "site", name: site.name.clone() })));
        }
        if let Some(body) = &site.body {
            body_named(at.field("body"), bodies, body)?;
        }
    }
    let actuators = scene.actuators.iter().map(|actuator| actuator.name.as_str()).collect();
    let list = At::ROOT.field("sensors");
    let mut names = BTreeSet::new();
    for (index, sensor) in scene.sensors.iter().enumerate() {
        let at = list.index(index);
        if !names.insert(&sensor.name) {
            return Err(at
                .field("name")
                .fault(Fault::Name(NameFault::Duplicate { what: "sensor", name: sensor.name.clone() })));
        }
        match &sensor.kind {
            Measured::JointPosition(of) | Measured::JointVelocity(of) => check_joint(at, bodies, of)?,
            Measured::ActuatorForce(of) => known(at.field("actuator"), "actuator", &actuators, &of.actuator)?,
            Measured::SitePosition(of)
            | Measured::SiteOrientation(of)
            | Measured::SiteVelocity(of)
            | Measured::SiteAngularVelocity(of)
            | Measured::Velocimeter(of)
            | Measured::Gyro(of) => known(at.field("site"), "site", &sites, &of.site)?,
            Measured::Touch(of) | Measured::CenterOfMass(of) => {
                body_named(at.field("body"), bodies, &of.body)?;
            }
            Measured::CrowdDensity(_) | Measured::CrowdSpeed(_) | Measured::CrowdFlow(_) => {
                if !scene.controllers.iter().any(|controller| matches!(controller, ControllerSpec::Crowd(_))) {
                    return conflict(at.field("type"), "the scene has no crowd");
                }
            }
        }
    }
    Ok(())
}

fn check_joint(at: At, bodies: &Bodies, of: &OfJoint) -> Checked {
    let at = at.field("joint");
    let body = body_named(at, bodies, &of.joint)?;
    let is = |wanted: fn(&JointKind) -> bool| body.joint.as_ref().is_some_and(|joint| wanted(&joint.kind));
    if is(|kind| matches!(kind, JointKind::Free(_))) {
        return conflict(at, &format!("the joint of '{}' is a free one; measure a site on the body instead", of.joint));
    }
    // All axes of a ball are measured.
    let axis = if is(|kind| matches!(kind, JointKind::Spherical(_))) { 0 } else { of.axis };
    joint_of(at, bodies, &of.joint, axis).map(|_| ())
}

fn known(at: At, what: &'static str, names: &BTreeSet<&str>, name: &str) -> Checked {
    if names.contains(name) {
        return Ok(());
    }
    let suggestion = closest(name, names.iter().copied());
    Err(at.fault(Fault::Name(NameFault::Unknown { what, name: name.to_string(), suggestion })))
}
