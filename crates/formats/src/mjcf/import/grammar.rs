//! Checks the elements and attributes of a model against the grammar of MJCF. Errors suggest the most similar name.
//!
//! The grammar is `grammar.txt`, which follows the schema in MuJoCo's documentation. Elements of the kinematic tree may
//! also be within `frame` and `replicate`; the contents of `composite`, an element of older versions, are not checked.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::import::{ImportError, ImportFault};
use crate::xml::Element;

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::parse(include_str!("grammar.txt")));

/// Elements that may contain bodies and other elements of the kinematic tree.
const BRANCHES: [&str; 4] = ["worldbody", "body", "frame", "replicate"];
/// Elements that are not allowed in the world and in `replicate`.
const ONLY_IN_BODIES: [&str; 3] = ["inertial", "joint", "freejoint"];

struct Rule {
    name: &'static str,
    mark: char,
    attributes: Vec<&'static str>,
    children: Vec<usize>,
}

struct Grammar(Vec<Rule>);

impl Grammar {
    fn parse(text: &'static str) -> Self {
        let mut sets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut rules: Vec<Rule> = Vec::new();
        // Depth and index of the rules that enclose the current one.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let depth = line.len() - line.trim_start().len();
            let mut words = line.split_whitespace();
            let Some(first) = words.next() else { continue };
            if first.starts_with('$') {
                sets.insert(first, words.collect());
                continue;
            }
            let expanded = words.flat_map(|word| sets.get(word).cloned().unwrap_or_else(|| vec![word]));
            let attributes: Vec<&str> = expanded.collect();
            if let ("+", Some(last)) = (first, rules.last_mut()) {
                last.attributes.extend(attributes);
                continue;
            }
            let name = first.trim_end_matches(['!', '?', '*', '@']);
            let mark = first.chars().last().unwrap_or('*');
            open.retain(|&(outer, _)| outer < depth);
            let index = rules.len();
            if let Some(&(_, parent)) = open.last() {
                rules[parent].children.push(index);
            }
            open.push((depth, index));
            rules.push(Rule { name, mark, attributes, children: Vec::new() });
        }
        Self(rules)
    }

    /// Returns the rule of a child element.
    fn child(&self, parent: &Rule, name: &str) -> Option<&Rule> {
        let top = &self.0[0];
        let among = |rule: &Rule| rule.children.iter().map(|&index| &self.0[index]).find(|rule| rule.name == name);
        if !BRANCHES.contains(&parent.name) {
            // Default classes can be nested.
            let again = (parent.name == "default" && name == "default").then(|| among(top)).flatten();
            let misplaced = parent.name == top.name && BRANCHES[1..].contains(&name);
            return again.or_else(|| among(parent).filter(|_| !misplaced));
        }
        if name != "worldbody" && BRANCHES.contains(&name) {
            return among(top);
        }
        let body = body_child(self, name)?;
        let misplaced = ONLY_IN_BODIES.contains(&name) && matches!(parent.name, "worldbody" | "replicate");
        (!misplaced).then_some(body)
    }

    fn children_of(&self, parent: &Rule) -> Vec<&'static str> {
        let all = self.0.iter().map(|rule| rule.name);
        all.filter(|name| self.child(parent, name).is_some()).collect()
    }

    fn check(&self, element: &Element, rule: &Rule) -> Result<(), ImportError> {
        element.allow_attributes(&rule.attributes)?;
        let mut single = Vec::new();
        for child in &element.children {
            if *child.name == *"composite" && BRANCHES.contains(&rule.name) {
                continue;
            }
            let Some(found) = self.child(rule, &child.name) else {
                return Err(child.unknown(&element.name, &self.children_of(rule)));
            };
            if found.mark == '?' {
                if single.contains(&found.name) {
                    return Err(child.fault(ImportFault::Repeated { inside: element.name.to_string() }));
                }
                single.push(found.name);
            }
            self.check(child, found)?;
        }
        Ok(())
    }
}

fn body_child<'a>(grammar: &'a Grammar, name: &str) -> Option<&'a Rule> {
    let body = grammar.0.iter().find(|rule| rule.name == "body")?;
    body.children.iter().map(|&index| &grammar.0[index]).find(|rule| rule.name == name)
}

/// Fails if the model has an element or attribute that MJCF does not define.
pub(super) fn check(root: &Element) -> Result<(), ImportError> {
    GRAMMAR.check(root, &GRAMMAR.0[0])
}
