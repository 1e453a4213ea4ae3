//! `burgess picture`: scenes, recordings and creatures as SVG.

use std::path::Path;

use crate::common::{burgess, folder, path, text};

fn drawn(arguments: &[&str], file: &Path) -> String {
    let output = burgess(&[&["picture"], arguments, &["-o", path(file)]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with(path(file)), "{}", text(&output.stdout));
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn a_scene_and_its_recording_give_the_same_picture() {
    let folder = folder("picture-same");
    let [recording, scene, again, recorded] = ["p.bur", "s.svg", "a.svg", "r.svg"].map(|name| folder.join(name));
    let simulated = burgess(&["simulate", "pendulum", "--seconds", "0.5", "--record", path(&recording)]);
    assert!(simulated.status.success());
    let of_scene = drawn(&["pendulum", "--at", "0.5", "--strobe", "3"], &scene);
    assert_eq!(of_scene.matches("<g class=\"b\"").count(), 3, "three moments");
    assert_eq!(drawn(&["pendulum", "--at", "0.5", "--strobe", "3"], &again), of_scene);
    let of_recording = drawn(&[path(&recording), "--strobe", "3"], &recorded);
    // Recordings are in single precision and have no title of the scene.
    let shapes = |svg: &str| svg.lines().filter(|line| !line.starts_with("<title>")).count();
    assert_eq!(shapes(&of_recording), shapes(&of_scene));
    assert!(drawn(&["pendulum", "--size", "200x300"], &scene).contains("width=\"200\" height=\"300\""));
}

#[test]
fn creatures_and_models_are_drawn() {
    let folder = folder("picture-kinds");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models/crab.xml");
    for (index, what) in ["walker", path(&model)].into_iter().enumerate() {
        let svg = drawn(&[what], &folder.join(format!("{index}.svg")));
        assert!(svg.starts_with("<svg") && svg.len() < 60_000, "{what}: {} bytes", svg.len());
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder("picture-refused");
    let file = folder.join("p.svg");
    let cases: [(&[&str], &str); 8] = [
        (&["stack", "--size", "10x10"], "must be 64 to 4096 pixels, found 10x10"),
        (&["stack", "--size", "99999999999x10"], "two whole numbers"),
        (&["stack", "--size", "640"], "two whole numbers"),
        (&["stack", "--at", "-1"], "--at must be finite and not negative, found -1"),
        (&["stack", "--at", "NaN"], "--at must be finite and not negative, found NaN"),
        (&["stack", "--strobe", "1"], "--strobe must be from 2 to 50, found 1"),
        (&["stack", "--strobe", "51"], "--strobe must be from 2 to 50, found 51"),
        (&["stak"], "did you mean 'stack'"),
    ];
    for (arguments, wanted) in cases {
        let output = burgess(&[&["picture"], arguments, &["-o", path(&file)]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(wanted), "{arguments:?}: {}", text(&output.stderr));
    }
    let output = burgess(&["picture", "stack", "-o", path(&folder.join("p.png"))]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("must end in .svg"));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing is left behind");
}
