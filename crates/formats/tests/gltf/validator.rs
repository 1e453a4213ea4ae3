//! Runs the Khronos validator, which must report no errors and warnings. It needs Node.js and the package in
//! `tests/gltf_validator` (`npm ci` there). Without them the test is skipped, unless the variable CI is set.

use std::path::{Path, PathBuf};
use std::process::Command;

use burgess_formats::gltf::Container;
use burgess_geometry::Pose;
use burgess_scene::builtin;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use glam::DVec3;

use super::recorded::{Recording, one_of_each, recording, simulated, try_export, tumbling};

/// Returns the folder of the validator, or the reason why it cannot be used.
fn validator() -> Result<PathBuf, &'static str> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gltf_validator");
    if !folder.join("node_modules/gltf-validator").is_dir() {
        return Err("run `npm ci` in crates/formats/tests/gltf_validator to install it");
    }
    let runs = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if runs { Ok(folder) } else { Err("install Node.js to run it") }
}

/// Returns special cases: bodies without shapes, no bodies, a single frame.
fn special_cases() -> [(&'static str, Recording); 3] {
    let empty = SceneSpec::new("", "");
    let mut ghost = SceneSpec::new("ghost", "");
    ghost.bodies.push(BodySpec { mass: Some(1.0), inertia: vec![1.0; 3], ..BodySpec::new("ghost", DVec3::ZERO, []) });
    let there = Pose::from_translation(DVec3::X);
    let mut ball = SceneSpec::new("ball", "");
    ball.bodies.push(BodySpec::new("ball", DVec3::ZERO, [ShapeSpec::sphere(0.1)]));
    [
        ("empty", recording(&empty, &[], &[(0.0, vec![]), (1.0, vec![])])),
        ("ghost", recording(&ghost, &["ghost"], &[(0.0, vec![Pose::IDENTITY]), (1.0, vec![there])])),
        ("moment", recording(&ball, &["ball"], &[(0.0, vec![there])])),
    ]
}

#[test]
fn every_file_is_valid() {
    let folder = match validator() {
        Ok(folder) => folder,
        Err(why) if std::env::var_os("CI").is_some() => panic!("the glTF validator is not there: {why}"),
        Err(why) => return eprintln!("left out, as the glTF validator is not there: {why}"),
    };
    let files = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf");
    let _ = std::fs::remove_dir_all(&files);
    std::fs::create_dir_all(&files).unwrap();
    let mut recordings: Vec<_> =
        builtin::all().iter().map(|scene| (scene.name, simulated(&scene.spec(), 6, 4))).collect();
    recordings.push(("one-of-each", tumbling(&one_of_each(), 20)));
    recordings.extend(special_cases());
    let mut written = Vec::new();
    for (name, recording) in &mut recordings {
        for container in [Container::Binary, Container::Text] {
            let file = files.join(format!("{name}{}", container.extension()));
            std::fs::write(&file, try_export(recording, container, None).unwrap().bytes).unwrap();
            written.push(file);
        }
    }
    let output = Command::new("node").arg(folder.join("validate.mjs")).args(&written).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.trim(), format!("{} files, 0 faults", written.len()));
}
