//! The syllabus: the task gets harder in every generation, or when a generation has mastered it.

use crate::common::task;
use burgess_evolution::Syllabus;

fn hardness(syllabus: &Syllabus) -> f64 {
    syllabus.task().parameters["hardness"]
}

fn syllabus(lesson: &str) -> Syllabus {
    Syllabus::new(task(&format!(
        "parameters = {{ hardness = 1 }}\nsyllabus = {{ hardness = {{ per_generation = 0.5, until = 2{lesson} }} }}"
    )))
}

#[test]
fn without_mastery_every_generation_is_harder_until_the_end() {
    let mut syllabus = syllabus("");
    for (generation, expected) in [(0, 1.0), (1, 1.5), (2, 2.0), (3, 2.0), (4, 2.0)] {
        assert_eq!(syllabus.awaits(generation), (1..=2).contains(&generation), "{generation}");
        assert_eq!(syllabus.enter(generation), (1..=2).contains(&generation), "{generation}");
        assert_eq!(hardness(&syllabus), expected);
        assert!(!syllabus.enter(generation), "a generation is entered once");
    }
}

#[test]
fn with_mastery_a_tenth_must_reach_the_fitness() {
    let mut syllabus = syllabus(", mastery = 5");
    let mut generation = 0;
    let mut after = |fitness: &[f64]| {
        fitness.iter().for_each(|one| syllabus.record_result((*one >= 0.0).then_some(*one)));
        generation += 1;
        syllabus.enter(generation);
        hardness(&syllabus)
    };
    // None, then one of twenty, then one of ten reach the fitness. Unscored individuals (-1) count among the ten.
    assert_eq!(after(&[4.9; 20]), 1.0);
    let one_of = |count: usize| [vec![5.0], vec![1.0; count - 1]].concat();
    assert_eq!(after(&one_of(20)), 1.0);
    assert_eq!(after(&[one_of(10), vec![-1.0]].concat()), 1.0);
    assert_eq!(after(&[]), 1.0);
    assert_eq!(after(&one_of(10)), 1.5);
    // Fitness at an easier task does not count again.
    assert_eq!(after(&[1.0; 3]), 1.5);
    assert_eq!(after(&one_of(3)), 2.0);
    assert_eq!(after(&one_of(3)), 2.0);
}

#[test]
fn parameters_advance_independently() {
    let text = "parameters = { far = 1, steep = 0 }
        syllabus.far = { per_generation = 1, until = 9, mastery = 2 }
        syllabus.steep = { per_generation = 1, until = 9, mastery = 4 }";
    let mut syllabus = Syllabus::new(task(text));
    for (generation, fitness) in (1..).zip([1.0, 3.0, 5.0, 3.0]) {
        syllabus.record_result(Some(fitness));
        assert_eq!(syllabus.enter(generation), fitness > 2.0);
    }
    assert_eq!((syllabus.task().parameters["far"], syllabus.task().parameters["steep"]), (4.0, 1.0));
    // The task states the parameters in force, and nothing else of it changes.
    assert_eq!(syllabus.task().syllabus, task(text).syllabus);
}
