//! The energy audit of the default step: the energy that each scene may gain or lose in a minute at 1/240 s, relative
//! to the energy that is exchanged in it. Bounds are about three times the measured values.

use crate::motion_support::{Joints, box_link, conservation_tree, drift, random_tree, spinning_box};
use burgess_dynamics::integrators::SemiImplicitMidpoint;
use burgess_dynamics::{JointSpec, Model, ModelBuilder, State};
use burgess_geometry::Pose;
use glam::{DMat3, DQuat, DVec3};

const STEPS: usize = 60 * 240;
const DOWN: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// Returns a heavy symmetric top on its tip, spinning at the given rate in rad/s.
fn top(spin: f64) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    let moments = DMat3::from_diagonal(DVec3::new(2e-3, 2e-3, 3e-3));
    let link = burgess_dynamics::LinkSpec::new("top", 1.0, DVec3::new(0.0, 0.0, 0.1), moments);
    builder.add_link(None, JointSpec::spherical(), link);
    let model = builder.build().unwrap();
    let mut state = State::new(&model);
    state.q.copy_from_slice(&DQuat::from_rotation_x(0.4).to_array());
    state.v[2] = spin;
    (model, state)
}

/// Returns a hanging chain of equal links, released from the horizontal.
fn chain(links: usize, joint: fn() -> JointSpec) -> (Model, State) {
    let mut builder = ModelBuilder::new();
    let mut parent = None;
    for index in 0..links {
        let link = box_link("link", 1.0, DVec3::new(0.15, 0.0, 0.0), DVec3::new(0.3, 0.05, 0.04));
        let at = if index == 0 { DVec3::ZERO } else { DVec3::new(0.3, 0.0, 0.0) };
        parent = Some(builder.add_link(parent, joint().in_parent(Pose::from_translation(at)), link));
    }
    let model = builder.build().unwrap();
    let state = State::new(&model);
    (model, state)
}

#[test]
fn no_scene_gains_or_loses_more_than_its_bound() {
    let hinge = || JointSpec::revolute(DVec3::Y);
    let ball = JointSpec::spherical;
    let floating = |joints, speed| random_tree(3, 8, joints, true, DVec3::ZERO, speed);
    // Name, scene, exchanged energy (`None`: the initial energy), bound.
    let table = [
        ("box at 1 rad/s", spinning_box(1.0), None, 2e-6),
        ("box at 10 rad/s", spinning_box(10.0), None, 2e-4),
        ("box at 20 rad/s", spinning_box(20.0), None, 1e-3),
        ("top at 30 rad/s", top(30.0), None, 1e-3),
        ("top at 60 rad/s", top(60.0), None, 1e-2),
        ("tree of 12 at 1 rad/s", conservation_tree(1.0), None, 2e-5),
        ("tree of 12 at 5 rad/s", conservation_tree(5.0), None, 2e-3),
        ("hinges", floating(Joints::Revolute, 2.0), None, 2e-4),
        ("slides with springs", floating(Joints::Prismatic, 2.0), None, 1e-3),
        ("universal joints", floating(Joints::Universal, 2.0), None, 2e-3),
        ("balls", floating(Joints::Spherical, 2.0), None, 2e-3),
        ("compound joints with springs", floating(Joints::Compound, 1.0), None, 3e-3),
        ("all joints", floating(Joints::Mixed, 2.0), None, 2e-3),
        ("pendulum", chain(1, hinge), Some(9.81 * 0.15), 1e-3),
        ("double pendulum", chain(2, hinge), Some(2.0 * 9.81 * 0.3), 1e-2),
        // Its end whips at tens of radians a second: beyond what an undivided step resolves well.
        ("chain of 5 hinges", chain(5, hinge), Some(5.0 * 9.81 * 0.75), 0.3),
        ("chain of 3 balls", chain(3, ball), Some(3.0 * 9.81 * 0.45), 3e-2),
        ("hinges under gravity", random_tree(2, 5, Joints::Revolute, false, DOWN, 1.0), Some(20.0), 1e-2),
    ];
    let mut failed = Vec::new();
    for (name, (model, mut state), scale, bound) in table {
        let mut step = SemiImplicitMidpoint::new(&model);
        let drift = drift(&mut step, &model, &mut state, 1.0 / 240.0, STEPS, 7, scale);
        println!("{name:30} largest {:9.2e}  final {:9.2e}  bound {bound:e}", drift.energy_largest, drift.energy_final);
        if drift.energy_largest.is_nan() || drift.energy_largest > bound {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "beyond their bounds: {failed:?}");
}
