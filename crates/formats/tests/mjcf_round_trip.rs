//! Exporting to MJCF and importing again keeps all numbers.
//!
//! The imported scene is exported again, and the two texts must agree word by word and number by number.
//! `bench/check_export` checks the first text against MuJoCo.

use std::collections::BTreeMap;
use std::path::Path;

use burgess_formats::import::{ImportOptions, ImportWarning};
use burgess_formats::mjcf;
use burgess_geometry::Pose;
use burgess_random_scenes::random_scene;
use burgess_scene::spec::{BallMotorSpec, BodySpec, JointKind, Measured, PoseSpec, SceneSpec, TieKind};
use burgess_scene::{SceneFile, builtin};
use glam::DQuat;

/// Returns the scene without the features that MJCF cannot represent, in the form that the importer produces.
fn canonical(scene: &SceneSpec) -> SceneSpec {
    let mut scene = SceneSpec { description: String::new(), ..scene.clone() };
    replace_fixed_bodies(&mut scene);
    for body in &mut scene.bodies {
        let Some(joint) = &mut body.joint else { continue };
        // Actuators of ball joints are imported along the body axes, and servos are not imported.
        let turned = joint.in_child.orientation.rotation() != Some(DQuat::IDENTITY);
        if let JointKind::Spherical(ball) = &mut joint.kind
            && (turned || matches!(ball.motor, Some(BallMotorSpec::Position(_))))
        {
            ball.motor = None;
            scene.actuators.retain(|actuator| actuator.joint != body.name);
        }
    }
    scene.constraints.retain(|tie| !matches!(tie.kind, TieKind::Slide(_)));
    scene.controllers.clear();
    let is_of_crowd =
        |of: &Measured| matches!(of, Measured::CrowdDensity(_) | Measured::CrowdSpeed(_) | Measured::CrowdFlow(_));
    scene.sensors.retain(|sensor| !is_of_crowd(&sensor.kind));
    scene
}

/// Makes bodies with scripts or with welds to the world fixed, and attaches the children of fixed bodies to the world.
fn replace_fixed_bodies(scene: &mut SceneSpec) {
    let mut fixed_poses: BTreeMap<String, Pose> = BTreeMap::new();
    loop {
        let before = fixed_poses.len();
        for body in &mut scene.bodies {
            if let Some(joint) = &mut body.joint {
                if let Some(pose) = joint.parent.as_ref().and_then(|parent| fixed_poses.get(parent)) {
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
                fixed_poses.insert(body.name.clone(), body.pose());
            }
        }
        if fixed_poses.len() == before {
            return;
        }
    }
}

fn round_trip(scene: &SceneSpec) -> Vec<ImportWarning> {
    let scene = canonical(scene);
    let first = mjcf::export(&scene, Path::new("")).unwrap().xml;
    let back = mjcf::import_text(&first, &scene.name, &ImportOptions::default()).unwrap();
    let second = mjcf::export(&back.scene, Path::new("")).unwrap().xml;
    assert_eq!(first.lines().count(), second.lines().count(), "{}", scene.name);
    for (number, (first, second)) in first.lines().zip(second.lines()).enumerate() {
        assert_eq!(words(first).count(), words(second).count(), "{}:{}\n{first}\n{second}", scene.name, number + 1);
        for (a, b) in words(first).zip(words(second)) {
            assert!(is_close(a, b), "{}:{}: {a} became {b}\n{first}\n{second}", scene.name, number + 1);
        }
    }
    back.warnings
}

/// Splits a line into names and values.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '"', '<', '>', '/', '=']).filter(|word| !word.is_empty())
}

/// Numbers may be rounded when frames are composed.
fn is_close(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-12 * a.abs().max(1.0),
        _ => a == b,
    }
}

#[test]
fn builtin_scenes_round_trip_without_warnings() {
    for scene in builtin::all() {
        assert_eq!(round_trip(&scene.spec()), [], "{}", scene.name);
    }
}

#[test]
fn all_features_round_trip() {
    let scene = SceneFile::read("tests/reference/everything.toml").unwrap();
    let kinds: Vec<String> = round_trip(scene.spec()).into_iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, ["touch sensors limited to a site (touch); they measure the whole body"]);
}

#[test]
fn random_scenes_round_trip() {
    for seed in 0..30 {
        round_trip(&random_scene(seed, 12));
    }
}
