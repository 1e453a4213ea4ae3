//! Runs of evolution: their creatures, and what a person does to them.

use crate::api::Routes;

/// The routes under `/api/runs`.
pub(crate) fn routes() -> Routes {
    Routes::new()
}
