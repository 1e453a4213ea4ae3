//! Scenes as MJCF and back: all numbers are kept.
//!
//! What comes back is exported once more: the two texts must be the same, word by word and number by number. That every
//! number of the first text is right is for `bench/check_export`.

use std::collections::BTreeMap;
use std::path::Path;

use burgess_formats::import::{ImportOptions, ImportWarning};
use burgess_formats::mjcf;
use burgess_geometry::Pose;
use burgess_random_scenes::random_scene;
use burgess_scene::spec::{BallMotorSpec, BodySpec, JointKind, PoseSpec, SceneSpec, TieKind};
use burgess_scene::{SceneFile, builtin};
use glam::DQuat;

/// The same scene without what MJCF cannot say or the importer tells otherwise.
fn canonical(scene: &SceneSpec) -> SceneSpec {
    let mut scene = SceneSpec { description: String::new(), ..scene.clone() };
    stand_firmly(&mut scene);
    for body in &mut scene.bodies {
        let Some(joint) = &mut body.joint else { continue };
        // Drives of balls are imported along the axes of the body, and none that depends on position.
        let turned = joint.in_child.orientation.rotation() != Some(DQuat::IDENTITY);
        if let JointKind::Spherical(ball) = &mut joint.kind
            && (turned || matches!(ball.motor, Some(BallMotorSpec::Position(_))))
        {
            ball.motor = None;
            scene.actuators.retain(|drive| drive.joint != body.name);
        }
    }
    scene.constraints.retain(|tie| !matches!(tie.kind, TieKind::Slide(_)));
    scene.controllers.clear();
    scene
}

/// Bodies with scripts or on welds to the world are fixed, and what hangs on fixed bodies hangs on the world.
fn stand_firmly(scene: &mut SceneSpec) {
    let mut standing: BTreeMap<String, Pose> = BTreeMap::new();
    loop {
        let before = standing.len();
        for body in &mut scene.bodies {
            if let Some(joint) = &mut body.joint {
                if let Some(pose) = joint.parent.as_ref().and_then(|parent| standing.get(parent)) {
                    joint.in_parent = pose.compose(&joint.in_parent.pose()).into();
                    joint.parent = None;
                }
                if joint.parent.is_none() && matches!(joint.kind, JointKind::Weld(_)) {
                    let pose = PoseSpec::from(joint.in_parent.pose().compose(&joint.in_child.pose().inverse()));
                    let (name, shapes, color) = (body.name.clone(), body.shapes.clone(), body.color);
                    *body = BodySpec {
                        orientation: pose.orientation,
                        color,
                        ..BodySpec::fixed(name, pose.position, shapes)
                    };
                }
            }
            if body.script.take().is_some() {
                body.fixed = true;
            }
            if body.fixed {
                standing.insert(body.name.clone(), body.pose());
            }
        }
        if standing.len() == before {
            return;
        }
    }
}

fn there_and_back(scene: &SceneSpec) -> Vec<ImportWarning> {
    let scene = canonical(scene);
    let first = mjcf::export(&scene, Path::new("")).unwrap().xml;
    let back = mjcf::import_text(&first, &scene.name, &ImportOptions::default()).unwrap();
    let second = mjcf::export(&back.scene, Path::new("")).unwrap().xml;
    assert_eq!(first.lines().count(), second.lines().count(), "{}", scene.name);
    for (number, (first, second)) in first.lines().zip(second.lines()).enumerate() {
        assert_eq!(words(first).count(), words(second).count(), "{}:{}\n{first}\n{second}", scene.name, number + 1);
        for (a, b) in words(first).zip(words(second)) {
            assert!(is_close(a, b), "{}:{}: {a} is now {b}\n{first}\n{second}", scene.name, number + 1);
        }
    }
    back.warnings
}

/// Names, and what they are given.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '"', '<', '>', '/', '=']).filter(|word| !word.is_empty())
}

/// Numbers may be rounded when frames are folded into each other.
fn is_close(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-12 * a.abs().max(1.0),
        _ => a == b,
    }
}

#[test]
fn builtin_scenes_come_back_without_a_word() {
    for scene in builtin::all() {
        assert_eq!(there_and_back(&scene.spec()), [], "{}", scene.name);
    }
}

#[test]
fn everything_comes_back() {
    let scene = SceneFile::read("tests/reference/everything.toml").unwrap();
    let told: Vec<String> = there_and_back(scene.spec()).into_iter().map(|warning| warning.kind).collect();
    assert_eq!(told, ["touch within a site; it is measured on the whole body"]);
}

#[test]
fn random_scenes_come_back() {
    for seed in 0..30 {
        there_and_back(&random_scene(seed, 12));
    }
}
