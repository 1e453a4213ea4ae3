//! Conversion of errors to Python exceptions.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    burgess,
    SimulationError,
    PyRuntimeError,
    "A simulation cannot go on: something became too fast, too deep or not finite."
);

/// An argument has a wrong value.
pub fn value_error(message: impl Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// An argument has a wrong type.
pub fn type_error(message: impl Display) -> PyErr {
    PyTypeError::new_err(message.to_string())
}

/// An index is out of range.
pub fn index_error(message: impl Display) -> PyErr {
    PyIndexError::new_err(message.to_string())
}

/// A simulation cannot go on.
pub fn simulation_error(message: impl Display) -> PyErr {
    SimulationError::new_err(message.to_string())
}

/// Anything else, such as a file that cannot be written.
pub fn runtime_error(message: impl Display) -> PyErr {
    PyRuntimeError::new_err(message.to_string())
}
