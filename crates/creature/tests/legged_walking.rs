//! The handmade four- and six-legged creatures grow, stand and walk.

use burgess_creature::develop::{Placement, develop};
use burgess_creature::evaluation::evaluate;
use burgess_creature::legged::{Gait, LeggedGenome, handmade};
use burgess_creature::task::Task;
use burgess_creature::{AnyGenome, Body, CreatureController, Genome, Physiology, Target};
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::spec::SceneSpec;
use glam::DVec3;

fn body(genome: &LeggedGenome) -> Body {
    genome.grow(&Physiology::default()).unwrap().body
}

/// The far end of a segment in the frame of the trunk.
fn end(body: &Body, part: usize) -> DVec3 {
    let part = &body.parts[part];
    part.pose.transform_point(DVec3::Z * part.shape.half_length())
}

#[test]
fn legs_are_at_the_sides() {
    for (genome, pairs) in [(handmade::quadruped(), 2), (handmade::hexapod(), 3)] {
        genome.validate().unwrap();
        let body = body(&genome);
        assert_eq!(body.parts.len(), 1 + 4 * pairs);
        let places: Vec<f64> = (0..pairs).map(|pair| end(&body, 2 + 4 * pair).x).collect();
        assert!(places.is_sorted_by(|a, b| a > b), "from front to rear: {places:?}");
        for pair in 0..pairs {
            let [knee, foot] = [1, 2].map(|part| end(&body, part + 4 * pair));
            let [left_knee, left_foot] = [3, 4].map(|part| end(&body, part + 4 * pair));
            assert!(knee.y < -0.15 && left_knee.y > 0.15, "knees stand off: {knee} and {left_knee}");
            assert!((foot.z - left_foot.z).abs() < 1e-12 && foot.z < -0.25, "feet are down: {foot}");
            // Lower segments are upright.
            assert!((foot.y - knee.y).abs() < 1e-9 && (foot.x - knee.x).abs() < 1e-9);
        }
        // All feet are in one plane.
        let lowest = body.parts.iter().map(|part| part.shape.bounds(&part.pose)[0].z).fold(f64::INFINITY, f64::min);
        assert!((lowest - end(&body, 2).z).abs() < 1e-9);
    }
}

#[test]
fn they_walk() {
    let task = Task::preset("walk").unwrap();
    for (genome, lengths) in [(handmade::quadruped(), 6.0), (handmade::hexapod(), 4.0)] {
        let length = body(&genome).length();
        let evaluation = evaluate(&AnyGenome::Legged(genome), &task, 1);
        assert!(evaluation.outcome.is_scored(), "{:?}", evaluation.outcome);
        // From 2 s to 12 s.
        let walked = evaluation.fitness / length;
        println!("{walked:.2} body lengths of {length:.2} m in 10 s");
        assert!(walked > lengths, "{walked} body lengths");
    }
}

#[test]
fn hopping_limbs_move_as_mirror_images() {
    let mut genome = handmade::hexapod();
    genome.limb_pairs.iter_mut().for_each(|pair| pair.gait = Gait::Hopping);
    let physiology = Physiology::default();
    let phenotype = genome.grow(&physiology).unwrap();
    let mut scene = SceneSpec::new("floating", "Nothing but the creature.");
    scene.gravity = DVec3::ZERO;
    let developed = develop(&phenotype.body, &physiology, &Placement::new(Pose::IDENTITY), &mut scene);
    let mut running = scene.run(".", &RunOptions::default()).unwrap();
    CreatureController::new(&phenotype, &developed, &physiology, 0.0, Target::None, &running).add_to(&mut running);
    running.simulation.run(2.0).unwrap();
    let (trunk, angles) = running.simulation.state().q.split_at(7);
    assert!(angles.iter().any(|angle| angle.abs() > 0.2), "nothing moves: {angles:?}");
    for limbs in angles.chunks(4) {
        // Rounding, carried on over 480 steps.
        assert!((limbs[0] - limbs[2]).abs() < 1e-9 && (limbs[1] - limbs[3]).abs() < 1e-9, "{limbs:?}");
    }
    // No lateral motion, roll or yaw: the plane of symmetry stays.
    assert!(trunk[1].abs() < 1e-9 && trunk[3].abs() < 1e-9 && trunk[5].abs() < 1e-9, "{trunk:?}");
}

#[test]
fn they_are_described() {
    let description = handmade::hexapod().describe();
    assert!(
        description.starts_with("a six-legged creature") && description.contains("all by one clock of 1.60 Hz"),
        "{description}"
    );
    assert_eq!(description.lines().count(), 5);
}
