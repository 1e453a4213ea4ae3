//! Evaluation while another simulator, driven from Python, moves the bodies.

use burgess_referee::{Drive, Engine, EngineError, Moment, RefereeError, judge};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::creature::{creature_of, task_for};
use crate::errors::{runtime_error, value_error};
use crate::evaluation::PyEvaluation;

/// An object of Python with the attribute `substeps` and the methods `advance` and `touches`.
#[derive(Debug)]
struct PythonEngine {
    object: Py<PyAny>,
    substeps: u32,
}

/// What `advance` returns.
type State = (Vec<f64>, Vec<f64>);

fn engine_error(error: PyErr) -> EngineError {
    EngineError(error.to_string())
}

impl Engine for PythonEngine {
    fn advance(&mut self, moment: &mut Moment, drive: &Drive, step: f64) -> Result<(), EngineError> {
        let advanced = Python::attach(|py| -> PyResult<State> {
            let push = |push: &burgess_referee::Push| {
                (push.body.clone(), push.force.to_array(), push.moment.to_array(), push.point.to_array())
            };
            let pushes = PyList::new(py, drive.pushes.iter().map(push))?;
            let (qpos, qvel, controls) = (moment.qpos.clone(), moment.qvel.clone(), drive.controls.clone());
            let arguments = (qpos, qvel, controls, drive.is_active, pushes, step);
            self.object.call_method1(py, "advance", arguments)?.extract(py)
        });
        let (qpos, qvel) = advanced.map_err(engine_error)?;
        if (qpos.len(), qvel.len()) != (moment.qpos.len(), moment.qvel.len()) {
            return Err(EngineError("advance() returned lists of other lengths than it was given".to_string()));
        }
        (moment.qpos, moment.qvel) = (qpos, qvel);
        Ok(())
    }

    fn substeps(&self) -> u32 {
        self.substeps
    }

    fn touches(&self, visit: &mut dyn FnMut(&str, &str)) {
        let pairs = Python::attach(|py| -> PyResult<Vec<(String, String)>> {
            self.object.call_method0(py, "touches")?.extract(py)
        });
        pairs.unwrap_or_default().iter().for_each(|(a, b)| visit(a, b));
    }
}

/// Evaluate a creature while engines made by `load(mjcf)` move its body: for `burgess.referee`.
#[pyfunction]
#[pyo3(signature = (creature, task, seed, load))]
pub fn judge_by(
    py: Python,
    creature: &Bound<PyAny>,
    task: Option<&Bound<PyAny>>,
    seed: Option<u64>,
    load: Py<PyAny>,
) -> PyResult<(PyEvaluation, Vec<String>)> {
    let creature = creature_of(creature)?;
    let (task, own_seed) = task_for(&creature, task)?;
    if task.contest.is_some() {
        let name = &task.name;
        return Err(value_error(format!(
            "the task '{name}' is played by two creatures; choose a task of one creature"
        )));
    }
    let mut load = |xml: &str| -> Result<Box<dyn Engine>, EngineError> {
        let made = Python::attach(|py| -> PyResult<PythonEngine> {
            let object = load.call1(py, (xml,))?;
            let substeps = object.getattr(py, "substeps")?.extract(py)?;
            Ok(PythonEngine { object, substeps })
        });
        Ok(Box::new(made.map_err(engine_error)?))
    };
    let seed = seed.unwrap_or(own_seed);
    let judged = py.detach(|| {
        // The closure is called on this thread only.
        judge(&creature.file.genome, &task, seed, &mut load)
    });
    let judgement = judged.map_err(|error| match error {
        RefereeError::Unviable(_) => value_error(error),
        other => runtime_error(other),
    })?;
    Ok((PyEvaluation::new(judgement.evaluation), judgement.warnings))
}
