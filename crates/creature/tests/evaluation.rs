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
