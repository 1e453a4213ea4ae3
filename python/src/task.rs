//! The class `Task`, and tasks as arguments.

use burgess_catalog::find_task;
use burgess_creature::task::{Measure, Measures, Task};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arrays::type_name;
use crate::errors::{type_error, value_error};

/// A task: an arena, a duration and a formula for the fitness. It never changes.
///
/// >>> import burgess
/// >>> task = burgess.Task("walk").replace(duration=3, arena={"friction": 0.5}, fitness="forward / length")
/// >>> task.score({"forward": 2.0, "length": 0.5})
/// 4.0
#[pyclass(frozen, eq, module = "burgess", name = "Task")]
#[derive(Debug, Clone, PartialEq)]
pub struct PyTask(pub Task);

/// Reads an argument as a task: a name, a task file or a task.
pub fn task_of(argument: &Bound<PyAny>) -> PyResult<Task> {
    if let Ok(task) = argument.cast::<PyTask>() {
        return Ok(task.get().0.clone());
    }
    let name = match argument.cast::<PyString>() {
        Ok(text) => text.to_string(),
        Err(_) => {
            let path: std::path::PathBuf = argument.extract().map_err(|_| {
                type_error(format!("task: expected a name, a file or a Task, found {}", type_name(argument)))
            })?;
            path.to_string_lossy().into_owned()
        }
    };
    find_task(&name).map_err(value_error)
}

/// Names of all built-in tasks.
#[pyfunction]
pub fn tasks() -> Vec<&'static str> {
    Task::preset_texts().map(|(name, _)| name).collect()
}

/// Names, units and descriptions of all measures that formulas can use.
#[pyfunction]
pub fn measures() -> Vec<(&'static str, &'static str, &'static str)> {
    Measure::ALL.iter().map(|measure| (measure.name(), measure.unit(), measure.description())).collect()
}

/// Measures as a dictionary.
pub fn measure_dictionary<'py>(py: Python<'py>, measures: &Measures) -> PyResult<Bound<'py, PyDict>> {
    let dictionary = PyDict::new(py);
    for (measure, value) in measures.iter() {
        dictionary.set_item(measure.name(), value)?;
    }
    Ok(dictionary)
}

#[pymethods]
impl PyTask {
    #[new]
    fn new(what: &Bound<PyAny>) -> PyResult<Self> {
        task_of(what).map(Self)
    }

    /// Read the text of a task file.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<Self> {
        Ok(Self(Task::from_toml(text, "task").map_err(value_error)?))
    }

    /// Return the text of a task file.
    fn to_toml(&self) -> String {
        self.0.to_toml()
    }

    /// Return a task with other values. Tables are merged: `replace(arena={"friction": 0.5})` changes nothing else.
    #[pyo3(signature = (**changes))]
    fn replace(&self, py: Python, changes: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let Some(changes) = changes else { return Ok(self.clone()) };
        let text: String = py.import("json")?.call_method1("dumps", (changes,))?.extract()?;
        let changes: toml::Table = serde_json::from_str(&text).map_err(value_error)?;
        let mut table: toml::Table = toml::from_str(&self.0.to_toml()).map_err(value_error)?;
        merge(&mut table, changes);
        Self::from_toml(&toml::to_string(&table).map_err(value_error)?)
    }

    /// Name of the task.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// One-sentence description.
    #[getter]
    fn description(&self) -> &str {
        &self.0.description
    }

    /// Formula of the fitness.
    #[getter]
    fn formula(&self) -> String {
        self.0.fitness.to_string()
    }

    /// Duration of a trial without settling, in s.
    #[getter]
    fn duration(&self) -> f64 {
        self.0.duration
    }

    /// Update rate of the brain, in Hz.
    #[getter]
    fn brain_rate(&self) -> f64 {
        self.0.physiology.brain_rate
    }

    /// Whether two creatures compete.
    #[getter]
    fn is_contest(&self) -> bool {
        self.0.contest.is_some()
    }

    /// Compute the formula for measures by name. Missing measures are 0.
    #[pyo3(signature = (measures, opponent=None))]
    fn score(&self, measures: &Bound<PyDict>, opponent: Option<&Bound<PyDict>>) -> PyResult<f64> {
        let read = |dictionary: &Bound<PyDict>| -> PyResult<Measures> {
            let mut all = Measures::default();
            for (name, value) in dictionary.iter() {
                let name: String = name.extract()?;
                let unknown = || value_error(format!("there is no measure '{name}'; burgess.measures() lists all"));
                all[Measure::from_name(&name).ok_or_else(unknown)?] = value.extract()?;
            }
            Ok(all)
        };
        Ok(self.0.score_against(&read(measures)?, opponent.map(read).transpose()?.as_ref()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.getattr("from_toml")?, (slf.get().to_toml(),)))
    }

    fn __repr__(&self) -> String {
        format!("<Task '{}': {}>", self.0.name, self.0.fitness)
    }
}

/// Merges tables key by key; all other values are replaced.
fn merge(table: &mut toml::Table, changes: toml::Table) {
    for (key, value) in changes {
        match (table.get_mut(&key), value) {
            (Some(toml::Value::Table(own)), toml::Value::Table(new)) => merge(own, new),
            (Some(toml::Value::Float(own)), toml::Value::Integer(new)) => *own = new as f64,
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}
