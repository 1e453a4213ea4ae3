//! Joint limits that springs hold, in files of all kinds.

use std::path::Path;

use burgess_scene::spec::{AxisSpec, BodySpec, JointSpec, PoseSpec, SceneSpec, ShapeSpec};
use burgess_scene::{RunOptions, mjcf, urdf};
use glam::DVec3;

const FILE: &str = r#"
name = "soft"

[[bodies]]
name = "arm"
shapes = [{ type = "box", size = [1, 0.1, 0.1], position = [0.5, 0, 0], density = 100 }]
joint = { type = "revolute", axis = [0, 1, 0], angle_unit = "degrees", limit = [-30, 15], limit_stiffness = 25, limit_damping = 2 }
"#;

#[test]
fn scene_files_have_them() {
    let scene = SceneSpec::from_toml(FILE, "soft.toml").unwrap();
    let mut run = scene.run(".", &RunOptions::default()).unwrap();
    run.simulation.run(8.0).unwrap();
    let angle = run.simulation.state().q[0];
    // 1 kg, half a metre from the hinge.
    let (push, weight) = (25.0 * (angle - 15.0_f64.to_radians()), 9.81 * 0.5 * libm::cos(angle));
    assert!((push - weight).abs() < 1e-3, "{push} against {weight} N m at {angle}");
    assert_eq!(SceneSpec::from_toml(&scene.to_toml().unwrap(), "again.toml").unwrap(), scene);
}

#[test]
fn springs_without_limits_and_dampers_without_springs_are_refused() {
    for (from, to, expected) in [
        ("limit = [-30, 15], ", "", "limit_stiffness"),
        ("limit_stiffness = 25, ", "", "limit_damping"),
        ("limit_stiffness = 25", "limit_stiffness = -1", "limit_stiffness"),
    ] {
        let error = SceneSpec::from_toml(&FILE.replace(from, to), "soft.toml").and_then(|scene| {
            scene.build(Path::new("."))?;
            Ok(())
        });
        let told = error.unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn mujoco_gets_them_relative_to_the_inertia_and_urdf_is_told_that_they_are_lost() {
    let axis = |direction| AxisSpec {
        limit: Some([-0.5, 0.25]),
        limit_stiffness: 12.0,
        limit_damping: 0.5,
        armature: 0.02,
        ..AxisSpec::new(direction)
    };
    let mut scene = SceneSpec::new("soft", "An arm.");
    let joint = JointSpec::revolute(axis(DVec3::Y)).in_child(PoseSpec::at(DVec3::new(-0.5, 0.0, 0.0)));
    let arm = BodySpec { mass: Some(2.0), inertia: vec![0.1, 0.2, 0.2], ..BodySpec::jointed("arm", joint, []) };
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    scene.bodies.push(arm);
    let exported = mjcf::export(&scene, Path::new(".")).unwrap();
    // 0.2 + 2 * 0.5^2 + 0.02 kg m^2 about the hinge.
    let (stiffness, damping) = (0.99 * 12.0 / 0.72, 0.99 * 0.5 / 0.72);
    let value = |name: &str| {
        let start = exported.xml.find(&format!("{name}=\"")).expect("is there") + name.len() + 2;
        let text = exported.xml[start..].split('"').next().unwrap();
        text.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<f64>>()
    };
    let found = value("solreflimit");
    assert!((found[0] + stiffness).abs() < 1e-12 && (found[1] + damping).abs() < 1e-12, "{found:?}");
    assert_eq!(value("solimplimit"), [0.01, 0.01, 0.001]);
    assert_eq!(exported.warnings, []);

    let told: Vec<String> =
        urdf::export(&scene, Path::new("."), "").unwrap().warnings.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|warning| warning.contains("limits that are springs are hard there")), "{told:?}");
}
