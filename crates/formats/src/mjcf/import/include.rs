//! `<include file="..."/>`: replaces the element by the contents of another file. Every file is included at most once,
//! so cycles are impossible, and all files are in the model's folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::import::{ImportError, ImportFault, ModelFolder};
use crate::xml::{Document, Element, MAX_NESTING};

/// Maximum number of included files.
const MAX_FILES: usize = 1000;
/// Maximum number of elements of a model with its included files.
const MAX_ELEMENTS: usize = 2_000_000;

/// Expands all `<include>` elements.
pub(super) fn expand(root: Element, folder: &ModelFolder) -> Result<Element, ImportError> {
    let mut includer = Includer { folder, seen: BTreeSet::new(), elements: 0 };
    let mut expanded = includer.expand(root, 1)?;
    if *expanded.name == *"include" {
        return Err(expanded.conflict("the root element cannot be <include>"));
    }
    expanded.children.shrink_to_fit();
    Ok(expanded)
}

struct Includer<'a> {
    folder: &'a ModelFolder,
    seen: BTreeSet<PathBuf>,
    elements: usize,
}

impl Includer<'_> {
    fn expand(&mut self, mut element: Element, depth: usize) -> Result<Element, ImportError> {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return Err(element.fault(ImportFault::TooMany { what: "elements", limit: MAX_ELEMENTS }));
        }
        if depth > MAX_NESTING {
            return Err(element.fault(ImportFault::TooMany { what: "levels of nested elements", limit: MAX_NESTING }));
        }
        for child in std::mem::take(&mut element.children) {
            if *child.name == *"include" {
                let included = self.read(&child)?;
                // The recursion expands nested includes.
                let inner = self.expand(Element { children: included, ..child }, depth + 1)?;
                element.children.extend(inner.children);
            } else {
                element.children.push(self.expand(child, depth + 1)?);
            }
        }
        Ok(element)
    }

    /// Reads the children of the root element of an included file.
    fn read(&mut self, include: &Element) -> Result<Vec<Element>, ImportError> {
        include.allow_attributes(&["file"])?;
        include.allow_children(&[])?;
        let file = include.required("file")?;
        let path = self.folder.find("", file).map_err(|fault| include.fault(fault))?;
        let refuse = |why: &str| include.fault(ImportFault::File { path: file.to_string(), why: why.to_string() });
        if self.seen.len() >= MAX_FILES {
            return Err(include.fault(ImportFault::TooMany { what: "included files", limit: MAX_FILES }));
        }
        if self.folder.is_model(&path) || !self.seen.insert(path.clone()) {
            return Err(refuse("is already part of the model; a file can be included only once"));
        }
        let root = Document::read(&path, file)?.root;
        if root.children.is_empty() {
            return Err(refuse("has an empty root element"));
        }
        Ok(root.children)
    }
}
