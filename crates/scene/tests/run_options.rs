//! Run options, and the bounds that a scene sets for its run.

use burgess_scene::RunOptions;
use burgess_scene::spec::*;
use burgess_simulation::Failure;
use glam::DVec3;

use crate::support::{ball, run, scene};

#[test]
fn bodies_that_overlap_at_the_start_are_refused() {
    let mut scene = SceneSpec::new("wedged", "");
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    scene.bodies.push(BodySpec::new("box", DVec3::Z * 0.45, [ShapeSpec::cuboid(DVec3::ONE)]));
    let error = scene.run(".", &RunOptions::default()).unwrap_err().to_string();
    let expected = "scene: bodies[1]: 'ground' and 'box' start 5.000e-2 m deep in each other; move them apart";
    assert!(error.starts_with(expected), "{error}");
    scene.bodies[1].position.z = 0.495;
    assert!(scene.run(".", &RunOptions::default()).is_ok());
    scene.bodies[1].position.z = 0.45;
    scene.simulation.allow_overlap = true;
    assert!(scene.run(".", &RunOptions::default()).is_ok());
}

#[test]
fn a_run_fails_beyond_the_bounds_of_the_scene() {
    let falling =
        |bounds: &str| run(&format!("[simulation]\n{bounds}\n{}", ball("ball", 1.0, [0.0; 3]))).simulation.run(1.0);
    assert!(falling("").is_ok());
    assert!(matches!(falling("max_speed = 5"), Err(Failure::TooFast { bound: 5.0, .. })));
    assert!(matches!(falling("max_energy = -1"), Err(Failure::EnergyGrowth { bound: -1.0, .. })));
}

#[test]
fn options_override_the_settings_of_the_scene() {
    let scene = scene(&ball("ball", 2.0, [0.0; 3]));
    let refused = |step| scene.run(".", &RunOptions { step: Some(step), ..RunOptions::default() }).is_err();
    assert!(refused(0.0) && refused(-1.0) && refused(f64::NAN) && refused(2.0));
    for paradigm in Paradigm::ALL {
        let options = RunOptions { paradigm: Some(paradigm), step: Some(0.01), ..RunOptions::default() };
        let run = scene.run(".", &options).unwrap();
        assert_eq!((run.paradigm, run.simulation.step_length()), (paradigm, 0.01));
    }
}
