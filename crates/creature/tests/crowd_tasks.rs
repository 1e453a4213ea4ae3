//! Tasks that tune the behaviour net of a crowd.

use burgess_creature::evaluation::{EvaluationOptions, Record, evaluate, evaluate_with};
use burgess_creature::store::{retrieve, store};
use burgess_creature::task::{Measure, Task};
use burgess_creature::{
    AnyGenome, Family, Genome as _, GenomeSettings, Random, Recombination, TuningGenome, TuningSettings,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/tasks/counterflow.toml");

fn text() -> String {
    std::fs::read_to_string(FILE).unwrap()
}

/// The example with one short trial.
fn short() -> Task {
    let mut task = Task::from_file(&text(), FILE).unwrap();
    (task.duration, task.trials.count) = (12.0, 1);
    task
}

/// Random genomes stay valid under all operators, and come back from bytes as they were.
#[test]
fn operators_make_valid_tunings() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let settings = TuningSettings { numbers: random.below(12), deviation: random.between(0.0, 2.0) };
        let [a, b] = [(); 2].map(|()| TuningGenome::random(&settings, &mut random));
        let how = Recombination::ALL[random.below(4)];
        let child = a.recombine(&b, how, &settings, &mut random).mutate(&settings, &mut random);
        assert_eq!(child.validate(), Ok(()));
        assert_eq!(child.shares.len(), settings.numbers);
        let any = AnyGenome::Tuning(child);
        assert_eq!(retrieve(&store(&any)).unwrap(), any);
        let genomes = GenomeSettings { tuning: settings, ..GenomeSettings::default() };
        let values: Vec<f64> = any.control_numbers(&genomes).iter().map(|number| number.value).collect();
        assert_eq!(any.with_control_numbers(&values, &genomes), any);
    }
}

/// Random tunings: the same seed gives the same bits, another seed gives other speeds, and measures are within bounds.
#[test]
fn evaluations_of_crowds_repeat_bit_for_bit() {
    let task = short();
    let settings = GenomeSettings {
        tuning: TuningSettings { numbers: 4, ..TuningSettings::default() },
        ..GenomeSettings::default()
    };
    for seed in 0..3 {
        let genome = Family::Tuning.random(&settings, &mut Random::new(seed));
        let evaluation = evaluate(&genome, &task, seed);
        assert!(evaluation.outcome.is_scored(), "{:?}", evaluation.outcome);
        assert_eq!(evaluation.hash(), evaluate(&genome, &task, seed).hash());
        assert_ne!(evaluation.hash(), evaluate(&genome, &task, seed + 100).hash());
        let measures = &evaluation.measures;
        assert!((0.3..1.8).contains(&measures[Measure::CrowdSpeed]), "{measures:?}");
        assert!((0.0..=1.0).contains(&measures[Measure::ArrivedShare]));
        assert!(measures[Measure::CrowdFlow] > 0.5 && measures[Measure::CrowdDensity] > 0.2, "{measures:?}");
        assert!(measures[Measure::MaxCrowdDensity] >= measures[Measure::CrowdDensity]);
        assert!(measures[Measure::LeaveTime] <= task.duration);
    }
}

/// Everybody crosses the line in the middle, so the flow over the whole trial gives the number of people.
#[test]
fn flows_count_everybody() {
    let mut task = Task::from_file(&text(), FILE).unwrap();
    (task.transient, task.duration, task.trials.count) = (0.0, 150.0, 1);
    // Nobody is shy, so everybody passes.
    let genome = AnyGenome::Tuning(TuningGenome { shares: vec![0.0, 0.5, 0.5, 0.5] });
    let options = EvaluationOptions { record: Some(Record::default()), ..EvaluationOptions::default() };
    let evaluation = evaluate_with(&genome, &task, 1, &options);
    let measures = &evaluation.measures;
    assert_eq!(measures[Measure::ArrivedShare], 1.0, "{measures:?}");
    let crossed = measures[Measure::CrowdFlow] * measures[Measure::LeaveTime];
    // Few step back over the line and cross it again.
    assert!((32.0 - 0.1..40.0).contains(&crossed), "{crossed}");
    assert!(evaluation.recording.is_some_and(|bytes| bytes.len() > 1000));
}

/// A tuning reaches the scene: its own numbers give the scene itself, the ends of the ranges other ones.
#[test]
fn tunings_set_the_numbers_of_the_net() {
    let task = short();
    let crowd = task.crowd.as_ref().unwrap();
    let own = crowd.own_genome().unwrap();
    assert_eq!(crowd.tuned_scene(&own).unwrap(), crowd.own_scene().unwrap());
    let far = crowd.tuned_scene(&TuningGenome { shares: vec![1.0; 4] }).unwrap();
    assert_ne!(far, crowd.own_scene().unwrap());
    assert!(crowd.tuned_scene(&TuningGenome { shares: vec![0.5; 3] }).is_none());
}

/// Mistakes are refused with the field and the closest name; bodies and tunings do not mix.
#[test]
fn mistakes_in_crowds_are_named() {
    let refused = |from: &str, to: &str| {
        let changed = text().replace(from, to);
        assert_ne!(changed, text(), "{from}");
        Task::from_file(&changed, FILE).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        ("\"shyness\"", "\"shynes\"", "did you mean 'shyness'?"),
        ("others.angle", "others.angel", "did you mean 'others.angle'?"),
        ("[0, 2]", "[2, 0]", "the lower first"),
        ("[0.5, 4]", "[-1, 4]", "end of their ranges"),
        ("../scenes/counterflow.toml", "crosing", "did you mean 'crossing'?"),
        ("../scenes/counterflow.toml", "pendulum", "the scene has no crowd"),
        ("../scenes/counterflow.toml", "missing.toml", "missing.toml"),
        ("arrived_share", "parts * crowd_flw", "did you mean 'crowd_flow'?"),
        ("line = { a = [0, -1.6], b = [0, 1.6] }", "speed_variations = 1", "speed_variations"),
        ("speed_variation = 0.1", "speed_variation = 2", "from 0 to 0.5"),
        ("arrived_share", "distance", "tasks of creatures"),
        ("b = [0, 1.6]", "b = [0, -1.6]", "two different points"),
        ("\"others.angle\"", "\"others.distance\"", "'others.distance' is listed twice"),
        ("../scenes/counterflow.toml", "park", "the scene 'park' has creatures"),
    ] {
        let error = refused(from, to);
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    }
    let without_line = text().replace("line = { a = [0, -1.6], b = [0, 1.6] }", "").replace("leave_time", "crowd_flow");
    assert!(Task::from_file(&without_line, FILE).unwrap_err().to_string().contains("a crowd and its line"));
    let body = Family::Legged.random(&GenomeSettings::default(), &mut Random::new(1));
    assert_eq!(evaluate(&body, &short(), 1).outcome.name(), "unviable");
    let tuning = AnyGenome::Tuning(TuningGenome { shares: vec![0.5; 4] });
    assert_eq!(evaluate(&tuning, &Task::preset("walk").unwrap(), 1).outcome.name(), "unviable");
    // Only files may name files: a text can come from another machine.
    let error = Task::from_toml(&text(), FILE).unwrap_err().to_string();
    assert!(error.contains("only in a task file"), "{error}");
    // A task is complete: its text needs no file.
    let task = short();
    assert_eq!(Task::from_toml(&task.to_toml(), "elsewhere.toml").unwrap(), task);
}
