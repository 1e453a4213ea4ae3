//! The class `Batch`: many worlds of different bodies, stepped on several threads.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::arrays::{LiveArray, numbers, type_name};
use crate::cell::{Cell, Unusable};
use crate::errors::{runtime_error, type_error, value_error};
use crate::parallel::{pool, thread_count};
use crate::simulation::Simulation;
use crate::slot::{Member, Slot};
use crate::trial::Trial;

/// Worlds with the widths of their padded actions and observations.
struct Worlds {
    slots: Vec<Slot>,
    width: usize,
    observations: Vec<f64>,
}

/// Many worlds of different bodies, stepped on several threads.
///
/// >>> import burgess, numpy
/// >>> batch = burgess.Batch([burgess.Trial("walker", "walk"), burgess.Trial("quadruped", "walk")])
/// >>> observations = batch.reset(seeds=[1, 2])
/// >>> batch.action_mask.sum(axis=1).tolist()
/// [12, 8]
/// >>> observations, rewards, terminated, truncated = batch.step(numpy.zeros(batch.action_mask.shape))
/// >>> terminated.tolist()
/// [False, False]
#[pyclass(frozen, module = "burgess")]
pub struct Batch {
    cell: Cell<Worlds>,
    pool: Option<ThreadPool>,
    threads: usize,
    count: usize,
    action_width: usize,
    observations: LiveArray,
    action_sizes: Vec<usize>,
    observation_sizes: Vec<usize>,
}

/// What a step returns: observations, rewards, terminated, truncated.
type Step<'py> = (Py<PyAny>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

impl Batch {
    /// Reads actions and refuses those that are not finite where they exist.
    fn checked_actions(&self, actions: &Bound<PyAny>) -> PyResult<Vec<f64>> {
        let (shape, actions) = numbers(actions, "actions")?;
        let width = self.action_width;
        if shape != [self.count, width] {
            let expected = (self.count, width);
            return Err(value_error(format!("actions: expected an array of shape {expected:?}, found {shape:?}")));
        }
        for (row, &size) in self.action_sizes.iter().enumerate() {
            let own = &actions[row * width..row * width + size];
            if let Some(column) = own.iter().position(|value| !value.is_finite()) {
                let value = own[column];
                return Err(value_error(format!("actions[{row}, {column}] is {value}, expected a finite number")));
            }
        }
        Ok(actions)
    }

    /// Runs a stage on all worlds on all threads. The interpreter's lock must be released.
    fn run_detached(&self, stage: &(dyn Fn(usize, &mut Slot, &mut [f64]) + Sync)) -> Result<(), Unusable> {
        self.cell.try_with(|worlds| {
            // A batch of worlds without observations still has rows.
            let width = worlds.width.max(1);
            worlds.observations.resize(worlds.slots.len() * width, 0.0);
            let rows = worlds.slots.iter_mut().zip(worlds.observations.chunks_mut(width));
            match &self.pool {
                None => rows.enumerate().for_each(|(index, (slot, row))| stage(index, slot, row)),
                Some(pool) => {
                    let rows: Vec<(&mut Slot, &mut [f64])> = rows.collect();
                    // Worlds take different times, so that threads take them one by one.
                    let rows = rows.into_par_iter().with_max_len(1).enumerate();
                    pool.install(|| rows.for_each(|(index, (slot, row))| stage(index, slot, row)));
                }
            }
        })
    }

    /// Runs a stage on all worlds, and shows their observations to Python.
    fn run(&self, py: Python, stage: impl Fn(usize, &mut Slot, &mut [f64]) + Sync) -> PyResult<()> {
        let ran = py.detach(|| self.run_detached(&stage));
        ran.map_err(|why| self.cell.unusable(why))?;
        self.cell.with(|worlds| {
            let refused = worlds.slots.iter().find_map(|slot| Some(slot.unusable(slot.row.unusable?)));
            worlds.slots.iter_mut().for_each(|slot| slot.row.unusable = None);
            if let Some(error) = refused {
                return Err(error);
            }
            self.observations.fill(py, &worlds.observations[..worlds.slots.len() * worlds.width])
        })
    }

    fn mask<'py>(&self, py: Python<'py>, sizes: &[usize], width: usize) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let cells: Vec<bool> = sizes.iter().flat_map(|&size| (0..width).map(move |index| index < size)).collect();
        cells.into_pyarray(py).reshape([sizes.len(), width])
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (worlds, *, threads=None))]
    fn new(py: Python, worlds: &Bound<PyAny>, threads: Option<usize>) -> PyResult<Self> {
        let mut slots: Vec<Slot> = Vec::new();
        for world in worlds.try_iter()? {
            let world = world?;
            let member = if let Ok(simulation) = world.cast::<Simulation>() {
                Member::Scene(Arc::clone(&simulation.get().cell))
            } else if let Ok(trial) = world.cast::<Trial>() {
                Member::Trial(Arc::clone(&trial.get().cell))
            } else {
                let found = type_name(&world);
                return Err(type_error(format!("a batch has worlds of type Simulation or Trial, found {found}")));
            };
            let is_same = |slot: &Slot| match (&slot.member, &member) {
                (Member::Scene(a), Member::Scene(b)) => Arc::ptr_eq(a, b),
                (Member::Trial(a), Member::Trial(b)) => Arc::ptr_eq(a, b),
                _ => false,
            };
            if let Some(index) = slots.iter().position(is_same) {
                return Err(value_error(format!("world {} is also world {index}; create another one", slots.len())));
            }
            slots.push(Slot::new(member)?);
        }
        if slots.is_empty() {
            return Err(value_error("a batch has at least one world, found none"));
        }
        let (action_sizes, observation_sizes): (Vec<usize>, Vec<usize>) =
            slots.iter().map(|slot| (slot.actions, slot.observations)).unzip();
        let [action_width, width] = [&action_sizes, &observation_sizes].map(|sizes| sizes.iter().copied().max());
        let (action_width, width, count) = (action_width.unwrap_or(0), width.unwrap_or(0), slots.len());
        let threads = thread_count(threads)?.min(count);
        Ok(Self {
            cell: Cell::new("batch", Worlds { slots, width, observations: vec![0.0; count * width] }),
            pool: pool(threads)?,
            threads,
            count,
            action_width,
            observations: LiveArray::new(py, &[count, width])?,
            action_sizes,
            observation_sizes,
        })
    }

    /// Step all worlds: trials by updates of the brain, simulations by steps, `repeat` of them.
    #[pyo3(signature = (actions, repeat=1))]
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<PyAny>, repeat: u64) -> PyResult<Step<'py>> {
        let actions = self.checked_actions(actions)?;
        let width = self.action_width;
        self.run(py, |index, slot, observation| {
            slot.step(&actions[index * width..(index + 1) * width], repeat, observation);
        })?;
        self.cell.with(|worlds| {
            let rows = || worlds.slots.iter().map(|slot| &slot.row);
            Ok((
                self.observations.view(py),
                rows().map(|row| row.reward).collect::<Vec<f64>>().into_pyarray(py),
                rows().map(|row| row.terminated).collect::<Vec<bool>>().into_pyarray(py),
                rows().map(|row| row.truncated).collect::<Vec<bool>>().into_pyarray(py),
            ))
        })
    }

    /// Step all worlds in turns, `count` times, without Python in between: what `step` costs without Python, for
    /// benchmarks. (With `repeat`, each world makes all its steps before the next one, which is faster.)
    fn _step_in_turns(&self, py: Python, actions: &Bound<PyAny>, count: u64) -> PyResult<()> {
        let actions = self.checked_actions(actions)?;
        let width = self.action_width;
        py.detach(|| {
            for _ in 0..count {
                let stage = |index: usize, slot: &mut Slot, observation: &mut [f64]| {
                    slot.step(&actions[index * width..(index + 1) * width], 1, observation);
                };
                self.run_detached(&stage)?;
            }
            Ok(())
        })
        .map_err(|why| self.cell.unusable(why))
    }

    /// Start all worlds again, or those where `mask` is true, with new seeds for trials.
    #[pyo3(signature = (seeds=None, mask=None))]
    fn reset(&self, py: Python, seeds: Option<Vec<u64>>, mask: Option<Vec<bool>>) -> PyResult<Py<PyAny>> {
        let lengths = [("seeds", seeds.as_ref().map(Vec::len)), ("mask", mask.as_ref().map(Vec::len))];
        for (what, found) in lengths {
            if let Some(found) = found.filter(|&found| found != self.count) {
                return Err(value_error(format!("{what}: expected {} values, found {found}", self.count)));
            }
        }
        self.run(py, |index, slot, observation| {
            if mask.as_ref().is_none_or(|mask| mask[index]) {
                slot.reset(seeds.as_ref().map(|seeds| seeds[index]), observation);
            }
        })?;
        let failed = |(index, slot): (usize, &Slot)| Some(format!("world {index}: {}", slot.row.failure.as_ref()?));
        let is_reset = |index: &usize| mask.as_ref().is_none_or(|mask| mask[*index]);
        self.cell.with(|worlds| {
            match worlds.slots.iter().enumerate().filter(|(index, _)| is_reset(index)).find_map(failed) {
                Some(failure) => Err(runtime_error(failure)),
                None => Ok(self.observations.view(py)),
            }
        })
    }

    /// Observations of all worlds, padded with zeros; the array follows the batch.
    #[getter]
    fn observations(&self, py: Python) -> PyResult<Py<PyAny>> {
        self.cell.with(|_| Ok(self.observations.view(py)))
    }

    /// Values of the tasks' formulas so far; 0 for simulations.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.cell
            .with(|worlds| Ok(worlds.slots.iter().map(|slot| slot.row.score).collect::<Vec<f64>>().into_pyarray(py)))
    }

    /// Which of the padded observations exist.
    #[getter]
    fn observation_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let width = self.observation_sizes.iter().copied().max().unwrap_or(0);
        self.mask(py, &self.observation_sizes, width)
    }

    /// Which of the padded actions exist.
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        self.mask(py, &self.action_sizes, self.action_width)
    }

    /// Why worlds cannot go on, by index.
    #[getter]
    fn failures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.cell.with(|worlds| {
            let dictionary = PyDict::new(py);
            for (index, slot) in worlds.slots.iter().enumerate() {
                if let Some(failure) = &slot.row.failure {
                    dictionary.set_item(index, failure)?;
                }
            }
            Ok(dictionary)
        })
    }

    /// Hashes of the states of all worlds.
    #[getter]
    fn state_hashes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.cell.with(|worlds| {
            let hash = |slot: &Slot| match &slot.member {
                Member::Scene(cell) => cell.with(|world| Ok(world.running.simulation.state_hash())),
                Member::Trial(cell) => cell.with(|world| Ok(world.episode().map_err(value_error)?.state_hash())),
            };
            let hashes: PyResult<Vec<u64>> = worlds.slots.iter().map(hash).collect();
            PyList::new(py, hashes?.into_iter().map(|hash| format!("{hash:016x}")))
        })
    }

    /// Number of threads.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// Free the batch. Its worlds stay.
    fn close(&self) -> PyResult<()> {
        self.cell.close()
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<PyTuple>) -> PyResult<()> {
        self.close()
    }

    fn __repr__(&self) -> String {
        format!("<Batch of {} worlds on {} thread(s)>", self.count, self.threads)
    }
}
