//! Evaluations of handmade creatures: closed forms, settling, early stops, faults, recordings.

use crate::common::{still_box, tapper, walker};
use burgess_creature::evaluation::{
    Evaluation, EvaluationOptions, FaultReason, Outcome, Record, Stopped, evaluate_contest_of_phenotypes,
    evaluate_phenotype,
};
use burgess_creature::task::{Amount, Formula, Ground, Measure, Task, Variation};
use burgess_creature::{Phenotype, Unviable};
use burgess_paradigms::Paradigm;
use burgess_scene::recording::{Frame, RecordingReader};
use glam::DVec3;

fn tried(phenotype: &Phenotype, task: &Task, seed: u64) -> Evaluation {
    evaluate_phenotype(phenotype, task, seed, &EvaluationOptions::default())
}

fn scored(phenotype: &Phenotype, task: &Task) -> Evaluation {
    let evaluation = tried(phenotype, task, 1);
    assert!(evaluation.outcome.is_scored(), "{:?}", evaluation.outcome);
    evaluation
}

/// A task with constant gravity, in m/s^2, and nothing else, for 2 s.
fn falling(pull: DVec3) -> Task {
    let text = "
        name = 'falling'
        fitness = 'distance'
        settle = 0
        duration = 2
        transient = 0.5
        arena = { ground = 'none' }
        ball = { position = [0, 5, 0], from = 'root' }
        target = { at = 'places', places = [[0.5, 0.2, -0.3], [10, 4, -6]], radius = 0.1 }
    ";
    let mut task = Task::from_toml(text, "falling.toml").unwrap();
    task.variation = Variation::NONE;
    task.arena.gravity = pull.to_array().map(Amount::Number);
    task
}

#[test]
fn foot_clearance_is_the_median_lift_of_feet() {
    let task = |fitness: &str, more: &str| {
        let text = format!("name = 'tap'\nfitness = '{fitness}'\nduration = 5\n{more}");
        Task { variation: Variation::NONE, ..Task::from_toml(&text, "tap.toml").unwrap() }
    };
    let tapper = tapper([0.25, 0.5, 1.0]);
    let plain = scored(&tapper, &task("1", ""));
    assert_eq!(plain.measures[Measure::FootClearance], 0.0, "it is computed on request only");
    let requested = scored(&tapper, &task("1", "extra_measures = ['foot_clearance']"));
    let clearance = requested.measures[Measure::FootClearance];
    // The box lies on the ground all the time and is no foot. Springs yield by a few mm.
    assert!((clearance - 0.2 * libm::sin(0.5)).abs() < 3e-3, "{clearance}");
    let used = scored(&tapper, &task("foot_clearance", ""));
    assert_eq!((used.fitness, used.measures), (clearance, requested.measures));
    // Nothing else depends on the request.
    let mut rest = requested.measures;
    rest[Measure::FootClearance] = 0.0;
    assert_eq!((rest, requested.trials[0].state_hash), (plain.measures, plain.trials[0].state_hash));
    let refused = Task::from_toml("name = 'x'\nfitness = '1'\nextra_measures = ['foot_clearence']", "t.toml");
    assert_eq!(
        refused.unwrap_err().to_string(),
        "t.toml:3: extra_measures: there is no measure called 'foot_clearence'; did you mean 'foot_clearance'?"
    );
}

/// A task with two trials of walking, which stops creatures that make no progress.
fn walk() -> Task {
    let text = "
        name = 'walk'
        fitness = 'steady_distance'
        duration = 12
        trials = { count = 2 }
        stop = { progress = 4 }";
    Task::from_toml(text, "walk.toml").unwrap()
}

#[test]
fn free_fall_is_measured_by_its_closed_form() {
    let pull = DVec3::new(0.5, 0.2, -0.3);
    let evaluation = scored(&still_box(DVec3::splat(0.1)), &falling(pull));
    let measured = |measure: Measure| evaluation.measures[measure];
    let displacement = 0.5 * 4.0 * pull;
    let flat = libm::hypot(displacement.x, displacement.y);
    // All parts fall alike, so everything is exact except for rounding.
    let close = |measure: Measure, expected: f64, tolerance: f64| {
        assert!((measured(measure) - expected).abs() <= tolerance, "{}: {}", measure.name(), measured(measure));
    };
    close(Measure::Forward, displacement.x, 1e-9);
    close(Measure::Sideways, displacement.y, 1e-9);
    close(Measure::Distance, flat, 1e-9);
    close(Measure::SpatialDistance, displacement.length(), 1e-9);
    close(Measure::Path, flat, 1e-9);
    close(Measure::SpatialPath, displacement.length(), 1e-9);
    close(Measure::TrunkForward, displacement.x, 1e-9);
    close(Measure::TrunkDistance, flat, 1e-9);
    close(Measure::SteadyForward, displacement.x * (1.0 - 0.0625), 1e-9);
    close(Measure::SteadyDistance, flat * (1.0 - 0.0625), 1e-9);
    close(Measure::LateSpeed, flat * (1.0 - 0.5625) / 0.5, 1e-9);
    close(Measure::Straightness, 1.0, 1e-9);
    close(Measure::Rise, displacement.z, 1e-9);
    // The mean over time is a third of the displacement, up to one sample in 120.
    close(Measure::MeanTrunkHeight, displacement.z / 3.0, 0.01);
    close(Measure::BallX, displacement.x, 1e-9);
    close(Measure::BallY, displacement.y, 1e-9);
    close(Measure::BallZ, displacement.z, 1e-9);
    close(Measure::BallDistance, displacement.length(), 1e-9);
    // From the side of the box to the ball of 0.1 m.
    close(Measure::BallGap, 4.8, 1e-6);
    close(Measure::FirstContact, 2.0, 0.0);
    close(Measure::ContactShare, 0.0, 0.0);
    close(Measure::Energy, 0.0, 1e-9);
    close(Measure::Smoothness, 1.0, 1e-9);
    close(Measure::Parts, 2.0, 0.0);
    close(Measure::Time, 2.0, 1e-9);
    // The first position is reached within 0.1 m. Progress to the second is measured from the next sample.
    close(Measure::Targets, 1.0, 0.0);
    let progress = (displacement.length() - (DVec3::new(0.5, 0.2, -0.3).length() - 0.1))
        / (DVec3::new(10.0, 4.0, -6.0).length() - DVec3::new(0.5, 0.2, -0.3).length());
    close(Measure::TargetProgress, progress, 2e-3);
    assert_eq!(evaluation.descriptors.duty_factors, [0.0, 0.0]);
    assert_eq!(evaluation.descriptors.active_joints, 0);
    assert_eq!(evaluation.steps, 480);
}

#[test]
fn the_first_contact_of_a_drop_is_on_time() {
    let mut task = falling(DVec3::NEG_Z * 9.81);
    task.arena.ground = Ground::Flat;
    (task.ball, task.target) = (None, None);
    task.start.gap = 1.0;
    let evaluation = scored(&still_box(DVec3::splat(0.1)), &task);
    let falls = libm::sqrt(2.0 / 9.81);
    // Samples are 1/60 s apart.
    assert!((evaluation.measures[Measure::FirstContact] - falls).abs() < 0.02, "{:?}", evaluation.measures);
    assert!((evaluation.measures[Measure::MaxLowest] - 1.0).abs() < 1e-9);
    assert!((evaluation.descriptors.duty_factors[0] - (1.0 - falls / 2.0)).abs() < 0.02);
}

#[test]
fn muscle_work_is_the_energy_of_limbs_in_space() {
    let mut task = falling(DVec3::ZERO);
    (task.ball, task.target) = (None, None);
    let evaluation = scored(&walker(), &task);
    let [energy, work] = [Measure::Energy, Measure::Work].map(|measure| evaluation.measures[measure]);
    assert!(energy > 1.0 && work.abs() <= energy, "energy {energy} J, work {work} J");
    // The energy of the limbs is the net work of the muscles, up to changes of rates within a step.
    let audit = EvaluationOptions { audit: true, ..Default::default() };
    let books = evaluate_phenotype(&walker(), &task, 1, &audit).audit.unwrap();
    assert!(books.energy_created < 0.02 * energy && books.impulse_excess < 1e-9, "{books:?}");
    // There are no external forces: the centre of mass stays, up to the error of the integrator.
    assert!(evaluation.measures[Measure::SpatialDistance] < 1e-5, "{:?}", evaluation.measures);
    assert!((evaluation.descriptors.gait_frequency - 3.0).abs() < 0.1, "{}", evaluation.descriptors.gait_frequency);
    assert_eq!(evaluation.descriptors.active_joints, 4);
}

#[test]
fn a_walker_walks() {
    let task = walk();
    let evaluation = scored(&walker(), &task);
    assert!(evaluation.fitness > 1.0, "{}", evaluation.fitness);
    let measured = |measure: Measure| evaluation.measures[measure];
    assert!(measured(Measure::Forward) > 1.0 && measured(Measure::Straightness) > 0.7, "{:?}", evaluation.measures);
    assert_eq!(evaluation.trials.len(), 2);
    assert_eq!(
        evaluation.fitness,
        evaluation.trials.iter().fold(f64::INFINITY, |least, trial| least.min(trial.fitness))
    );
    assert_eq!(evaluation, scored(&walker(), &task));
}

#[test]
fn no_trials_follow_one_below_the_pass_mark() {
    let mut task = Task { duration: 3.0, ..walk() };
    task.trials.pass = 1000.0;
    let evaluation = scored(&walker(), &task);
    assert_eq!(evaluation.trials.len(), 1);
    assert_eq!(evaluation.fitness, evaluation.trials[0].fitness);
    task.trials.pass = 0.01;
    assert_eq!(scored(&walker(), &task).trials.len(), 2);
}

#[test]
fn every_preset_scores_a_walker() {
    for task in Task::presets() {
        let short = Task { duration: 2.0, transient: 0.5, settle: task.settle.min(0.5), ..task };
        let evaluation = tried(&walker(), &short, 3);
        assert!(evaluation.outcome.is_scored(), "{}: {:?}", short.name, evaluation.outcome);
        assert!(evaluation.fitness.is_finite() && evaluation.fitness >= 0.0);
        assert!(evaluation.measures.values().iter().all(|value| value.is_finite()), "{:?}", evaluation.measures);
    }
}

#[test]
fn stairs_and_hills_change_the_result() {
    let task = Task { duration: 6.0, ..Task::preset("climb-stairs").unwrap() };
    let low = scored(&walker(), &task);
    assert!(low.measures[Measure::Rise] > 0.02, "it climbs no stairs of 2 cm: {:?}", low.measures);
    let high = scored(&walker(), &task.at_generation(1000));
    // The first step of 20 cm, 0.3 m ahead, stops it.
    let [over, at] = [&low, &high].map(|one| one.measures[Measure::Forward]);
    assert!(at < 0.8 && over > 1.2, "{at} {over}");
    let hills = Task { duration: 4.0, ..Task::preset("rough-terrain").unwrap() };
    let [a, b] = [1, 2].map(|seed| tried(&walker(), &hills, seed));
    assert_ne!(a.measures[Measure::MeanHeight], b.measures[Measure::MeanHeight]);
}

#[test]
fn variation_is_a_function_of_seed_and_trial() {
    let mut task = Task { duration: 1.0, transient: 0.1, settle: 0.5, ..walk() };
    let [first, again, other] = [5, 5, 6].map(|seed| tried(&walker(), &task, seed));
    assert_eq!(first.hash(), again.hash());
    assert_ne!(first.hash(), other.hash());
    assert_ne!(first.trials[0].state_hash, first.trials[1].state_hash);
    task.variation = Variation::NONE;
    let [first, other] = [5, 6].map(|seed| tried(&walker(), &task, seed));
    assert_eq!(first.hash(), other.hash());
    assert_eq!(first.trials[0].state_hash, first.trials[1].state_hash);
}

#[test]
fn stopping_a_still_creature_changes_no_measure() {
    let mut task = walk();
    task.stop.progress = 0.0;
    let stopped = scored(&still_box(DVec3::new(0.2, 0.15, 0.1)), &task);
    assert!(stopped.trials.iter().all(|trial| trial.stopped == Some(Stopped::Still)));
    assert!(stopped.seconds < 10.0);
    task.stop.still = 0.0;
    let whole = scored(&still_box(DVec3::new(0.2, 0.15, 0.1)), &task);
    assert!((whole.seconds - 28.0).abs() < 1e-9);
    for (measure, value) in stopped.measures.iter().filter(|(measure, _)| *measure != Measure::Time) {
        // Motion below a millimetre counts as still, and affects roughness a little (smoothness is 1/2 at 100 rad/s^2).
        let tolerance = if measure == Measure::Roughness { 1.0 } else { 3e-3 };
        assert!(
            (value - whole.measures[measure]).abs() < tolerance,
            "{}: {value}, {}",
            measure.name(),
            whole.measures[measure]
        );
    }
    assert_eq!(stopped.descriptors.duty_factors, whole.descriptors.duty_factors);
}

#[test]
fn a_creature_without_progress_is_stopped_if_the_task_says_so() {
    let mut task = Task { duration: 10.0, ..walk() };
    task.stop.progress_distance = 100.0;
    let evaluation = scored(&walker(), &task);
    assert!(evaluation.trials.iter().all(|trial| trial.stopped == Some(Stopped::NoProgress)));
    assert!((evaluation.measures[Measure::Time] - 4.0).abs() < 0.02);
}

#[test]
fn limits_make_an_evaluation_faulty() {
    let fault = |change: fn(&mut Task)| {
        let mut task = Task { duration: 2.0, transient: 0.1, settle: 0.5, ..walk() };
        change(&mut task);
        let evaluation = tried(&walker(), &task, 1);
        assert_eq!(evaluation.fitness, 0.0);
        match evaluation.outcome {
            Outcome::Faulty(faulty) => faulty,
            other => panic!("{other:?}"),
        }
    };
    let fast = fault(|task| task.limits.speed = 0.3);
    assert_eq!(fast.reason, FaultReason::TooFast);
    assert!(fast.body.starts_with("part") && fast.time > 0.0, "{fast:?}");
    assert_eq!(fault(|task| task.limits.height = 0.1).reason, FaultReason::FlewAway);
    assert_eq!(fault(|task| task.limits.distance = 0.05).reason, FaultReason::FlewAway);
    let spent = fault(|task| task.limits.steps = 700);
    assert_eq!(spent.reason, FaultReason::StepBudget);
    // The first trial takes 600 steps.
    assert_eq!(spent.trial, 1);
    assert_eq!(fault(|task| task.limits.penetration = 1e-7).reason, FaultReason::DeepPenetration);
}

#[test]
fn a_ball_inside_a_creature_is_refused() {
    let mut task = Task::preset("hit-ball-000").unwrap();
    let evaluation = tried(&walker(), &task, 1);
    assert!(evaluation.outcome.is_scored(), "{:?}", evaluation.outcome);
    task.parameters.insert("reach".to_string(), 0.2);
    let Outcome::Unviable(Unviable::Obstructed { by, depth }) = tried(&walker(), &task, 1).outcome else { panic!() };
    assert!(by == "ball" && depth > 0.05, "{by} {depth}");
}

#[test]
fn the_nearer_creature_wins_a_contest() {
    let task = Task::preset("contest").unwrap();
    let bystander = still_box(DVec3::new(0.3, 0.15, 0.1));
    let options = EvaluationOptions::default();
    let [winner, loser] = evaluate_contest_of_phenotypes(&walker(), &bystander, &task, 1, &options);
    assert!(winner.outcome.is_scored() && loser.outcome.is_scored(), "{:?}", winner.outcome);
    assert!(winner.fitness > 1.2 && loser.fitness < 0.8, "{} {}", winner.fitness, loser.fitness);
    // The sum of both is constant.
    assert!((winner.fitness + loser.fitness - 2.0).abs() < 1e-12);
    assert_eq!(winner.measures[Measure::CubeGap], loser.measures[Measure::OpponentCubeGap]);
    let [a, b] = [&winner, &loser].map(|one| one.measures[Measure::OpponentGap]);
    assert!((a - b).abs() < 1e-9 && a > 0.0, "{a} {b}");
    // Two equal creatures move as mirror images.
    let [left, right] = evaluate_contest_of_phenotypes(&walker(), &walker(), &task, 1, &options);
    assert!(left.fitness > 0.5 && right.fitness > 0.5, "{} {}", left.fitness, right.fitness);
    // Alone it meets its limp twin.
    let alone = tried(&walker(), &task, 1);
    assert!(alone.fitness > 1.2, "{}", alone.fitness);
}

#[test]
fn a_trial_is_recorded_on_request() {
    let task = Task { duration: 1.0, transient: 0.1, settle: 0.5, ..walk() };
    let record = Some(Record { trial: 1, rate: 60.0 });
    let evaluation = evaluate_phenotype(&walker(), &task, 1, &EvaluationOptions { record, ..Default::default() });
    let mut reader = RecordingReader::new(std::io::Cursor::new(evaluation.recording.clone().unwrap())).unwrap();
    assert_eq!(reader.header().bodies.len(), 5);
    assert!(reader.header().scene.contains("[[bodies]]"));
    assert_eq!(reader.frames(), 91);
    let mut frame = Frame::default();
    reader.frame(90, &mut frame).unwrap();
    assert!((frame.time - 1.5).abs() < 1e-9);
    // Recording does not change the result.
    assert_eq!(evaluation.hash(), tried(&walker(), &task, 1).hash());
}

#[test]
fn other_steps_and_paradigms_give_similar_results() {
    let task = Task { duration: 4.0, variation: Variation::NONE, ..walk() };
    let usual = scored(&walker(), &task).fitness;
    let with = |options: EvaluationOptions| {
        let evaluation = evaluate_phenotype(&walker(), &task, 1, &options);
        assert!(evaluation.outcome.is_scored(), "{:?}", evaluation.outcome);
        evaluation.fitness
    };
    let half = with(EvaluationOptions { step: Some(0.5 * task.step), ..Default::default() });
    let penalty = with(EvaluationOptions { paradigm: Some(Paradigm::Penalty), ..Default::default() });
    // Walking is chaotic, so only the order of magnitude is the same.
    assert!(half > 0.3 * usual && penalty > 0.3 * usual, "{usual} {half} {penalty}");
}

#[test]
fn invalid_tasks_do_no_harm() {
    let hostile: [fn(&mut Task); 8] = [
        |task| task.duration = f64::INFINITY,
        |task| task.duration = f64::NAN,
        |task| task.settle = f64::INFINITY,
        |task| task.step = -1.0,
        |task| task.physiology.density = f64::NAN,
        |task| task.arena.rough.size = f64::NAN,
        |task| task.arena.stairs.count = u32::MAX,
        |task| task.fitness = Formula::default(),
    ];
    for (index, change) in hostile.into_iter().enumerate() {
        let mut task = Task { duration: 0.5, transient: 0.1, settle: 0.1, ..walk() };
        task.limits.steps = 2000;
        task.stop.progress = 0.0;
        task.arena.ground = [Ground::Rough, Ground::Stairs][index % 2];
        change(&mut task);
        let evaluation = tried(&walker(), &task, 1);
        assert!(evaluation.fitness.is_finite(), "{index}: {:?}", evaluation.outcome);
    }
}
