//! Nothing passes through anything; nothing stalls; all is repeatable.

mod worlds;

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec, Motor};
use burgess_geometry::Pose;
use burgess_simulation::collision_solver::SequentialImpulses;
use burgess_simulation::modules::Modules;
use burgess_simulation::time_control::Backtracking;
use burgess_simulation::{
    ColliderSpec, FreeMotion, ImpulseSettings, Paradigm, Simulation, WorldBuilder, impulse_stage,
};
use glam::DVec3;
use worlds::{at, ball, bouncing, brick_wall, cuboid, ground, smallest_distance};

fn simulate(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    Paradigm::Impulse.simulate(world, state, step).unwrap()
}

/// Backtracking in place of conservative advancement.
fn backtrack(builder: WorldBuilder, step: f64) -> Simulation {
    let (world, state) = builder.build().unwrap();
    let settings = ImpulseSettings::default();
    let (stage, envelope) = impulse_stage(world, state, &settings).unwrap();
    let collisions = Box::new(SequentialImpulses::new(&stage, settings.law, envelope));
    let time_control = Box::new(Backtracking::new(&stage, envelope.epsilon, 0.0, 100_000));
    let modules = Modules { motion: Box::new(FreeMotion::new(&stage)), collisions: Some(collisions) };
    Simulation::with_modules(stage, time_control, modules, step)
}

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
    for (name, make) in [("advance", simulate as fn(WorldBuilder, f64) -> Simulation), ("go back", backtrack)] {
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
    for (name, make) in [("advance", simulate as fn(WorldBuilder, f64) -> Simulation), ("go back", backtrack)] {
        let mut simulation = make(rod_and_pillar(), 1.0 / 60.0);
        let (mut nearest, mut impulses) = (f64::INFINITY, 0);
        while simulation.state().time < 1.0 {
            simulation.step().unwrap();
            impulses += simulation.statistics().impulses;
            nearest = nearest.min(smallest_distance(&mut simulation));
        }
        println!("{name}: {nearest} {impulses}");
        assert!(impulses > 0, "{name}: missed");
        assert!(nearest > 0.0, "{name}: {nearest}");
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
    for (name, make) in [("advance", simulate as fn(WorldBuilder, f64) -> Simulation), ("go back", backtrack)] {
        let mut simulation = make(arm(), 1.0 / 60.0);
        let (mut nearest, mut impulses, mut subs) = (f64::INFINITY, 0, 0);
        let start = std::time::Instant::now();
        while simulation.state().time < 3.0 {
            simulation.step().unwrap();
            impulses += simulation.statistics().impulses;
            subs += simulation.statistics().sub_steps;
            nearest = nearest.min(smallest_distance(&mut simulation));
        }
        println!("{name}: {nearest} {impulses} {subs} {:?} {:?}", simulation.state().q, start.elapsed());
        assert!(impulses > 0, "{name}: missed");
        assert!(nearest > -1e-3, "{name}: {nearest}");
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
        println!("{step}: {most} then {:?}", simulation.state());
        assert!(most < 0.701 && simulation.state().q[0] > 0.69, "{most}");
    }
}

#[test]
fn restored_snapshots_go_on_to_the_same_bits() {
    let worlds: [fn() -> WorldBuilder; 4] = [brick_wall, bullet, rod_and_pillar, arm];
    for (index, world) in worlds.into_iter().enumerate() {
        for make in [simulate as fn(WorldBuilder, f64) -> Simulation, backtrack] {
            if index == 0 && make as usize == backtrack as usize {
                continue;
            }
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
                simulation.restore(snapshot);
                while simulation.steps() < 24 {
                    simulation.step().unwrap();
                }
                assert_eq!(simulation.state_hash(), hash, "world {index} from step {}", snapshot.steps);
                // And in a simulation that knows nothing else.
                let mut fresh = make(world(), 1.0 / 120.0);
                fresh.restore(snapshot);
                while fresh.steps() < 24 {
                    fresh.step().unwrap();
                }
                assert_eq!(fresh.state_hash(), hash, "world {index} fresh from step {}", snapshot.steps);
            }
        }
    }
}
