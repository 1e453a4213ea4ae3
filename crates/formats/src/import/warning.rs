//! What of a model has no counterpart here, told once for each kind.

use std::fmt;

/// So many lines are told one by one.
const LINES_SHOWN: usize = 10;

/// Something in a model that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportWarning {
    /// What is not supported, in a phrase.
    pub kind: String,
    /// Files and lines in which it is, in the order of reading.
    pub lines: Vec<(String, usize)>,
}

impl fmt::Display for ImportWarning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "not supported: {} (", self.kind)?;
        let mut file = None;
        for (place, (name, line)) in self.lines.iter().take(LINES_SHOWN).enumerate() {
            let between = if place == 0 { "" } else { ", " };
            if file == Some(name) {
                write!(f, "{between}{line}")?;
            } else {
                write!(f, "{between}{name}:{line}")?;
            }
            file = Some(name);
        }
        match self.lines.len().saturating_sub(LINES_SHOWN) {
            0 => write!(f, ")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

/// Warnings while a model is read, one for each kind, in the order in which they were met first.
#[derive(Debug, Default)]
pub struct Warnings(Vec<ImportWarning>);

impl Warnings {
    /// Notes that something at a line of a file is left out.
    pub fn add_at(&mut self, kind: &str, file: &str, line: usize) {
        let place = (file.to_string(), line);
        match self.0.iter_mut().find(|known| known.kind == kind) {
            // Elements are read in order: one that is noted twice is noted twice in a row.
            Some(known) if known.lines.last() == Some(&place) => {}
            Some(known) => known.lines.push(place),
            None => self.0.push(ImportWarning { kind: kind.to_string(), lines: vec![place] }),
        }
    }

    /// All of them.
    pub fn into_list(self) -> Vec<ImportWarning> {
        self.0
    }
}
