//! An engine that repeats a recorded motion, to check that the brain gets the same senses from an engine.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use burgess_creature::AnyGenome;
use burgess_creature::evaluation::{EvaluationOptions, evaluate_moved};
use burgess_creature::task::Task;
use burgess_formats::mjcf::StateMap;
use burgess_scene::RunningScene;
use burgess_scene::spec::SceneSpec;
use burgess_simulation::modules::{Modules, TimeControl};
use burgess_simulation::{Failure, SimulationData};
use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::RefereeError;
use crate::control::{EngineControl, EngineFailure, Trace, record_memory};
use crate::engine::{Drive, Engine, EngineError, Moment};
use crate::judge::exported;

/// How the brain acts on the same motion in Burgess and in an engine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BrainCheck {
    /// Number of steps that were compared.
    pub steps: usize,
    /// Number of senses, outputs and stored values of the brain in each step.
    pub values: usize,
    /// Largest difference of any of them.
    pub difference: f64,
    /// Fitness of the motion in Burgess.
    pub fitness: f64,
    /// Fitness that is measured on the same motion in the engine.
    pub replayed_fitness: f64,
}

/// A step of a recorded motion.
#[derive(Debug, Clone, Default)]
struct Frame {
    moment: Moment,
    touches: Vec<[String; 2]>,
}

type Film = Arc<Mutex<Vec<Vec<Frame>>>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Evaluates a creature in Burgess, repeats the motion through an engine, and compares all senses and outputs.
pub fn check_brain(genome: &AnyGenome, task: &Task, seed: u64) -> Result<BrainCheck, RefereeError> {
    let phenotype = genome.grow(&task.physiology)?;
    let (film, own, replayed) = (Film::default(), Trace::default(), Trace::default());
    let mut refusal = None;
    let mut record = |scene: &SceneSpec, running: &mut RunningScene| match exported(scene) {
        Ok((_, map, _)) => {
            locked(&film).push(Vec::new());
            let names = collider_names(scene, running);
            let recorder = |inner| Recorder { inner, map, names, film: Arc::clone(&film), trace: Arc::clone(&own) };
            wrap(running, recorder);
        }
        Err(error) => refusal = Some(error),
    };
    let options = EvaluationOptions::default();
    let fitness = evaluate_moved(&phenotype, task, seed, &options, &mut record).fitness;
    let (mut trial, failure) = (0, EngineFailure::default());
    let mut replay = |scene: &SceneSpec, running: &mut RunningScene| match exported(scene) {
        Ok((_, map, _)) => {
            let frames = locked(&film).get(trial).cloned().unwrap_or_default();
            trial += 1;
            let engine = Box::new(Replay { frames, next: 0 });
            let control = EngineControl::new(engine, map, scene, running, Arc::clone(&failure));
            running.simulation.replace_time_control(Box::new(control.with_trace(Arc::clone(&replayed))));
        }
        Err(error) => refusal = Some(error),
    };
    let replayed_fitness = evaluate_moved(&phenotype, task, seed, &options, &mut replay).fitness;
    if let Some(error) = refusal {
        return Err(error);
    }
    if let Some(error) = locked(&failure).take() {
        return Err(error.into());
    }
    let (own, replayed) = (locked(&own), locked(&replayed));
    let pairs = own.iter().flatten().zip(replayed.iter().flatten());
    let difference = match own.len() == replayed.len() {
        true => pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
        false => f64::INFINITY,
    };
    let values = own.first().map_or(0, Vec::len);
    Ok(BrainCheck { steps: own.len(), values, difference, fitness, replayed_fitness })
}

/// Replaces the time control of a scene by one that contains it.
fn wrap<T: TimeControl + 'static>(running: &mut RunningScene, make: impl FnOnce(Box<dyn TimeControl>) -> T) {
    let own = running.simulation.replace_time_control(Box::<burgess_simulation::time_control::FixedStep>::default());
    running.simulation.replace_time_control(Box::new(make(own)));
}

/// Names of the bodies of all colliders.
fn collider_names(scene: &SceneSpec, running: &RunningScene) -> Vec<String> {
    let mut names = vec![String::new(); running.simulation.world().colliders().len()];
    for (spec, built) in scene.bodies.iter().zip(&running.bodies) {
        names[built.colliders.clone()].fill(spec.name.clone());
    }
    names
}

/// Records the motion of Burgess.
#[derive(Debug)]
struct Recorder {
    inner: Box<dyn TimeControl>,
    map: StateMap,
    names: Vec<String>,
    film: Film,
    trace: Trace,
}

impl TimeControl for Recorder {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        record_memory(&self.trace, data);
        self.inner.advance(data, modules, step)?;
        let (qpos, qvel) = self.map.from_state(data.world.model(), &data.state.q, &data.state.v).unwrap_or_default();
        let touches: BTreeSet<[String; 2]> = data
            .pairs
            .iter()
            .filter(|(_, record)| record.impulses.iter().any(|stored| stored.impulse != DVec3::ZERO))
            .map(|(pair, _)| [pair.a, pair.b].map(|proxy| self.names[proxy.index()].clone()))
            .collect();
        let frame = Frame { moment: Moment { qpos, qvel }, touches: touches.into_iter().collect() };
        locked(&self.film).last_mut().into_iter().for_each(|frames| frames.push(frame.clone()));
        Ok(())
    }

    fn memory(&self) -> Vec<f64> {
        self.inner.memory()
    }

    fn set_memory(&mut self, memory: &[f64]) {
        self.inner.set_memory(memory);
    }
}

/// Repeats a recorded motion, whatever the controls are.
#[derive(Debug)]
struct Replay {
    frames: Vec<Frame>,
    next: usize,
}

impl Engine for Replay {
    fn advance(&mut self, moment: &mut Moment, _: &Drive, _: f64) -> Result<(), EngineError> {
        let frame = self.frames.get(self.next).ok_or_else(|| EngineError("the recorded motion is over".to_string()))?;
        moment.clone_from(&frame.moment);
        self.next += 1;
        Ok(())
    }

    fn touches(&self, visit: &mut dyn FnMut(&str, &str)) {
        let Some(frame) = self.next.checked_sub(1).and_then(|last| self.frames.get(last)) else { return };
        frame.touches.iter().for_each(|[a, b]| visit(a, b));
    }
}
