//! The builder rejects invalid numbers with an error that names them.

use std::sync::Arc;

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{JointSpec, LinkId};
use burgess_geometry::shape::{Cuboid, HalfSpace};
use burgess_geometry::{MassProperties, Pose, Shape};
use burgess_simulation::{
    ColliderSpec, ConstraintKind, ControllerContext, HighLevelController, Simulation, TendonSpec, WorldBuilder,
    WorldError,
};
use glam::{DQuat, DVec3};

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, -1.0];

fn cube() -> ColliderSpec {
    ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.5)).unwrap()))
}

fn two_cubes() -> (WorldBuilder, [LinkId; 2]) {
    let mut builder = WorldBuilder::new();
    let links = [0.0, 3.0].map(|x| builder.body("cube", Pose::from_translation(DVec3::X * x), [cube()]).unwrap());
    (builder, links)
}

fn at(point: DVec3) -> Pose {
    Pose::from_translation(point)
}

#[track_caller]
fn refused(builder: WorldBuilder) -> WorldError {
    builder.build().map(|_| ()).expect_err("must be refused")
}

#[test]
fn constraints_with_invalid_numbers_are_refused() {
    for bad in BAD {
        let good = 1.0;
        let kinds = [
            ConstraintKind::Distance { length: bad },
            ConstraintKind::Rope { length: bad },
            ConstraintKind::Spring { length: bad, stiffness: good, damping: good },
            ConstraintKind::Spring { length: good, stiffness: bad, damping: good },
            ConstraintKind::Spring { length: good, stiffness: good, damping: bad },
        ];
        for kind in kinds {
            let (mut builder, [a, b]) = two_cubes();
            builder.constraint(kind, (Some(a), Pose::IDENTITY), (Some(b), Pose::IDENTITY));
            assert!(matches!(refused(builder), WorldError::OutOfRange { .. }), "{kind:?}");
        }
    }
}

#[test]
fn tendons_with_invalid_joints_or_numbers_are_refused() {
    let world = |change: &dyn Fn(&mut TendonSpec)| {
        let mut builder = WorldBuilder::new();
        let mut add = |joint: JointSpec, x: f64| {
            builder.link("link", None, joint.in_parent(at(DVec3::X * x)), None, [cube()]).unwrap()
        };
        let slides = [0.0, 3.0, 6.0].map(|x| add(JointSpec::prismatic(DVec3::X), x));
        let ball = add(JointSpec::spherical(), 9.0);
        let axes = vec![(slides[0], 0, 1.0), (slides[1], 0, 1.0)];
        let mut tendon = TendonSpec { axes, stiffness: 1.0, damping: 1.0, rest: [0.0, 0.0] };
        change(&mut tendon);
        // Links are given by index, so that a change can refer to them.
        for (link, _, _) in tendon.axes.iter_mut().skip(2) {
            *link = if tendon.damping == 2.0 { ball } else { slides[2] };
        }
        builder.tendon(tendon);
        builder
    };
    assert!(world(&|_| ()).build().is_ok());
    for bad in BAD {
        assert!(matches!(refused(world(&|tendon| tendon.stiffness = bad)), WorldError::OutOfRange { .. }));
        assert!(matches!(refused(world(&|tendon| tendon.damping = bad)), WorldError::OutOfRange { .. }));
        assert!(matches!(refused(world(&|tendon| tendon.rest[1] = bad)), WorldError::OutOfRange { .. }));
    }
    assert!(matches!(refused(world(&|tendon| tendon.axes[0].2 = f64::NAN)), WorldError::OutOfRange { .. }));
    assert!(matches!(refused(world(&|tendon| tendon.axes[0].1 = 1)), WorldError::Unknown { .. }));
    let third = |damping: f64| {
        refused(world(&|tendon| {
            tendon.damping = damping;
            tendon.axes.push(tendon.axes[0]);
        }))
    };
    let error = third(1.0);
    assert!(matches!(error, WorldError::Impossible { .. }), "{error}");
    assert_eq!(third(2.0).to_string(), "a tendon names a hinge or slide that does not exist");
}

#[test]
fn constraints_between_a_link_and_itself_are_refused() {
    let (mut builder, [a, _]) = two_cubes();
    builder.constraint(ConstraintKind::Pin, (Some(a), Pose::IDENTITY), (Some(a), at(DVec3::X)));
    let error = refused(builder);
    assert!(matches!(error, WorldError::TiedToItself { .. }) && error.to_string().contains("'cube'"), "{error}");
    let (mut builder, _) = two_cubes();
    builder.constraint(ConstraintKind::Pin, (None, Pose::IDENTITY), (None, at(DVec3::X)));
    assert!(matches!(refused(builder), WorldError::TiedToItself { .. }));
}

#[test]
fn poses_that_are_not_finite_or_normalized_are_refused() {
    let poses = [at(DVec3::new(0.0, f64::NAN, 0.0)), at(DVec3::X * f64::INFINITY)];
    let turns = [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)];
    let turned = turns.map(|rotation| Pose { rotation, translation: DVec3::ZERO });
    for pose in poses.into_iter().chain(turned) {
        let mut worlds = Vec::new();
        let (mut builder, [a, b]) = two_cubes();
        builder.constraint(ConstraintKind::Weld, (Some(a), pose), (Some(b), Pose::IDENTITY));
        worlds.push(builder);
        let (mut builder, [a, _]) = two_cubes();
        builder.set_pose(a, pose);
        worlds.push(builder);
        let mut builder = WorldBuilder::new();
        builder.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(pose));
        worlds.push(builder);
        for world in worlds {
            let error = refused(world);
            assert!(matches!(error, WorldError::Pose { .. }), "{pose:?}: {error}");
        }
    }
}

#[test]
fn start_states_that_are_not_finite_are_refused() {
    for bad in [f64::NAN, f64::INFINITY] {
        for velocity in [Motion::new(DVec3::X * bad, DVec3::ZERO), Motion::new(DVec3::ZERO, DVec3::Z * bad)] {
            let (mut builder, [a, _]) = two_cubes();
            builder.set_velocity(a, velocity);
            assert!(matches!(refused(builder), WorldError::OutOfRange { .. }));
        }
        let hinged = || {
            let mut builder = WorldBuilder::new();
            let joint = JointSpec::revolute(DVec3::Y);
            let link = builder.link("door", None, joint, None, [cube()]).unwrap();
            (builder, link)
        };
        let (mut builder, door) = hinged();
        builder.set_positions(door, &[bad]);
        assert!(refused(builder).to_string().contains("position of body 'door'"));
        let (mut builder, door) = hinged();
        builder.set_joint_velocities(door, &[bad]);
        assert!(refused(builder).to_string().contains("velocity of body 'door'"));
    }
}

#[test]
fn densities_that_are_not_positive_are_refused_even_if_unused() {
    for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
        let mut builder = WorldBuilder::new();
        builder.fixed(cube().with_density(bad));
        assert!(matches!(refused(builder), WorldError::OutOfRange { .. }), "{bad}");
        let mut builder = WorldBuilder::new();
        let mass = MassProperties::new(1.0, DVec3::ZERO, glam::DMat3::IDENTITY).unwrap();
        builder.link("cube", None, JointSpec::free(), Some(mass), [cube().with_density(bad)]).unwrap();
        assert!(matches!(refused(builder), WorldError::OutOfRange { .. }), "{bad}");
        assert!(WorldBuilder::new().body("cube", Pose::IDENTITY, [cube().with_density(bad)]).is_err());
    }
}

/// Orders to unknown links and motors, and one to a known link.
#[derive(Debug)]
struct Clumsy;

impl HighLevelController for Clumsy {
    fn period(&self) -> f64 {
        1.0
    }

    fn act(&self, _memory: &mut [f64], context: &mut ControllerContext) {
        context.push(usize::MAX, DVec3::X, DVec3::ZERO);
        context.push(2, DVec3::X, DVec3::ZERO);
        context.set_motor(usize::MAX, burgess_dynamics::Motor::Effort(1.0));
        assert!(context.targets(usize::MAX).is_empty());
        context.push(0, DVec3::X * 1000.0, DVec3::ZERO);
    }
}

#[test]
fn orders_to_unknown_links_do_nothing() {
    let (world, state) = two_cubes().0.build().unwrap();
    let mut simulation = Simulation::new(world, state, 0.01).unwrap();
    simulation.data_mut().controllers.add_high_level(Arc::new(Clumsy));
    simulation.step().unwrap();
    // One cube, of 1000 kg, received 1000 N s, the other one nothing.
    assert!((simulation.state().v[3] - 1.0).abs() < 1e-12, "{:?}", simulation.state().v);
    assert_eq!(simulation.state().v[9], 0.0);
}
