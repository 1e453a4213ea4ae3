//! Seams between the boxes of a floor do not affect bodies that roll or slide over them.

use crate::common::{at, ball, cuboid};
use burgess_dynamics::spatial::Motion;
use burgess_simulation::{Material, Simulation, WorldBuilder};
use glam::DVec3;

#[test]
fn a_ball_rolls_over_seams_without_loss() {
    for speed in [1.0, 3.0, 6.0, 14.0] {
        let mut builder = WorldBuilder::new();
        builder.default_material(Material { friction: 0.5, ..Material::default() });
        for k in 0..160 {
            builder.fixed(cuboid(DVec3::new(0.05, 0.5, 0.05)).at(at(0.1 * f64::from(k), 0.0, -0.05)));
        }
        let body = builder.body("ball", at(0.3, 0.0, 0.2), [ball(0.2)]).unwrap();
        builder.set_velocity(body, Motion::new(DVec3::Y * (speed / 0.2), DVec3::X * speed));
        let (world, state) = builder.build().unwrap();
        let mut simulation = Simulation::new(world, state, 1.0 / 240.0).unwrap();
        let energy = simulation.energy();
        simulation.run(1.0).unwrap();
        let loss = 1.0 - simulation.energy() / energy;
        assert!(loss.abs() < 1e-3, "at {speed} m/s a share of {loss} of the energy is lost");
    }
}
