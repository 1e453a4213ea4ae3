//! `<keyframe>`: named states, converted to scene coordinates.

use std::collections::{BTreeMap, BTreeSet};

use burgess_files::{NameFault, closest};
use burgess_scene::spec::{BodyStart, KeyframeSpec, Orientation, SceneSpec};
use glam::DVec3;

use super::joint::Kind;
use super::tree::Tree;
use crate::import::{ImportError, ImportFault};
use crate::mjcf::state_map::{StateMap, read_wxyz};
use crate::xml::Element;

/// Maximum total count of numbers in all keyframes.
const MAX_NUMBERS: usize = 1_000_000;

/// Name of the keyframe that a scene starts from by default.
const DEFAULT_KEYFRAME: &str = "start";

/// Adds the keyframes of a model to a scene.
pub(super) fn add(root: &Element, tree: &Tree, map: &StateMap, scene: &mut SceneSpec) -> Result<(), ImportError> {
    let mut names = BTreeSet::new();
    let mut numbers = 0;
    for element in root.children("keyframe").flat_map(|section| section.children("key")) {
        let given = element.text("name").filter(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("key{}", names.len()), str::to_string);
        if !names.insert(name.clone()) {
            return Err(element.fault(ImportFault::Name(NameFault::Duplicate { what: "keyframe", name })));
        }
        numbers += map.positions() + map.velocities() + map.actuators().len() + 1;
        if numbers > MAX_NUMBERS {
            return Err(element.fault(ImportFault::TooMany { what: "numbers in keyframes", limit: MAX_NUMBERS }));
        }
        scene.keyframes.push(read(name, element, tree, map)?);
    }
    Ok(())
}

/// Reads the numbers of an attribute; omitted numbers keep their defaults.
fn fill(element: &Element, attribute: &'static str, mut defaults: Vec<f64>) -> Result<Vec<f64>, ImportError> {
    let given = element.numbers(attribute, 0..=defaults.len())?.unwrap_or_default();
    for (slot, value) in defaults.iter_mut().zip(given) {
        *slot = value;
    }
    Ok(defaults)
}

fn read(name: String, element: &Element, tree: &Tree, map: &StateMap) -> Result<KeyframeSpec, ImportError> {
    let (qpos0, qvel0) = reference_state(tree);
    let qpos = fill(element, "qpos", qpos0)?;
    let qvel = fill(element, "qvel", qvel0)?;
    let controls = fill(element, "ctrl", vec![0.0; map.actuators().len()])?;
    let (mut at, mut at_velocity) = (0, 0);
    let mut bodies = BTreeMap::new();
    for body in tree.bodies.iter().filter(|body| !body.joints.is_empty()) {
        let mut start = BodyStart::default();
        for joint in &body.joints {
            let (q, v) = (&qpos[at..], &qvel[at_velocity..]);
            let (positions, velocities) = sizes(joint.kind);
            match joint.kind {
                Kind::Free => {
                    let rotation = read_wxyz(&q[3..]);
                    start.position = DVec3::from_slice(q);
                    start.orientation = Orientation::from_quaternion(rotation);
                    start.angular_velocity = rotation * DVec3::from_slice(&v[3..]);
                    let center = body.inertia.map_or(DVec3::ZERO, |own| own.center_of_mass);
                    start.velocity = DVec3::from_slice(v) + start.angular_velocity.cross(rotation * center);
                }
                Kind::Ball => {
                    start.orientation = Orientation::from_quaternion(read_wxyz(q));
                    start.angular_velocity = DVec3::from_slice(v);
                }
                Kind::Slide | Kind::Hinge => {
                    start.positions.push(q[0] - joint.reference);
                    start.velocities.push(v[0]);
                }
            }
            (at, at_velocity) = (at + positions, at_velocity + velocities);
        }
        if start.velocities.iter().all(|&velocity| velocity == 0.0) {
            start.velocities.clear();
        }
        bodies.insert(body.name.clone(), start);
    }
    let named = map.actuators().iter().zip(controls).filter_map(|(name, value)| Some((name.clone()?, value)));
    Ok(KeyframeSpec { name, bodies, controls: named.collect() })
}

fn sizes(kind: Kind) -> (usize, usize) {
    match kind {
        Kind::Free => (7, 6),
        Kind::Ball => (4, 3),
        Kind::Slide | Kind::Hinge => (1, 1),
    }
}

/// Returns MuJoCo's positions and velocities in the reference configuration.
fn reference_state(tree: &Tree) -> (Vec<f64>, Vec<f64>) {
    let (mut qpos, mut velocities) = (Vec::new(), 0);
    for body in &tree.bodies {
        for joint in &body.joints {
            match joint.kind {
                Kind::Free => {
                    qpos.extend(body.pose.translation.to_array());
                    let turn = body.pose.rotation;
                    qpos.extend([turn.w, turn.x, turn.y, turn.z]);
                }
                Kind::Ball => qpos.extend([1.0, 0.0, 0.0, 0.0]),
                Kind::Slide | Kind::Hinge => qpos.push(joint.reference),
            }
            velocities += sizes(joint.kind).1;
        }
    }
    (qpos, vec![0.0; velocities])
}

/// Makes a scene start from the requested keyframe, or else from the one called `start`.
pub(super) fn start(scene: &mut SceneSpec, requested: Option<&str>, file: &str) -> Result<(), ImportError> {
    let name = requested.unwrap_or(DEFAULT_KEYFRAME);
    if !scene.keyframes.iter().any(|keyframe| keyframe.name == name) {
        let suggestion = closest(name, scene.keyframes.iter().map(|keyframe| keyframe.name.as_str()));
        let fault = ImportFault::Name(NameFault::Unknown { what: "keyframe", name: name.to_string(), suggestion });
        return if requested.is_some() { Err(ImportError::file(file, fault)) } else { Ok(()) };
    }
    scene.start_from(name).map_err(|error| ImportError::file(file, ImportFault::Scene(error)))
}
