//! An element with its attributes and children, and readers of attributes that name what is wrong.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use burgess_files::closest;
use glam::DVec3;

use super::MAX_NESTING;
use super::number::{number, numbers};
use crate::import::{ImportError, ImportFault, Warnings};

/// An attribute as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Without its namespace.
    pub name: Box<str>,
    /// With escapes such as `&lt;` resolved.
    pub value: Box<str>,
}

/// An element of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Without its namespace.
    pub name: Box<str>,
    /// The file that it stands in, as messages call it.
    pub file: Arc<str>,
    /// The line that it begins in, from 1.
    pub line: usize,
    /// In their order.
    pub attributes: Vec<Attribute>,
    /// In their order.
    pub children: Vec<Element>,
}

/// Copies a parsed document. Comments and texts between elements stay behind.
pub(super) fn own(parsed: &roxmltree::Document, file: &Arc<str>) -> Result<Element, ImportError> {
    let line_starts: Vec<usize> =
        std::iter::once(0).chain(parsed.input_text().match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |node: roxmltree::Node| line_starts.partition_point(|&start| start <= node.range().start);
    let copy = |node: roxmltree::Node| Element {
        name: node.tag_name().name().into(),
        file: file.clone(),
        line: line(node),
        attributes: node
            .attributes()
            // What is in a namespace is for other programs.
            .filter(|own| own.namespace().is_none())
            .map(|own| Attribute { name: own.name().into(), value: own.value().into() })
            .collect(),
        children: Vec::new(),
    };
    // The elements that are open, the outermost first: no recursion, however deep the document is.
    let root = parsed.root_element();
    let mut open = vec![copy(root)];
    let mut here = root;
    loop {
        if let Some(child) = here.first_element_child() {
            if open.len() >= MAX_NESTING {
                let fault = ImportFault::TooMany { what: "elements within each other", limit: MAX_NESTING };
                return Err(ImportError::at(file, line(child), fault));
            }
            open.push(copy(child));
            here = child;
            continue;
        }
        // Back to the nearest element with one after it.
        loop {
            let Some(done) = open.pop() else { return Ok(copy(root)) };
            let Some(parent) = open.last_mut() else { return Ok(done) };
            parent.children.push(done);
            if let Some(sibling) = here.next_sibling_element() {
                open.push(copy(sibling));
                here = sibling;
                break;
            }
            let Some(up) = here.parent_element() else { break };
            here = up;
        }
    }
}

impl Warnings {
    /// Notes that something at an element is left out.
    pub fn add(&mut self, kind: &str, element: &Element) {
        self.add_at(kind, &element.file, element.line);
    }
}

impl Element {
    /// Children of one name.
    pub fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| *child.name == *name)
    }

    /// The first child of a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| *child.name == *name)
    }

    /// An attribute as it was written.
    pub fn text(&self, attribute: &str) -> Option<&str> {
        self.attributes.iter().find(|own| *own.name == *attribute).map(|own| &*own.value)
    }

    /// An attribute that must be there.
    pub fn required(&self, attribute: &'static str) -> Result<&str, ImportError> {
        self.text(attribute)
            .ok_or_else(|| self.fault(ImportFault::Missing { what: format!("attribute '{attribute}'") }))
    }

    /// A name: not empty if it is there.
    pub fn name(&self, attribute: &'static str) -> Result<Option<&str>, ImportError> {
        match self.text(attribute) {
            Some("") => Err(self.wrong(attribute, "at least one letter")),
            other => Ok(other),
        }
    }

    /// One finite number.
    pub fn number(&self, attribute: &'static str) -> Result<Option<f64>, ImportError> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        number(text.trim()).map(Some).ok_or_else(|| self.wrong(attribute, "one finite number"))
    }

    /// A number of finite numbers that is in a range.
    pub fn numbers(
        &self,
        attribute: &'static str,
        count: RangeInclusive<usize>,
    ) -> Result<Option<Vec<f64>>, ImportError> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        let expected = || match (*count.start(), *count.end()) {
            (1, 1) => "one finite number".to_string(),
            (low, high) if low == high => format!("{low} finite numbers"),
            (low, usize::MAX) => format!("at least {low} finite numbers"),
            (low, high) => format!("{low} to {high} finite numbers"),
        };
        match numbers(text) {
            Ok(found) if count.contains(&found.len()) => Ok(Some(found)),
            Ok(found) => Err(self.fault(ImportFault::Value {
                attribute,
                expected: expected(),
                found: format!("{} of them", found.len()),
            })),
            Err(_) => Err(self.wrong(attribute, &expected())),
        }
    }

    /// Exactly so many finite numbers.
    pub fn array<const N: usize>(&self, attribute: &'static str) -> Result<Option<[f64; N]>, ImportError> {
        let found = self.numbers(attribute, N..=N)?;
        Ok(found.and_then(|found| found.try_into().ok()))
    }

    /// Three finite numbers.
    pub fn vector(&self, attribute: &'static str) -> Result<Option<DVec3>, ImportError> {
        Ok(self.array(attribute)?.map(DVec3::from_array))
    }

    /// A whole number within a range.
    pub fn whole(&self, attribute: &'static str, range: RangeInclusive<i64>) -> Result<Option<i64>, ImportError> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        let found = text.trim().parse::<i64>().ok().filter(|value| range.contains(value));
        let expected = || format!("a whole number from {} to {}", range.start(), range.end());
        found.map(Some).ok_or_else(|| self.wrong(attribute, &expected()))
    }

    /// One of some words.
    pub fn keyword(
        &self,
        attribute: &'static str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, ImportError> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        let found = words.iter().copied().find(|word| *word == text.trim());
        found.map(Some).ok_or_else(|| self.wrong(attribute, &format!("one of {}", words.join(", "))))
    }

    /// `true` or `false`.
    pub fn boolean(&self, attribute: &'static str) -> Result<Option<bool>, ImportError> {
        Ok(self.keyword(attribute, &["true", "false"])?.map(|word| word == "true"))
    }

    /// `true`, `false` or `auto`; the inner nothing is `auto`.
    pub fn boolean_or_auto(&self, attribute: &'static str) -> Result<Option<Option<bool>>, ImportError> {
        let found = self.keyword(attribute, &["true", "false", "auto"])?;
        Ok(found.map(|word| (word != "auto").then_some(word == "true")))
    }

    /// Refuses attributes that are not among these.
    pub fn allow_attributes(&self, known: &[&str]) -> Result<(), ImportError> {
        let stranger = self.attributes.iter().find(|own| !known.contains(&&*own.name));
        stranger.map_or(Ok(()), |stranger| {
            let suggestion = closest(&stranger.name, known.iter().copied());
            Err(self.fault(ImportFault::UnknownAttribute { attribute: stranger.name.to_string(), suggestion }))
        })
    }

    /// Refuses children that are not among these.
    pub fn allow_children(&self, known: &[&str]) -> Result<(), ImportError> {
        let stranger = self.children.iter().find(|child| !known.contains(&&*child.name));
        stranger.map_or(Ok(()), |stranger| Err(stranger.unknown(&self.name, known)))
    }

    /// Refuses this element itself because its parent knows no such child.
    pub fn unknown(&self, parent: &str, known: &[&str]) -> ImportError {
        let suggestion = closest(&self.name, known.iter().copied());
        self.fault(ImportFault::UnknownElement { inside: parent.to_string(), suggestion })
    }

    /// Something is wrong with this element.
    pub fn fault(&self, fault: ImportFault) -> ImportError {
        ImportError::at(&self.file, self.line, fault).within(&self.name)
    }

    /// A sentence about this element.
    pub fn conflict(&self, why: impl Into<String>) -> ImportError {
        self.fault(ImportFault::Conflict(why.into()))
    }

    /// An attribute is not what it must be.
    pub fn wrong(&self, attribute: &'static str, expected: &str) -> ImportError {
        let text = self.text(attribute).unwrap_or_default();
        let found = match text.char_indices().nth(40) {
            Some((end, _)) => format!("'{}...'", &text[..end]),
            None => format!("'{text}'"),
        };
        self.fault(ImportFault::Value { attribute, expected: expected.to_string(), found })
    }

    /// Refuses two children with the same value of an attribute.
    pub fn distinct_children(&self, attribute: &str, what: &'static str) -> Result<(), ImportError> {
        let mut seen = BTreeSet::new();
        for child in &self.children {
            if let Some(name) = child.text(attribute)
                && !seen.insert((&child.name, name))
            {
                return Err(child.fault(ImportFault::Duplicate { what, name: name.to_string() }));
            }
        }
        Ok(())
    }
}
