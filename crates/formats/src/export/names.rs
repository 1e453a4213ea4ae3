//! Unique names without control characters, which other programs accept.

use std::collections::BTreeSet;

/// The names that are used by one kind of element.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// Creates a set with reserved names.
    pub fn with_reserved(reserved: &[&str]) -> Self {
        Self(reserved.iter().map(ToString::to_string).collect())
    }

    /// Returns the requested name, or that name with a numeric suffix if it is already used.
    pub fn unique(&mut self, requested: &str) -> String {
        let mut name: String = requested.chars().map(|letter| if letter.is_control() { '_' } else { letter }).collect();
        if name.is_empty() {
            name.push('_');
        }
        let mut unique = name.clone();
        let mut number = 2;
        while !self.0.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names = Names::with_reserved(&["world"]);
        let given: Vec<String> = ["world", "a", "a", "", "a\n", "a_"].map(|name| names.unique(name)).to_vec();
        assert_eq!(given, ["world_2", "a", "a_2", "_", "a_", "a__2"]);
    }
}
