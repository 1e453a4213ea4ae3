//! Joints that rest on their limits and leave them.

use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::shape::Capsule;
use burgess_geometry::{Pose, Shape};
use burgess_simulation::{ColliderSpec, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};

/// Returns a link of a chain.
fn rod(length: f64) -> ColliderSpec {
    let turn = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    ColliderSpec { mask: 0, ..ColliderSpec::new(Shape::Capsule(Capsule::new(0.02, 0.5 * length).unwrap())) }
        .at(Pose::new(turn, DVec3::new(0.5 * length, 0.0, 0.0)))
}

/// Numbers between -1 and 1 that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }
}

/// Returns a chain with narrow limits and motors that push against them.
fn chain(seed: u64, links: usize, step: f64) -> Simulation {
    let mut numbers = Numbers(seed);
    let mut builder = WorldBuilder::new();
    builder.gravity(DVec3::new(0.0, 0.0, -4.0 * (1.0 + numbers.next())));
    let mut parent = None;
    for link in 0..links {
        let properties = AxisProperties {
            limit: Some((-0.1 - 0.2 * numbers.next().abs(), 0.1 + 0.2 * numbers.next().abs())),
            motor: Motor::Effort(2.0 * numbers.next() / (1.0 + link as f64)),
            damping: 0.5,
            ..AxisProperties::default()
        };
        let axis = DVec3::new(0.0, numbers.next(), numbers.next()).try_normalize().unwrap_or(DVec3::Y);
        let joint = JointSpec::revolute(axis).with(properties);
        let joint = if link == 0 { joint } else { joint.in_parent(Pose::from_translation(DVec3::X * 0.3)) };
        parent = Some(builder.link("rod", parent, joint, None, [rod(0.3)]).unwrap());
    }
    let (world, state) = builder.build().unwrap();
    Simulation::new(world, state, step).unwrap()
}

/// Reverses the motors of every other joint.
fn reverse(simulation: &mut Simulation) {
    for motor in simulation.data_mut().state.motors.iter_mut().step_by(2) {
        if let Motor::Effort(effort) = motor {
            *effort = -*effort;
        }
    }
}

/// Returns the number of joint limits that hold.
fn held_limits(simulation: &Simulation) -> usize {
    let dofs = simulation.world().model().dofs();
    simulation.data().row_impulses[..dofs].iter().filter(|impulse| **impulse > 0.0).count()
}

#[test]
fn joints_rest_on_their_limits_and_leave_them_as_at_a_tiny_step() {
    let (mut held, mut worst) = (0, 0.0_f64);
    for seed in 0..30 {
        let links = 1 + seed as usize % 5;
        let (mut coarse, mut fine) = (chain(seed, links, 1.0 / 240.0), chain(seed, links, 1.0 / 3840.0));
        for tick in 0..240 {
            if tick == 120 {
                reverse(&mut coarse);
                reverse(&mut fine);
            }
            coarse.step().unwrap();
            (0..16).for_each(|_| fine.step().unwrap());
            held += held_limits(&coarse);
        }
        let differences = coarse.state().q.iter().zip(&fine.state().q).map(|(coarse, fine)| (coarse - fine).abs());
        worst = worst.max(differences.fold(0.0, f64::max));
    }
    assert!(held > 5000, "limits hold in many steps: {held}");
    // Joints arrive at their limits somewhere within a step, at up to 5 rad/s.
    assert!(worst < 5.0 / 240.0, "the motion does not depend on the step: {worst}");
}

#[test]
fn a_joint_leaves_its_limit_in_the_step_in_which_its_motor_turns() {
    let mut simulation = chain(3, 1, 1.0 / 240.0);
    simulation.data_mut().state.motors[0] = Motor::Effort(3.0);
    (0..480).for_each(|_| simulation.step().unwrap());
    assert_eq!(held_limits(&simulation), 1);
    let before = simulation.state().v[0];
    assert!(before.abs() < 1e-6, "it rests: {before}");
    simulation.data_mut().state.motors[0] = Motor::Effort(-30.0);
    simulation.step().unwrap();
    assert_eq!(held_limits(&simulation), 0);
    let mass = 0.3 * 0.3 / 3.0 * simulation.world().model().links()[0].inertia.mass;
    let expected = -30.0 / mass / 240.0;
    let ratio = simulation.state().v[0] / expected;
    assert!((0.7..1.1).contains(&ratio), "it is accelerated at once: {ratio}");
}
