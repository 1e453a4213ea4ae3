//! Names that other programs accept: unique within their kind, and no control characters.

use std::collections::BTreeSet;

/// The names of one kind of thing.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// With names that must not be given.
    pub fn without(reserved: &[&str]) -> Self {
        Self(reserved.iter().map(ToString::to_string).collect())
    }

    /// The wanted name, or the like with a number behind it.
    pub fn give(&mut self, wanted: &str) -> String {
        let mut name: String = wanted.chars().map(|letter| if letter.is_control() { '_' } else { letter }).collect();
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
    fn names_are_given_once() {
        let mut names = Names::without(&["world"]);
        let given: Vec<String> = ["world", "a", "a", "", "a\n", "a_"].map(|name| names.give(name)).to_vec();
        assert_eq!(given, ["world_2", "a", "a_2", "_", "a_", "a__2"]);
    }
}
