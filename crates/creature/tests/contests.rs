//! Contests: starting positions, sides, measures of both creatures, matches.

use crate::common::{creature, hinge, part, still_box, walker, wave};
use burgess_creature::evaluation::{
    Decision, EvaluationOptions, FaultReason, MatchError, MatchSettings, Outcome, Record, Side, TrialPreview,
    evaluate_contest, evaluate_contest_of_phenotypes, evaluate_on_side, evaluate_phenotype, play_match,
};
use burgess_creature::store::CreatureFile;
use burgess_creature::task::{Formula, Measure, Task, Variation};
use burgess_creature::{Body, Family, GenomeSettings, PartShape, Phenotype, Random, Unviable, builtin};
use burgess_geometry::Pose;
use burgess_scene::RunOptions;
use burgess_scene::recording::RecordingReader;
use glam::DVec3;

fn contest() -> Task {
    Task { variation: Variation::NONE, ..Task::preset("contest").unwrap() }
}

/// A tower with this height and a knob on top, which cannot stand for long if it is tilted.
fn tower(height: f64) -> Phenotype {
    let in_parent = Pose::from_translation(DVec3::new(0.0, 0.0, 0.5 * height));
    let on = hinge(in_parent, Pose::from_translation(DVec3::new(0.0, 0.0, -0.02)), DVec3::Y, 0.1, 0.001);
    let trunk = PartShape::Box(DVec3::new(0.03, 0.1, 0.5 * height));
    creature(vec![part(trunk, None), part(PartShape::Sphere(0.02), Some(on))], vec![wave(0.0, 1.0, 0.0)])
}

#[test]
fn the_taller_a_creature_is_the_farther_back_it_starts() {
    // The front of a creature is at the starting line plus its height: 0.5 m and the height, from the middle.
    let task = contest();
    let options = EvaluationOptions { motionless: true, ..EvaluationOptions::default() };
    for height in [0.6, 1.2] {
        // Without settling the creature is measured where it is placed; the knob makes it 0.04 m taller.
        let placed = evaluate_phenotype(&tower(height), &Task { settle: 0.0, ..task.clone() }, 1, &options);
        let front = placed.measures[Measure::CubeGap];
        // The gap is to the surface of the cube, which is 0.15 m from the middle.
        assert!((front - (0.5 + height + 0.04 - 0.15)).abs() < 1e-6, "{height}: {front}");
    }
}

#[test]
fn a_tower_does_not_reach_the_cube_by_falling_on_it() {
    let mut task = contest();
    // Tilted towards the cube or away from it, depending on the seed.
    task.variation.tilt = 0.3;
    let mut fell = 0;
    for seed in 0..8 {
        let fallen = evaluate_phenotype(&tower(1.2), &task, seed, &EvaluationOptions::default());
        assert!(fallen.outcome.is_scored(), "{:?}", fallen.outcome);
        fell += usize::from(fallen.measures[Measure::MaxHighest] < 0.6);
        assert!(fallen.measures[Measure::LeastCubeGap] > 0.2, "{}", fallen.measures[Measure::LeastCubeGap]);
    }
    assert!(fell > 0);
}

/// Two sleds slide towards positive x while they settle: that of the first side towards the middle.
fn sloped_contest() -> Task {
    let mut task = contest();
    task.arena.friction = 0.0.into();
    task.arena.gravity[0] = 1.0.into();
    task
}

#[test]
fn a_creature_that_crosses_its_line_while_it_settles_cannot_start() {
    let task = sloped_contest();
    let sled = still_box(DVec3::new(0.3, 0.15, 0.1));
    let meet = |task: &Task| evaluate_contest_of_phenotypes(&sled, &sled, task, 1, &EvaluationOptions::default());
    let [first, second] = meet(&task);
    let Outcome::Unviable(Unviable::CrossedLine { beyond }) = first.outcome else { panic!("{:?}", first.outcome) };
    // 2 s with 1 m/s^2, from its own height behind the line: two half extents and a knob of 0.06 m.
    assert!((beyond - (2.0 - 0.26)).abs() < 0.02, "{beyond}");
    // The second slides away from the middle. It meets its limp twin, which may cross the line.
    assert!(second.outcome.is_scored(), "{:?}", second.outcome);
    // With a slope to the other side, it is the second that crosses.
    let mut other = task.clone();
    other.arena.gravity[0] = (-1.0).into();
    let [first, second] = meet(&other);
    assert!(first.outcome.is_scored(), "{:?}", first.outcome);
    assert!(matches!(second.outcome, Outcome::Unviable(Unviable::CrossedLine { .. })), "{:?}", second.outcome);
    // With less time both stay behind the line: half a metre per square second times the square of 0.5 s.
    assert!(meet(&Task { settle: 0.5, ..task }).iter().all(|one| one.outcome.is_scored()));
}

#[test]
fn a_creature_that_crosses_its_line_loses_the_trial_of_a_match() {
    let sled = still_box(DVec3::new(0.3, 0.15, 0.1));
    let played = play_match([&sled, &sled], &sloped_contest(), &MatchSettings::default(), |_| ()).unwrap();
    assert_eq!(played.score_by_side(), [Some(0.0), Some(1.0)]);
    let fault = played.trials[0].fault.as_ref().unwrap();
    assert_eq!(fault.reason, FaultReason::CrossedLine);
    assert!(fault.message.ends_with("m over its starting line while it settles"), "{}", fault.message);
}

#[test]
fn a_round_body_that_rolls_to_the_cube_while_it_settles_loses() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/creatures/roller.json");
    let task = Task::preset("contest").unwrap();
    let roller = CreatureFile::read(file).unwrap().genome.grow(&task.physiology).unwrap();
    let settings = MatchSettings::default();
    let played = play_match([&roller, &walker()], &task, &settings, |_| ()).unwrap();
    assert_eq!(played.score(), Some(0.0));
    // With more time it touches the cube, and is refused then.
    let long = Task { settle: 8.0, ..task.clone() };
    let refused = evaluate_phenotype(&roller, &long, 1, &EvaluationOptions::default());
    assert!(matches!(refused.outcome, Outcome::Unviable(Unviable::CrossedLine { .. })), "{:?}", refused.outcome);
    assert!((refused.steps as f64) * task.step < 7.5, "{} steps", refused.steps);
    // If both cross their lines at the same time, nobody wins.
    let task = Task { variation: Variation::NONE, ..task };
    let played = play_match([&roller, &roller], &task, &settings, |_| ()).unwrap();
    assert!(played.trials.iter().all(|trial| trial.fault.is_some() && trial.decision == Decision::Drawn));
}

#[test]
fn nobody_is_beyond_the_starting_line_when_a_trial_begins() {
    let task = Task::preset("contest").unwrap();
    let options = EvaluationOptions { motionless: true, ..EvaluationOptions::default() };
    // From the middle to the line, and to the surface of the cube.
    let least = 0.5 - 0.15;
    let (mut scored, mut crossed) = (0, 0);
    for seed in 0..60 {
        let family = if seed % 2 == 0 { Family::Legged } else { Family::Graph };
        let genome = family.random(&GenomeSettings::default(), &mut Random::new(seed));
        for side in Side::ALL {
            let [found, _] = evaluate_on_side(&genome, None, side, &task, seed, &options);
            match found.outcome {
                Outcome::Scored => {
                    scored += 1;
                    let gap = found.measures[Measure::LeastCubeGap];
                    assert!(gap >= least, "{seed} {side:?}: {gap}");
                }
                Outcome::Unviable(Unviable::CrossedLine { .. }) => crossed += 1,
                _ => {}
            }
        }
    }
    assert!(scored > 80 && crossed < 12, "{scored} {crossed}");
}

#[test]
fn standing_still_scores_the_same_on_both_sides_of_every_contest() {
    for name in ["contest", "sumo", "ball-game"] {
        let task = Task { variation: Variation::NONE, ..Task::preset(name).unwrap() };
        let still = still_box(DVec3::new(0.3, 0.15, 0.1));
        let [first, second] = evaluate_contest_of_phenotypes(&still, &still, &task, 1, &EvaluationOptions::default());
        assert!((first.fitness - 1.0).abs() < 1e-3, "{name}: {}", first.fitness);
        assert!((second.fitness - 1.0).abs() < 1e-3, "{name}: {}", second.fitness);
        assert_eq!((first.measures[Measure::Side], second.measures[Measure::Side]), (0.0, 1.0), "{name}");
    }
}

#[test]
fn the_fitness_of_both_sides_adds_up_to_two() {
    for name in ["contest", "sumo", "tag", "ball-game"] {
        let task = Task { duration: 3.0, ..Task::preset(name).unwrap() };
        let bystander = still_box(DVec3::new(0.3, 0.15, 0.1));
        let found = evaluate_contest_of_phenotypes(&walker(), &bystander, &task, 1, &EvaluationOptions::default());
        let [first, second] = found.map(|one| {
            assert!(one.outcome.is_scored(), "{name}: {:?}", one.outcome);
            one.fitness
        });
        assert!((first + second - 2.0).abs() < 1e-9, "{name}: {first} {second}");
    }
}

/// A long sled that is pushed by nothing: gravity along x moves it, so that its motion is known.
fn sliding(pull: f64) -> Task {
    let mut task = Task::preset("sumo").unwrap();
    (task.variation, task.settle, task.duration) = (Variation::NONE, 0.0, 2.0);
    task.arena.friction = 0.0.into();
    task.arena.gravity[0] = pull.into();
    task
}

#[test]
fn the_time_in_the_ring_is_that_of_free_sliding() {
    // Half extents 0.3 and 0.1 and a knob of 0.06 m: the middle starts at 0.1 + 0.26 + 0.3 = 0.66 m from the centre.
    let still = still_box(DVec3::new(0.3, 0.15, 0.1));
    let found = evaluate_contest_of_phenotypes(&still, &still, &sliding(2.0), 1, &EvaluationOptions::default());
    let [first, second] = found.map(|one| one.measures);
    // The second slides out after sqrt(2 (2.5 - 0.66) / 2) s, the first stays within the ring: it slides by 4 m from
    // -0.66 m, so it leaves on the other side after sqrt(2 (2.5 + 0.66) / 2) s. Samples are 1/60 s apart.
    let leaves = |distance: f64| (distance).sqrt();
    assert!((second[Measure::RingTime] - leaves(1.84)).abs() < 0.02, "{}", second[Measure::RingTime]);
    assert!((first[Measure::RingTime] - leaves(3.16)).abs() < 0.02, "{}", first[Measure::RingTime]);
    assert!((second[Measure::RingDistance] - 4.66).abs() < 0.02, "{}", second[Measure::RingDistance]);
    // They keep their distance: twice 0.36 m.
    assert!((first[Measure::MeanOpponentGap] - 0.72).abs() < 0.01, "{}", first[Measure::MeanOpponentGap]);
    assert_eq!(first[Measure::CatchTime], 2.0);
}

#[test]
fn a_ball_that_rolls_advances_for_one_side_and_retreats_for_the_other() {
    let mut task = Task::preset("ball-game").unwrap();
    (task.variation, task.settle, task.duration) = (Variation::NONE, 0.0, 0.5);
    task.arena.gravity[0] = 0.7.into();
    let still = still_box(DVec3::new(0.3, 0.15, 0.1));
    let found = evaluate_contest_of_phenotypes(&still, &still, &task, 1, &EvaluationOptions::default());
    let [first, second] = found.map(|one| one.measures[Measure::BallAdvance]);
    // A sphere that rolls without slipping has 5/7 of the acceleration: 0.5 x 0.5 m/s^2 x (0.5 s)^2.
    assert!((first - 0.0625).abs() < 2e-3, "{first}");
    assert_eq!(second, -first);
}

#[test]
fn formulas_use_the_measures_of_the_opponent() {
    let mut task = Task { duration: 2.0, ..contest() };
    task.fitness = Formula::parse("10 + opponent_forward").unwrap();
    let bystander = still_box(DVec3::new(0.3, 0.15, 0.1));
    let [one, other] = evaluate_contest_of_phenotypes(&walker(), &bystander, &task, 1, &EvaluationOptions::default());
    assert!((other.fitness - (10.0 + one.measures[Measure::Forward])).abs() < 1e-12);
    assert!(other.fitness > 10.2 && (one.fitness - 10.0).abs() < 0.1, "{} {}", one.fitness, other.fitness);
}

#[test]
fn a_match_swaps_sides_and_gives_the_same_hash_every_time() {
    let task = Task { duration: 2.0, ..Task::preset("contest").unwrap() };
    let bystander = still_box(DVec3::new(0.3, 0.15, 0.1));
    let record = Some(Record { trial: 1, rate: 30.0 });
    let settings = MatchSettings { pairs: 2, seed: 7, record };
    let played = play_match([&walker(), &bystander], &task, &settings, |_| ()).unwrap();
    let sides: Vec<Side> = played.trials.iter().map(|trial| trial.side_of_a).collect();
    assert_eq!(sides, [Side::First, Side::Second, Side::First, Side::Second]);
    assert_eq!([Decision::Won, Decision::Lost, Decision::Drawn].map(|one| played.count(one)), [4, 0, 0]);
    assert_eq!(played.score(), Some(1.0));
    let [a, b] = played.mean_fitness();
    assert!((a + b - 2.0).abs() < 1e-9 && a > b);
    // The other creature is A: everything is reversed.
    let reversed = play_match([&bystander, &walker()], &task, &settings, |_| ()).unwrap();
    assert_eq!(reversed.count(Decision::Lost), 4);
    assert_eq!(reversed.trials[1].fitness, [played.trials[0].fitness[1], played.trials[0].fitness[0]]);
    let again = play_match([&walker(), &bystander], &task, &settings, |_| ()).unwrap();
    assert_eq!(again.state_hash(), played.state_hash());
    let other_seed = MatchSettings { seed: 8, ..settings };
    let other = play_match([&walker(), &bystander], &task, &other_seed, |_| ()).unwrap();
    assert_ne!(other.state_hash(), played.state_hash());
    // The recording has both creatures; A is on the second side.
    let reader = RecordingReader::new(std::io::Cursor::new(played.recording.unwrap())).unwrap();
    let names: Vec<&str> = reader.header().bodies.iter().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "cube",
            "part0",
            "part1",
            "opponent-part0",
            "opponent-part1",
            "opponent-part2",
            "opponent-part3",
            "opponent-part4"
        ]
    );
}

#[test]
fn turning_the_arena_does_not_change_the_result() {
    // A creature walks to the cube from either side. The motion is chaotic, so only the outcome is compared.
    let task = Task { duration: 4.0, ..contest() };
    let settings = MatchSettings { pairs: 3, ..MatchSettings::default() };
    let bystander = still_box(DVec3::new(0.3, 0.15, 0.1));
    let played = play_match([&walker(), &bystander], &task, &settings, |_| ()).unwrap();
    for pair in played.trials.chunks(2) {
        let [left, right] = [pair[0].fitness[0], pair[1].fitness[0]];
        assert!((left - right).abs() < 0.1, "{left} {right}");
    }
}

#[test]
fn matches_that_cannot_be_played_are_refused() {
    let settings = MatchSettings::default();
    let walk = Task::preset("walk").unwrap();
    let refused = play_match([&walker(), &walker()], &walk, &settings, |_| ()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the task 'walk' has no sides, because it has no [contest]; choose a contest, such as 'contest'"
    );
    let none = Phenotype { body: Body::default(), ..walker() };
    let refused = play_match([&walker(), &none], &contest(), &settings, |_| ()).unwrap_err();
    assert!(matches!(refused, MatchError::CannotStart { creature: 1, .. }), "{refused}");
    assert!(refused.to_string().starts_with("the creature 'B' cannot start: "), "{refused}");
    let endless = MatchSettings { pairs: 0, ..settings };
    assert_eq!(play_match([&walker(), &walker()], &contest(), &endless, |_| ()).unwrap_err(), MatchError::Pairs(0));
}

#[test]
fn a_preview_shows_both_creatures_in_the_colours_of_their_sides() {
    let genome = |name: &str| builtin::find(name).unwrap().genome();
    let (own, other) = (genome("quadruped"), genome("walker"));
    let task = Task { duration: 1.0, settle: 0.5, ..Task::preset("contest").unwrap() };
    for side in Side::ALL {
        let (first, second) = if side == Side::First { (&own, &other) } else { (&other, &own) };
        let evaluations = evaluate_contest(first, second, &task, 3, &EvaluationOptions::default());
        let trial = &evaluations[side.index()].trials[0];
        let preview = TrialPreview::against(&own, Some(&other), side, &task, 3).unwrap();
        let mut simulation = preview.run(&RunOptions::default()).unwrap().simulation;
        simulation.run(trial.seconds).unwrap();
        assert_eq!(simulation.state_hash(), trial.state_hash, "{side:?}");
        assert_eq!(preview.phenotype().body.parts.len(), own.grow(&task.physiology).unwrap().body.parts.len());
        // The memory of both controllers, each with a target, outputs, senses and a brain.
        let memory = |one: &Phenotype| {
            1 + one.body.axes() + one.body.parts.len() * burgess_creature::senses::Sense::COUNT + one.brain.memory()
        };
        let [own_memory, other_memory] = [&own, &other].map(|genome| memory(&genome.grow(&task.physiology).unwrap()));
        assert_eq!(preview.memory_after_own(), if side == Side::First { other_memory } else { 0 });
        assert_eq!(simulation.data().controllers.memory().high_level.len(), own_memory + other_memory);
        let root = &preview.scene().bodies[preview.root()];
        assert_eq!(root.name, ["part0", "opponent-part0"][side.index()]);
        let of_first = |name: &str| name.starts_with("part");
        for body in preview.scene().bodies.iter().filter(|body| body.name.contains("part")) {
            let color = body.color.unwrap();
            // The first side is blue, the second orange.
            assert_eq!(color.z > color.x, of_first(&body.name), "{}: {color}", body.name);
        }
    }
    // The ball and the cube are green, which is the colour of no side.
    for (name, object) in [("ball-game", "ball"), ("contest", "cube")] {
        let preview = TrialPreview::new(&own, &Task::preset(name).unwrap(), 3).unwrap();
        let color = preview.scene().bodies.iter().find(|body| body.name == object).unwrap().color.unwrap();
        assert!(color.y > color.x && color.y > color.z, "{object}: {color}");
    }
    // Without an opponent there is a limp twin.
    let alone = TrialPreview::new(&own, &task, 3).unwrap();
    let parts = own.grow(&task.physiology).unwrap().body.parts.len();
    assert_eq!(alone.scene().bodies.iter().filter(|body| body.name.contains("part")).count(), 2 * parts);
}
