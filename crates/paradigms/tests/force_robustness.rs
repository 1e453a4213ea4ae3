//! Force-level paradigms end any random scene with a state or an error, never with a panic or a gain of energy. Warm
//! steps do not allocate.

use crate::force_support::*;
use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, JointSpec};
use burgess_geometry::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Sphere};
use burgess_geometry::{Pose, Shape};
use burgess_paradigms::constraint_solver::{AnalyticalSettings, ForceMethod};
use burgess_paradigms::{Paradigm, UpdateStrategy, analytical};
use burgess_simulation::{ColliderSpec, ConstraintKind, Material, Simulation, WorldBuilder};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const STEP: f64 = 1.0 / 240.0;
const FORCES: [Paradigm; 3] = [Paradigm::Analytical, Paradigm::Penalty, Paradigm::Hybrid];

fn random_vector(random: &mut Pcg64, size: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.random_range(-size..size)))
}

fn random_shape(random: &mut Pcg64) -> Shape {
    let size = |random: &mut Pcg64| random.random_range(0.05..0.15);
    match random.random_range(0..6) {
        0 => Shape::Sphere(Sphere::new(size(random)).unwrap()),
        1 => Shape::Capsule(Capsule::new(size(random), size(random)).unwrap()),
        2 => Shape::Cylinder(Cylinder::new(size(random), size(random)).unwrap()),
        3 => Shape::Cone(Cone::new(size(random), size(random)).unwrap()),
        4 => Shape::Ellipsoid(Ellipsoid::new(DVec3::new(size(random), size(random), size(random))).unwrap()),
        _ => Shape::Cuboid(Cuboid::new(DVec3::new(size(random), size(random), size(random))).unwrap()),
    }
}

/// A few bodies of all kinds that fall on each other, one of them with an arm; some tied together.
fn random_scene(random: &mut Pcg64, tied: bool) -> WorldBuilder {
    let mut builder = WorldBuilder::new();
    let friction = random.random_range(0.0..1.0);
    let restitution = random.random_range(0.0..0.6);
    builder.default_material(Material { friction, restitution, ..Material::default() });
    builder.fixed(ground());
    let mut bodies = Vec::new();
    for k in 0..4 {
        let place = DVec3::new(0.0, 0.0, 0.5 + 0.7 * f64::from(k)) + random_vector(random, 0.05);
        let pose = Pose::new(DQuat::from_scaled_axis(random_vector(random, 3.0)), place);
        let shape = ColliderSpec::new(random_shape(random));
        let body = builder.body(&format!("body {k}"), pose, [shape]).unwrap();
        builder.set_velocity(body, Motion::new(random_vector(random, 5.0), random_vector(random, 1.0)));
        bodies.push(body);
    }
    let joint = JointSpec::revolute(random_vector(random, 1.0).normalize())
        .in_parent(Pose::from_translation(DVec3::X * 0.2))
        .with(AxisProperties { limit: Some((-0.5, 0.5)), friction: 0.05, ..AxisProperties::default() });
    let arm = cuboid(DVec3::new(0.1, 0.03, 0.03)).at(Pose::from_translation(DVec3::X * 0.12));
    builder.link("arm", Some(bodies[0]), joint, None, [arm]).unwrap();
    if tied {
        let at = Pose::IDENTITY;
        builder.constraint(ConstraintKind::Rope { length: 1.6 }, (Some(bodies[1]), at), (Some(bodies[3]), at));
    }
    builder
}

#[test]
fn random_scenes_end_well() {
    let mut random = Pcg64::seed_from_u64(7);
    let mut failures = Vec::new();
    for round in 0..6 {
        for paradigm in FORCES {
            let tied = round % 2 == 0 && paradigm != Paradigm::Hybrid;
            let (world, state) = random_scene(&mut random, tied).build().unwrap();
            // Springs have to be stiff enough to stop what falls.
            let step = if paradigm == Paradigm::Penalty { 0.25 * STEP } else { STEP };
            let mut simulation = paradigm.simulate(world, state, step).unwrap();
            let start = simulation.energy();
            while simulation.state().time < 0.9 {
                if let Err(failure) = simulation.step() {
                    failures.push(format!("{} in round {round}: {failure}", paradigm.name()));
                    break;
                }
                let energy = simulation.energy();
                if energy > 1.05 * start + 0.1 {
                    failures.push(format!("{} in round {round}: {energy} J of {start} J", paradigm.name()));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn steps_of_resting_bodies_allocate_nothing() {
    // Round shapes: polyhedra that just touch may need the narrow phase's fallback, which allocates.
    let scene = || ball_in_groove(0.5).build().unwrap();
    let mut simulations: Vec<(String, Simulation)> = Vec::new();
    for paradigm in FORCES {
        let (world, state) = scene();
        simulations.push((paradigm.name().to_string(), paradigm.simulate(world, state, STEP).unwrap()));
    }
    for method in [ForceMethod::GaussSeidel, ForceMethod::Arnold] {
        let (world, state) = scene();
        let settings = AnalyticalSettings { method, ..AnalyticalSettings::default() };
        let simulation = analytical(world, state, STEP, settings, UpdateStrategy::Eager).unwrap();
        simulations.push((format!("{method:?}"), simulation));
    }
    for (name, simulation) in &mut simulations {
        simulation.run(0.3).unwrap();
        let used = allocation_counter::measure(|| {
            for _ in 0..20 {
                simulation.step().unwrap();
            }
        });
        assert_eq!(used.count_total, 0, "{name}");
    }
}
