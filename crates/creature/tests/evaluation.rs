//! Evaluations of creatures made by hand.

mod common;

use burgess_creature::evaluation::{EvaluationOptions, evaluate_phenotype};
use burgess_creature::task::{Measure, Task};
use common::walker;

#[test]
fn a_walker_walks() {
    let task = Task::preset("walk").unwrap();
    let evaluation = evaluate_phenotype(&walker(), &task, 1, &EvaluationOptions::default());
    assert!(evaluation.outcome.is_scored(), "{:?}", evaluation.outcome);
    assert!(evaluation.fitness > 0.1, "{}", evaluation.fitness);
    assert!(evaluation.measures[Measure::Energy] > 0.0);
    let again = evaluate_phenotype(&walker(), &task, 1, &EvaluationOptions::default());
    assert_eq!(again.hash(), evaluation.hash());
}

#[test]
fn every_preset_scores_a_walker() {
    for (name, text) in Task::preset_texts() {
        let task = Task::from_toml(text, name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(task.name, name);
        assert_eq!(Task::from_toml(&task.to_toml(), name).unwrap_or_else(|error| panic!("{error}")), task);
        let short = Task { duration: 2.0, transient: 0.5, settle: task.settle.min(0.5), ..task };
        let evaluation = evaluate_phenotype(&walker(), &short, 3, &EvaluationOptions::default());
        println!("{name}: {} {}", evaluation.outcome.name(), evaluation.fitness);
        assert!(evaluation.outcome.is_scored(), "{name}: {:?}", evaluation.outcome);
    }
}
