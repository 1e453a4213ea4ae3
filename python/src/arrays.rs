//! NumPy arrays: arguments that are checked, and arrays whose numbers follow a world.

use numpy::{PyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{type_error, value_error};

/// An array that Python may read and that always shows the present numbers of a world.
#[derive(Debug)]
pub struct LiveArray {
    own: Py<PyArrayDyn<f64>>,
    /// A view of the same memory that cannot be written to.
    view: Py<PyAny>,
}

impl LiveArray {
    /// Creates an array of zeros.
    pub fn new(py: Python, shape: &[usize]) -> PyResult<Self> {
        let own = PyArray::<f64, _>::zeros(py, shape, false);
        let view = own.call_method0("view")?;
        let flags = PyDict::new(py);
        flags.set_item("write", false)?;
        view.call_method("setflags", (), Some(&flags))?;
        Ok(Self { own: own.unbind(), view: view.unbind() })
    }

    /// The view for Python. It is the same object every time.
    pub fn view(&self, py: Python) -> Py<PyAny> {
        self.view.clone_ref(py)
    }

    /// Replaces all numbers.
    pub fn fill(&self, py: Python, values: &[f64]) -> PyResult<()> {
        let mut array = self.own.bind(py).try_readwrite().map_err(value_error)?;
        array.as_slice_mut().map_err(value_error)?.copy_from_slice(values);
        Ok(())
    }
}

/// Reads an argument as an array of finite numbers. `shape` is what is expected.
pub fn finite_numbers(argument: &Bound<PyAny>, what: &str, shape: &[usize]) -> PyResult<Vec<f64>> {
    let (found, values) = numbers(argument, what)?;
    if found != shape {
        return Err(value_error(format!("{what}: expected an array of shape {}, found {}", text(shape), text(&found))));
    }
    if let Some(index) = values.iter().position(|value| !value.is_finite()) {
        let value = values[index];
        return Err(value_error(format!("{what}: number {index} is {value}, expected finite numbers")));
    }
    Ok(values)
}

/// Reads an argument as an array of numbers of any shape.
pub fn numbers(argument: &Bound<PyAny>, what: &str) -> PyResult<(Vec<usize>, Vec<f64>)> {
    let wrong = |_| type_error(format!("{what}: expected an array of numbers, found {}", type_name(argument)));
    let direct = argument.extract::<PyReadonlyArrayDyn<f64>>();
    let array = match direct {
        Ok(array) => array,
        // Lists and arrays of other types are converted.
        Err(_) => {
            let numpy = argument.py().import("numpy")?;
            let converted = numpy.call_method1("asarray", (argument, "float64")).map_err(wrong)?;
            converted.extract().map_err(|_| wrong(value_error("")))?
        }
    };
    let shape = array.shape().to_vec();
    let values = match array.as_slice() {
        Ok(slice) => slice.to_vec(),
        Err(_) => array.as_array().iter().copied().collect(),
    };
    Ok((shape, values))
}

/// Name of the type of an object, for messages.
pub fn type_name(object: &Bound<PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "another type".to_string(), |name| name.to_string())
}

/// A shape as Python writes it.
fn text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        all => format!("({})", all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
