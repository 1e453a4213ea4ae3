//! XML documents of models. Elements know their file and line; attribute readers return precise errors.
//!
//! Parsing uses roxmltree without DTDs, so there are no entities to expand. Its time is quadratic in the number of
//! attributes of one element and in the number of namespaces, so `guard` rejects texts with too many of them first. The
//! nesting depth is bounded, so code that walks the tree may recurse.

mod element;
mod guard;
mod number;
mod writer;

use std::path::Path;
use std::sync::Arc;

pub use element::{Attribute, Element};
pub(crate) use writer::{XmlWriter, push_number};

use burgess_files::MAX_FILE_BYTES;

use crate::import::{ImportError, ImportFault, read_bytes};

/// Maximum nesting depth of elements.
pub const MAX_NESTING: usize = 500;
/// Maximum number of elements, comments and text nodes in one document.
pub const MAX_NODES: u32 = 1_000_000;

/// A parsed XML file.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The root element.
    pub root: Element,
}

impl Document {
    /// Reads a file; messages refer to it as `name`.
    pub fn read(path: &Path, name: &str) -> Result<Self, ImportError> {
        let bytes = read_bytes(path, MAX_FILE_BYTES).map_err(|fault| ImportError::file(name, fault))?;
        Self::parse(&text_of(bytes).map_err(|fault| ImportError::file(name, fault))?, name)
    }

    /// Parses a text; messages refer to it as `name`.
    pub fn parse(text: &str, name: &str) -> Result<Self, ImportError> {
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(ImportError::file(name, ImportFault::TooLong { limit: MAX_FILE_BYTES }));
        }
        let file: Arc<str> = name.into();
        guard::check(text).map_err(|(offset, fault)| ImportError::at(&file, line_at(text, offset), fault))?;
        let options = roxmltree::ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..Default::default() };
        let parsed = roxmltree::Document::parse_with_options(text, options).map_err(|error| {
            let fault = match error {
                roxmltree::Error::NodesLimitReached => ImportFault::Syntax(format!(
                    "has more than {MAX_NODES} elements, comments and text nodes, the maximum"
                )),
                roxmltree::Error::DtdDetected => ImportFault::Syntax(
                    "has a document type declaration (<!DOCTYPE>), which is not supported; remove it".to_string(),
                ),
                ref other => ImportFault::Syntax(format!("is not well-formed XML: {other}")),
            };
            let line = match error {
                roxmltree::Error::UnexpectedEndOfStream | roxmltree::Error::UnclosedRootNode => text.lines().count(),
                _ => error.pos().row as usize,
            };
            ImportError::at(&file, line, fault)
        })?;
        Ok(Self { root: element::copy_tree(&parsed, &file)? })
    }
}

/// Decodes UTF-8.
fn text_of(bytes: Vec<u8>) -> Result<String, ImportFault> {
    let other = match bytes[..] {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [b'<', 0, ..] | [0, b'<', ..] => Some("UTF-16"),
        _ => None,
    };
    if let Some(name) = other {
        return Err(ImportFault::Syntax(format!("is {name} text; expected UTF-8")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        ImportFault::Syntax(format!("is not UTF-8 text: invalid byte at offset {offset}"))
    })
}

/// Returns the line of a byte offset, from 1.
fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_copied_with_their_lines() {
        let text = "<a>\n<b x='1'>\n<c/></b><!-- no\n -->\n<d/>\n</a>";
        let root = Document::parse(text, "t.xml").unwrap().root;
        let names: Vec<_> = root.children.iter().map(|child| (&*child.name, child.line)).collect();
        assert_eq!(names, [("b", 2), ("d", 5)]);
        assert_eq!((&*root.children[0].children[0].name, root.children[0].children[0].line), ("c", 3));
        assert_eq!(root.children[0].number("x").unwrap(), Some(1.0));
        assert_eq!(Document::parse("<a/>", "t").unwrap().root.children.len(), 0);
    }

    #[test]
    fn hostile_texts_are_refused_at_once() {
        let deep = "<a>".repeat(1_000_000);
        let closed = format!("{deep}{}", "</a>".repeat(1_000_000));
        let attributes: String = (0..1_000_000).map(|i| format!(" a{i}='1'")).collect();
        let namespaces: String = (0..200).map(|i| format!(" xmlns:a{i}='u{i}'")).collect();
        let laughs = "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;'>]><a>&c;</a>";
        for text in [
            &deep,
            &closed,
            &format!("<a{attributes}/>"),
            &format!("<a{namespaces}/>"),
            laughs,
            "<a>&b;</a>",
            "",
            "<a",
            "<a><b></a>",
            &"<a/>".repeat(2),
            &format!("<a>{}</a>", "<b/>".repeat(1_000_001)),
        ] {
            let error = Document::parse(text, "t.xml").unwrap_err();
            assert!(error.to_string().starts_with("t.xml"), "{error}");
        }
    }
}
