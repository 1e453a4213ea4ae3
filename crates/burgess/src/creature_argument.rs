//! CREATURE on the command line: the name of a built-in one, a file, or one of a run; and the arena that it is shown in.

use std::path::Path;

use anyhow::{Result, anyhow};
use burgess_creature::builtin;
use burgess_creature::evaluation::Showing;
use burgess_creature::store::CreatureFile;
use burgess_creature::task::Task;
use burgess_evolution::Archive;
use clap::Args;

use crate::task_argument::find_task;

/// The arena of creatures that name none.
const USUAL_TASK: &str = "walk";

/// How a creature is shown.
#[derive(Args, Default)]
pub struct Arena {
    /// Of a creature: what it is to do, a task by name (`burgess tasks` lists them) or file [default: its own, or walk]
    #[arg(long, value_name = "TASK")]
    pub task: Option<String>,
    /// Of a creature: what differs from trial to trial is drawn from this number [default: what its file says, or 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// A creature that was named on the command line.
pub struct Creature {
    /// What it is.
    pub file: CreatureFile,
    /// What it was evolved for, if it comes from a run.
    task: Option<Task>,
}

impl Arena {
    /// Was anything asked for that only creatures have?
    pub fn is_given(&self) -> bool {
        self.task.is_some() || self.seed.is_some()
    }

    /// Puts a creature into its arena. `word` is what it was called.
    pub fn show(&self, creature: &Creature, word: &str) -> Result<Showing> {
        let (task, seed) = self.task_and_seed(creature, word)?;
        let showing = Showing::new(&creature.file.genome, &task, seed);
        let showing = showing.map_err(|why| anyhow!("{word} does not live: {why}"))?;
        let own = creature.file.description.as_deref().unwrap_or("A creature.");
        Ok(showing.titled(&creature.file.name, &format!("{own} (As in the task {}.)", task.name)))
    }

    /// What a creature is to do, with its own physiology, and the seed of its evaluation.
    pub fn task_and_seed(&self, creature: &Creature, word: &str) -> Result<(Task, u64)> {
        let mut task = self.task_of(creature, word)?;
        task.physiology = creature.file.physiology.unwrap_or(task.physiology);
        Ok((task, self.seed.or(creature.file.seed).unwrap_or(0)))
    }

    fn task_of(&self, creature: &Creature, word: &str) -> Result<Task> {
        match (&self.task, &creature.task, &creature.file.task) {
            (Some(asked), ..) => find_task(asked),
            (None, Some(evolved_for), _) => Ok(evolved_for.clone()),
            // A file does not get to open others: its task is one of the program, or nobody's.
            (None, None, Some(own)) => Task::preset(own).map_err(|unknown| {
                let unknown = unknown.to_string();
                anyhow!("{word}: {}; choose a task with --task, by name or file", unknown.trim_end_matches('?'))
            }),
            (None, None, None) => find_task(USUAL_TASK),
        }
    }
}

/// The creature of a word: a built-in one, a file (.json), the champion of a run, or anybody of a run (RUN#NUMBER); none if it
/// is something else.
pub fn find_creature(word: &str) -> Result<Option<Creature>> {
    if let Some(known) = builtin::find(word) {
        return Ok(Some(Creature { file: known.file(), task: None }));
    }
    let path = Path::new(word);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return Ok(Some(Creature { file: CreatureFile::read(path)?, task: None }));
    }
    let (run, number) = run_and_number(word)?;
    let is_called_so = run.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("burgess"));
    if is_called_so || Archive::is_database(run) { of_run(run, number).map(Some) } else { Ok(None) }
}

/// The file of a run, and the number of one of it if there is one behind a `#`.
pub fn run_and_number(word: &str) -> Result<(&Path, Option<u64>)> {
    match word.rsplit_once('#') {
        Some((run, number)) if !Path::new(word).exists() && Path::new(run).exists() => {
            let number = number.parse().map_err(|_| anyhow!("{word}: '{number}' is no number of a creature"))?;
            Ok((Path::new(run), Some(number)))
        }
        _ => Ok((Path::new(word), None)),
    }
}

/// One of a run, or its champion.
fn of_run(run: &Path, number: Option<u64>) -> Result<Creature> {
    let mut archive = Archive::look(run)?;
    archive.check()?;
    let one = match number {
        Some(number) => archive.individual(number)?,
        None => archive.champion()?,
    };
    let task = archive.task_of(&one)?;
    let stem = run.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let file = CreatureFile {
        name: format!("{stem}-{}", one.id),
        description: Some(format!("Number {} of {}, born in generation {}.", one.id, stem, one.generation)),
        task: Task::preset(&task.name).is_ok_and(|preset| preset == task).then(|| task.name.clone()),
        seed: Some(one.seed),
        fitness: Some(one.result.fitness),
        physiology: Some(task.physiology),
        genome: one.genome,
    };
    Ok(Creature { file, task: Some(task) })
}
