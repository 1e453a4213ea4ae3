//! Exports scenes as models for other programs.
//!
//! Features that the target format cannot represent are omitted with one [warning](ExportWarning) per feature.

mod circle;
mod names;
mod warning;

pub(crate) use circle::{SIDES, circle};
pub(crate) use names::Names;
pub use warning::ExportWarning;
pub(crate) use warning::Warnings;

/// The result of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The text of the model. It needs no other files.
    pub xml: String,
    /// Features that were omitted or approximated.
    pub warnings: Vec<ExportWarning>,
}
