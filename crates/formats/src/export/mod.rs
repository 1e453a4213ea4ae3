//! Scenes become models for other programs.
//!
//! What the other program's format cannot say is left out with a [warning](ExportWarning), one for each kind.

mod names;
mod warning;

pub(crate) use names::Names;
pub use warning::ExportWarning;
pub(crate) use warning::Warnings;

/// A scene in another program's format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The model; it needs no other files.
    pub xml: String,
    /// What was left out, or is not quite the same there.
    pub warnings: Vec<ExportWarning>,
}
