//! `burgess export`: files for other programs.

use std::path::Path;

use crate::common::{burgess, folder, path, text};

/// The JSON of a binary glTF file.
fn json_of(file: &Path) -> serde_json::Value {
    let bytes = std::fs::read(file).unwrap();
    assert_eq!(&bytes[..4], b"glTF");
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn a_recording_and_its_scene_give_the_same_animation() {
    let folder = folder("export-same");
    let [recording, from_recording, from_scene] = ["p.bur", "r.glb", "s.glb"].map(|name| folder.join(name));
    let simulated = burgess(&["simulate", "pendulum", "--seconds", "0.5", "--record", path(&recording)]);
    assert!(simulated.status.success());
    let output = burgess(&["export", path(&recording), "--to", "gltf", "-o", path(&from_recording)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("2 bodies, 2 of them moving, 31 key frames in 0.5 s, "), "{said}");
    let output = burgess(&["export", "pendulum", "--to", "gltf", "--seconds", "0.5", "-o", path(&from_scene)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(std::fs::read(&from_recording).unwrap(), std::fs::read(&from_scene).unwrap());
    let json = json_of(&from_scene);
    assert_eq!((&json["scenes"][0]["name"], &json["animations"][0]["name"]), (&"pendulum".into(), &"pendulum".into()));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "nothing is left behind");
}

#[test]
fn fps_and_text() {
    let file = folder("export-text").join("s.gltf");
    let arguments = ["export", "stack", "--to", "gltf", "--seconds", "1", "--fps", "10", "-o", path(&file)];
    let output = burgess(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("11 bodies, 10 of them moving, 11 key frames in 1 s, "));
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert!(json["buffers"][0]["uri"].as_str().unwrap().starts_with("data:"));
    assert_eq!(json["nodes"][2]["name"], "box 1");
}

#[test]
fn a_simulation_that_fails_is_written_until_then() {
    let folder = folder("export-fails");
    let [scene, file] = ["fall.toml", "fall.glb"].map(|name| folder.join(name));
    let words =
        "[simulation]\nmax_speed = 5\n[[bodies]]\nname = 'ball'\nshapes = [{ type = 'sphere', radius = 0.1 }]\n";
    std::fs::write(&scene, words).unwrap();
    let output = burgess(&["export", path(&scene), "--to", "gltf", "--seconds", "2", "-o", path(&file)]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("'ball' moves at"), "{error}");
    let times = &json_of(&file)["accessors"][3];
    assert!((times["max"][0].as_f64().unwrap() - 5.0 / 9.81).abs() < 0.02, "{times}");
}

#[test]
fn a_page_plays_a_creature_or_a_recording_without_burgess() {
    if !burgess_server::IS_BUILT {
        return;
    }
    let folder = folder("export-page");
    let [recording, of_creature, of_recording] = ["p.bur", "c.html", "r.html"].map(|name| folder.join(name));
    let arguments = ["export", "walker", "--to", "html", "--seconds", "0.5", "--fps", "30", "-o", path(&of_creature)];
    let output = burgess(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("16 frames in 0.5 s"), "{}", text(&output.stdout));
    let page = std::fs::read_to_string(&of_creature).unwrap();
    assert!(page.len() < burgess_server::MAX_SHARED_BYTES && page.contains("<title>walker</title>"));
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none'"));
    assert!(burgess(&["simulate", "pendulum", "--seconds", "0.5", "--record", path(&recording)]).status.success());
    let output = burgess(&["export", path(&recording), "--to", "html", "-o", path(&of_recording)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("2 bodies, 31 frames in 0.5 s"), "{}", text(&output.stdout));
}

#[test]
fn bad_input_is_refused_with_a_sentence() {
    let folder = folder("export-bad");
    let recording = folder.join("p.bur");
    assert!(burgess(&["simulate", "pendulum", "--seconds", "0.1", "--record", path(&recording)]).status.success());
    let [glb, other] = ["x.glb", "x.obj"].map(|name| folder.join(name));
    let to = ["--to", "gltf", "-o"];
    for (arguments, words) in [
        (&["export", "stack", "--to", "usd", "-o", path(&glb)][..], "possible values: gltf"),
        (&["export", "stack", "-o", path(&glb)], "--to"),
        (&["export", "stack", "--to", "html", "-o", path(&glb)], "the name of a page must end in .html"),
        (&["serve", "--idle", "-1"], "expected a number of minutes from 0"),
        (&["serve", "--idle", "soon"], "expected a number of minutes from 0"),
        (&["export", "stack", "--to", "gltf"], "--output"),
        (&[&["export", "stak"], &to[..], &[path(&glb)]].concat(), "did you mean 'stack'"),
        (
            &[&["export", "stack"], &to[..], &[path(&other)]].concat(),
            "the name of a glTF file must end in .glb or .gltf",
        ),
        (&[&["export", "stack"], &to[..], &[path(&glb), "--fps", "0"]].concat(), "--fps must be positive, found 0"),
        (&[&["export", "stack"], &to[..], &[path(&glb), "--fps", "nan"]].concat(), "--fps must be positive"),
        (&[&["export", "stack"], &to[..], &[path(&glb), "--seconds", "-1"]].concat(), "--seconds must be finite"),
        (
            &[&["export", "stack"], &to[..], &[path(&glb), "--seconds", "1e9"]].concat(),
            "6.000e10 frames of 10 bodies are too many to export",
        ),
        (
            &[&["export", path(&recording)], &to[..], &[path(&glb), "--seconds", "1"]].concat(),
            "--seconds applies to scenes only",
        ),
        (&[&["export", "no.toml"], &to[..], &[path(&glb)]].concat(), "no.toml: cannot be read"),
    ] {
        let output = burgess(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty() && error.contains(words), "{arguments:?}: {error}");
    }
    let output = burgess(&[&["export", path(&recording)], &to[..], &["no such folder/x.glb"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no such folder/x.glb: cannot be written"));
    assert!(!glb.exists());
}

#[test]
fn a_scene_as_urdf_with_its_meshes() {
    let folder = folder("export-urdf");
    let file = folder.join("car.urdf");
    let output = burgess(&["export", "car-track", "--to", "urdf", "-o", path(&file)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("friction and restitution of surfaces are omitted"));
    let xml = std::fs::read_to_string(&file).unwrap();
    let names: Vec<&str> = xml.split("filename=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(name.starts_with("car_meshes/") && folder.join(name).is_file(), "{name}");
    }
    let refused = burgess(&["export", "car-track", "--to", "urdf", "--fps", "10", "-o", path(&file)]);
    assert_eq!(refused.status.code(), Some(2));
    let refused = burgess(&["export", "skeleton-on-stairs", "--to", "urdf", "-o", path(&file)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("has a ball joint, which URDF does not support"));
}

#[test]
fn a_scene_as_mjcf() {
    let file = folder("export-mjcf").join("robot.xml");
    let output = burgess(&["export", "quadruped-standing", "--to", "mjcf", "-o", path(&file)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).ends_with("robot.xml: 14 bodies\n"), "{}", text(&output.stdout));
    let xml = std::fs::read_to_string(&file).unwrap();
    assert!(xml.starts_with("<mujoco model=\"quadruped-standing\">") && xml.ends_with("</mujoco>\n"));
    let output = burgess(&["export", "bowling", "--to", "mjcf", "-o", path(&file)]);
    assert!(
        text(&output.stderr).contains("burgess: MuJoCo uses the larger friction of the two materials"),
        "{}",
        text(&output.stderr)
    );
    let refused = burgess(&["export", "bowling", "--to", "mjcf", "--seconds", "1", "-o", path(&file)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--seconds and --fps apply to motions only"));
}
