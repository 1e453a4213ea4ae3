//! Checks that names are unique and name what is needed.

use burgess_files::{At, Fault, NameFault, closest};

use crate::rules::names::{Bodies, body_named, check_ends};
use crate::rules::{Checked, conflict};
use crate::spec::{BodySpec, SceneSpec, ShapeKind};
use crate::{actuator, controller, keyframe, sensor, tendon};

/// Checks the names of a scene whose includes have been merged into it.
pub(crate) fn check_names(scene: &SceneSpec) -> Checked {
    let root = At::ROOT;
    let mut bodies = Bodies::new();
    let list = root.field("bodies");
    for (index, body) in scene.bodies.iter().enumerate() {
        if bodies.insert(&body.name, body).is_some() {
            let fault = Fault::Name(NameFault::Duplicate { what: "body", name: body.name.clone() });
            return Err(list.index(index).field("name").fault(fault));
        }
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        let at = list.index(index);
        if let Some(parent) = body.joint.as_ref().and_then(|joint| joint.parent.as_deref()) {
            let joint = at.field("joint");
            let parent = body_named(joint.field("parent"), &bodies, parent)?;
            check_links_possible(joint.field("parent"), parent)?;
        }
        let shapes = at.field("shapes");
        for (index, shape) in body.shapes.iter().enumerate() {
            if let Some(material) = &shape.material {
                check_material(shapes.index(index).field("material"), scene, material)?;
            }
        }
    }
    check_cycles(scene, &bodies)?;
    let list = root.field("surfaces");
    for (index, surface) in scene.surfaces.iter().enumerate() {
        for (side, material) in surface.between.iter().enumerate() {
            check_material(list.index(index).field("between").index(side), scene, material)?;
        }
    }
    let list = root.field("exclusions");
    for (index, pair) in scene.exclusions.iter().enumerate() {
        for (side, name) in pair.iter().enumerate() {
            body_named(list.index(index).index(side), &bodies, name)?;
        }
    }
    let list = root.field("constraints");
    for (index, tie) in scene.constraints.iter().enumerate() {
        check_ends(list.index(index), &bodies, [&tie.a, &tie.b])?;
    }
    actuator::check_drives(scene, &bodies)?;
    tendon::check_names(scene, &bodies)?;
    sensor::check_names(scene, &bodies)?;
    keyframe::check_names(scene, &bodies)?;
    let list = root.field("controllers");
    for (index, controller) in scene.controllers.iter().enumerate() {
        controller::check_names(list.index(index), &bodies, controller)?;
    }
    let display = root.field("display");
    let list = display.field("cameras");
    for (index, camera) in scene.display.cameras.iter().enumerate() {
        if let Some(body) = &camera.follow {
            body_named(list.index(index).field("follow"), &bodies, body)?;
        }
    }
    Ok(())
}

fn check_material(at: At, scene: &SceneSpec, name: &str) -> Checked {
    // The default material exists even if the scene does not define it.
    if name == "default" || scene.materials.contains_key(name) {
        return Ok(());
    }
    let suggestion = closest(name, scene.materials.keys().map(String::as_str));
    Err(at.fault(Fault::Name(NameFault::Unknown { what: "material", name: name.to_string(), suggestion })))
}

/// Checks that a body can be a parent: it must be a link, and half-spaces cannot be.
fn check_links_possible(at: At, body: &BodySpec) -> Checked {
    if body.shapes.iter().any(|shape| matches!(shape.kind, ShapeKind::HalfSpace(_))) {
        return conflict(
            at,
            &format!("'{}' has a half-space, which nothing can hang on; take the world as parent", body.name),
        );
    }
    Ok(())
}

/// Checks that parents form no cycle.
fn check_cycles(scene: &SceneSpec, bodies: &Bodies) -> Checked {
    // Bodies whose ancestors are known to end at the world.
    let mut safe = std::collections::BTreeSet::new();
    let list = At::ROOT.field("bodies");
    for (index, body) in scene.bodies.iter().enumerate() {
        let mut chain = Vec::new();
        let mut here = Some(body);
        while let Some(body) = here.filter(|body| !safe.contains(body.name.as_str())) {
            chain.push(body.name.as_str());
            if chain.len() > scene.bodies.len() {
                return conflict(list.index(index).field("joint"), "its parents form a cycle");
            }
            let parent = body.joint.as_ref().and_then(|joint| joint.parent.as_deref());
            here = parent.and_then(|parent| bodies.get(parent).copied());
        }
        safe.extend(chain);
    }
    Ok(())
}
