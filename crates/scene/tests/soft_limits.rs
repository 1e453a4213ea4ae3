//! Spring-damper joint limits in scene files.

use std::path::Path;

use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;

const FILE: &str = r#"
name = "soft"

[[bodies]]
name = "arm"
shapes = [{ type = "box", size = [1, 0.1, 0.1], position = [0.5, 0, 0], density = 100 }]
joint = { type = "revolute", axis = [0, 1, 0], angle_unit = "degrees", limit = [-30, 15], limit_stiffness = 25, limit_damping = 2 }
"#;

#[test]
fn a_soft_limit_balances_the_weight_of_an_arm() {
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
        let message = error.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}
