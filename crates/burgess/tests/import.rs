//! Models of other programs on the command line.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::folder;

const CRAB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/models/crab.xml");
const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/models/arm.urdf");

fn burgess(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_burgess")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The value of a field of the one line of JSON.
fn field(output: &Output, name: &str) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    object[name].to_string()
}

#[test]
fn models_run_as_they_are_and_as_scenes() {
    let folder = folder("import_models");
    for (model, scene) in [(CRAB, "crab.toml"), (ARM, "arm.toml")] {
        let imported = burgess(&folder, &["import", model, "-o", scene]);
        assert!(imported.status.success(), "{}", text(&imported.stderr));
        assert!(text(&imported.stdout).contains("actuator"), "{}", text(&imported.stdout));
        let directly = burgess(&folder, &["simulate", model, "--seconds", "1", "--json"]);
        let by_scene = burgess(&folder, &["simulate", scene, "--seconds", "1", "--json"]);
        assert_eq!(field(&directly, "state_hash"), field(&by_scene, "state_hash"));
    }
}

#[test]
fn keyframes_of_models_are_starts() {
    let folder = folder("import_keyframes");
    let crouched = burgess(&folder, &["simulate", CRAB, "--keyframe", "crouched", "--seconds", "2", "--json"]);
    let standing = burgess(&folder, &["simulate", CRAB, "--seconds", "2", "--json"]);
    assert_ne!(field(&crouched, "energy_initial"), field(&standing, "energy_initial"));
    let wrong = burgess(&folder, &["simulate", CRAB, "--keyframe", "crouching"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("crouched"), "{}", text(&wrong.stderr));
}

#[test]
fn models_go_from_format_to_format() {
    let folder = folder("import_chain");
    for arguments in [
        &["export", ARM, "--to", "mjcf", "-o", "arm.xml"][..],
        &["export", "arm.xml", "--to", "urdf", "-o", "again.urdf"],
        &["import", "again.urdf", "-o", "arm.toml"],
        &["watch", "arm.toml", "--still"],
    ] {
        let output = burgess(&folder, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = folder("import_faults");
    std::fs::write(
        folder.join("bad.xml"),
        "<mujoco>\n<worldbody>\n<body>\n<joint range='a b'/>\n</body></worldbody></mujoco>",
    )
    .unwrap();
    std::fs::write(folder.join("other.xml"), "<svg/>").unwrap();
    std::fs::write(folder.join("cut.xml"), "<mujoco>\n<worldbody>\n<body name='a'").unwrap();
    std::fs::write(folder.join("open.xml"), "<mujoco>\n<worldbody>\n<body/>\n").unwrap();
    for (arguments, said) in [
        (&["import", "bad.xml", "-o", "bad.toml"][..], "bad.xml:4"),
        (&["simulate", "other.xml"], "svg"),
        (&["simulate", "cut.xml"], "cut.xml:3"),
        (&["simulate", "open.xml"], "open.xml:3"),
        (&["import", "none.urdf", "-o", "none.toml"], "none.urdf"),
        (&["import", CRAB, "-o", "crab.json"], ".toml"),
        (&["import", ARM, "--package-root", "nowhere", "-o", "arm.toml"], "the package root 'nowhere' cannot be read"),
    ] {
        let output = burgess(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = text(&output.stderr);
        assert!(error.contains(said), "{arguments:?}: {error}");
        // Every sentence appears once: a cause must not be repeated after the error that contains it.
        let last = error.trim_end().rsplit(": ").next().unwrap();
        assert_eq!(error.matches(last).count(), 1, "{error}");
        assert!(output.stdout.is_empty());
    }
}
