//! The classes `Creature` and `Brain`, and creatures as arguments.

use std::path::PathBuf;

use burgess_catalog::{Arena, Subject};
use burgess_creature::senses::Sense;
use burgess_creature::store::CreatureFile;
use burgess_creature::task::Task;
use burgess_creature::{Phenotype, portrait};
use burgess_pictures::PictureOptions;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arrays::{finite_numbers, type_name};
use crate::cell::Cell;
use crate::errors::{type_error, value_error};
use crate::genome::Genome;
use crate::task::{PyTask, task_of};

/// A genome with what is known about it: a name, the task that it is for, a seed and a fitness.
///
/// >>> import burgess
/// >>> walker = burgess.Creature("walker")
/// >>> walker.name, walker.task.name
/// ('walker', 'walk')
#[pyclass(frozen, module = "burgess", name = "Creature")]
#[derive(Debug, Clone)]
pub struct PyCreature(pub burgess_catalog::Creature);

/// Returns the word if an argument is a name or a path; none if it is a creature or a genome.
pub fn creature_or_text(argument: &Bound<PyAny>) -> PyResult<Option<String>> {
    if argument.is_instance_of::<PyCreature>() || argument.is_instance_of::<Genome>() {
        return Ok(None);
    }
    if let Ok(text) = argument.cast::<PyString>() {
        return Ok(Some(text.to_string()));
    }
    let path: PathBuf = argument.extract().map_err(|_| {
        type_error(format!("expected a name, a path, a Creature or a Genome, found {}", type_name(argument)))
    })?;
    Ok(Some(path.to_string_lossy().into_owned()))
}

/// Reads an argument as a creature: a name, a path, a creature or a genome.
pub fn creature_of(argument: &Bound<PyAny>) -> PyResult<burgess_catalog::Creature> {
    if let Ok(creature) = argument.cast::<PyCreature>() {
        return Ok(creature.get().0.clone());
    }
    if let Ok(genome) = argument.cast::<Genome>() {
        return Ok(burgess_catalog::Creature::of_file(CreatureFile::new("creature", genome.get().0.clone())));
    }
    let name = creature_or_text(argument)?.unwrap_or_default();
    Subject::resolve(&name).and_then(|subject| subject.creature()).map_err(value_error)
}

/// The task for a creature: the argument, or else the creature's own.
pub fn task_for(creature: &burgess_catalog::Creature, task: Option<&Bound<PyAny>>) -> PyResult<(Task, u64)> {
    let mut creature = creature.clone();
    creature.task = task.map(task_of).transpose()?.or(creature.task);
    Arena::default().task_and_seed(&creature).map_err(value_error)
}

/// Grows the body and the brain of a creature for a task.
pub fn grown(creature: &burgess_catalog::Creature, task: &Task) -> PyResult<Phenotype> {
    let grown = creature.file.genome.grow(&task.physiology);
    grown.map_err(|why| value_error(format!("{}: the genome does not grow: {why}", creature.file.name)))
}

#[pymethods]
impl PyCreature {
    #[new]
    fn new(what: &Bound<PyAny>) -> PyResult<Self> {
        creature_of(what).map(Self)
    }

    /// Name of the creature.
    #[getter]
    fn name(&self) -> &str {
        &self.0.file.name
    }

    /// One-sentence description, if there is one.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.0.file.description.as_deref()
    }

    /// The genome.
    #[getter]
    fn genome(&self) -> Genome {
        Genome(self.0.file.genome.clone())
    }

    /// The task that the creature was evolved or designed for.
    #[getter]
    fn task(&self) -> PyResult<PyTask> {
        Ok(PyTask(task_for(&self.0, None)?.0))
    }

    /// Seed of its evaluation.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.file.seed.unwrap_or(0)
    }

    /// Fitness in the file or the run, if it is known.
    #[getter]
    fn fitness(&self) -> Option<f64> {
        self.0.file.fitness
    }

    /// Write a creature file (.json).
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.0.file.write(path).map_err(value_error)
    }

    /// Return the content of a creature file.
    fn to_json(&self) -> String {
        self.0.file.to_json()
    }

    /// Return the brain, to be stepped alone.
    #[pyo3(signature = (task=None))]
    fn brain(&self, task: Option<&Bound<PyAny>>) -> PyResult<Brain> {
        let (task, _) = task_for(&self.0, task)?;
        Ok(Brain::new(grown(&self.0, &task)?, 1.0 / task.physiology.brain_rate))
    }

    /// Draw the body as SVG.
    #[pyo3(signature = (width=320, height=240))]
    fn picture(&self, width: u32, height: u32) -> PyResult<String> {
        let body = grown(&self.0, &task_for(&self.0, None)?.0)?.body;
        let options = PictureOptions { width, height, title: self.0.file.name.clone(), ..PictureOptions::default() };
        portrait(&body, options).map_err(value_error)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.picture(320, 240)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        if slf.get().0.task.is_some() {
            return Err(type_error("a creature of a run cannot be pickled; pickle its genome and its task"));
        }
        Ok((slf.getattr("from_json")?, (slf.get().to_json(),)))
    }

    /// Read the content of a creature file.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(Self(burgess_catalog::Creature::of_file(CreatureFile::from_json(text, "creature").map_err(value_error)?)))
    }

    fn __repr__(&self) -> String {
        format!("<Creature '{}' ({})>", self.0.file.name, self.0.file.genome.family().name())
    }
}

/// The brain of a creature, to be stepped alone.
///
/// >>> import burgess
/// >>> brain = burgess.Creature("walker").brain()
/// >>> outputs = brain.step([0.0] * brain.senses)
/// >>> len(outputs) == brain.outputs
/// True
#[pyclass(frozen, module = "burgess")]
pub struct Brain {
    cell: Cell<BrainState>,
    senses: usize,
    outputs: usize,
    period: f64,
}

struct BrainState {
    phenotype: Phenotype,
    memory: Vec<f64>,
}

impl Brain {
    fn new(phenotype: Phenotype, period: f64) -> Self {
        let mut memory = vec![0.0; phenotype.brain.memory()];
        phenotype.brain.initial(&mut memory);
        let (senses, outputs) = (phenotype.body.parts.len() * Sense::COUNT, phenotype.body.axes());
        Self { cell: Cell::new("brain", BrainState { phenotype, memory }), senses, outputs, period }
    }
}

#[pymethods]
impl Brain {
    /// Number of senses.
    #[getter]
    fn senses(&self) -> usize {
        self.senses
    }

    /// Number of outputs: one for each axis of the joints.
    #[getter]
    fn outputs(&self) -> usize {
        self.outputs
    }

    /// Time between two updates, in s.
    #[getter]
    fn period(&self) -> f64 {
        self.period
    }

    /// Update the brain once and return its outputs.
    fn step<'py>(&self, py: Python<'py>, senses: &Bound<PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let senses = finite_numbers(senses, "senses", &[self.senses])?;
        self.cell.with(|state| {
            let mut outputs = vec![0.0; self.outputs];
            state.phenotype.brain.update(&mut state.memory, &senses, self.period, &mut outputs);
            Ok(outputs.into_pyarray(py))
        })
    }

    /// Return to the initial memory.
    fn reset(&self) -> PyResult<()> {
        self.cell.with(|state| {
            state.phenotype.brain.initial(&mut state.memory);
            Ok(())
        })
    }

    fn __repr__(&self) -> String {
        format!("<Brain with {} senses and {} outputs>", self.senses, self.outputs)
    }
}
