//! A world is constant: simulations that share one do not influence each other.

use std::sync::Arc;

use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Simulation, World, WorldBuilder};
use glam::{DQuat, DVec3};

fn arm() -> (Arc<World>, burgess_dynamics::State) {
    let mut builder = WorldBuilder::new();
    let motor = Motor::Velocity { target: 0.0, gain: 50.0 };
    let joint = JointSpec::revolute(DVec3::Y).with(AxisProperties { motor, ..AxisProperties::default() });
    let along = Pose::new(DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2), DVec3::new(0.25, 0.0, 0.0));
    let rod = ColliderSpec::new(Shape::Capsule(Capsule::new(0.02, 0.25).unwrap())).at(along);
    builder.link("arm", None, joint, None, [rod]).unwrap();
    let (world, state) = builder.build().unwrap();
    (Arc::new(world), state)
}

#[test]
fn motor_targets_belong_to_one_simulation() {
    let (world, state) = arm();
    let driven = |target: f64| {
        let mut simulation = Simulation::new(world.clone(), state.clone(), 1.0 / 240.0).unwrap();
        simulation.data_mut().state.motors[0] = Motor::Velocity { target, gain: 50.0 };
        simulation
    };
    let alone = |target: f64| {
        let mut simulation = driven(target);
        simulation.run(0.5).unwrap();
        simulation.state_hash()
    };
    let mut both = [driven(1.0), driven(-2.0)];
    for _ in 0..120 {
        both.iter_mut().for_each(|simulation| simulation.step().unwrap());
    }
    assert_eq!(both.each_ref().map(Simulation::state_hash), [alone(1.0), alone(-2.0)]);
    let [one, other] = both.each_ref().map(|simulation| simulation.state().v[0]);
    assert!((one - 1.0).abs() < 0.2 && (other + 2.0).abs() < 0.2, "{one} {other}");
    assert_eq!(world.model().properties()[0].motor, Motor::Velocity { target: 0.0, gain: 50.0 });
}
