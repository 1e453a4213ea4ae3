//! The built-in creatures are valid and viable in their tasks.

use burgess_creature::builtin::{self, Builtin};
use burgess_creature::evaluation::{EvaluationOptions, Side, evaluate, evaluate_on_side};
use burgess_creature::store::{CreatureFile, retrieve, store};
use burgess_creature::task::Task;

#[test]
fn names_are_sorted_and_unique() {
    let names: Vec<_> = builtin::all().iter().map(|creature| creature.name).collect();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    for name in names {
        assert_eq!(builtin::find(name).map(|creature| creature.name), Some(name));
        assert!(burgess_scene::builtin::find(name).is_none(), "'{name}' is a scene, too");
    }
}

#[test]
fn every_creature_is_stored_and_retrieved() {
    for creature in builtin::all() {
        let file = creature.file();
        assert_eq!(file.genome.family(), creature.family);
        assert_eq!(retrieve(&store(&file.genome)).as_ref(), Ok(&file.genome));
        assert_eq!(CreatureFile::from_json(&file.to_json(), creature.name).unwrap(), file);
    }
}

/// The task of a creature, with its physiology.
fn task(creature: &Builtin) -> Task {
    let task = Task::preset(creature.task).unwrap();
    Task { physiology: creature.file().physiology.unwrap_or(task.physiology), ..task }
}

#[test]
fn champions_of_the_zoo_have_what_their_evaluation_needs() {
    for creature in builtin::all().iter().filter(|creature| creature.is_evolved()) {
        let file = creature.file();
        assert!(file.fitness.is_some() && file.seed.is_some() && file.physiology.is_some(), "{}", creature.name);
        let is_contest = task(creature).contest.is_some();
        assert_eq!(file.side.is_some() && file.opponent.is_some(), is_contest, "{}", creature.name);
    }
}

#[test]
fn champions_of_the_zoo_keep_their_fitness() {
    for creature in builtin::all().iter().filter(|creature| creature.is_evolved()) {
        let (file, task, options) = (creature.file(), task(creature), EvaluationOptions::default());
        let (genome, seed, side) = (&file.genome, file.seed.unwrap(), file.side.unwrap_or(Side::First));
        let found = match &task.contest {
            Some(_) => evaluate_on_side(genome, file.opponent.as_ref(), side, &task, seed, &options)[0].fitness,
            None => evaluate(genome, &task, seed).fitness,
        };
        // A change of the physics may change it a little.
        assert!(found >= 0.8 * file.fitness.unwrap(), "{}: {found}, was {:?}", creature.name, file.fitness);
    }
}

#[test]
fn every_creature_is_viable_in_its_task() {
    for creature in builtin::all() {
        let task = Task { duration: 1.0, transient: 0.2, ..task(creature) };
        let evaluation = evaluate(&creature.genome(), &task, 1);
        assert_eq!(evaluation.outcome.name(), "scored", "{}: {:?}", creature.name, evaluation.outcome);
    }
}
