//! Episodes, whose muscles are driven from outside, against evaluations by the brain inside.

use burgess_creature::evaluation::{
    Episode, EpisodeError, EpisodeSettings, EvaluationOptions, evaluate_contest_of_phenotypes, evaluate_phenotype,
};
use burgess_creature::task::Task;
use burgess_creature::{Family, GenomeSettings, Phenotype, Random, builtin};

/// Short trials with one trial, so that all tasks take seconds. All brains have whole numbers of updates in 0.4 s.
fn short_tasks() -> Vec<Task> {
    let short = |task: Task| {
        let mut task = Task { settle: task.settle.min(0.4), duration: 1.0, transient: 0.3, ..task };
        task.trials.count = 1;
        task
    };
    Task::presets().map(short).collect()
}

/// A brain that is stepped alone.
struct OwnBrain<'a> {
    creature: &'a Phenotype,
    memory: Vec<f64>,
    senses: Vec<f64>,
    outputs: Vec<f64>,
}

impl<'a> OwnBrain<'a> {
    fn new(creature: &'a Phenotype, episode: &Episode, index: usize) -> Self {
        let mut memory = vec![0.0; creature.brain.memory()];
        creature.brain.initial(&mut memory);
        let (senses, outputs) = (vec![0.0; episode.senses(index)], vec![0.0; episode.outputs(index)]);
        Self { creature, memory, senses, outputs }
    }

    fn drive(&mut self, episode: &mut Episode, index: usize) {
        episode.sense(index, &mut self.senses).unwrap();
        let period = 1.0 / episode.task().physiology.brain_rate;
        self.creature.brain.update(&mut self.memory, &self.senses, period, &mut self.outputs);
        episode.set_outputs(index, &self.outputs).unwrap();
    }
}

fn drive_to_the_end(
    creatures: &[&Phenotype],
    task: &Task,
    settings: &EpisodeSettings,
) -> Result<Episode, EpisodeError> {
    let mut episode = Episode::new(creatures, task, settings)?;
    let driven = (0..creatures.len()).filter(|index| !settings.own_brains.contains(index));
    let mut brains: Vec<(usize, OwnBrain)> =
        driven.map(|index| (index, OwnBrain::new(creatures[index], &episode, index))).collect();
    let mut updates = 0;
    while !episode.is_over() {
        brains.iter_mut().for_each(|(index, brain)| brain.drive(&mut episode, *index));
        episode.advance();
        updates += 1;
    }
    // One update for each period of the brain, unless the trial ended early.
    let most = (task.duration * task.physiology.brain_rate).round() as u64;
    assert!(updates <= most && (episode.fault().is_some() || episode.stopped().is_some() || updates == most));
    Ok(episode)
}

#[test]
fn an_episode_driven_by_the_creatures_brain_is_its_evaluation() {
    let settings = GenomeSettings::default();
    let (mut scored, mut refused) = (0, 0);
    for (task, number) in short_tasks().iter().filter(|task| task.contest.is_none()).zip(0..) {
        for family in Family::ALL {
            for seed in 0..2 {
                let genome = family.random(&settings, &mut Random::for_purpose(5, &[number, seed]));
                let Ok(creature) = genome.grow(&task.physiology) else { continue };
                let expected = evaluate_phenotype(&creature, task, seed, &EvaluationOptions::default());
                let episode = EpisodeSettings { seed, ..EpisodeSettings::default() };
                match drive_to_the_end(&[&creature], task, &episode) {
                    Ok(episode) => {
                        assert_eq!(episode.score(0), expected.fitness, "{}: {family:?} {seed}", task.name);
                        assert_eq!(episode.fault().is_none(), expected.outcome.is_scored());
                        if expected.outcome.is_scored() {
                            assert_eq!(episode.measures(0), expected.measures);
                            scored += 1;
                        }
                    }
                    Err(_) => {
                        assert!(!expected.outcome.is_scored(), "{}: {family:?} {seed}", task.name);
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(scored >= 30 && refused >= 1, "{scored} scored, {refused} refused");
}

#[test]
fn both_sides_of_a_contest_can_be_driven() {
    let walker = |task: &Task| builtin::find("walker").unwrap().genome().grow(&task.physiology).unwrap();
    let quadruped = |task: &Task| builtin::find("quadruped").unwrap().genome().grow(&task.physiology).unwrap();
    for task in short_tasks().iter().filter(|task| task.contest.is_some()) {
        let (first, second) = (walker(task), quadruped(task));
        let expected = evaluate_contest_of_phenotypes(&first, &second, task, 3, &EvaluationOptions::default());
        for own_brains in [vec![], vec![1], vec![0], vec![0, 1]] {
            let settings = EpisodeSettings { seed: 3, own_brains, ..EpisodeSettings::default() };
            let episode = drive_to_the_end(&[&first, &second], task, &settings).unwrap();
            for (creature, expected) in expected.iter().enumerate() {
                assert_eq!(episode.score(creature), expected.fitness, "{}", task.name);
                assert_eq!(episode.measures(creature), expected.measures);
            }
        }
    }
}

#[test]
fn wrong_arguments_are_refused() {
    let task = short_tasks().into_iter().find(|task| task.name == "walk").unwrap();
    let walker = builtin::find("walker").unwrap().genome().grow(&task.physiology).unwrap();
    let settings = EpisodeSettings::default();
    let refused = Episode::new(&[&walker, &walker], &task, &settings).unwrap_err();
    assert_eq!(refused.to_string(), "the task 'walk' has 1 creature(s), found 2");
    let mut episode = Episode::new(&[&walker], &task, &settings).unwrap();
    let count = episode.outputs(0);
    assert!(matches!(episode.set_outputs(1, &[]), Err(EpisodeError::NoCreature { .. })));
    assert!(matches!(episode.set_outputs(0, &vec![0.0; count + 1]), Err(EpisodeError::Length { .. })));
    assert!(matches!(episode.set_outputs(0, &vec![f64::NAN; count]), Err(EpisodeError::NotFinite { .. })));
    assert!(matches!(episode.sense(0, &mut []), Err(EpisodeError::Length { .. })));
    // Nothing happens after the end.
    while !episode.is_over() {
        episode.advance();
    }
    let (hash, score) = (episode.state_hash(), episode.score(0));
    episode.advance();
    assert_eq!((hash, score), (episode.state_hash(), episode.score(0)));
}
