//! Errors of runs.

use thiserror::Error;

use crate::archive::ArchiveError;
use crate::evaluator::EvaluatorError;

/// Why a run ends early.
#[derive(Debug, Error)]
pub enum RunError {
    /// Error of the archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Error of the evaluator.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
}
