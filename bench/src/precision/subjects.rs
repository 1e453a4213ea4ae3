//! What is simulated: random creatures in contact, Gymnasium's ant and humanoid, and worlds with events.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use burgess_bench::creatures::creature::chosen;
use burgess_bench::creatures::samples::record;
use burgess_bench::gymnasium::burgess::Burgess;
use burgess_bench::gymnasium::corpus::{self, Moment};
use burgess_bench::gymnasium::model_file;
use burgess_formats::import::ImportOptions;
use burgess_formats::mjcf::{self, StateMap};
use burgess_scene::spec::SceneSpec;
use glam::DVec3;

use super::{STEPS, events};
use crate::{Options, crawling};

/// Number of trials of each subject but the events, spread evenly over the recorded states.
const TRIALS: usize = 96;

/// A set of trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Random creatures in contact, at the states of the benchmark `creatures`.
    Creatures,
    /// Gymnasium's ant, at the states of the benchmark `models`.
    Ant,
    /// Gymnasium's humanoid, likewise.
    Humanoid,
    /// Ten worlds with footfalls, rebounds, and bodies that begin to roll or stop.
    Events,
}

/// A scene in both engines.
#[derive(Debug)]
pub struct Model {
    scene: SceneSpec,
    folder: PathBuf,
    states: StateMap,
    /// File for MuJoCo.
    pub file: PathBuf,
}

impl Model {
    /// Imports a file, which is also that of MuJoCo.
    fn read(file: &Path) -> Result<Self> {
        let model = mjcf::import_file(file, &ImportOptions::default())?;
        let folder = file.parent().context("the path of the model has no folder")?.to_path_buf();
        Ok(Self { scene: model.scene, folder, states: model.states, file: file.to_path_buf() })
    }

    /// Starts a simulation with a step in s.
    pub fn start(&self, step: f64) -> Result<Burgess> {
        Burgess::of_scene(&self.scene, &self.folder, self.states.clone(), step)
    }
}

/// A state from which both engines simulate with constant controls.
#[derive(Debug)]
pub struct Trial {
    /// The scene.
    pub model: Arc<Model>,
    /// The state and the controls.
    pub moment: Moment,
    /// Size of the largest creature, in m: twice the farthest distance of a surface from its middle.
    pub size: f64,
}

impl Trial {
    fn new(model: &Arc<Model>, moment: Moment) -> Result<Self> {
        let mut world = model.start(STEPS[0])?;
        let centers = centers(&mut world, &moment)?;
        let simulation = &world.run.simulation;
        let mut size = 0.0_f64;
        for tree in 0..simulation.world().trees().len() {
            let own: Vec<usize> =
                (0..centers.len()).filter(|&link| simulation.world().tree_of_link(link) == tree).collect();
            let middle = own.iter().map(|&link| centers[link]).sum::<DVec3>() / own.len() as f64;
            for collider in simulation.world().colliders() {
                if let Some(link) = collider.link.filter(|link| own.contains(link)) {
                    size = size.max(2.0 * ((centers[link] - middle).length() + collider.reach));
                }
            }
        }
        Ok(Self { model: model.clone(), moment, size })
    }
}

/// Returns the centres of mass of all links in a state, in m.
pub fn centers(world: &mut Burgess, moment: &Moment) -> Result<Vec<DVec3>> {
    world.set(moment)?;
    let data = world.run.simulation.data_mut();
    data.update_kinematics();
    let model = data.world.model();
    let center = |link: usize| {
        let inner = &model.links()[link];
        data.workspace.position(model, link, inner.frame.transform_point(inner.inertia.center))
    };
    Ok((0..model.links().len()).map(center).collect())
}

impl Subject {
    /// Returns the name in benchmarks.
    pub fn name(self) -> &'static str {
        match self {
            Self::Creatures => "creatures",
            Self::Ant => "ant",
            Self::Humanoid => "humanoid",
            Self::Events => "events",
        }
    }

    /// Returns the trials.
    pub fn trials(self, options: &Options) -> Result<Vec<Trial>> {
        match self {
            Self::Creatures => creatures(),
            Self::Ant | Self::Humanoid => {
                let model = Arc::new(Model::read(&model_file(options.models.as_deref(), self.name())?)?);
                let samples = corpus::read(Path::new(corpus::FILE), self.name())?;
                spread(samples).into_iter().map(|sample| Trial::new(&model, sample.now)).collect()
            }
            Self::Events => {
                let worlds = events::files()?.into_iter();
                worlds.map(|(file, moment)| Trial::new(&Arc::new(Model::read(&file)?), moment)).collect()
            }
        }
    }
}

/// Returns one recorded state in contact of each of the first creatures. Their brains do not act.
fn creatures() -> Result<Vec<Trial>> {
    let creatures: Vec<_> = chosen().into_iter().take(2 * TRIALS).collect();
    let mut trials = Vec::new();
    for ((index, creature), (file, states)) in creatures.iter().enumerate().zip(crawling::models(&creatures)?) {
        let samples = record(index, creature, &states)?;
        let Some(sample) = samples.into_iter().find(|sample| sample.contacts > 0) else { continue };
        let model = Model { scene: creature.scene().clone(), folder: PathBuf::from("."), states, file };
        trials.push(Trial::new(&Arc::new(model), sample.now)?);
        if trials.len() == TRIALS {
            break;
        }
    }
    Ok(trials)
}

fn spread<T>(samples: Vec<T>) -> Vec<T> {
    let count = samples.len();
    let is_kept = |index: usize| index * TRIALS / count != (index + 1) * TRIALS / count;
    samples.into_iter().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, sample)| sample).collect()
}
