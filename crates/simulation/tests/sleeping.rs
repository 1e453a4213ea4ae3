//! Groups at rest fall asleep, and wake on contact, load changes and motion of the ground.

use std::sync::Arc;

use burgess_dynamics::Workspace;
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::{Cuboid, HalfSpace, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{
    ColliderSpec, LowLevelController, Oscillation, RestSettings, Simulation, World, WorldBuilder,
};
use glam::DVec3;

fn cube(size: f64) -> ColliderSpec {
    ColliderSpec::new(Shape::Cuboid(Cuboid::new(DVec3::splat(0.5 * size)).unwrap()))
}

fn tower(builder: &mut WorldBuilder) {
    for k in 0..3 {
        let place = Pose::from_translation(DVec3::new(0.0, 0.0, 0.1 + 0.2 * f64::from(k)));
        builder.body("cube", place, [cube(0.2)]).unwrap();
    }
}

fn simulate(builder: WorldBuilder) -> Simulation {
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, 1.0 / 240.0).unwrap();
    simulation.set_sleeping(Some(RestSettings::default()));
    simulation
}

fn ground() -> ColliderSpec {
    ColliderSpec::new(Shape::HalfSpace(HalfSpace))
}

#[test]
fn a_tower_falls_asleep_and_a_ball_wakes_it() {
    let mut builder = WorldBuilder::new();
    builder.fixed(ground());
    tower(&mut builder);
    let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
    let place = Pose::from_translation(DVec3::new(-5.0, 0.0, 0.5));
    let ball = builder.body("ball", place, [ColliderSpec::new(ball).with_density(3000.0)]).unwrap();
    builder.set_velocity(ball, Motion::new(DVec3::ZERO, DVec3::new(4.0, 0.0, 4.905 * 1.2)));
    let mut simulation = simulate(builder);
    simulation.run(0.9).unwrap();
    assert!((0..3).all(|tree| simulation.data().rest.sleeps(tree)));
    let asleep = simulation.state().q[..21].to_vec();
    simulation.run(1.0).unwrap();
    assert_eq!(asleep, simulation.state().q[..21], "sleeping bodies do not move");
    simulation.run(2.0).unwrap();
    assert!((simulation.state().q[14] - asleep[14]).abs() > 0.05, "the uppermost cube was hit");
}

/// A force that starts at 2 s.
#[derive(Debug)]
struct LatePush;

impl LowLevelController for LatePush {
    fn load(&self, _memory: &[f64], _world: &World, time: f64, workspace: &mut Workspace) {
        if time > 2.0 {
            let point = workspace.anchor(2);
            workspace.apply_force(2, DVec3::new(60.0, 0.0, 0.0), DVec3::ZERO, point);
        }
    }
}

#[test]
fn a_force_that_starts_wakes_a_group() {
    let mut builder = WorldBuilder::new();
    builder.fixed(ground());
    tower(&mut builder);
    let mut simulation = simulate(builder);
    simulation.data_mut().controllers.add_low_level(Arc::new(LatePush));
    simulation.run(1.9).unwrap();
    assert!(simulation.data().rest.sleeps(2));
    simulation.run(3.0).unwrap();
    assert!(simulation.state().q[14] > 0.1);
}

#[test]
fn a_moving_floor_keeps_a_group_awake() {
    let mut builder = WorldBuilder::new();
    let floor = Oscillation {
        middle: Pose::IDENTITY,
        amplitude: DVec3::new(0.02, 0.0, 0.0),
        angle: DVec3::ZERO,
        frequency: 2.0,
        phase: 0.0,
    };
    let slab = Shape::Cuboid(Cuboid::new(DVec3::new(1.0, 1.0, 0.1)).unwrap());
    let slab = ColliderSpec::new(slab).at(Pose::from_translation(DVec3::new(0.0, 0.0, -0.1)));
    builder.scripted("floor", Arc::new(floor), [slab]);
    tower(&mut builder);
    let mut simulation = simulate(builder);
    simulation.run(2.0).unwrap();
    assert!((1..4).all(|tree| !simulation.data().rest.sleeps(tree)));
}

#[test]
fn sleeping_changes_positions_by_less_than_the_tolerance() {
    let run = |sleeping: Option<RestSettings>| {
        let mut builder = WorldBuilder::new();
        builder.fixed(ground());
        tower(&mut builder);
        let mut simulation = simulate(builder);
        simulation.set_sleeping(sleeping);
        simulation.run(5.0).unwrap();
        simulation.state().q.clone()
    };
    let apart = run(None).into_iter().zip(run(Some(RestSettings::default()))).map(|(a, b)| (a - b).abs());
    // The solver's tolerance of 1e-9 m/s over five seconds.
    assert!(apart.fold(0.0, f64::max) < 5e-9);
}

/// A scripted body in steady motion carries an arm.
#[test]
fn links_of_a_moving_scripted_body_do_not_sleep() {
    use burgess_dynamics::JointSpec;
    use burgess_simulation::SteadyMotion;
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let steady = SteadyMotion { start: Pose::IDENTITY, linear: DVec3::X, angular: DVec3::ZERO };
    let carrier = builder.scripted("carrier", Arc::new(steady), []);
    builder.link("arm", Some(carrier), JointSpec::revolute(DVec3::Z), None, [cube(0.2)]).unwrap();
    builder.body("cube", Pose::from_translation(DVec3::new(2.0, 0.0, 0.0)), [cube(0.2)]).unwrap();
    let mut simulation = simulate(builder);
    simulation.run(2.5).unwrap();
    assert!(!simulation.data().rest.sleeps(0));
    // The cube slept until the arm pushed it.
    assert!(simulation.state().q[1] > 2.4, "{}", simulation.state().q[1]);
}

#[test]
fn a_rebound_wakes_a_sleeping_body_within_the_step() {
    use burgess_simulation::Material;
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    builder.default_material(Material { friction: 0.0, restitution: 1.0, tangential_restitution: 0.0 });
    builder.body("sleeper", Pose::IDENTITY, [cube(0.2)]).unwrap();
    let wall = Shape::Cuboid(Cuboid::new(DVec3::new(0.1, 1.0, 1.0)).unwrap());
    builder.fixed(ColliderSpec::new(wall).at(Pose::from_translation(DVec3::new(0.62, 0.0, 0.0))));
    let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
    let place = Pose::from_translation(DVec3::new(0.3, 0.0, 40.0));
    let ball = builder.body("ball", place, [ColliderSpec::new(ball)]).unwrap();
    // The ball falls between the two after a second and drifts into the wall and back.
    builder.set_velocity(ball, Motion::new(DVec3::ZERO, DVec3::new(0.1, 0.0, -39.9)));
    let mut simulation = simulate(builder);
    let mass = |link: usize, s: &Simulation| s.world().model().links()[link].inertia.mass;
    let momentum = |s: &Simulation| mass(0, s) * s.state().v[5] + mass(1, s) * s.state().v[11];
    let before = momentum(&simulation);
    simulation.run(1.5).unwrap();
    assert!((momentum(&simulation) - before).abs() < 1e-9 * before.abs(), "momentum along z is conserved");
}
