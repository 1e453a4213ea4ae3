//! `<include file="..."/>`: the elements of another file in the place of the element. Every file is there once at most, so
//! that nothing includes itself, and all of them are in the model's folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::import::{ImportError, ImportFault, ModelFolder};
use crate::xml::{Document, Element, MAX_NESTING};

/// More files in one model are refused.
const MAX_FILES: usize = 1000;
/// More elements of included files are refused.
const MAX_ELEMENTS: usize = 2_000_000;

/// Puts included files where they are included.
pub(super) fn expand(root: Element, folder: &ModelFolder) -> Result<Element, ImportError> {
    let mut includer = Includer { folder, seen: BTreeSet::new(), elements: 0 };
    let mut whole = includer.expand(root, 1)?;
    if *whole.name == *"include" {
        return Err(whole.conflict("the outermost element cannot be included from another file"));
    }
    whole.children.shrink_to_fit();
    Ok(whole)
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
            return Err(element.fault(ImportFault::TooMany { what: "elements within each other", limit: MAX_NESTING }));
        }
        for child in std::mem::take(&mut element.children) {
            if *child.name == *"include" {
                let included = self.read(&child)?;
                // What it includes itself is put in its place by the same token.
                let inner = self.expand(Element { children: included, ..child }, depth + 1)?;
                element.children.extend(inner.children);
            } else {
                element.children.push(self.expand(child, depth + 1)?);
            }
        }
        Ok(element)
    }

    /// The elements within the outermost one of an included file.
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
            return Err(refuse("is already in the model; a file is included once at most"));
        }
        let root = Document::read(&path, file)?.root;
        if root.children.is_empty() {
            return Err(refuse("has nothing within its outermost element"));
        }
        Ok(root.children)
    }
}
