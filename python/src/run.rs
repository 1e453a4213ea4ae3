//! The class `Run` and the function `evolve`.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use burgess_creature::Family;
use burgess_evolution::evaluator::Threads;
use burgess_evolution::{Archive, ArchiveError, Founder, Observer, RecordedResult, Run, RunConfig};
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::creature::{PyCreature, creature_of};
use crate::errors::{runtime_error, value_error};
use crate::parallel::thread_count;
use crate::task::{PyTask, task_of};

/// A run of evolution: its configuration and every evaluated individual.
#[pyclass(frozen, module = "burgess", name = "Run")]
pub struct PyRun {
    archive: Mutex<Archive>,
    path: PathBuf,
}

fn archive_error(error: ArchiveError) -> PyErr {
    match &error {
        ArchiveError::Missing(_) => PyFileNotFoundError::new_err(error.to_string()),
        ArchiveError::Exists(_) => PyFileExistsError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

impl PyRun {
    fn open(path: &Path) -> PyResult<Self> {
        let mut archive = Archive::open_read_only(path).map_err(archive_error)?;
        // Damaged rows are left out from here on.
        archive.survey().map_err(archive_error)?;
        Ok(Self { archive: Mutex::new(archive), path: path.to_path_buf() })
    }

    fn with<R>(&self, use_it: impl FnOnce(&Archive) -> Result<R, ArchiveError>) -> PyResult<R> {
        let archive =
            self.archive.lock().map_err(|_| runtime_error("the run cannot be read any more; open it again"))?;
        use_it(&archive).map_err(archive_error)
    }
}

#[pymethods]
impl PyRun {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Self::open(&path)
    }

    /// Number of individuals.
    fn __len__(&self) -> PyResult<usize> {
        self.with(|archive| Ok(archive.count() as usize))
    }

    /// The file.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// The task.
    #[getter]
    fn task(&self) -> PyResult<PyTask> {
        self.with(|archive| Ok(PyTask(archive.config()?.task)))
    }

    /// The configuration as TOML.
    #[getter]
    fn config(&self) -> PyResult<String> {
        self.with(|archive| Ok(archive.config()?.to_toml()))
    }

    /// Hash of the whole archive, as `burgess evolve --json` prints it.
    #[getter]
    fn archive_hash(&self) -> PyResult<String> {
        self.with(|archive| Ok(format!("{:016x}", archive.hash())))
    }

    /// The champion.
    #[getter]
    fn champion(&self) -> PyResult<PyCreature> {
        let champion = burgess_catalog::Creature::of_run(&self.path, None, false);
        champion.map(PyCreature).map_err(value_error)
    }

    /// Ids of the fittest individuals, the best first.
    #[pyo3(signature = (count=10))]
    fn fittest(&self, count: usize) -> PyResult<Vec<u64>> {
        self.with(|archive| archive.fittest(count))
    }

    /// An individual by its id.
    fn __getitem__(&self, id: u64) -> PyResult<PyCreature> {
        let found = burgess_catalog::Creature::of_run(&self.path, Some(id), false);
        found.map(PyCreature).map_err(|error| pyo3::exceptions::PyIndexError::new_err(error.to_string()))
    }

    /// All individuals as a DataFrame of polars or pandas, whichever is installed, or of the named library.
    #[pyo3(signature = (library=None))]
    fn frame<'py>(&self, py: Python<'py>, library: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        py.import("burgess._frames")?.call_method1("frame", (self.columns(py)?, library))
    }

    /// Columns of all individuals as lists, by name.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let individuals = self.with(|archive| {
            let all = (0..archive.count()).map(|id| archive.individual(id));
            // A survey has found which rows are damaged or missing.
            let is_damaged = archive.damage_report().is_some();
            all.filter(|one| !is_damaged || one.is_ok()).collect::<Result<Vec<_>, _>>()
        })?;
        let columns = PyDict::new(py);
        let list = |name: &str, values: Bound<'py, PyList>| columns.set_item(name, values);
        list("id", PyList::new(py, individuals.iter().map(|one| one.id))?)?;
        list("generation", PyList::new(py, individuals.iter().map(|one| one.generation))?)?;
        list("operator", PyList::new(py, individuals.iter().map(|one| one.operator.name()))?)?;
        list("parents", PyList::new(py, individuals.iter().map(|one| one.parents.clone()))?)?;
        list("outcome", PyList::new(py, individuals.iter().map(|one| one.result.outcome.name()))?)?;
        list("fitness", PyList::new(py, individuals.iter().map(|one| one.result.fitness))?)?;
        list("hash", PyList::new(py, individuals.iter().map(|one| format!("{:016x}", one.result.hash)))?)?;
        let names: std::collections::BTreeSet<&String> = individuals
            .iter()
            .flat_map(|one| one.result.measures.keys().chain(one.result.descriptors.keys()))
            .collect();
        for name in names {
            let value = |one: &burgess_evolution::Individual| {
                let found = one.result.descriptors.get(name).or_else(|| one.result.measures.get(name));
                found.copied().unwrap_or(f64::NAN)
            };
            list(name, PyList::new(py, individuals.iter().map(value))?)?;
        }
        Ok(columns)
    }

    /// A sentence on damaged rows, which are left out; none if all rows are whole.
    #[getter]
    fn damage(&self) -> PyResult<Option<String>> {
        self.with(|archive| Ok(archive.damage_report()))
    }

    fn __repr__(&self) -> String {
        let count = self.with(|archive| Ok(archive.count())).unwrap_or(0);
        format!("<Run '{}' with {count} individuals>", self.path.display())
    }
}

/// Passes results to a function of Python and notices Ctrl-C.
struct Progress<'a> {
    callback: Option<&'a Py<PyAny>>,
    error: Option<PyErr>,
}

impl Observer for Progress<'_> {
    fn on_result(&mut self, recorded: &RecordedResult) {
        let (Some(callback), None) = (self.callback, &self.error) else { return };
        let (id, fitness) = (recorded.id, recorded.result.fitness);
        self.error = Python::attach(|py| callback.call1(py, (id, fitness))).err();
    }

    fn should_continue(&mut self) -> bool {
        if self.error.is_none() {
            self.error = Python::attach(|py| py.check_signals()).err();
        }
        self.error.is_none()
    }
}

/// Evolve creatures for a task: for `burgess.evolve`.
#[pyfunction]
#[pyo3(signature = (task, path, evaluations, seed, family, founders, config, threads, callback))]
#[allow(clippy::too_many_arguments)]
pub fn evolve_into(
    py: Python,
    task: Option<&Bound<PyAny>>,
    path: PathBuf,
    evaluations: Option<u64>,
    seed: Option<u64>,
    family: Option<&str>,
    founders: &Bound<PyList>,
    config: Option<&str>,
    threads: Option<usize>,
    callback: Option<Py<PyAny>>,
) -> PyResult<PyRun> {
    let mut settings = match (task, config) {
        (None, Some(text)) => RunConfig::from_toml_scaled(text, "config", evaluations).map_err(value_error)?,
        (Some(task), None) => {
            let mut settings = RunConfig::recipe(task_of(task)?);
            if let Some(evaluations) = evaluations {
                settings.scale_to(evaluations);
            }
            settings.shrink_defaults();
            settings
        }
        _ => return Err(value_error("expected a task or a config, not both")),
    };
    settings.seed = seed.unwrap_or(settings.seed);
    if let Some(name) = family {
        let found = Family::ALL.into_iter().find(|family| family.name() == name);
        let unknown = || value_error(format!("family '{name}': expected 'graph' or 'legged'"));
        settings.family = found.ok_or_else(unknown)?;
    }
    let mut genomes = Vec::new();
    for (index, creature) in founders.iter().enumerate() {
        let genome = creature_of(&creature)?.file.genome;
        settings.family = genome.family();
        genomes.push(Founder { genome, origin: format!("python#{index}") });
    }
    if genomes.iter().any(|founder| founder.genome.family() != settings.family) {
        return Err(value_error("all founders must be of one family, found graph and legged genomes"));
    }
    if !genomes.is_empty() {
        genomes = settings.fill_generation(genomes);
    }
    settings.check().map_err(value_error)?;
    let threads = thread_count(threads)?;
    let archive = Archive::create(&path, &settings, &genomes).map_err(archive_error)?;
    let mut progress = Progress { callback: callback.as_ref(), error: None };
    let ended = py.detach(|| {
        let mut run = Run::new(archive).map_err(|error| error.to_string())?;
        run.advance(&mut Threads::new(threads), &mut progress).map_err(|error| error.to_string())
    });
    if let Some(error) = progress.error {
        return Err(error);
    }
    ended.map_err(runtime_error)?;
    PyRun::open(&path)
}
