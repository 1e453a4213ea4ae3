//! Margins keep shapes apart in every paradigm.

use burgess_paradigms::Paradigm;
use burgess_scene::RunOptions;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use glam::DVec3;

use crate::support::run_in;

const RADIUS: f64 = 0.1;

fn with_margin(shape: ShapeSpec, margin: f64) -> ShapeSpec {
    ShapeSpec { margin, ..shape }
}

/// A body above the ground, both with margins.
fn above(height: f64, ground: f64, body: ShapeSpec) -> SceneSpec {
    let mut scene = SceneSpec::new("margins", "");
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [with_margin(ShapeSpec::half_space(), ground)]));
    scene.bodies.push(BodySpec::new("body", DVec3::Z * height, [body]));
    scene
}

/// Height of the body after a time, in m.
fn rests_at(scene: &SceneSpec, paradigm: Paradigm, seconds: f64) -> f64 {
    let mut running = run_in(scene, paradigm);
    running.simulation.run(seconds).unwrap_or_else(|failure| panic!("{}: {failure}", paradigm.name()));
    running.simulation.data_mut().update_kinematics();
    running.body_pose(1).unwrap().translation.z
}

#[test]
fn a_ball_rests_its_margin_above_the_ground_and_two_margins_add_up() {
    for paradigm in Paradigm::ALL {
        for (own, ground) in [(0.0, 0.0), (0.01, 0.0), (0.0, 0.03), (0.01, 0.03)] {
            let scene = above(RADIUS + 0.06, ground, with_margin(ShapeSpec::sphere(RADIUS), own));
            let height = rests_at(&scene, paradigm, 1.0);
            let gap = height - RADIUS - own - ground;
            // Penalty springs yield, and impulses keep a ball within the collision envelope: 1 % of its size.
            let tolerance = if matches!(paradigm, Paradigm::Impulse | Paradigm::Penalty) { 2e-3 } else { 1e-4 };
            assert!(gap.abs() < tolerance, "{} {own} {ground}: {gap:e}", paradigm.name());
        }
    }
}

#[test]
fn a_box_with_a_margin_stands_flat_on_another() {
    let size = DVec3::new(0.4, 0.4, 0.2);
    let mut scene = above(0.115, 0.01, with_margin(ShapeSpec::cuboid(size), 0.005));
    scene.bodies.push(BodySpec::new("upper", DVec3::Z * 0.335, [with_margin(ShapeSpec::cuboid(size), 0.02)]));
    let mut running = run_in(&scene, Paradigm::TimeStepping);
    running.simulation.run(2.0).unwrap();
    assert_eq!(running.simulation.statistics().contacts, 8);
    running.simulation.data_mut().update_kinematics();
    let [lower, upper] = [1, 2].map(|body| running.body_pose(body).unwrap());
    assert!((lower.translation.z - 0.115).abs() < 1e-4, "{}", lower.translation.z);
    assert!((upper.translation.z - 0.34).abs() < 2e-4, "{}", upper.translation.z);
    assert!(upper.rotation.xyz().length() < 1e-4);
    // Contact points are half way between the surfaces, which are 25 mm apart.
    let between = |point: DVec3| point.z > 0.22 && (point.z - 0.2275).abs() < 2e-4;
    let contacts = running.simulation.data().detection.contacts();
    assert_eq!(contacts.iter().filter(|contact| between(contact.point)).count(), 4);
}

#[test]
fn a_body_that_starts_within_a_margin_is_pushed_out() {
    // Half of the margin deep: not an overlap.
    let scene = above(RADIUS + 0.01, 0.02, ShapeSpec::sphere(RADIUS));
    assert!((rests_at(&scene, Paradigm::TimeStepping, 2.0) - RADIUS - 0.02).abs() < 1e-4);
    let inside = above(RADIUS - 0.01, 0.02, ShapeSpec::sphere(RADIUS));
    let refused = inside.run(".", &RunOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("start 1.000e-2 m deep in each other"), "{refused}");
}

#[test]
fn a_fast_ball_stops_at_the_margin() {
    for paradigm in [Paradigm::TimeStepping, Paradigm::Impulse] {
        let mut scene = above(2.0, 0.01, with_margin(ShapeSpec::sphere(RADIUS), 0.01));
        scene.bodies[1].velocity = DVec3::Z * -50.0;
        let mut running = run_in(&scene, paradigm);
        let mut lowest = f64::INFINITY;
        while running.simulation.state().time < 0.5 {
            running.simulation.step().unwrap();
            running.simulation.data_mut().update_kinematics();
            lowest = lowest.min(running.body_pose(1).unwrap().translation.z);
        }
        assert!((lowest - RADIUS - 0.02).abs() < 2e-3, "{}: {lowest}", paradigm.name());
    }
}

#[test]
fn negative_margins_are_refused() {
    for margin in [-1e-9, f64::NAN, f64::INFINITY] {
        let scene = above(1.0, 0.0, with_margin(ShapeSpec::sphere(RADIUS), margin));
        let refused = scene.build(".").unwrap_err().to_string();
        assert!(refused.contains("bodies[1].shapes[0].margin: must be finite and not negative"), "{refused}");
    }
}
