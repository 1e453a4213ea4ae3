//! The brain acts in the same way on the motion of Burgess and on the same motion in an engine.

use burgess_creature::task::Task;
use burgess_creature::{AnyGenome, Family, GenomeSettings, Random, builtin};
use burgess_referee::check_brain;

fn short(task: &str) -> Task {
    let task = Task::preset(task).unwrap();
    Task { settle: 0.5, duration: 2.0, transient: 0.2, ..task }
}

/// Conversions between coordinates round in the last digits; brains with feedback amplify that a little.
fn check(genome: &AnyGenome, task: &Task) {
    let found = check_brain(genome, task, 3).unwrap();
    assert!(found.steps > 100 && found.values > 10, "{found:?}");
    assert!(found.difference < 1e-6, "{found:?}");
    assert!((found.replayed_fitness - found.fitness).abs() < 1e-6 * found.fitness.max(1.0), "{found:?}");
}

#[test]
fn built_in_creatures_sense_and_act_the_same() {
    for name in ["walker", "quadruped", "hexapod", "swimmer"] {
        let file = builtin::find(name).unwrap().file();
        check(&file.genome, &short(file.task.as_deref().unwrap_or("walk")));
    }
}

/// Bodies that touched during a step may be apart at its end; whole trials have such steps.
#[test]
fn touches_of_a_whole_trial_are_found() {
    check(&builtin::find("walker").unwrap().file().genome, &Task::preset("walk").unwrap());
}

/// Random brains use contacts, targets and all other senses.
#[test]
fn random_legged_creatures_sense_and_act_the_same() {
    check_random(Family::Legged, 3);
}

/// Parts of these bodies touch and separate within one period of the brain.
#[test]
fn random_graph_creatures_sense_and_act_the_same() {
    check_random(Family::Graph, 3);
}

/// Checks six random creatures, of which at least some must have a motion.
fn check_random(family: Family, at_least: usize) {
    let mut checked = 0;
    for seed in 0..6 {
        let genome = family.random(&GenomeSettings::default(), &mut Random::new(seed));
        let task = short(["walk", "follow", "hit-ball"][seed as usize % 3]);
        if genome.grow(&task.physiology).is_err() {
            continue;
        }
        let Ok(found) = check_brain(&genome, &task, 3) else { continue };
        // Some are unviable or faulty, and have no motion.
        if found.steps > 0 {
            check(&genome, &task);
            checked += 1;
        }
    }
    assert!(checked >= at_least, "{checked}");
}
