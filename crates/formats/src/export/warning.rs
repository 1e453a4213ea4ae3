//! What of a scene another program's format cannot say, told once for each kind.

use std::fmt;

/// So many names are told one by one.
const NAMES_SHOWN: usize = 10;

/// Something in a scene that is left out, or not quite the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportWarning {
    /// What becomes of it, in a sentence.
    pub kind: String,
    /// Names of what it is about, in the order of the scene; none if it is about the scene as a whole.
    pub names: Vec<String>,
}

impl fmt::Display for ExportWarning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        for (place, name) in self.names.iter().take(NAMES_SHOWN).enumerate() {
            write!(f, "{}'{name}'", if place == 0 { ": " } else { ", " })?;
        }
        match self.names.len().saturating_sub(NAMES_SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Warnings while a scene is exported, one for each kind, in the order in which they were met first.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Vec<ExportWarning>);

impl Warnings {
    /// Notes something of the scene as a whole.
    pub fn add(&mut self, kind: &str) {
        self.of_kind(kind);
    }

    /// Notes something with a name.
    pub fn add_named(&mut self, kind: &str, name: &str) {
        let known = self.of_kind(kind);
        // Who is noted twice is noted twice in a row.
        if known.names.last().is_none_or(|last| last != name) {
            known.names.push(name.to_string());
        }
    }

    /// All of them.
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
    fn one_sentence_for_each_kind() {
        let mut warnings = Warnings::default();
        warnings.add("no sound there");
        for name in 0..12 {
            warnings.add_named("no colours there", &format!("body {name}"));
            warnings.add_named("no colours there", &format!("body {name}"));
        }
        let told: Vec<String> = warnings.into_list().iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2);
        assert_eq!(told[0], "no sound there");
        assert!(told[1].starts_with("no colours there: 'body 0', 'body 1', "));
        assert!(told[1].ends_with("'body 9' and 2 more"));
    }
}
