//! Includes: names get their prefix, everything is moved, cycles are refused, and errors name the right file.

use std::path::PathBuf;

use burgess_dynamics::{Workspace, update_kinematics};
use burgess_geometry::Pose;
use burgess_scene::spec::{ControllerSpec, Measured, OfActuator, OfBody, OfJoint, OfSite, SceneSpec};
use burgess_scene::{BuiltScene, RunOptions, SceneFile};
use glam::{DQuat, DVec3};

/// A temporary folder of files that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("burgess-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("parts")).unwrap();
        for (file, text) in files {
            std::fs::write(folder.join(file), text).unwrap();
        }
        Self(folder)
    }

    fn read(&self, file: &str) -> Result<SceneFile, String> {
        // Names of files in messages begin with the folder.
        let own = format!("{}/", self.0.display());
        SceneFile::read(self.0.join(file)).map_err(|error| error.to_string().replace(&own, ""))
    }

    fn refusal(&self, file: &str) -> String {
        let own = format!("{}/", self.0.display());
        match self.read(file) {
            Err(error) => error,
            Ok(scene) => scene.build().unwrap_err().to_string().replace(&own, ""),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const ARM: &str = r#"
name = "arm"
exclusions = [["base", "hand"]]
[materials.default]
friction = 0.9
[materials.rubber]
restitution = 0.5
[[bodies]]
name = "base"
position = [0, 0, 1]
velocity = [1, 0, 0]
shapes = [{ type = "box", size = [0.2, 0.2, 0.2] }]
[[bodies]]
name = "hand"
shapes = [{ type = "sphere", radius = 0.1, material = "rubber" }]
joint = { type = "revolute", parent = "base", in_parent = { position = [0.5, 0, 0] }, axis = [0, 0, 1] }
[[bodies]]
name = "door"
shapes = [{ type = "box", size = [1, 0.1, 2] }]
joint = { type = "revolute", in_parent = { position = [2, 0, 0] }, axis = [0, 0, 1], position = 0.3 }
[[constraints]]
type = "pin"
a = { position = [0, 0, 2] }
b = { body = "base" }
[[controllers]]
type = "force_field"
force = [1, 0, 0]
"#;

/// Poses of all bodies that are links.
fn poses(built: &BuiltScene) -> Vec<Pose> {
    let model = built.world.model();
    let mut workspace = Workspace::new(model);
    built.world.run_scripts(0.0, &mut workspace);
    update_kinematics(model, &built.state, &mut workspace);
    (0..built.bodies.len()).filter_map(|body| Some(workspace.pose(model, built.link_index(body)?))).collect()
}

#[test]
fn an_included_scene_is_moved_and_renamed_as_a_whole() {
    let outer = r#"
include = [{ file = "parts/arm.toml", prefix = "left ", position = [10, 0, 0], orientation = { euler_degrees = [0, 0, 90] } }]
[[bodies]]
name = "ground"
fixed = true
shapes = [{ type = "half_space" }]
"#;
    let folder = Folder::new("moved", &[("scene.toml", outer), ("parts/arm.toml", ARM)]);
    let scene = folder.read("scene.toml").unwrap();
    let names: Vec<_> = scene.spec().bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["ground", "left base", "left hand", "left door"]);
    assert_eq!(scene.spec().exclusions, [["left base".to_string(), "left hand".to_string()]]);
    // The default material of the included scene applies to that scene only.
    assert_eq!(scene.spec().bodies[0].shapes[0].material, None);
    assert_eq!(scene.spec().bodies[1].shapes[0].material.as_deref(), Some("left default"));
    assert!((scene.spec().bodies[1].velocity - DVec3::Y).length() < 1e-15);
    let ControllerSpec::ForceField(field) = &scene.spec().controllers[0] else { panic!("a force field") };
    assert_eq!(field.bodies, ["left base", "left hand", "left door"]);
    assert!((field.force.unwrap() - DVec3::Y).length() < 1e-15);

    let alone = poses(&SceneSpec::from_toml(ARM, "arm").unwrap().build(".").unwrap());
    let moved = poses(&scene.build().unwrap());
    let offset = Pose::new(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2), DVec3::new(10.0, 0.0, 0.0));
    for (alone, moved) in alone.iter().zip(&moved) {
        let expected = offset.compose(alone);
        assert!((moved.translation - expected.translation).length() < 1e-14);
        assert!((moved.rotation.conjugate() * expected.rotation).xyz().length() < 1e-14);
    }
}

const FINGER: &str = r#"
[[bodies]]
name = "palm"
position = [0, 0, 1]
mass = 1
inertia = [1, 1, 1]
[[bodies]]
name = "finger"
mass = 1
inertia = [1, 1, 1]
joint = { type = "universal", parent = "palm", first = { axis = [1, 0, 0] }, second = { axis = [0, 1, 0] } }
[[actuators]]
name = "bend"
joint = "finger"
[[tendons]]
name = "string"
stiffness = 1
joints = [{ joint = "finger", coefficient = 1 }, { joint = "finger", axis = 1, coefficient = 2 }]
[[sites]]
name = "tip"
body = "finger"
position = [1, 0, 0]
[[sites]]
name = "mark"
position = [1, 0, 0]
[[sensors]]
type = "joint_position"
name = "angle"
joint = "finger"
[[sensors]]
type = "actuator_force"
name = "pull"
actuator = "bend"
[[sensors]]
type = "gyro"
name = "turning"
site = "tip"
[[sensors]]
type = "touch"
name = "felt"
body = "palm"
[[keyframes]]
name = "open"
controls = { bend = 2 }
bodies.palm = { position = [0, 0, 3], velocity = [1, 0, 0], angular_velocity = [0, 1, 0] }
bodies.finger = { positions = [0.1, 0.2] }
"#;

#[test]
fn actuators_tendons_sites_sensors_and_keyframes_are_included() {
    let outer = r#"
include = [
    { file = "parts/finger.toml", prefix = "l ", position = [10, 0, 0], orientation = { euler_degrees = [0, 0, 90] } },
    { file = "parts/finger.toml", prefix = "r " },
]
"#;
    let folder = Folder::new("fingers", &[("scene.toml", outer), ("parts/finger.toml", FINGER)]);
    let scene = folder.read("scene.toml").unwrap();
    let spec = scene.spec();
    assert_eq!((spec.actuators[0].name.as_str(), spec.actuators[0].joint.as_str()), ("l bend", "l finger"));
    assert_eq!((spec.tendons[1].name.as_str(), spec.tendons[1].joints[1].joint.as_str()), ("r string", "r finger"));
    assert_eq!((spec.sites[0].name.as_str(), spec.sites[0].body.as_deref()), ("l tip", Some("l finger")));
    // A site of a body moves with it, one of the world with the scene.
    assert_eq!(spec.sites[0].position, DVec3::X);
    assert!((spec.sites[1].position - DVec3::new(10.0, 1.0, 0.0)).length() < 1e-15);
    let measured: Vec<_> = spec.sensors[..4].iter().map(|sensor| (sensor.name.clone(), sensor.kind.clone())).collect();
    let name = |word: &str| format!("l {word}");
    assert_eq!(
        measured,
        [
            (name("angle"), Measured::JointPosition(OfJoint { joint: name("finger"), axis: 0 })),
            (name("pull"), Measured::ActuatorForce(OfActuator { actuator: name("bend") })),
            (name("turning"), Measured::Gyro(OfSite { site: name("tip") })),
            (name("felt"), Measured::Touch(OfBody { body: name("palm") })),
        ]
    );
    let keyframe = &spec.keyframes[0];
    assert_eq!((keyframe.name.as_str(), keyframe.controls["l bend"]), ("l open", 2.0));
    let palm = &keyframe.bodies["l palm"];
    assert!((palm.position - DVec3::new(10.0, 0.0, 3.0)).length() < 1e-15);
    assert!((palm.velocity - DVec3::Y).length() < 1e-15 && (palm.angular_velocity + DVec3::X).length() < 1e-15);
    assert_eq!(keyframe.bodies["l finger"].positions, [0.1, 0.2]);
    let run = scene.run(&RunOptions { keyframe: Some("r open".to_string()), ..RunOptions::default() }).unwrap();
    assert_eq!(run.controls(), [0.0, 2.0]);
    assert_eq!(run.simulation.world().tendons().len(), 2);
    // Without prefixes the names collide.
    let twice = "[[include]]\nfile = 'parts/finger.toml'\n\n[[include]]\nfile = 'parts/bend.toml'\n";
    let bend = FINGER.replace("\"palm\"", "\"hand\"").replace(".palm", ".hand").replace("\"finger\"", "\"thumb\"");
    let bend = bend.replace(".finger", ".thumb");
    let folder = Folder::new("bends", &[("s.toml", twice), ("parts/finger.toml", FINGER), ("parts/bend.toml", &bend)]);
    assert_eq!(folder.refusal("s.toml"), "s.toml:4: include[1]: there is another actuator called 'bend'");
}

#[test]
fn errors_name_the_file_that_contains_them() {
    let include = |rest: &str| format!("name = 'outer'\n[[include]]\nfile = 'parts/arm.toml'\n{rest}\n");
    let twice = include("") + &include("").replace("name = 'outer'", "");
    let bad_shape = "[[bodies]]\nname = 'hull'\n[[bodies.shapes]]\ntype = 'hull'\npoints = [[0, 0, 0]]\n";
    let no_mesh = "[[bodies]]\nname = 'mesh'\nshapes = [\n{ type = 'mesh', file = 'gone.obj' }]\n";
    let files = [
        ("parts/arm.toml", ARM),
        ("parts/radius.toml", "[[bodies]]\nname = 'b'\nshapes = [{ type = 'sphere', radius = 0 }]\n"),
        ("parts/hull.toml", bad_shape),
        ("parts/mesh.toml", no_mesh),
        ("parts/self.toml", "include = [{ file = '../parts/self.toml' }]\n"),
        ("parts/a.toml", "include = [{ file = 'b.toml' }]\n"),
        ("parts/b.toml", "\ninclude = [{ file = 'a.toml' }]\n"),
        ("missing.toml", "\n\ninclude = [{ file = 'gone.toml' }]\n"),
        ("twice.toml", &twice),
        ("radius.toml", "include = [{ file = 'parts/radius.toml' }]\n"),
        (
            "hull.toml",
            "include = [{ file = 'parts/hull.toml' }]\n[[bodies]]\nname = 'x'\nmass = 1\ninertia = [1, 1, 1]\n",
        ),
        ("mesh.toml", "include = [{ file = 'parts/mesh.toml' }]\n"),
        ("name.toml", &include("prefix = 'l '\n[[constraints]]\ntype = 'pin'\na = { body = 'l bse' }")),
    ];
    let folder = Folder::new("wrong", &files);
    let cases = [
        ("parts/self.toml", "parts/self.toml:1: include[0].file: 'parts/../parts/self.toml' includes itself"),
        ("parts/a.toml", "parts/b.toml:2: include[0].file: 'parts/a.toml' includes itself"),
        ("missing.toml", "missing.toml:3: include[0].file: 'gone.toml' cannot be read: "),
        ("twice.toml", "twice.toml:6: include[1]: there is another body called 'base'"),
        ("radius.toml", "parts/radius.toml:3: bodies[0].shapes[0].radius: must be positive, found 0"),
        ("hull.toml", "parts/hull.toml:3: bodies[0].shapes[0]: 1 points enclose no volume"),
        ("mesh.toml", "parts/mesh.toml:4: bodies[0].shapes[0].file: parts/gone.obj: cannot be read: "),
        ("name.toml", "name.toml:7: constraints[0].a.body: there is no body called 'l bse'; did you mean 'l base'?"),
        ("nowhere.toml", "nowhere.toml: cannot be read: "),
    ];
    for (file, expected) in cases {
        let found = folder.refusal(file);
        assert!(found.starts_with(expected), "{file}:\n{found}\n{expected}");
    }
}

#[test]
fn a_scene_with_includes_is_written_as_one_file() {
    let folder = Folder::new(
        "written",
        &[("arm.toml", ARM), ("wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")],
    );
    let scene = SceneSpec::from_toml(ARM, "arm").unwrap();
    let path = folder.0.join("copy.toml");
    scene.write(&path).unwrap();
    scene.write(&path).unwrap();
    assert_eq!(folder.read("copy.toml").unwrap().spec(), &scene);
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".part")), "{left:?}");
    let error = scene.write(folder.0.join("no/such/folder.toml")).unwrap_err().to_string();
    assert!(error.contains("folder.toml: cannot be written: "), "{error}");

    let meshed = "[[bodies]]\nname = 'm'\nshapes = [{ type = 'mesh', file = 'wedge.obj', scale = 0.5 }]\n";
    let meshed = SceneSpec::from_toml(meshed, "meshed").unwrap();
    let alone = meshed.self_contained(&folder.0).unwrap();
    let (with_file, without) = (meshed.build(&folder.0).unwrap(), alone.build("/").unwrap());
    assert_eq!(with_file.world.colliders()[0].shape, without.world.colliders()[0].shape);
    // A tetrahedron of water: 0.5^3 / 6 m^3.
    assert!((without.world.model().mass() - 1000.0 / 48.0).abs() < 1e-12);
}
