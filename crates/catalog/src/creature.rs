//! Loading of creatures: built-in ones, creature files, and individuals of runs.

use std::path::Path;

use burgess_creature::evaluation::Side;
use burgess_creature::store::CreatureFile;
use burgess_creature::task::Task;
use burgess_creature::{AnyGenome, builtin};
use burgess_evolution::Archive;

use crate::{CatalogError, Origin, Subject};

/// A creature that was loaded.
#[derive(Debug, Clone)]
pub struct Creature {
    /// The content of its file. For an individual of a run, what its file would contain.
    pub file: CreatureFile,
    /// Task of the evaluation, if the creature comes from a run.
    pub task: Option<Task>,
    /// Opponent in its evaluation (its limp twin if there is none) and the side of the creature, if it comes from a
    /// contest of a run or its file has an opponent or a side.
    pub opponent: Option<(Option<AnyGenome>, Side)>,
    /// Id of the individual, if the creature comes from a run.
    pub id: Option<u64>,
    /// A sentence on damaged rows of the run that the creature comes from, if there are any.
    pub damage: Option<String>,
}

impl Creature {
    /// Loads a built-in creature.
    pub fn builtin(name: &str) -> Result<Self, CatalogError> {
        let unknown = || CatalogError::Unknown {
            what: "creature",
            name: name.to_string(),
            suggestions: burgess_scene::builtin::close_names(name, builtin::all().iter().map(|known| known.name)),
            lists: "`burgess creatures` lists all",
        };
        Ok(Self::of_file(builtin::find(name).ok_or_else(unknown)?.file()))
    }

    /// A creature that does not come from a run. It plays a contest against the opponent of its file.
    pub fn of_file(file: CreatureFile) -> Self {
        let plays_contest = file.opponent.is_some() || file.side.is_some();
        let opponent = plays_contest.then(|| (file.opponent.clone(), file.side.unwrap_or(Side::First)));
        Self { file, task: None, opponent, id: None, damage: None }
    }

    /// Loads an individual of a run, or its champion. Damaged rows are left out if the archive is verified. Verifying the whole archive takes time proportional to its size.
    pub fn of_run(run: &Path, id: Option<u64>, verify: bool) -> Result<Self, CatalogError> {
        let mut archive = Archive::open_read_only(run)?;
        if verify {
            archive.survey()?;
        }
        let one = match id {
            Some(id) => archive.individual(id)?,
            None => archive.champion()?,
        };
        let task = archive.task_of(&one)?;
        let opponent = task.contest.as_ref().map(|_| archive.opponent_of(&one)).transpose()?;
        let (rival, side) = opponent.clone().map_or((None, None), |(rival, side)| (rival, Some(side)));
        let stem = run.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let file = CreatureFile {
            name: format!("{stem}-{}", one.id),
            description: Some(format!("Number {} of {}, born in generation {}.", one.id, stem, one.generation)),
            task: Task::preset(&task.name).is_ok_and(|preset| preset == task).then(|| task.name.clone()),
            seed: Some(one.seed),
            fitness: Some(one.result.fitness),
            physiology: Some(task.physiology),
            side,
            opponent: rival,
            genome: one.genome,
        };
        Ok(Self { file, task: Some(task), opponent, id: Some(one.id), damage: archive.damage_report() })
    }
}

impl Subject {
    /// Loads a creature: a built-in one, a creature file, an individual of a run, or the champion of a run. The archive
    /// of a run is verified.
    pub fn creature(&self) -> Result<Creature, CatalogError> {
        match self {
            Self::Creature(Origin::Builtin(name)) => Creature::builtin(name),
            Self::Creature(Origin::File(path)) => Ok(Creature::of_file(CreatureFile::read(path)?)),
            Self::Run(run) => Creature::of_run(run, None, true),
            Self::Individual { run, id } => Creature::of_run(run, Some(*id), true),
            other => Err(other.wrong_kind("a built-in creature, a creature file (.json), a run, or RUN#NUMBER")),
        }
    }

    /// Whether [`Subject::creature`] applies.
    pub fn is_creature(&self) -> bool {
        matches!(self, Self::Creature(_) | Self::Run(_) | Self::Individual { .. })
    }
}
