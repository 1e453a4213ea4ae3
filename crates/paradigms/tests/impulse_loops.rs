//! Constraints that close loops between bodies that move by impulses.

use burgess_dynamics::JointSpec;
use burgess_geometry::shape::{Capsule, Cuboid};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::Paradigm;
use burgess_simulation::{ColliderSpec, ConstraintKind, WorldBuilder};
use glam::{DQuat, DVec3};

fn rod(length: f64) -> ColliderSpec {
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    ColliderSpec { mask: 0, ..ColliderSpec::new(Shape::Capsule(Capsule::new(0.02, 0.5 * length).unwrap())) }
        .at(Pose::new(turn, DVec3::new(0.5 * length, 0.0, 0.0)))
}

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(DVec3::new(x, 0.0, z))
}

#[test]
fn impulses_keep_loops_closed() {
    let mut builder = WorldBuilder::new();
    let hinge = || JointSpec::revolute(-DVec3::Y);
    let crank = builder.link("crank", None, hinge(), None, [rod(0.2)]).unwrap();
    let connecting = builder.link("rod", Some(crank), hinge().in_parent(at(0.2, 0.0)), None, [rod(0.6)]).unwrap();
    let piston = ColliderSpec { mask: 0, ..ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.05)).unwrap())) };
    let slide = JointSpec::prismatic(DVec3::X).in_parent(at(0.8, 0.0));
    let piston = builder.link("piston", None, slide, None, [piston]).unwrap();
    let end = Pose::from_translation(DVec3::new(0.6, 0.0, 0.0));
    builder.constraint(ConstraintKind::Pin, (Some(connecting), end), (Some(piston), Pose::IDENTITY));
    let (world, state) = builder.build().unwrap();
    let mut simulation = Paradigm::Impulse.simulate(world, state, 1.0 / 240.0).unwrap();
    let mut worst = 0.0_f64;
    for _ in 0..480 {
        simulation.step().unwrap();
        let q = &simulation.state().q;
        let (sin, cos) = libm::sincos(q[0]);
        let expected = 0.2 * cos + (0.36 - 0.04 * sin * sin).sqrt() - 0.8;
        worst = worst.max((q[2] - expected).abs());
    }
    // The loop is closed at the velocity level, first order in the step.
    assert!(worst < 5e-3, "off by {worst} m");
}
