//! The built-in creatures are valid and viable in their tasks.

use burgess_creature::builtin;
use burgess_creature::evaluation::evaluate;
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

#[test]
fn every_creature_is_viable_in_its_task() {
    for creature in builtin::all() {
        let task = Task { duration: 1.0, transient: 0.2, ..Task::preset(creature.task).unwrap() };
        let evaluation = evaluate(&creature.genome(), &task, 1);
        assert_eq!(evaluation.outcome.name(), "scored", "{}: {:?}", creature.name, evaluation.outcome);
    }
}
