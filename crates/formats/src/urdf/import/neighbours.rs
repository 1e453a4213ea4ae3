//! Who passes through whom. Links that a joint holds together never touch, a fixed base included; URDF says nothing of
//! others. Those that start inside each other could not be simulated: they pass through each other, too.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::overlaps;
use burgess_scene::spec::{BodySpec, HullShape, SceneSpec, ShapeKind};

use super::Notes;
use super::rigid::Groups;
use super::robot::Robot;
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// More pairs are refused.
const MAX_PAIRS: usize = 100_000;
/// With more shapes nobody looks who starts inside whom: there may be as many pairs as the square of that.
const MAX_SHAPES: usize = 500;

/// Lets what hangs on a fixed base pass through it. Where the base moves, that goes without saying.
pub(super) fn exclude_base(
    root: &Element,
    robot: &Robot,
    groups: &Groups,
    scene: &mut SceneSpec,
) -> Result<(), ImportError> {
    let index: BTreeMap<&str, usize> = scene.bodies.iter().enumerate().map(|(at, body)| (&*body.name, at)).collect();
    // By body: the first of those that are welded together in the world. Parents come first.
    let mut base: Vec<Option<usize>> = Vec::with_capacity(scene.bodies.len());
    for (at, body) in scene.bodies.iter().enumerate() {
        let carrier = body.joint.as_ref().filter(|joint| joint.axes() == 0).and_then(|joint| joint.parent.as_deref());
        base.push(if body.fixed { Some(at) } else { carrier.and_then(|carrier| base[index[carrier]]) });
    }
    let touches = |body: &BodySpec| body.shapes.iter().any(|shape| shape.mask != 0);
    let mut members: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (at, body) in scene.bodies.iter().enumerate() {
        if let Some(base) = base[at].filter(|_| touches(body)) {
            members.entry(base).or_default().push(&body.name);
        }
    }
    let mut pairs = Vec::new();
    for group in &groups.list {
        let Some(main) = group.main else { continue };
        let joint = scene.bodies[index[robot.links[main].name]].joint.as_ref();
        let parent = joint.and_then(|joint| joint.parent.as_deref());
        let Some(below) = parent.and_then(|parent| base[index[parent]]).and_then(|base| members.get(&base)) else {
            continue;
        };
        let own = group.links.iter().filter(|&&link| groups.owner[link] == Some(link));
        for link in own.filter(|&&link| touches(&scene.bodies[index[robot.links[link].name]])) {
            let name = robot.links[*link].name;
            pairs.extend(below.iter().map(|base| [base.to_string(), name.to_string()]));
            if pairs.len() > MAX_PAIRS {
                return Err(root.fault(ImportFault::TooMany { what: "pairs of neighbours", limit: MAX_PAIRS }));
            }
        }
    }
    scene.exclusions.extend(pairs);
    Ok(())
}

/// Lets bodies pass through each other that start inside each other. Meshes are taken as their hulls.
pub(super) fn exclude_overlaps(robot: &Robot, scene: &mut SceneSpec, notes: &mut Notes) {
    if scene.bodies.iter().map(|body| body.shapes.len()).sum::<usize>() > MAX_SHAPES {
        return;
    }
    let mut probe = scene.clone();
    for body in &mut probe.bodies {
        body.display_mesh = None;
        for shape in &mut body.shapes {
            if let ShapeKind::Mesh(mesh) = &mut shape.kind {
                shape.kind = ShapeKind::Hull(HullShape { points: std::mem::take(&mut mesh.vertices) });
            }
        }
    }
    // What cannot be built is told when somebody wants it to be.
    let Some(found) = probe.build(".").ok().and_then(|built| overlaps(&built).ok()) else { return };
    let element_by_name: BTreeMap<&str, &Element> = robot.links.iter().map(|link| (link.name, link.element)).collect();
    let mut pairs = BTreeSet::new();
    for overlap in found {
        if let [Some(a), Some(b)] = overlap.bodies {
            pairs.insert((a.min(b), a.max(b)));
        }
    }
    for (first, second) in pairs {
        let [first, second] = [first, second].map(|body| scene.bodies[body].name.clone());
        if let Some(element) = element_by_name.get(&*second) {
            notes.add("links that start inside others: those pairs pass through each other", element);
        }
        scene.exclusions.push([first, second]);
    }
}
