//! Checks of tendons.

use std::collections::BTreeSet;

use burgess_files::{At, Fault, NameFault};

use crate::rules::names::{Bodies, joint_of};
use crate::rules::{Checked, conflict, finite, not_negative};
use crate::spec::{JointKind, SceneSpec, TendonSpec};

/// Checks the numbers of a tendon.
pub(crate) fn check_tendon(at: At, tendon: &TendonSpec) -> Checked {
    not_negative(at.field("stiffness"), tendon.stiffness)?;
    not_negative(at.field("damping"), tendon.damping)?;
    let [shortest, longest] = tendon.rest;
    let rest = at.field("rest");
    finite(rest.index(0), shortest)?;
    finite(rest.index(1), longest)?;
    if shortest > longest {
        return conflict(rest, &format!("the shortest length comes first, found [{shortest}, {longest}]"));
    }
    let list = at.field("joints");
    if tendon.joints.is_empty() {
        return conflict(list, "name at least one joint");
    }
    for (index, part) in tendon.joints.iter().enumerate() {
        finite(list.index(index).field("coefficient"), part.coefficient)?;
    }
    Ok(())
}

/// Checks the names of tendons and of their joints.
pub(crate) fn check_names(scene: &SceneSpec, bodies: &Bodies) -> Checked {
    let list = At::ROOT.field("tendons");
    let mut names = BTreeSet::new();
    for (index, tendon) in scene.tendons.iter().enumerate() {
        let at = list.index(index);
        if !names.insert(&tendon.name) {
            let fault = Fault::Name(NameFault::Duplicate { what: "tendon", name: tendon.name.clone() });
            return Err(at.field("name").fault(fault));
        }
        let parts = at.field("joints");
        for (index, part) in tendon.joints.iter().enumerate() {
            let at = parts.index(index);
            let joint = joint_of(at.field("joint"), bodies, &part.joint, part.axis)?;
            if matches!(joint.kind, JointKind::Spherical(_) | JointKind::Free(_)) {
                let why = format!("the joint of '{}' turns freely; a tendon is over hinges and slides", part.joint);
                return conflict(at.field("joint"), &why);
            }
        }
    }
    Ok(())
}
