//! Building scenes gives the worlds that they describe.

use burgess_dynamics::{Motor, Workspace, update_kinematics};
use burgess_geometry::Pose;
use burgess_scene::SceneFile;
use burgess_scene::spec::*;
use burgess_scene::{BuiltScene, FluidDrag};
use glam::{DQuat, DVec3};
use proptest::prelude::*;

fn built(text: &str) -> BuiltScene {
    SceneSpec::from_toml(text, "test").and_then(|scene| scene.build(".")).unwrap_or_else(|error| panic!("{error}"))
}

fn example(name: &str) -> BuiltScene {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes").join(name);
    SceneFile::read(path).unwrap().build().unwrap()
}

fn start(built: &BuiltScene) -> Workspace {
    let model = built.world.model();
    let mut workspace = Workspace::new(model);
    built.world.run_scripts(built.state.time, &mut workspace);
    update_kinematics(model, &built.state, &mut workspace);
    workspace
}

fn body_pose(built: &BuiltScene, body: usize) -> Pose {
    built.bodies[body].frame(&built.world, &start(built))
}

fn poses(built: &BuiltScene) -> Vec<Pose> {
    let (model, workspace) = (built.world.model(), start(built));
    (0..model.links().len()).map(|link| workspace.pose(model, link)).collect()
}

#[test]
fn the_loop_of_the_four_bar_linkage_is_closed_at_the_start() {
    let built = example("four_bar.toml");
    let poses = poses(&built);
    let tie = &built.world.constraints()[0];
    let [a, b] = [tie.a, tie.b].map(|anchor| poses[anchor.link.unwrap()].compose(&anchor.pose));
    assert!((a.translation - b.translation).length() < 1e-15);
    assert!((a.translation - DVec3::new(0.3, 0.0, 1.1)).length() < 1e-15);
    let axis = a.transform_vector(DVec3::Z);
    assert!(axis.cross(b.transform_vector(DVec3::Z)).length() < 1e-15 && axis.cross(DVec3::Y).length() < 1e-15);
}

#[test]
fn degrees_are_converted_and_joints_start_at_their_positions() {
    let built = example("pendulum.toml");
    let upper = built.link_index(1).unwrap();
    let model = built.world.model();
    let angle = built.state.q[model.links()[upper].q];
    assert!((angle - std::f64::consts::FRAC_PI_6).abs() < 1e-15);
    assert_eq!(model.properties()[model.links()[upper].v].motor, Motor::Velocity { target: 0.0, gain: 2.0 });
    assert_eq!(model.properties()[model.links()[upper].v].max_effort, 15.0);
    // The rod's middle is 0.3 m from the hinge at (0, 0, 1.9), 30 degrees about y from straight down.
    let pose = poses(&built)[upper];
    let expected = DVec3::new(-0.3 * 0.5, 0.0, 1.9 - 0.3 * 0.75f64.sqrt());
    assert!((pose.translation - expected).length() < 1e-14, "{}", pose.translation);
    // The post is the parent of a joint, so it is a link; it must not collide with its child, the rod.
    assert!(built.bodies[0].link.is_some());
}

#[test]
fn bodies_may_come_before_their_parents() {
    let built = built(
        "[[bodies]]\nname = 'c'\nshapes = [{ type = 'sphere', radius = 1 }]\njoint = { type = 'weld', parent = 'b', in_parent = { position = [1, 0, 0] } }\n\
         [[bodies]]\nname = 'b'\nshapes = [{ type = 'sphere', radius = 1 }]\njoint = { type = 'weld', parent = 'a', in_parent = { position = [1, 0, 0] } }\n\
         [[bodies]]\nname = 'a'\nposition = [5, 0, 0]\nshapes = [{ type = 'sphere', radius = 1 }]\n",
    );
    let x = [0, 1, 2].map(|body| body_pose(&built, body).translation.x);
    assert_eq!(x, [7.0, 6.0, 5.0]);
    let links = [0, 1, 2].map(|body| built.world.colliders()[built.bodies[body].colliders.start].link);
    assert_eq!(links, [0, 1, 2].map(|body| built.link_index(body)));
}

#[test]
fn masses_are_those_of_shapes_unless_given() {
    let boxes = "shapes = [{ type = 'box', size = [1, 2, 3], density = 2 }]";
    let built = built(&format!(
        "[[bodies]]\nname = 'shapes'\n{boxes}\n[[bodies]]\nname = 'scaled'\nmass = 6\n{boxes}\n\
         [[bodies]]\nname = 'given'\nmass = 5\ninertia = [2, 3, 4, 0.1, 0.2, 0.3]\ncenter_of_mass = [0, 0, 1]\n"
    ));
    let links = built.world.model().links();
    assert_eq!([0, 1, 2].map(|link: usize| links[link].inertia.mass), [12.0, 6.0, 5.0]);
    // The given centre is a metre above the body's origin.
    assert_eq!(built.state.q[links[2].q + 2], 1.0);
}

#[test]
fn all_forms_of_an_orientation_are_equivalent() {
    let third = Orientation::AxisAngle { axis: DVec3::new(2.0, 2.0, 2.0), angle_degrees: 120.0 };
    // A third of a turn about the diagonal takes x to y to z: first 90 degrees about x, then 90 about z.
    let euler = Orientation::EulerDegrees(DVec3::new(90.0, 0.0, 90.0));
    let quaternion = Orientation::Quaternion([1.0, 1.0, 1.0, 1.0]);
    let expected = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    for orientation in [third, euler, quaternion] {
        let turn = orientation.rotation().unwrap().conjugate() * expected;
        assert!(turn.xyz().length() < 1e-15, "{orientation:?}");
    }
    assert_eq!(Orientation::Quaternion([0.0; 4]).rotation(), None);
}

#[test]
fn drag_acts_on_the_whole_surface_of_moving_bodies() {
    let faces = "fluid = { type = 'linear', coefficient = 1 }\n[[bodies]]\nname = 'wall'\nfixed = true\nshapes = [{ type = 'box', size = [9, 9, 9] }]\n";
    let area = |shape: &str| {
        let turned = "orientation = { euler_degrees = [10, 20, 30] }, position = [1, 2, 3]";
        let built = built(&format!("{faces}[[bodies]]\nname = 'b'\nshapes = [{{ {shape}, {turned} }}]\n"));
        let Some(FluidDrag::Faces(drag)) = built.drag else { panic!("no faces") };
        // On a closed surface the area-weighted normals cancel.
        let sum: DVec3 = drag.panels.iter().map(|panel| panel.normal * panel.area).sum();
        assert!(sum.length() < 1e-12, "{shape}: {sum}");
        drag.panels.iter().map(|panel| panel.area).sum::<f64>()
    };
    assert!((area("type = 'box', size = [1, 2, 3]") - 22.0).abs() < 1e-12);
    // Inscribed polyhedra have less surface: an icosahedron subdivided once has 7 % less than its sphere.
    let ball = area("type = 'sphere', radius = 1") / (4.0 * std::f64::consts::PI);
    assert!((0.9..1.0).contains(&ball), "{ball}");
    let cylinder = area("type = 'cylinder', radius = 1, length = 2") / (6.0 * std::f64::consts::PI);
    assert!((0.85..1.0).contains(&cylinder), "{cylinder}");
}

#[test]
fn too_many_bodies_are_refused_with_a_clear_message() {
    let mut scene = SceneSpec::new("many", "");
    scene.bodies = vec![BodySpec::new("same", DVec3::ZERO, [ShapeSpec::sphere(1.0)]); 100_001];
    let error = scene.to_toml().unwrap_err().to_string();
    assert_eq!(error, "scene: bodies: has 100001 bodies; at most 100000 are allowed");
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("[", "]"), ("{ a = ", " }")] {
        let text = format!("x = {}1{}", open.repeat(100_000), close.repeat(100_000));
        assert!(SceneSpec::from_toml(&text, "deep").is_err());
    }
    let keys = format!("{}x = 1", "x.".repeat(100_000));
    assert!(SceneSpec::from_toml(&keys, "deep").is_err());
}

const SOURCES: [&str; 3] = [
    include_str!("../../../examples/scenes/stack.toml"),
    include_str!("../../../examples/scenes/pendulum.toml"),
    include_str!("../../../examples/scenes/four_bar.toml"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Any text gives either a world or an error message.
    #[test]
    fn nothing_panics_on_any_text(
        source in 0..SOURCES.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4usize, "[-0-9a-z\\[\\]{}=.,\"'\n ]{0,3}|nan|inf|1e308|-1e-320|\u{e4}"), 1..5),
    ) {
        let mut letters: Vec<char> = SOURCES[source].chars().collect();
        for (place, removed, inserted) in edits {
            let start = place.index(letters.len());
            let end = (start + removed).min(letters.len());
            letters.splice(start..end, inserted.chars());
        }
        let text: String = letters.into_iter().collect();
        match SceneSpec::from_toml(&text, "edited.toml") {
            Ok(scene) => {
                let written = scene.to_toml().unwrap();
                prop_assert_eq!(SceneSpec::from_toml(&written, "written").unwrap(), scene.clone());
                let _ = scene.build(".");
            }
            Err(error) => prop_assert!(error.to_string().starts_with("edited.toml")),
        }
    }

    /// Numbers survive writing and reading bit by bit.
    #[test]
    fn numbers_survive_exactly(values in prop::array::uniform8(-1e9..1e9f64), small in 1e-300..1.0f64) {
        let [a, b, c, d, e, f, g, h] = values;
        let mut scene = SceneSpec::new("numbers \"quoted\"\n\\", "\u{1F980}\t'x'");
        scene.gravity = DVec3::new(a, b, c);
        scene.materials.insert("odd name \"=\" ".to_string(), MaterialSpec::new(small, small));
        let mut body = BodySpec::new("b", DVec3::new(d, e, f), [ShapeSpec::sphere(small).of("odd name \"=\" ")]);
        body.orientation = Orientation::EulerDegrees(DVec3::new(g, h, -0.0));
        body.velocity = DVec3::new(small, -small, 0.0);
        scene.bodies.push(body);
        let text = scene.to_toml().unwrap();
        prop_assert_eq!(SceneSpec::from_toml(&text, "numbers").unwrap(), scene);
    }
}
