//! Time controls: no tunnelling, no stalling, repeatable results.

use crate::worlds::{at, ball, bouncing, brick_wall, cuboid, ground, smallest_distance};
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_paradigms::collision_solver::{Envelope, SequentialImpulses};
use burgess_paradigms::time_control::{Backtracking, ConservativeAdvancement};
use burgess_paradigms::{FreeMotion, ImpulseSettings, Paradigm, impulse_data};
use burgess_simulation::modules::{Modules, MotionSolver, Moved, TimeControl};
use burgess_simulation::time_control::FixedStep;
use burgess_simulation::{Bounds, ColliderSpec, Failure, Simulation, SimulationData, WorldBuilder};
use glam::DVec3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Impulse.simulate(world, state, step).unwrap()
}

/// Backtracking in place of conservative advancement.
fn backtrack(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    let settings = ImpulseSettings::default();
    let (data, envelope) = impulse_data(world, state, &settings).unwrap();
    let collisions = Box::new(SequentialImpulses::new(settings.law, envelope));
    let time_control = Box::new(Backtracking::new(&data, envelope.epsilon, 0.0, 100_000));
    let modules = Modules { motion: Box::new(FreeMotion::new(&data)), constraints: None, collisions: Some(collisions) };
    Simulation::with_modules(data, time_control, modules, step).unwrap()
}

type Make = fn(WorldBuilder, f64) -> Simulation;
const CONTROLS: [(&str, Make); 2] = [("advance", simulate), ("go back", backtrack)];

/// A ball of 5 mm at 500 m/s against a wall of 2 mm.
fn bullet() -> WorldBuilder {
    let mut builder = bouncing(0.3, 0.4);
    builder.fixed(cuboid(DVec3::new(0.001, 1.0, 1.0)));
    let bullet = builder.body("bullet", at(-1.0, 0.02, 0.03), [ball(0.005)]).unwrap();
    builder.set_velocity(bullet, Motion::new(DVec3::new(100.0, 2000.0, 0.0), DVec3::new(500.0, 3.0, 1.0)));
    builder
}

/// A rod of 1 m that spins towards a pillar.
fn rod_and_pillar() -> WorldBuilder {
    let mut builder = bouncing(0.5, 0.4);
    builder.gravity(DVec3::ZERO);
    builder.fixed(cuboid(DVec3::new(0.02, 0.02, 1.0)));
    let rod = builder.body("rod", at(-0.6, 0.05, 0.0), [cuboid(DVec3::new(0.5, 0.01, 0.01))]).unwrap();
    builder.set_velocity(rod, Motion::new(DVec3::new(0.5, 0.0, 60.0), DVec3::new(1.0, 0.0, 0.0)));
    builder
}

#[test]
fn a_bullet_does_not_pass_a_thin_wall() {
    for (name, make) in CONTROLS {
        let mut simulation = make(bullet(), 1.0 / 240.0);
        while simulation.state().time < 0.05 {
            simulation.step().unwrap();
            assert!(simulation.state().q[0] < -0.006, "{name}: at {}", simulation.state().q[0]);
        }
        let speed = simulation.state().v[3];
        assert!((speed + 150.0).abs() < 1.0, "{name}: leaves at {speed}");
    }
}

#[test]
fn a_spinning_rod_does_not_pass_a_pillar() {
    for (name, make) in CONTROLS {
        // Steps that let the rod turn by a radian, and steps so short that an overlap would show.
        for step in [1.0 / 60.0, 1.0 / 2000.0] {
            let mut simulation = make(rod_and_pillar(), step);
            let (mut nearest, mut impulses) = (f64::INFINITY, 0);
            while simulation.state().time < 0.5 {
                simulation.step().unwrap();
                impulses += simulation.statistics().impulses;
                nearest = nearest.min(smallest_distance(&mut simulation));
            }
            assert!(impulses > 0, "{name}: missed");
            assert!(nearest > 0.0, "{name}: {nearest}");
        }
    }
}

/// A double pendulum whose motors push it against a wall.
fn arm() -> WorldBuilder {
    let mut builder = bouncing(0.1, 0.5);
    builder.self_collision(false);
    builder.fixed(cuboid(DVec3::new(0.05, 1.0, 2.0)).at(at(0.65, 0.0, 0.0)));
    let push = AxisProperties { motor: Motor::Effort(6.0), damping: 0.05, ..AxisProperties::default() };
    let servo = Motor::Position { target: 0.3, stiffness: 20.0, damping: 0.2 };
    let hold = AxisProperties { motor: servo, max_effort: 5.0, ..AxisProperties::default() };
    let link = |mut spec: ColliderSpec| {
        spec.pose = at(0.0, 0.0, -0.25);
        [spec]
    };
    let bar = || cuboid(DVec3::new(0.02, 0.02, 0.24));
    let hinge = |z: f64, drive| JointSpec::revolute(DVec3::NEG_Y).with(drive).in_parent(at(0.0, 0.0, z));
    let upper = builder.link("upper", None, hinge(0.0, push), None, link(bar())).unwrap();
    builder.link("lower", Some(upper), hinge(-0.5, hold), None, link(bar())).unwrap();
    builder
}

#[test]
fn a_driven_arm_does_not_enter_a_wall() {
    for (name, make) in CONTROLS {
        let mut simulation = make(arm(), 1.0 / 60.0);
        let (mut nearest, mut impulses) = (f64::INFINITY, 0);
        while simulation.state().time < 3.0 {
            simulation.step().unwrap();
            impulses += simulation.statistics().impulses;
            nearest = nearest.min(smallest_distance(&mut simulation));
        }
        assert!(impulses > 0, "{name}: missed");
        assert!(nearest > 0.0, "{name}: {nearest}");
        // In the end the motor holds it there.
        assert!(smallest_distance(&mut simulation) < 0.01);
    }
}

#[test]
fn joints_stop_at_their_limits() {
    for step in [1.0 / 60.0, 1e-3] {
        let mut builder = bouncing(0.0, 0.5);
        let limited =
            AxisProperties { limit: Some((-0.5, 0.7)), motor: Motor::Effort(3.0), ..AxisProperties::default() };
        let hinge = JointSpec::revolute(DVec3::Y).with(limited);
        builder.link("arm", None, hinge, None, [cuboid(DVec3::new(0.02, 0.02, 0.2)).at(at(0.0, 0.0, -0.2))]).unwrap();
        let mut simulation = simulate(builder, step);
        let mut most = 0.0_f64;
        while simulation.state().time < 2.0 {
            simulation.step().unwrap();
            most = most.max(simulation.state().q[0]);
        }
        assert!(most < 0.701 && simulation.state().q[0] > 0.69, "{most}");
    }
}

#[test]
fn restored_snapshots_go_on_to_the_same_bits() {
    let worlds: [fn() -> WorldBuilder; 4] = [brick_wall, bullet, rod_and_pillar, arm];
    for (index, world) in worlds.into_iter().enumerate() {
        for (_, make) in CONTROLS {
            let mut simulation = make(world(), 1.0 / 120.0);
            let mut snapshots = Vec::new();
            for step in 0..24 {
                if [1, 7, 13].contains(&step) {
                    snapshots.push(simulation.snapshot());
                }
                simulation.step().unwrap();
            }
            let hash = simulation.state_hash();
            for snapshot in &snapshots {
                simulation.restore(snapshot).unwrap();
                while simulation.steps() < 24 {
                    simulation.step().unwrap();
                }
                assert_eq!(simulation.state_hash(), hash, "world {index} from step {}", snapshot.steps);
                // And in a simulation that knows nothing else.
                let mut fresh = make(world(), 1.0 / 120.0);
                fresh.restore(snapshot).unwrap();
                while fresh.steps() < 24 {
                    fresh.step().unwrap();
                }
                assert_eq!(fresh.state_hash(), hash, "world {index} fresh from step {}", snapshot.steps);
            }
        }
    }
}

/// Motion that does not bear to go on past a time in one step with what came before, as a constraint solver might that
/// meets a penetration on the way.
#[derive(Debug)]
struct Touchy {
    motion: FreeMotion,
    moment: f64,
}

impl MotionSolver for Touchy {
    fn integrate_positions(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        let start = data.state.time;
        if start < self.moment - 1e-6 && start + step > self.moment + 1e-6 {
            return Ok(Moved::PenetrationAt { time: self.moment });
        }
        self.motion.integrate_positions(data, step)
    }
}

type MakeControl = fn(&SimulationData) -> Box<dyn TimeControl>;

#[test]
fn time_controls_go_back_when_the_motion_solver_asks() {
    let run = |make: MakeControl| {
        let mut builder = bouncing(0.0, 0.5);
        builder.body("ball", at(0.0, 0.0, 10.0), [ball(0.1)]).unwrap();
        let (world, state) = builder.build().unwrap();
        let (data, _) = impulse_data(world, state, &ImpulseSettings::default()).unwrap();
        let motion = Box::new(Touchy { motion: FreeMotion::new(&data), moment: 0.0137 });
        let control = make(&data);
        let mut simulation =
            Simulation::with_modules(data, control, Modules { motion, constraints: None, collisions: None }, 0.01)
                .unwrap();
        simulation.run(0.05).map(|()| simulation.state().q[2])
    };
    let expected = 10.0 - 0.5 * 9.81 * 0.05 * 0.05;
    let adaptive: [MakeControl; 2] = [
        |data| Box::new(Backtracking::new(data, 1e-3, 0.0, 1000)),
        |data| Box::new(ConservativeAdvancement::new(data, Envelope::of_world(&data.world, 0.01), 1000)),
    ];
    for make in adaptive {
        let z = run(make).unwrap();
        assert!((z - expected).abs() < 1e-12, "{z}");
    }
    let failure = run(|_| Box::new(FixedStep::default())).unwrap_err();
    assert_eq!(failure.name(), "cannot_go_back");
}

/// Two bodies at the limit of precision, and bodies that start inside each other: time goes on (Fontijne 2000, section
/// 3.12).
#[test]
fn nothing_stalls() {
    for gap in [1e-16, 0.0, -1e-9, -0.02] {
        let mut builder = bouncing(0.0, 0.5);
        builder.fixed(ground());
        builder.body("lower", at(0.0, 0.0, 0.1 + gap), [cuboid(DVec3::splat(0.1))]).unwrap();
        builder.body("upper", at(0.01, 0.0, 0.3 + 2.0 * gap), [cuboid(DVec3::splat(0.1))]).unwrap();
        let mut simulation = simulate(builder, 1.0 / 60.0);
        simulation.run(2.0).unwrap();
        assert!(smallest_distance(&mut simulation) > 0.0, "from {gap}");
        let height = simulation.state().q[9];
        assert!((height - 0.3).abs() < 5e-3, "from {gap}: {height}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_passes_thin_walls(
        radius in 0.002_f64..0.03,
        speed in 1.0_f64..1000.0,
        aim in (-0.3_f64..0.3, -0.3_f64..0.3),
        spin in (-500.0_f64..500.0, -500.0_f64..500.0, -500.0_f64..500.0),
        long in 1.0_f64..4.0,
        restitution in 0.0_f64..1.0,
    ) {
        for (name, make) in CONTROLS {
            let mut builder = bouncing(restitution, 0.3);
            builder.fixed(cuboid(DVec3::new(0.001, 2.0, 2.0)));
            let shape = if long < 2.0 { ball(radius) } else { cuboid(DVec3::new(radius, radius, long * radius)) };
            let body = builder.body("bullet", at(-0.5, 0.0, 0.0), [shape]).unwrap();
            let velocity = speed * DVec3::new(1.0, aim.0, aim.1).normalize();
            // Turning by more than this in a sub-step is for integrators to be tested.
            let spin = if long < 2.0 { DVec3::from(spin) } else { 0.1 * DVec3::from(spin) };
            builder.set_velocity(body, Motion::new(spin, velocity));
            let mut simulation = make(builder, 1.0 / 120.0);
            // A splinter that hits with its edge spins at v / r.
            simulation.set_bounds(Bounds { speed: 1e7, ..Bounds::default() });
            for _ in 0..20 {
                simulation.step().unwrap();
                let nearest = smallest_distance(&mut simulation);
                prop_assert!(nearest > 0.0 && simulation.state().q[0] < 0.0, "{} {}", name, nearest);
            }
        }
    }
}
