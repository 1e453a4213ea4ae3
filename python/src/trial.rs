//! The class `Trial`.

use std::sync::Arc;

use burgess_creature::evaluation::Stopped;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::finite_numbers;
use crate::cell::Cell;
use crate::creature::{creature_of, grown, task_for};
use crate::errors::{index_error, value_error};
use crate::task::{PyTask, measure_dictionary};
use crate::trial_world::TrialWorld;

/// A trial of a task whose muscles are driven from Python, one update of the brain at a time.
///
/// In a contest, `opponent` is driven by its own brain, or from Python if `drive_both` is true; without an opponent the
/// creature meets the same body with slack muscles.
///
/// >>> import burgess
/// >>> task = burgess.Task("walk").replace(settle=0.5, duration=1, transient=0.2)
/// >>> trial, brain = burgess.Trial("walker", task), burgess.Creature("walker").brain(task)
/// >>> observation, over = trial.reset(seed=3), False
/// >>> while not over:
/// ...     observation, reward, terminated, truncated = trial.step(brain.step(observation))
/// ...     over = terminated or truncated
/// >>> trial.score() == burgess.evaluate("walker", task.replace(trials={"count": 1}), seed=3).fitness
/// True
#[pyclass(frozen, module = "burgess")]
pub struct Trial {
    pub cell: Arc<Cell<TrialWorld>>,
}

/// What a step returns: observation, reward, terminated, truncated.
type Step<'py> = (Bound<'py, PyArray1<f64>>, f64, bool, bool);

impl Trial {
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.cell.with(|world| {
            let mut values = vec![0.0; world.observation_size()];
            world.observe(&mut values).map_err(value_error)?;
            Ok(values.into_pyarray(py))
        })
    }

    fn with_creature<R>(&self, agent: usize, get: impl FnOnce(&TrialWorld, usize) -> PyResult<R>) -> PyResult<R> {
        self.cell.with(|world| {
            let count = world.agents.len();
            let unknown = || index_error(format!("there is no agent {agent}; the trial has {count}"));
            let creature = world.agents.get(agent).ok_or_else(unknown)?.creature;
            get(world, creature)
        })
    }
}

#[pymethods]
impl Trial {
    #[new]
    #[pyo3(signature = (creature, task=None, *, seed=None, opponent=None, drive_both=false))]
    fn new(
        creature: &Bound<PyAny>,
        task: Option<&Bound<PyAny>>,
        seed: Option<u64>,
        opponent: Option<&Bound<PyAny>>,
        drive_both: bool,
    ) -> PyResult<Self> {
        let own = creature_of(creature)?;
        let (task, own_seed) = task_for(&own, task)?;
        let mut creatures = vec![grown(&own, &task)?];
        match (&task.contest, opponent) {
            (Some(_), Some(other)) => creatures.push(grown(&creature_of(other)?, &task)?),
            (Some(_), None) => creatures.push(if drive_both { creatures[0].clone() } else { creatures[0].limp() }),
            (None, None) if !drive_both => {}
            (None, _) => {
                let name = &task.name;
                return Err(value_error(format!(
                    "the task '{name}' has no opponents; choose a contest, such as 'sumo'"
                )));
            }
        }
        let driven: &[usize] = if drive_both { &[0, 1] } else { &[0] };
        let world = TrialWorld::new(creatures, Arc::new(task), driven, seed.unwrap_or(own_seed));
        Ok(Self { cell: Arc::new(Cell::new("trial", world)) })
    }

    /// Start a trial and return the first observation. Without a seed, that of the last trial is used again.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let started = py.detach(|| self.cell.try_with(|world| world.reset(seed.unwrap_or(world.seed))));
        started.map_err(|why| self.cell.unusable(why))?.map_err(value_error)?;
        self.observation(py)
    }

    /// Apply outputs until the next update of the brain. Returns observation, reward, terminated, truncated.
    fn step<'py>(&self, py: Python<'py>, action: &Bound<PyAny>) -> PyResult<Step<'py>> {
        let size = self.cell.with(|world| Ok(world.action_size()))?;
        let action = finite_numbers(action, "action", &[size])?;
        let stepped = py.detach(|| self.cell.try_with(|world| world.step(&action)));
        stepped.map_err(|why| self.cell.unusable(why))?.map_err(value_error)?;
        let (reward, (terminated, truncated)) =
            self.cell.with(|world| Ok((world.rewards.first().copied().unwrap_or(0.0), world.ending())))?;
        Ok((self.observation(py)?, reward, terminated, truncated))
    }

    /// Gain of the score of each agent in the last step.
    #[getter]
    fn rewards(&self) -> PyResult<Vec<f64>> {
        self.cell.with(|world| Ok(world.rewards.clone()))
    }

    /// Measures of an agent so far, by name.
    #[pyo3(signature = (agent=0))]
    fn measures<'py>(&self, py: Python<'py>, agent: usize) -> PyResult<Bound<'py, PyDict>> {
        self.with_creature(agent, |world, creature| {
            measure_dictionary(py, &world.episode().map_err(value_error)?.measures(creature))
        })
    }

    /// Value of the task's formula for an agent so far; at the end its fitness in this trial.
    #[pyo3(signature = (agent=0))]
    fn score(&self, agent: usize) -> PyResult<f64> {
        self.with_creature(agent, |world, creature| Ok(world.episode().map_err(value_error)?.score(creature)))
    }

    /// The fault that ended the trial, if there was one.
    #[getter]
    fn fault(&self) -> PyResult<Option<String>> {
        self.cell.with(|world| Ok(world.episode().map_err(value_error)?.fault().map(ToString::to_string)))
    }

    /// Why the trial was stopped early: 'still' or 'no_progress'; none if it was not.
    #[getter]
    fn stopped(&self) -> PyResult<Option<&'static str>> {
        self.cell.with(|world| {
            let name = |stopped| match stopped {
                Stopped::Still => "still",
                Stopped::NoProgress => "no_progress",
            };
            Ok(world.episode().map_err(value_error)?.stopped().map(name))
        })
    }

    /// The task.
    #[getter]
    fn task(&self) -> PyResult<PyTask> {
        self.cell.with(|world| Ok(PyTask(world.task().clone())))
    }

    /// Numbers of senses of all agents.
    #[getter]
    fn observation_sizes(&self) -> PyResult<Vec<usize>> {
        self.cell.with(|world| Ok(world.agents.iter().map(|agent| agent.senses).collect()))
    }

    /// Numbers of outputs of all agents.
    #[getter]
    fn action_sizes(&self) -> PyResult<Vec<usize>> {
        self.cell.with(|world| Ok(world.agents.iter().map(|agent| agent.outputs).collect()))
    }

    /// Lowest useful outputs of all agents, one after the other.
    #[getter]
    fn action_low<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.cell.with(|world| {
            Ok(world.action_bounds().iter().map(|bounds| bounds[0]).collect::<Vec<f64>>().into_pyarray(py))
        })
    }

    /// Highest useful outputs of all agents, one after the other.
    #[getter]
    fn action_high<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.cell.with(|world| {
            Ok(world.action_bounds().iter().map(|bounds| bounds[1]).collect::<Vec<f64>>().into_pyarray(py))
        })
    }

    /// Simulated time, including settling, in s.
    #[getter]
    fn time(&self) -> PyResult<f64> {
        self.cell.with(|world| Ok(world.episode().map_err(value_error)?.seconds()))
    }

    /// Hash of the state.
    #[getter]
    fn state_hash(&self) -> PyResult<String> {
        self.cell.with(|world| Ok(format!("{:016x}", world.episode().map_err(value_error)?.state_hash())))
    }

    /// Draw the present state as SVG.
    #[pyo3(signature = (width=640, height=420))]
    fn picture(&self, width: u32, height: u32) -> PyResult<String> {
        self.cell.with(|world| world.episode_mut().map_err(value_error)?.picture(width, height).map_err(value_error))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.picture(640, 420)
    }

    /// Free the trial. Later calls raise `ValueError`.
    fn close(&self) -> PyResult<()> {
        self.cell.close()
    }

    /// Whether the trial was freed.
    #[getter]
    fn closed(&self) -> bool {
        self.cell.is_closed()
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<pyo3::types::PyTuple>) -> PyResult<()> {
        self.close()
    }

    fn __repr__(&self) -> String {
        let described = self.cell.with(|world| Ok(format!("<Trial of '{}'>", world.task().name)));
        described.unwrap_or_else(|_| "<Trial, closed or in use>".to_string())
    }
}
