//! Fast small bodies do not pass through thin ones in time stepping.

use crate::common::{at, ball, cuboid};
use burgess_dynamics::spatial::Motion;
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

#[test]
fn bullets_do_not_pass_a_thin_wall() {
    for (k, speed) in [50.0, 200.0, 500.0, 900.0].into_iter().enumerate() {
        for restitution in [0.0, 0.7] {
            let mut builder = WorldBuilder::new();
            builder.default_material(Material { restitution, ..Material::default() });
            builder.fixed(cuboid(DVec3::new(0.001, 1.0, 1.0)).at(at(5.0, 0.0, 0.0)));
            // A heavy movable plate behind the wall.
            builder
                .body("plate", at(6.0, 0.0, 0.0), [cuboid(DVec3::new(0.001, 1.0, 1.0)).with_density(8000.0)])
                .unwrap();
            let body = builder.body("bullet", at(0.013 * k as f64, 0.1, 0.1), [ball(0.005)]).unwrap();
            builder.set_velocity(body, Motion::new(DVec3::ZERO, DVec3::new(speed, 0.3 * speed * 0.01, 1.0)));
            let (world, state) = builder.build().unwrap();
            let mut simulation = Simulation::new(world, state, 1.0 / 240.0).unwrap();
            for _ in 0..60 {
                simulation.step().unwrap();
                let x = simulation.state().q[7];
                assert!(x < 4.999, "at {speed} m/s the bullet is at x = {x}");
            }
        }
    }
}

#[test]
fn a_spinning_rod_does_not_pass_a_pillar() {
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::ZERO);
    let pillar = Shape::Capsule(Capsule::new(0.01, 1.0).unwrap());
    builder.fixed(ColliderSpec::new(pillar).at(at(0.4, 0.05, 0.0)));
    let rod = Shape::Capsule(Capsule::new(0.01, 0.5).unwrap());
    let lying = Pose::new(DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2), DVec3::ZERO);
    let rod = builder.body("rod", Pose::IDENTITY, [ColliderSpec::new(rod).at(lying)]).unwrap();
    builder.set_velocity(rod, Motion::new(DVec3::Z * 60.0, DVec3::ZERO));
    let (world, state) = builder.build().unwrap();
    let mut simulation = Simulation::new(world, state, 1.0 / 240.0).unwrap();
    simulation.run(0.5).unwrap();
    // Without a collision it keeps 60 rad/s.
    assert!(simulation.state().v[2] < 30.0, "{}", simulation.state().v[2]);
}
