//! The preview of a trial gives the bits of the evaluation.

use burgess_creature::builtin;
use burgess_creature::evaluation::{TrialPreview, evaluate};
use burgess_creature::store::CreatureFile;
use burgess_creature::task::Task;
use burgess_scene::RunOptions;

#[test]
fn a_preview_has_the_bits_of_the_first_trial() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    for (name, task) in [("graph", "walk"), ("legged", "rough-terrain"), ("legged", "swim"), ("graph", "hit-ball")] {
        let genome = CreatureFile::read(format!("{folder}/{name}-1.json")).unwrap().genome;
        let task = Task { duration: 2.0, transient: 0.5, settle: 1.0, ..Task::preset(task).unwrap() };
        let evaluation = evaluate(&genome, &task, 5);
        let trial =
            evaluation.trials.first().unwrap_or_else(|| panic!("{name}, {}: {:?}", task.name, evaluation.outcome));

        let preview = TrialPreview::new(&genome, &task, 5).unwrap();
        assert_eq!(preview.scene().duration, 3.0);
        let mut running = preview.run(&RunOptions::default()).unwrap();
        let simulation = &mut running.simulation;
        simulation.run(trial.seconds).unwrap();
        simulation.data_mut().update_kinematics();
        assert_eq!(simulation.state_hash(), trial.state_hash, "{name}, {}", task.name);
    }
}

#[test]
fn plain_steps_of_every_builtin_creature_give_the_bits_of_its_evaluation() {
    for creature in builtin::all() {
        let task = Task::preset(creature.task).unwrap();
        let physiology = creature.file().physiology.unwrap_or(task.physiology);
        let task = Task { duration: 1.0, transient: 0.25, settle: 0.5, physiology, ..task };
        let genome = creature.genome();
        let evaluation = evaluate(&genome, &task, 3);
        let trial = evaluation.trials.first().unwrap_or_else(|| panic!("{}: {:?}", creature.name, evaluation.outcome));
        let preview = TrialPreview::new(&genome, &task, 3).unwrap();
        let mut simulation = preview.run(&RunOptions::default()).unwrap().simulation;
        simulation.run(trial.seconds).unwrap();
        assert_eq!(simulation.state_hash(), trial.state_hash, "{}", creature.name);
    }
}
