//! The documentation of scene files is complete: all examples run, and all fields and keywords are mentioned.

use std::path::{Path, PathBuf};

use burgess_files::Fault;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, SceneFault, SceneFile};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/scene-files.md")).unwrap()
}

/// TOML examples of the page, each preceded by empty lines so that errors give the line number in the page.
fn examples(page: &str) -> Vec<String> {
    let mut examples = Vec::new();
    let mut current: Option<String> = None;
    for (number, line) in page.lines().enumerate() {
        match (&mut current, line) {
            (None, "```toml") => current = Some("\n".repeat(number + 1)),
            (Some(_), "```") => examples.extend(current.take()),
            (Some(text), _) => {
                text.push_str(line);
                text.push('\n');
            }
            _ => {}
        }
    }
    examples
}

#[test]
fn every_example_of_the_page_can_be_run() {
    let examples = examples(&page());
    assert!(examples.len() >= 12, "found {} examples", examples.len());
    for text in examples {
        let scene = SceneSpec::from_toml(&text, "docs/scene-files.md").unwrap_or_else(|error| panic!("{error}"));
        if scene.include.is_empty() {
            let run = scene.run(root().join("docs"), &RunOptions::default());
            let run = run.unwrap_or_else(|error| panic!("{}: {error}", scene.name));
            assert_eq!(run.bodies.len(), scene.bodies.len());
        }
    }
}

#[test]
fn every_example_survives_being_written_and_read() {
    for text in examples(&page()) {
        let scene = SceneSpec::from_toml(&text, "docs/scene-files.md").unwrap();
        let written = scene.to_toml().unwrap();
        let read = SceneSpec::from_toml(&written, "written").unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(read, scene, "{written}");
    }
}

#[test]
fn example_files_can_be_run() {
    let folder = root().join("examples/scenes");
    for name in ["stack", "pendulum", "four_bar"] {
        let file = SceneFile::read(folder.join(name).with_extension("toml")).unwrap_or_else(|error| panic!("{error}"));
        let run = file.run(&RunOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!run.bodies.is_empty());
    }
}

#[test]
fn the_example_with_includes_can_be_run() {
    let page = page();
    let text = examples(&page).into_iter().find(|text| text.contains("include =")).unwrap();
    let folder = std::env::temp_dir().join(format!("burgess-documentation-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let text = text.replace("../examples/scenes", &root().join("examples/scenes").display().to_string());
    let path = folder.join("scene.toml");
    std::fs::write(&path, text).unwrap();
    let file = SceneFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let run = file.run(&RunOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.bodies.len(), 7);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Provokes an error at every choice of fields or keywords, and looks up all the alternatives that the error lists.
#[test]
fn every_field_and_every_word_is_on_the_page() {
    let page = page();
    let body = |rest: &str| format!("[[bodies]]\nname = 'b'\n{rest}");
    let crowd = |rest: &str| format!("[[controllers]]\ntype = 'crowd'\n{rest}");
    let shapes = [
        "sphere",
        "box",
        "capsule",
        "cylinder",
        "cone",
        "frustum",
        "ellipsoid",
        "half_space",
        "hull",
        "mesh",
        "compound",
        "height_field",
        "tube",
        "torus",
        "faceted_sphere",
        "faceted_cone",
        "pyramid",
    ];
    let joints = ["weld", "revolute", "prismatic", "universal", "spherical", "free", "stack"];
    let controllers =
        ["force_field", "spring", "constant_force", "motor_schedule", "speed_limiter", "impulse", "flock", "crowd"];
    let mut probes = vec![
        "qqqqqqq = 1".to_string(),
        "[simulation]\nqqqqqqq = 1".to_string(),
        "[simulation]\nparadigm = 'qqqqqqq'".to_string(),
        "[materials.x]\nqqqqqqq = 1".to_string(),
        "[[surfaces]]\nqqqqqqq = 1".to_string(),
        "[[include]]\nqqqqqqq = 1".to_string(),
        "[display]\nqqqqqqq = 1".to_string(),
        "[[display.cameras]]\nqqqqqqq = 1".to_string(),
        "[[display.lights]]\ntype = 'qqqqqqq'".to_string(),
        "[fluid]\ntype = 'qqqqqqq'".to_string(),
        "[[constraints]]\ntype = 'qqqqqqq'".to_string(),
        "[[constraints]]\ntype = 'pin'\na = { qqqqqqq = 1 }".to_string(),
        "[[actuators]]\nqqqqqqq = 1".to_string(),
        "[[tendons]]\nqqqqqqq = 1".to_string(),
        "[[tendons]]\njoints = [{ qqqqqqq = 1 }]".to_string(),
        "[[sites]]\nqqqqqqq = 1".to_string(),
        "[[sensors]]\ntype = 'qqqqqqq'".to_string(),
        "[[sensors]]\ntype = 'gyro'\nnme = 1".to_string(),
        "[[keyframes]]\nqqqqqqq = 1".to_string(),
        "[[keyframes]]\nbodies.x = { qqqqqqq = 1 }".to_string(),
        "[[controllers]]\ntype = 'qqqqqqq'".to_string(),
        "[[controllers]]\ntype = 'force_field'\nwhen = { qqqqqqq = 1 }".to_string(),
        "[[controllers]]\ntype = 'force_field'\nregion = { qqqqqqq = 1 }".to_string(),
        "[[controllers]]\ntype = 'impulse'\nframe = 'qqqqqqq'".to_string(),
        "[[controllers]]\ntype = 'motor_schedule'\nbetween = 'qqqqqqq'".to_string(),
        "[[controllers]]\ntype = 'motor_schedule'\nkeys = [{ qqqqqqq = 1 }]".to_string(),
        crowd("goals = [{ qqqqqqq = 1 }]"),
        crowd("gates = [{ qqqqqqq = 1 }]"),
        crowd("lanes = [{ qqqqqqq = 1 }]"),
        crowd("lanes = [{ stops = [{ qqqqqqq = 1 }] }]"),
        crowd("vehicles = [{ qqqqqqq = 1 }]"),
        crowd("links = [{ qqqqqqq = 1 }]"),
        crowd("nodes = [{ type = 'qqqqqqq' }]"),
        crowd("nodes = [{ type = 'proximity', qqqqqqq = 1 }]"),
        crowd("nodes = [{ type = 'attract', qqqqqqq = 1 }]"),
        crowd("networks = [{ qqqqqqq = 1 }]"),
        crowd("networks = [{ of = 'qqqqqqq' }]"),
        crowd("networks = [{ states = [{ qqqqqqq = 1 }] }]"),
        crowd("networks = [{ states = [{ actions = [{ type = 'qqqqqqq' }] }] }]"),
        crowd("networks = [{ states = [{ transitions = [{ qqqqqqq = 1 }] }] }]"),
        body("qqqqqqq = 1"),
        body("orientation = { qqqqqqq = 1 }"),
        body("shapes = [{ type = 'qqqqqqq' }]"),
        body("joint = { type = 'qqqqqqq' }"),
        body("joint = { type = 'weld', in_child = { qqqqqqq = 1 } }"),
        body("joint = { type = 'weld', angle_unit = 'qqqqqqq' }"),
        body("joint = { type = 'stack', axes = [{ type = 'qqqqqqq' }] }"),
        body("joint = { type = 'revolute', motor = { type = 'qqqqqqq' } }"),
        body("shapes = [{ type = 'sphere', materal = 1 }]"),
        body("shapes = [{ type = 'compound', parts = [{ type = 'sphere', positon = 1 }] }]"),
        body("joint = { type = 'weld', parnt = 1 }"),
        body("script = { type = 'qqqqqqq' }"),
        body("script = { type = 'keyframes', keys = [{ qqqqqqq = 1 }] }"),
    ];
    let tables = ["time_stepping", "impulse", "analytical", "penalty", "hybrid", "hybrid.forces"];
    probes.extend(tables.map(|table| format!("[simulation.{table}]\nqqqqqqq = 1")));
    let choices =
        ["impulse.order", "impulse.law", "impulse.points", "analytical.method", "analytical.update", "hybrid.law"];
    probes.extend(choices.map(|choice| format!("[simulation]\n{choice} = 'qqqqqqq'")));
    probes
        .extend(["ambient", "directional", "point"].map(|t| format!("[[display.lights]]\ntype = '{t}'\nqqqqqqq = 1")));
    let sensors = ["joint_position", "actuator_force", "gyro", "touch"];
    probes.extend(sensors.map(|t| format!("[[sensors]]\ntype = '{t}'\nqqqqqqq = 1")));
    probes.extend(["linear", "quadratic", "inertia_box"].map(|t| format!("[fluid]\ntype = '{t}'\nqqqqqqq = 1")));
    probes.extend(["rope", "distance", "spring"].map(|t| format!("[[constraints]]\ntype = '{t}'\nqqqqqqq = 1")));
    probes.extend(controllers.map(|t| format!("[[controllers]]\ntype = '{t}'\nqqqqqqq = 1")));
    probes.extend(shapes.map(|t| body(&format!("shapes = [{{ type = '{t}', qqqqqqq = 1 }}]"))));
    probes.extend(joints.map(|t| body(&format!("joint = {{ type = '{t}', qqqqqqq = 1 }}"))));
    probes.extend(
        ["effort", "velocity", "position"]
            .map(|t| body(&format!("joint = {{ type = 'revolute', motor = {{ type = '{t}', qqqqqqq = 1 }} }}"))),
    );
    probes.extend(
        ["steady", "oscillation", "keyframes"].map(|t| body(&format!("script = {{ type = '{t}', qqqqqqq = 1 }}"))),
    );
    for probe in probes {
        let error = SceneSpec::from_toml(&probe, "probe").unwrap_err();
        let (fields, words) = match *error.fault {
            SceneFault::File(Fault::UnknownField { expected, .. }) => (expected, vec![]),
            SceneFault::File(Fault::UnknownWord { expected, .. }) => (vec![], expected),
            other => panic!("{probe}\n{other}"),
        };
        for field in fields {
            let shown = [
                format!("`{field}`"),
                format!("`{field} ="),
                format!("{field} ="),
                format!("[{field}]"),
                format!("[{field}."),
                format!(".{field}]"),
            ];
            assert!(shown.iter().any(|form| page.contains(form)), "field {field} is not on the page, for\n{probe}");
        }
        for word in words {
            assert!(page.contains(&format!("\"{word}\"")), "\"{word}\" is not on the page, for\n{probe}");
        }
    }
}
