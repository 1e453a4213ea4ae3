//! Warnings about unsupported features of a model, one per feature.

use std::fmt;

/// Maximum number of lines that a message lists.
const MAX_LINES_SHOWN: usize = 10;

/// A feature of a model that is omitted or approximated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportWarning {
    /// The unsupported feature as a noun phrase, and what is done instead.
    pub kind: String,
    /// Files and lines where it occurs, in reading order.
    pub lines: Vec<(String, usize)>,
}

impl fmt::Display for ImportWarning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "not supported: {} (", self.kind)?;
        let mut file = None;
        for (place, (name, line)) in self.lines.iter().take(MAX_LINES_SHOWN).enumerate() {
            let between = if place == 0 { "" } else { ", " };
            if file == Some(name) {
                write!(f, "{between}{line}")?;
            } else {
                write!(f, "{between}{name}:{line}")?;
            }
            file = Some(name);
        }
        match self.lines.len().saturating_sub(MAX_LINES_SHOWN) {
            0 => write!(f, ")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

/// Collects the warnings of an import, one per kind, in the order of their first occurrence.
#[derive(Debug, Default)]
pub struct Warnings(Vec<ImportWarning>);

impl Warnings {
    /// Adds an occurrence of an unsupported feature at a line of a file.
    pub fn add_at(&mut self, kind: &str, file: &str, line: usize) {
        let place = (file.to_string(), line);
        match self.0.iter_mut().find(|known| known.kind == kind) {
            // Elements are read in order, so duplicates are adjacent.
            Some(known) if known.lines.last() == Some(&place) => {}
            Some(known) => known.lines.push(place),
            None => self.0.push(ImportWarning { kind: kind.to_string(), lines: vec![place] }),
        }
    }

    /// Returns all warnings.
    pub fn into_list(self) -> Vec<ImportWarning> {
        self.0
    }
}
