//! Warnings about scene features that the target format cannot represent, one per feature.

use std::fmt;

/// Maximum number of names that a message lists.
const MAX_NAMES_SHOWN: usize = 10;

/// A feature of a scene that is omitted or approximated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportWarning {
    /// The feature and what is done instead, as a sentence.
    pub kind: String,
    /// Names of the affected elements, in scene order; empty if the whole scene is affected.
    pub names: Vec<String>,
}

impl fmt::Display for ExportWarning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        for (place, name) in self.names.iter().take(MAX_NAMES_SHOWN).enumerate() {
            write!(f, "{}'{name}'", if place == 0 { ": " } else { ", " })?;
        }
        match self.names.len().saturating_sub(MAX_NAMES_SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Collects the warnings of an export, one per kind, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Vec<ExportWarning>);

impl Warnings {
    /// Adds a warning about the whole scene.
    pub fn add(&mut self, kind: &str) {
        self.of_kind(kind);
    }

    /// Adds a warning about a named element.
    pub fn add_named(&mut self, kind: &str, name: &str) {
        let known = self.of_kind(kind);
        // Elements are exported in order, so duplicates are adjacent.
        if known.names.last().is_none_or(|last| last != name) {
            known.names.push(name.to_string());
        }
    }

    /// Returns all warnings.
    pub fn into_list(self) -> Vec<ExportWarning> {
        self.0
    }

    fn of_kind(&mut self, kind: &str) -> &mut ExportWarning {
        let place = self.0.iter().position(|known| known.kind == kind).unwrap_or_else(|| {
            self.0.push(ExportWarning { kind: kind.to_string(), names: Vec::new() });
            self.0.len() - 1
        });
        &mut self.0[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_per_kind() {
        let mut warnings = Warnings::default();
        warnings.add("no sound there");
        for name in 0..12 {
            warnings.add_named("no colours there", &format!("body {name}"));
            warnings.add_named("no colours there", &format!("body {name}"));
        }
        let messages: Vec<String> = warnings.into_list().iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), 2);
        assert_eq!(messages[0], "no sound there");
        assert!(messages[1].starts_with("no colours there: 'body 0', 'body 1', "));
        assert!(messages[1].ends_with("'body 9' and 2 more"));
    }
}
