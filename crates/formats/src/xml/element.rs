//! An element with its attributes and children, and typed readers of attributes with precise errors.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use burgess_files::{NameFault, closest};
use glam::DVec3;

use super::MAX_NESTING;
use super::number::{number, numbers};
use crate::import::{ImportError, ImportFault, Warnings};

/// An attribute of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Local name, without the namespace.
    pub name: Box<str>,
    /// Value with escapes such as `&lt;` resolved.
    pub value: Box<str>,
}

/// An element of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Local name, without the namespace.
    pub name: Box<str>,
    /// Name of its file, as used in messages.
    pub file: Arc<str>,
    /// Line of its start tag, from 1.
    pub line: usize,
    /// Attributes in document order.
    pub attributes: Vec<Attribute>,
    /// Child elements in document order.
    pub children: Vec<Element>,
}

/// Copies the elements of a parsed document. Comments and text nodes are dropped.
pub(super) fn copy_tree(parsed: &roxmltree::Document, file: &Arc<str>) -> Result<Element, ImportError> {
    let line_starts: Vec<usize> =
        std::iter::once(0).chain(parsed.input_text().match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |node: roxmltree::Node| line_starts.partition_point(|&start| start <= node.range().start);
    let copy = |node: roxmltree::Node| Element {
        name: node.tag_name().name().into(),
        file: file.clone(),
        line: line(node),
        attributes: node
            .attributes()
            // Attributes in a namespace are for other programs.
            .filter(|attribute| attribute.namespace().is_none())
            .map(|attribute| Attribute { name: attribute.name().into(), value: attribute.value().into() })
            .collect(),
        children: Vec::new(),
    };
    // A stack of open elements instead of recursion, so that deep documents cannot overflow the call stack.
    let root = parsed.root_element();
    let mut open = vec![copy(root)];
    let mut current = root;
    loop {
        if let Some(child) = current.first_element_child() {
            if open.len() >= MAX_NESTING {
                let fault = ImportFault::TooMany { what: "levels of nested elements", limit: MAX_NESTING };
                return Err(ImportError::at(file, line(child), fault));
            }
            open.push(copy(child));
            current = child;
            continue;
        }
        // Close elements up to the nearest one with a next sibling.
        loop {
            let Some(done) = open.pop() else { return Ok(copy(root)) };
            let Some(parent) = open.last_mut() else { return Ok(done) };
            parent.children.push(done);
            if let Some(sibling) = current.next_sibling_element() {
                open.push(copy(sibling));
                current = sibling;
                break;
            }
            let Some(up) = current.parent_element() else { break };
            current = up;
        }
    }
}

impl Warnings {
    /// Adds an occurrence of an unsupported feature at an element.
    pub fn add(&mut self, kind: &str, element: &Element) {
        self.add_at(kind, &element.file, element.line);
    }
}

impl Element {
    /// Returns the children with a given name.
    pub fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| *child.name == *name)
    }

    /// Returns the first child with a given name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| *child.name == *name)
    }

    /// Returns the value of an attribute.
    pub fn text(&self, attribute: &str) -> Option<&str> {
        self.attributes.iter().find(|found| *found.name == *attribute).map(|found| &*found.value)
    }

    /// Returns the value of an attribute; fails if it is missing.
    pub fn required(&self, attribute: &'static str) -> Result<&str, ImportError> {
        self.text(attribute)
            .ok_or_else(|| self.fault(ImportFault::Missing { what: format!("attribute '{attribute}'") }))
    }

    /// Reads a name; fails if it is empty.
    pub fn name(&self, attribute: &'static str) -> Result<Option<&str>, ImportError> {
        match self.text(attribute) {
            Some("") => Err(self.wrong(attribute, "a name that is not empty")),
            other => Ok(other),
        }
    }

    /// Reads a finite number.
    pub fn number(&self, attribute: &'static str) -> Result<Option<f64>, ImportError> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        number(text.trim()).map(Some).ok_or_else(|| self.wrong(attribute, "one finite number"))
    }

    /// Reads finite numbers whose count must be in a range.
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
                found: format!("{} numbers", found.len()),
            })),
            Err(_) => Err(self.wrong(attribute, &expected())),
        }
    }

    /// Reads exactly `N` finite numbers.
    pub fn array<const N: usize>(&self, attribute: &'static str) -> Result<Option<[f64; N]>, ImportError> {
        let found = self.numbers(attribute, N..=N)?;
        Ok(found.and_then(|found| found.try_into().ok()))
    }

    /// Reads three finite numbers.
    pub fn vector(&self, attribute: &'static str) -> Result<Option<DVec3>, ImportError> {
        Ok(self.array(attribute)?.map(DVec3::from_array))
    }

    /// Reads an integer in a range.
    pub fn whole(&self, attribute: &'static str, range: RangeInclusive<i64>) -> Result<Option<i64>, ImportError> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        let found = text.trim().parse::<i64>().ok().filter(|value| range.contains(value));
        let expected = || format!("an integer from {} to {}", range.start(), range.end());
        found.map(Some).ok_or_else(|| self.wrong(attribute, &expected()))
    }

    /// Reads one of the given keywords.
    pub fn keyword(
        &self,
        attribute: &'static str,
        words: &[&'static str],
    ) -> Result<Option<&'static str>, ImportError> {
        let Some(text) = self.text(attribute) else { return Ok(None) };
        let found = words.iter().copied().find(|word| *word == text.trim());
        found.map(Some).ok_or_else(|| self.wrong(attribute, &format!("one of {}", words.join(", "))))
    }

    /// Reads `true` or `false`.
    pub fn boolean(&self, attribute: &'static str) -> Result<Option<bool>, ImportError> {
        Ok(self.keyword(attribute, &["true", "false"])?.map(|word| word == "true"))
    }

    /// Reads `true`, `false` or `auto`, which is `Some(None)`.
    pub fn boolean_or_auto(&self, attribute: &'static str) -> Result<Option<Option<bool>>, ImportError> {
        let found = self.keyword(attribute, &["true", "false", "auto"])?;
        Ok(found.map(|word| (word != "auto").then_some(word == "true")))
    }

    /// Fails if the element has an attribute that is not in `known`.
    pub fn allow_attributes(&self, known: &[&str]) -> Result<(), ImportError> {
        let unknown = self.attributes.iter().find(|attribute| !known.contains(&&*attribute.name));
        unknown.map_or(Ok(()), |unknown| {
            let suggestion = closest(&unknown.name, known.iter().copied());
            Err(self.fault(ImportFault::UnknownAttribute { attribute: unknown.name.to_string(), suggestion }))
        })
    }

    /// Fails if the element has a child that is not in `known`.
    pub fn allow_children(&self, known: &[&str]) -> Result<(), ImportError> {
        let unknown = self.children.iter().find(|child| !known.contains(&&*child.name));
        unknown.map_or(Ok(()), |unknown| Err(unknown.unknown(&self.name, known)))
    }

    /// Creates an error that this element is not allowed in `parent`.
    pub fn unknown(&self, parent: &str, known: &[&str]) -> ImportError {
        let suggestion = closest(&self.name, known.iter().copied());
        self.fault(ImportFault::UnknownElement { inside: parent.to_string(), suggestion })
    }

    /// Creates an error at this element.
    pub fn fault(&self, fault: ImportFault) -> ImportError {
        ImportError::at(&self.file, self.line, fault).within(&self.name)
    }

    /// Creates an error at this element from a message.
    pub fn conflict(&self, why: impl Into<String>) -> ImportError {
        self.fault(ImportFault::Conflict(why.into()))
    }

    /// Creates an error for an invalid value of an attribute.
    pub fn wrong(&self, attribute: &'static str, expected: &str) -> ImportError {
        let text = self.text(attribute).unwrap_or_default();
        let found = match text.char_indices().nth(40) {
            Some((end, _)) => format!("'{}...'", &text[..end]),
            None => format!("'{text}'"),
        };
        self.fault(ImportFault::Value { attribute, expected: expected.to_string(), found })
    }

    /// Fails if two children with the same name have the same value of an attribute.
    pub fn distinct_children(&self, attribute: &str, what: &'static str) -> Result<(), ImportError> {
        let mut seen = BTreeSet::new();
        for child in &self.children {
            if let Some(name) = child.text(attribute)
                && !seen.insert((&child.name, name))
            {
                return Err(child.fault(ImportFault::Name(NameFault::Duplicate { what, name: name.to_string() })));
            }
        }
        Ok(())
    }
}
