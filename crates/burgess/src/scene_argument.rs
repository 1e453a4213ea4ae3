//! A scene or creature named on the command line, ready to be simulated.

use anyhow::{Result, bail};
use burgess_catalog::Subject;
use burgess_creature::evaluation::TrialPreview;
use burgess_formats::import::ImportWarning;
use burgess_scene::spec::SceneSpec;
use burgess_scene::{RunOptions, RunningScene};
use burgess_simulation::Simulation;

use crate::creature_argument::{ArenaArguments, load_creature};

/// A scene or creature named on the command line.
pub enum Scene {
    /// A scene or a model of another program.
    Plain(Box<burgess_catalog::Scene>),
    /// A creature in its arena.
    Creature(Box<TrialPreview>),
}

impl Scene {
    /// Loads the scene or creature that a word names. The arena is for creatures.
    pub fn find(word: &str, arena: &ArenaArguments) -> Result<Self> {
        Self::load(&Subject::resolve(word)?, arena)
    }

    /// Loads a scene, a model or a creature.
    pub fn load(subject: &Subject, arena: &ArenaArguments) -> Result<Self> {
        if subject.is_creature() {
            return Ok(Self::Creature(Box::new(arena.arena().show(&load_creature(subject)?)?)));
        }
        if let Subject::Recording(_) | Subject::Take(_) | Subject::Space(_) = subject {
            bail!("'{subject}' is {}, not a scene; `burgess watch` shows it", subject.kind());
        }
        if arena.is_given() {
            bail!("--task and --seed are for creatures, and '{subject}' is {}", subject.kind());
        }
        let scene = subject.scene()?;
        report_warnings(&scene.warnings);
        Ok(Self::Plain(Box::new(scene)))
    }

    /// The content of the scene.
    pub fn spec(&self) -> &SceneSpec {
        match self {
            Self::Plain(scene) => scene.spec(),
            Self::Creature(preview) => preview.scene(),
        }
    }

    /// The name of the scene or creature.
    pub fn name(&self) -> &str {
        match self {
            Self::Plain(scene) => scene.name(),
            Self::Creature(preview) => &preview.scene().name,
        }
    }

    /// Whether this is a creature.
    pub fn is_creature(&self) -> bool {
        matches!(self, Self::Creature(_))
    }

    /// Builds the world at its start.
    pub fn run(&self, options: &RunOptions) -> Result<RunningScene> {
        Ok(match self {
            Self::Plain(scene) => scene.run(options)?,
            Self::Creature(preview) => preview.run(options)?,
        })
    }

    /// From when to when something happens, in s: creatures settle first.
    pub fn span(&self, simulation: &Simulation) -> [f64; 2] {
        let step = simulation.step_length();
        let start = match self {
            Self::Creature(preview) => preview.settle_steps(step).map_or(0.0, |steps| steps as f64 * step),
            _ => 0.0,
        };
        [start, self.spec().duration]
    }
}

/// Prints what was left out of a model.
pub fn report_warnings(warnings: &[ImportWarning]) {
    for warning in warnings {
        eprintln!("burgess: {warning}");
    }
}
