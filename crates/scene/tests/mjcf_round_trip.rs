//! Scenes as MJCF and back: all numbers are kept.
//!
//! What comes back is exported once more: the two texts must be the same, word by word and number by number. That every
//! number of the first text is right is for `bench/check_export`.

use std::collections::BTreeMap;
use std::path::Path;

use burgess_geometry::Pose;
use burgess_scene::import::ImportOptions;
use burgess_scene::random::random_scene;
use burgess_scene::spec::{AxisSpec, BodySpec, JointKind, PoseSpec, SceneSpec, StackAxisSpec, TieKind};
use burgess_scene::{SceneFile, builtin, mjcf};

fn words(line: &str) -> Vec<&str> {
    line.split([' ', '"', '<', '>', '/', '=']).filter(|word| !word.is_empty()).collect()
}

fn is_close(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-12 * a.abs().max(1.0),
        _ => a == b,
    }
}

/// The same scene without what MJCF cannot say or the importer tells otherwise.
fn canonical(scene: &SceneSpec) -> SceneSpec {
    let mut scene = SceneSpec { description: String::new(), ..scene.clone() };
    stand_firmly(&mut scene);
    for body in &mut scene.bodies {
        let Some(joint) = &mut body.joint else { continue };
        if let JointKind::Spherical(ball) = &mut joint.kind {
            ball.motor = None;
            ball.max_effort = None;
        }
        for axis in axes_mut(&mut joint.kind) {
            // Without a motor it means nothing.
            axis.max_effort = axis.max_effort.filter(|_| axis.motor.is_some());
        }
    }
    scene.constraints.retain(|tie| matches!(tie.kind, TieKind::Pin(_) | TieKind::Hinge(_) | TieKind::Weld(_)));
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

fn axes_mut(kind: &mut JointKind) -> Vec<&mut AxisSpec> {
    match kind {
        JointKind::Weld(_) | JointKind::Free(_) | JointKind::Spherical(_) => Vec::new(),
        JointKind::Revolute(axis) | JointKind::Prismatic(axis) => vec![axis],
        JointKind::Universal(pair) => vec![&mut pair.first, &mut pair.second],
        JointKind::Stack(stack) => (stack.axes.iter_mut())
            .map(|axis| match axis {
                StackAxisSpec::Hinge(axis) | StackAxisSpec::Slide(axis) => axis,
            })
            .collect(),
    }
}

fn there_and_back(scene: &SceneSpec) {
    let scene = canonical(scene);
    let first = mjcf::export(&scene, Path::new("")).unwrap().xml;
    let back = mjcf::import_text(&first, &scene.name, &ImportOptions::default()).unwrap();
    println!("{}: {:?}", scene.name, back.warnings.iter().map(|w| w.to_string()).collect::<Vec<_>>());
    let second = mjcf::export(&back.scene, Path::new("")).unwrap();
    let (mut a, mut b) = (first.lines(), second.xml.lines());
    let mut count = 0;
    loop {
        match (a.next(), b.next()) {
            (None, None) => break,
            (Some(x), Some(y))
                if words(x).len() == words(y).len() && words(x).iter().zip(words(y)).all(|(a, b)| is_close(a, b)) => {}
            (x, y) => {
                let (x, y) = (x.unwrap_or(""), y.unwrap_or(""));
                let at =
                    words(x).iter().zip(words(y)).position(|(a, b)| !is_close(a, b)).unwrap_or(0).saturating_sub(3);
                let cut = |line: &str| {
                    format!(
                        "{} ... {}",
                        &line[..line.len().min(60)],
                        words(line)[at.min(words(line).len())..].iter().take(16).cloned().collect::<Vec<_>>().join(" ")
                    )
                };
                println!("{}:\n  {}\n  {}", scene.name, cut(x), cut(y));
                count += 1;
                if count > 4 {
                    break;
                }
            }
        }
    }
}

#[test]
fn try_it() {
    for scene in builtin::all() {
        there_and_back(&scene.spec());
    }
    there_and_back(SceneFile::read("tests/reference/everything.toml").unwrap().spec());
    for seed in 0..60 {
        there_and_back(&random_scene(seed, 12));
    }
}
