//! Scene files survive writing and reading, and errors give file, line and field.

use burgess_scene::spec::*;
use glam::DVec3;

fn refusal(text: &str) -> String {
    match SceneSpec::from_toml(text, "scene.toml") {
        Ok(scene) => scene.build(".").expect_err("this scene is wrong").to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_file_line_and_field() {
    let cases = [
        (
            "name = 'a'\n\n[[bodies]]\nname = 'ball'\n[[bodies.shapes]]\nradius = -1\ntype = 'sphere'\n",
            "scene.toml:6: bodies[0].shapes[0].radius: must be positive, found -1",
        ),
        (
            "[[bodies]]\nname = 'ball'\nshapes = [\n  { type = 'sphere', radus = 1 },\n]\n",
            "scene.toml:4: bodies[0].shapes[0].radus: unknown field; did you mean 'radius'?",
        ),
        (
            "[[bodies]]\nname = 'ball'\n\n[[bodies.shapes]]\ntype = 'sphere'\n",
            "scene.toml:4: bodies[0].shapes[0].radius: missing",
        ),
        (
            "[[bodies]]\nname = 'ball'\n[[bodies.shapes]]\ntype = 'spere'\nradius = 1\n",
            "scene.toml:4: bodies[0].shapes[0].type: unknown 'spere'; did you mean 'sphere'?",
        ),
        (
            "[[bodies]]\nname = 'ball'\n[[bodies.shapes]]\nradius = 1\n",
            "scene.toml:3: bodies[0].shapes[0].type: missing",
        ),
        (
            "[[bodies]]\nname = 'ball'\nshapes = [{ type = 'sphere', radius = 1, materal = 'x' }]\n",
            "scene.toml:3: bodies[0].shapes[0].materal: unknown field; did you mean 'material'?",
        ),
        ("gravity = [0, 0]\n", "scene.toml:1: gravity: must be an array of 3 elements, found 2 elements"),
        ("\nduration = 'long'\n", "scene.toml:2: duration: must be a number, found the string \"long\""),
        ("name = 'x\n", "scene.toml:1: invalid literal string, expected `'`"),
        (
            "[simulation]\nparadigm = 'time-steping'\n",
            "scene.toml:2: simulation.paradigm: unknown 'time-steping'; did you mean 'time-stepping'?",
        ),
        (
            "[materials.rubber]\nfriction = 1\n[[bodies]]\nname = 'b'\nshapes = [{ type = 'sphere', radius = 1, material = 'ruber' }]\n",
            "scene.toml:5: bodies[0].shapes[0].material: there is no material called 'ruber'; did you mean 'rubber'?",
        ),
        (
            "[[bodies]]\nname = 'b'\nshapes = [{ type = 'sphere', radius = 1 }]\n[[bodies]]\nname = 'b'\n",
            "scene.toml:5: bodies[1].name: there is another body called 'b'",
        ),
        (
            "[[bodies]]\nname = 'b'\n[[bodies.shapes]]\ntype = 'half_space'\n",
            "scene.toml:3: bodies[0].shapes[0]: a half-space has no end, so it cannot move; give it to a body with fixed = true",
        ),
        (
            "[[bodies]]\nname = 'b'\norientation = { quaternion = [0, 0, 0, 1], euler_degrees = [0, 0, 0] }\n",
            "scene.toml:3: bodies[0].orientation: give exactly one of euler_degrees, axis with angle_degrees, and quaternion",
        ),
        (
            "[[bodies]]\nname = 'b'\norientation = { axis = [0, 0, 0], angle_degrees = 3 }\n",
            "scene.toml:3: bodies[0].orientation: must be finite, with an axis or quaternion that has a length",
        ),
        (
            "[[bodies]]\nname = 'a'\njoint = { type = 'weld', parent = 'b' }\nmass = 1\ninertia = [1, 1, 1]\n[[bodies]]\nname = 'b'\njoint = { type = 'weld', parent = 'a' }\nmass = 1\ninertia = [1, 1, 1]\n",
            "scene.toml:3: bodies[0].joint: its parents form a cycle",
        ),
        (
            "[materials.ice]\nfriction = nan\n",
            "scene.toml:2: materials.ice.friction: must be finite and not negative, found NaN",
        ),
        ("gravity = [0, 0, -inf]\n", "scene.toml:1: gravity[2]: must be finite, found -inf"),
        ("graviti = 3\n", "scene.toml:1: graviti: unknown field; did you mean 'gravity'?"),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(text), expected, "for\n{text}");
    }
}

#[test]
fn geometry_errors_are_located_when_the_scene_is_built() {
    let text = "[[bodies]]\nname = 'b'\n[[bodies.shapes]]\ntype = 'hull'\npoints = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n";
    let scene = SceneSpec::from_toml(text, "scene.toml").unwrap();
    let error = scene.build(".").unwrap_err().to_string();
    assert!(error.starts_with("scene: bodies[0].shapes[0]: 3 points enclose no volume"), "{error}");
}

#[test]
fn a_scene_file_gives_the_same_scene_as_rust_code() {
    let text = r#"
name = "drop"
[[bodies]]
name = "ground"
fixed = true
shapes = [{ type = "half_space" }]

[[bodies]]
name = "ball"
position = [0, 0, 1]
[[bodies.shapes]]
type = "sphere"
radius = 0.1
"#;
    let mut scene = SceneSpec::new("drop", "");
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    scene.bodies.push(BodySpec::new("ball", DVec3::Z, [ShapeSpec::sphere(0.1)]));
    assert_eq!(SceneSpec::from_toml(text, "drop.toml").unwrap(), scene);
    let built = scene.build(".").unwrap();
    assert_eq!(built.world.colliders().len(), 2);
    assert_eq!(built.bodies[0].link, None);
    assert_eq!(built.link_index(1), Some(0));
}

#[test]
fn files_that_are_too_long_are_refused() {
    let text = " ".repeat(1 + burgess_files::MAX_FILE_BYTES as usize);
    let error = SceneSpec::from_toml(&text, "long.toml").unwrap_err().to_string();
    assert_eq!(error, "long.toml: has more than 67108864 bytes, which is the limit");
}

#[test]
fn paradigms_have_the_names_of_the_command_line() {
    for paradigm in Paradigm::ALL {
        assert_eq!(Paradigm::from_name(paradigm.name()), Some(paradigm));
        let text = format!("[simulation]\nparadigm = '{}'\n", paradigm.name());
        assert_eq!(SceneSpec::from_toml(&text, "p").unwrap().simulation.paradigm, paradigm);
    }
    assert_eq!(Paradigm::from_name("none"), None);
}
