//! The class `Genome`.

use burgess_creature::store::{retrieve, store};
use burgess_creature::{AnyGenome, Family, GenomeSettings, Random, Recombination};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::numbers;
use crate::creature::creature_of;
use crate::errors::value_error;
use crate::task::task_of;

/// A genome of the family 'graph' or 'legged'. It never changes: operators return new genomes.
///
/// >>> import burgess
/// >>> parent = burgess.Genome.random("legged", seed=1)
/// >>> child = parent.mutate(seed=2).recombine(parent, "crossover", seed=3)
/// >>> child.family, burgess.Genome.from_bytes(bytes(child)) == child
/// ('legged', True)
#[pyclass(frozen, eq, module = "burgess")]
#[derive(Debug, Clone, PartialEq)]
pub struct Genome(pub AnyGenome);

fn family_of(name: &str) -> PyResult<Family> {
    let found = Family::ALL.into_iter().find(|family| family.name() == name);
    found.ok_or_else(|| value_error(format!("family '{name}': expected 'graph' or 'legged'")))
}

fn operator_of(name: &str) -> PyResult<Recombination> {
    match name {
        "crossover" => Ok(Recombination::Crossover),
        "grafting" => Ok(Recombination::Grafting),
        "exchange" => Ok(Recombination::Exchange),
        "intermediate" => Ok(Recombination::Intermediate),
        other => Err(value_error(format!(
            "operator '{other}': expected 'crossover', 'grafting', 'exchange' or 'intermediate'"
        ))),
    }
}

#[pymethods]
impl Genome {
    #[new]
    fn new(what: &Bound<PyAny>) -> PyResult<Self> {
        Ok(Self(creature_of(what)?.file.genome))
    }

    /// Draw a random genome of a family.
    #[staticmethod]
    #[pyo3(signature = (family="legged", *, seed))]
    fn random(family: &str, seed: u64) -> PyResult<Self> {
        Ok(Self(family_of(family)?.random(&GenomeSettings::default(), &mut Random::new(seed))))
    }

    /// Return a mutant. `scale` is a factor on the size of changes.
    #[pyo3(signature = (*, seed, scale=1.0))]
    fn mutate(&self, seed: u64, scale: f64) -> PyResult<Self> {
        if !(scale.is_finite() && scale >= 0.0) {
            return Err(value_error(format!("scale must be finite and not negative, found {scale}")));
        }
        let settings = GenomeSettings::default();
        // A factor of one must not change the settings by rounding.
        let settings = if scale == 1.0 { settings } else { settings.scaled(scale) };
        Ok(Self(self.0.mutate(&settings, &mut Random::new(seed))))
    }

    /// Return a child of two genomes of one family. Most of it comes from this one.
    #[pyo3(signature = (other, operator="crossover", *, seed))]
    fn recombine(&self, other: &Self, operator: &str, seed: u64) -> PyResult<Self> {
        let (own, theirs) = (self.0.family(), other.0.family());
        if own != theirs {
            let (own, theirs) = (own.name(), theirs.name());
            return Err(value_error(format!("a {own} and a {theirs} genome cannot have a child; use one family")));
        }
        let settings = GenomeSettings::default();
        Ok(Self(self.0.recombine(&other.0, operator_of(operator)?, &settings, &mut Random::new(seed))))
    }

    /// Return the reason why the body is not viable for a task; none if it is viable.
    #[pyo3(signature = (task=None))]
    fn unviable(&self, task: Option<&Bound<PyAny>>) -> PyResult<Option<String>> {
        let physiology = task.map(task_of).transpose()?.map(|task| task.physiology).unwrap_or_default();
        let checked = self
            .0
            .grow(&physiology)
            .and_then(|grown| burgess_creature::check_viability(&grown.body, &physiology.viability));
        Ok(checked.err().map(|why| why.to_string()))
    }

    /// Family: 'graph' or 'legged'.
    #[getter]
    fn family(&self) -> &'static str {
        self.0.family().name()
    }

    /// The numbers of the control, for algorithms that search spaces of real numbers.
    #[getter]
    fn control<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let numbers = self.0.control_numbers(&GenomeSettings::default());
        numbers.iter().map(|number| number.value).collect::<Vec<f64>>().into_pyarray(py)
    }

    /// Standard deviations of the mutations of the numbers of the control.
    #[getter]
    fn control_scales<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let numbers = self.0.control_numbers(&GenomeSettings::default());
        numbers.iter().map(|number| number.scale).collect::<Vec<f64>>().into_pyarray(py)
    }

    /// Return a genome with the same body and other numbers of the control. Each becomes the nearest valid number.
    fn with_control(&self, values: &Bound<PyAny>) -> PyResult<Self> {
        let settings = GenomeSettings::default();
        let expected = self.0.control_numbers(&settings).len();
        let (shape, values) = numbers(values, "values")?;
        if shape != [expected] {
            return Err(value_error(format!("values: expected {expected} numbers, found an array of shape {shape:?}")));
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(value_error("values: expected finite numbers, found NaN or infinity"));
        }
        Ok(Self(self.0.with_control_numbers(&values, &settings)))
    }

    /// Describe the genome in a few lines of text.
    fn describe(&self) -> String {
        self.0.describe()
    }

    /// Return the genome as bytes, with a version and a checksum.
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &store(&self.0))
    }

    /// Read bytes that `bytes(genome)` returned.
    #[staticmethod]
    fn from_bytes(data: &[u8]) -> PyResult<Self> {
        Ok(Self(retrieve(data).map_err(value_error)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.getattr("from_bytes")?, (slf.get().__bytes__(slf.py()),)))
    }

    fn __hash__(&self) -> u64 {
        store(&self.0)
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
    }

    fn __repr__(&self) -> String {
        format!("<Genome ({}, {} bytes)>", self.0.family().name(), store(&self.0).len())
    }
}
