//! The function `evaluate` and the class `Evaluation`.

use std::sync::Arc;

use burgess_catalog::Creature;
use burgess_creature::evaluation::{Evaluation, EvaluationOptions, Record, Side, evaluate_on_side, evaluate_with};
use burgess_creature::task::Task;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::creature::{creature_of, task_for};
use crate::errors::value_error;
use crate::parallel::{map_indices, thread_count};
use crate::task::measure_dictionary;

/// The result of an evaluation.
#[pyclass(frozen, module = "burgess", name = "Evaluation")]
#[derive(Debug, Clone)]
pub struct PyEvaluation {
    evaluation: Arc<Evaluation>,
    /// Fitness by a function of Python instead of the task's formula.
    own_fitness: Option<f64>,
}

impl PyEvaluation {
    /// Wraps an evaluation.
    pub fn new(evaluation: Evaluation) -> Self {
        Self { evaluation: Arc::new(evaluation), own_fitness: None }
    }
}

#[pymethods]
impl PyEvaluation {
    /// Value of the task's formula, or of the function that was given; 0 unless it was scored.
    #[getter]
    fn fitness(&self) -> f64 {
        self.own_fitness.unwrap_or(self.evaluation.fitness)
    }

    /// Return the same evaluation with another fitness.
    fn with_fitness(&self, fitness: f64) -> PyResult<Self> {
        if !fitness.is_finite() {
            return Err(value_error(format!("the fitness must be finite, found {fitness}")));
        }
        Ok(Self { evaluation: Arc::clone(&self.evaluation), own_fitness: Some(fitness) })
    }

    /// 'scored', 'unviable' or 'faulty'.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.evaluation.outcome.name()
    }

    /// Reason why there is no fitness; none if it was scored.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.evaluation.outcome.reason()
    }

    /// Measures by name.
    #[getter]
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        measure_dictionary(py, &self.evaluation.measures)
    }

    /// Descriptors of the body and the behaviour by name.
    #[getter]
    fn descriptors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dictionary = PyDict::new(py);
        for (name, value) in self.evaluation.descriptors.named() {
            dictionary.set_item(name, value)?;
        }
        Ok(dictionary)
    }

    /// Fitness of all trials by the task's formula.
    #[getter]
    fn trials(&self) -> Vec<f64> {
        self.evaluation.trials.iter().map(|trial| trial.fitness).collect()
    }

    /// Simulated time of all trials, in s.
    #[getter]
    fn seconds(&self) -> f64 {
        self.evaluation.seconds
    }

    /// Number of physics steps of all trials.
    #[getter]
    fn steps(&self) -> u64 {
        self.evaluation.steps
    }

    /// Hash of all numbers of the evaluation, as archives of runs store it.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.evaluation.hash())
    }

    /// The recording of the first trial, if it was requested.
    #[getter]
    fn recording<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.evaluation.recording.as_deref().map(|bytes| PyBytes::new(py, bytes))
    }

    fn __repr__(&self) -> String {
        match self.evaluation.outcome.reason() {
            None => format!("<Evaluation: fitness {}>", self.fitness()),
            Some(why) => format!("<Evaluation: {}, {why}>", self.outcome()),
        }
    }
}

/// A creature to be evaluated.
struct Job {
    creature: Creature,
    task: Arc<Task>,
    seed: u64,
}

impl Job {
    fn evaluate(&self, record: bool) -> Evaluation {
        let record = record.then(Record::default);
        let options = EvaluationOptions { record, ..EvaluationOptions::default() };
        let genome = &self.creature.file.genome;
        match (&self.task.contest, &self.creature.opponent) {
            (Some(_), Some((opponent, side))) => {
                let [own, _] = evaluate_on_side(genome, opponent.as_ref(), *side, &self.task, self.seed, &options);
                own
            }
            (Some(_), None) => {
                let [own, _] = evaluate_on_side(genome, None, Side::First, &self.task, self.seed, &options);
                own
            }
            (None, _) => evaluate_with(genome, &self.task, self.seed, &options),
        }
    }
}

/// Evaluate creatures on all cores: for `burgess.evaluate`.
#[pyfunction]
#[pyo3(signature = (creatures, task, seeds, threads, record))]
pub fn evaluate_all(
    py: Python,
    creatures: &Bound<PyList>,
    task: Option<&Bound<PyAny>>,
    seeds: Option<Vec<u64>>,
    threads: Option<usize>,
    record: bool,
) -> PyResult<Vec<PyEvaluation>> {
    if let Some(seeds) = seeds.as_ref().filter(|seeds| seeds.len() != creatures.len()) {
        let (expected, found) = (creatures.len(), seeds.len());
        return Err(value_error(format!("seed: expected one seed or {expected} seeds, found {found}")));
    }
    let mut jobs: Vec<Job> = Vec::with_capacity(creatures.len());
    for (index, argument) in creatures.iter().enumerate() {
        let creature = creature_of(&argument)?;
        let (found, own_seed) = task_for(&creature, task)?;
        // Most creatures share one task.
        let known = jobs.last().map(|job| &job.task).filter(|known| ***known == found).cloned();
        let seed = seeds.as_ref().map_or(own_seed, |seeds| seeds[index]);
        jobs.push(Job { creature, task: known.unwrap_or_else(|| Arc::new(found)), seed });
    }
    let evaluations = map_indices(py, jobs.len(), thread_count(threads)?, |index| jobs[index].evaluate(record))?;
    Ok(evaluations.into_iter().map(PyEvaluation::new).collect())
}
