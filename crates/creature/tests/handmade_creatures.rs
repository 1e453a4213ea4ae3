//! The handmade graph creatures walk, swim and jump.

use burgess_creature::develop::{Placement, develop};
use burgess_creature::graph::GraphGenome;
use burgess_creature::graph::handmade::{centipede, jumper, swimmer, walker};
use burgess_creature::{CreatureController, Genome, Physiology, Target};
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::spec::{BodySpec, FluidSpec, QuadraticFluid, SceneSpec, ShapeSpec};
use glam::DVec3;

/// The arena of a creature.
enum World {
    Ground,
    Water,
}

/// Position of a creature at one time, in m.
struct Moment {
    /// Middle of the root.
    root: DVec3,
    /// Height of the lowest point.
    clearance: f64,
}

/// Returns twenty samples per second for 12 s, of which the first two are without effort, and the body's length.
fn run(genome: &GraphGenome, world: World) -> (Vec<Moment>, f64) {
    let physiology = Physiology::default();
    let phenotype = genome.grow(&physiology).unwrap();
    let mut scene = SceneSpec::new("creature", "Moves.");
    let lowest = phenotype.body.parts.iter().map(|part| part.shape.bounds(&part.pose)[0].z).fold(0.0, f64::min);
    match world {
        World::Ground => scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()])),
        World::Water => {
            scene.gravity = DVec3::ZERO;
            let water = QuadraticFluid { density: 1000.0, coefficient: 1.0, current: DVec3::ZERO };
            scene.fluid = Some(FluidSpec::Quadratic(water));
        }
    }
    let placement = Placement::new(Pose::from_translation(DVec3::Z * (0.002 - lowest)));
    let developed = develop(&phenotype.body, &physiology, &placement, &mut scene);
    let mut running = scene.run(".", &RunOptions::default()).unwrap();
    CreatureController::new(&phenotype, &developed, &physiology, 2.0, Target::None, &running).add_to(&mut running);
    let mut track = Vec::new();
    for tick in 1..=240 {
        running.simulation.run(0.05 * f64::from(tick)).unwrap();
        running.simulation.data_mut().update_kinematics();
        let at = |part: usize| running.body_pose(developed.first_body + part).unwrap();
        let parts = phenotype.body.parts.iter().enumerate();
        let clearance = parts.map(|(index, part)| part.shape.bounds(&at(index))[0].z).fold(f64::INFINITY, f64::min);
        track.push(Moment { root: at(0).translation, clearance });
    }
    (track, phenotype.body.length())
}

/// Returns the displacement of the root in 10 s of effort, in m.
fn displacement(track: &[Moment]) -> DVec3 {
    track[239].root - track[39].root
}

#[test]
fn the_walker_walks_several_times_its_length() {
    // Gaits with contacts are chaotic, so similar bodies are tested, too.
    for larger in [1.0, 1.002, 1.004] {
        let mut genome = walker();
        genome.nodes[0].size.x *= larger;
        let (track, length) = run(&genome, World::Ground);
        let displacement = displacement(&track);
        println!("{displacement}, {length} m long");
        // It steers only by sensing its rotation, so it may drift sideways, but it moves ahead.
        assert!(displacement.length() > 6.0 * length && displacement.x > 0.7 * displacement.length(), "{displacement}");
        assert!(track[40..].iter().all(|moment| moment.root.z > 0.1 && moment.clearance < 0.05), "on its feet");
    }
}

#[test]
fn the_centipede_walks_its_length() {
    // Gaits with contacts are chaotic, so similar bodies are tested, too. Nothing steers them: each may turn to a side, but
    // together they walk ahead.
    let mut mean = DVec3::ZERO;
    for larger in [1.0, 1.002, 1.004, 1.006, 1.008] {
        let mut genome = centipede();
        genome.nodes[0].size.x *= larger;
        let (track, length) = run(&genome, World::Ground);
        let displacement = displacement(&track);
        println!("{displacement}, {length} m long");
        assert!(displacement.length() > length && displacement.x > 0.0, "{displacement}");
        mean += displacement / 5.0;
    }
    assert!(mean.x > 0.7 * mean.length(), "{mean}");
}

#[test]
fn the_swimmer_swims_straight_ahead() {
    let (track, length) = run(&swimmer(), World::Water);
    let displacement = displacement(&track);
    println!("{displacement}, {length} m long");
    assert!(
        displacement.x > 1.5 * length && displacement.y.abs() < 0.3 * displacement.x && displacement.z.abs() < 0.01,
        "{displacement}"
    );
}

#[test]
fn the_jumper_leaves_the_ground_again_and_again() {
    let (track, _) = run(&jumper(), World::Ground);
    let highest = |seconds: std::ops::Range<usize>| {
        let moments = &track[20 * seconds.start..20 * seconds.end];
        moments.iter().map(|moment| moment.clearance).fold(0.0, f64::max)
    };
    let jumps: Vec<f64> = (2..12).step_by(2).map(|second| highest(second..second + 2)).collect();
    println!("{jumps:?}");
    assert!(jumps.iter().all(|&height| height > 0.15), "{jumps:?}");
    assert!(track.iter().all(|moment| moment.root.truncate().length() < 0.2), "straight up");
}
