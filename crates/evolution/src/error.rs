//! Why a run ends before it is done.

use thiserror::Error;

use crate::archive::ArchiveError;
use crate::evaluator::EvaluatorError;

/// Why a run ends before it is done.
#[derive(Debug, Error)]
pub enum RunError {
    /// The file.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Whoever evaluates.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
}
