//! Excludes pairs of bodies from contacts. Links that are connected by a joint never collide, including a fixed base;
//! URDF does not specify other exclusions. Bodies that overlap at the start could not be simulated, so they are
//! excluded, too.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::overlaps;
use burgess_scene::spec::{BodySpec, HullShape, SceneSpec, ShapeKind};

use super::UrdfWarnings;
use super::rigid::Groups;
use super::robot::Robot;
use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

/// Maximum number of excluded pairs.
const MAX_PAIRS: usize = 100_000;
/// Maximum number of shapes for which overlaps are computed; the number of pairs is quadratic.
const MAX_SHAPES_FOR_OVERLAPS: usize = 500;

/// Excludes contacts between a fixed base and its children. For a moving parent the simulator does this by default.
pub(super) fn exclude_base(
    root: &Element,
    robot: &Robot,
    groups: &Groups,
    scene: &mut SceneSpec,
) -> Result<(), ImportError> {
    let index: BTreeMap<&str, usize> = scene.bodies.iter().enumerate().map(|(at, body)| (&*body.name, at)).collect();
    // For each body, the first body of its group that is welded to the world. Parents come first.
    let mut base: Vec<Option<usize>> = Vec::with_capacity(scene.bodies.len());
    for (at, body) in scene.bodies.iter().enumerate() {
        let parent = body.joint.as_ref().filter(|joint| joint.axes() == 0).and_then(|joint| joint.parent.as_deref());
        base.push(if body.fixed { Some(at) } else { parent.and_then(|parent| base[index[parent]]) });
    }
    let has_contacts = |body: &BodySpec| body.shapes.iter().any(|shape| shape.mask != 0);
    let mut members: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (at, body) in scene.bodies.iter().enumerate() {
        if let Some(base) = base[at].filter(|_| has_contacts(body)) {
            members.entry(base).or_default().push(&body.name);
        }
    }
    let mut pairs = Vec::new();
    for group in &groups.list {
        let Some(main) = group.main else { continue };
        let joint = scene.bodies[index[robot.links[main].name]].joint.as_ref();
        let parent = joint.and_then(|joint| joint.parent.as_deref());
        let Some(base_bodies) = parent.and_then(|parent| base[index[parent]]).and_then(|base| members.get(&base))
        else {
            continue;
        };
        let own = group.links.iter().filter(|&&link| groups.owner[link] == Some(link));
        for link in own.filter(|&&link| has_contacts(&scene.bodies[index[robot.links[link].name]])) {
            let name = robot.links[*link].name;
            pairs.extend(base_bodies.iter().map(|base| [base.to_string(), name.to_string()]));
            if pairs.len() > MAX_PAIRS {
                return Err(
                    root.fault(ImportFault::TooMany { what: "excluded pairs of connected links", limit: MAX_PAIRS })
                );
            }
        }
    }
    scene.exclusions.extend(pairs);
    Ok(())
}

/// Excludes contacts between bodies that overlap at the start. Meshes are approximated by their hulls.
pub(super) fn exclude_overlaps(robot: &Robot, scene: &mut SceneSpec, warnings: &mut UrdfWarnings) {
    if scene.bodies.iter().map(|body| body.shapes.len()).sum::<usize>() > MAX_SHAPES_FOR_OVERLAPS {
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
    // Errors of building are reported when the scene is used.
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
            warnings.add("links that overlap at the start; contacts between them are excluded", element);
        }
        scene.exclusions.push([first, second]);
    }
}
