//! A world that Python owns: it can be closed, and only one thread may use it at a time.

use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::PyResult;

use crate::errors::{runtime_error, value_error};

/// A world, until it is closed.
#[derive(Debug)]
pub struct Cell<T> {
    what: &'static str,
    content: Mutex<Option<T>>,
}

/// Why a world cannot be used now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// It was closed.
    Closed,
    /// Another thread uses it.
    Busy,
}

impl<T> Cell<T> {
    /// Creates a cell. `what` is the name of the content in messages.
    pub fn new(what: &'static str, content: T) -> Self {
        Self { what, content: Mutex::new(Some(content)) }
    }

    /// Calls `use_it` with the content, unless it is closed or in use.
    pub fn with<R>(&self, use_it: impl FnOnce(&mut T) -> PyResult<R>) -> PyResult<R> {
        match self.try_with(use_it) {
            Ok(result) => result,
            Err(why) => Err(self.unusable(why)),
        }
    }

    /// Calls `use_it` with the content, without an interpreter.
    pub fn try_with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> Result<R, Unusable> {
        let mut content = self.lock()?;
        content.as_mut().map(use_it).ok_or(Unusable::Closed)
    }

    /// Drops the content. Closing twice is allowed.
    pub fn close(&self) -> PyResult<()> {
        let content = self.lock().map_err(|why| self.unusable(why))?.take();
        drop(content);
        Ok(())
    }

    /// Whether the content was dropped.
    pub fn is_closed(&self) -> bool {
        self.lock().is_ok_and(|content| content.is_none())
    }

    /// The exception for a world that cannot be used now.
    pub fn unusable(&self, why: Unusable) -> pyo3::PyErr {
        let what = self.what;
        match why {
            Unusable::Closed => value_error(format!("this {what} is closed; create another one")),
            Unusable::Busy => runtime_error(format!(
                "this {what} is in use by another thread; give every thread its own {what}, or step many in a Batch"
            )),
        }
    }

    fn lock(&self) -> Result<MutexGuard<'_, Option<T>>, Unusable> {
        match self.content.try_lock() {
            Ok(content) => Ok(content),
            // A panic while it was locked may have left it half changed: it counts as closed.
            Err(TryLockError::Poisoned(poisoned)) => {
                let mut content = poisoned.into_inner();
                *content = None;
                Ok(content)
            }
            Err(TryLockError::WouldBlock) => Err(Unusable::Busy),
        }
    }
}
