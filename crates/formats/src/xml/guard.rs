//! What would make the parser slow, found by one pass over the text: very many attributes in one element, and very many
//! namespaces. All other errors are left to the parser.

use crate::import::ImportFault;

/// Maximum number of attributes of an element; no supported format needs more.
const MAX_ATTRIBUTES: usize = 256;
/// Maximum number of namespace declarations; models use at most one or two, for a preprocessor.
const MAX_NAMESPACES: usize = 32;

/// Checks a text; the error contains the byte offset.
pub(super) fn check(text: &str) -> Result<(), (usize, ImportFault)> {
    let mut namespaces = 0;
    let mut place = 0;
    while let Some(found) = find(text, place, "<") {
        let rest = &text.as_bytes()[found..];
        let end = if rest.starts_with(b"<!--") {
            find(text, found + 4, "-->")
        } else if rest.starts_with(b"<![CDATA[") {
            find(text, found + 9, "]]>")
        } else if rest.starts_with(b"<?") {
            find(text, found + 2, "?>")
        } else {
            check_tag(text, found, &mut namespaces)?
        };
        let Some(end) = end else { break };
        place = end + 1;
    }
    Ok(())
}

/// Counts attributes and namespaces of a tag and returns its end.
fn check_tag(text: &str, start: usize, namespaces: &mut usize) -> Result<Option<usize>, (usize, ImportFault)> {
    let bytes = text.as_bytes();
    let (mut attributes, mut quote) = (0, None);
    for (place, &byte) in bytes.iter().enumerate().skip(start + 1) {
        match (quote, byte) {
            (Some(mark), _) => quote = quote.filter(|_| byte != mark),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => attributes += 1,
            (None, b'x') => *namespaces += usize::from(bytes[place..].starts_with(b"xmlns")),
            (None, b'>') => return Ok(Some(place)),
            _ => {}
        }
        let refuse = |what, limit| (start, ImportFault::TooMany { what, limit });
        if attributes > MAX_ATTRIBUTES {
            return Err(refuse("attributes in one element", MAX_ATTRIBUTES));
        }
        if *namespaces > MAX_NAMESPACES {
            return Err(refuse("namespace declarations", MAX_NAMESPACES));
        }
    }
    Ok(None)
}

fn find(text: &str, from: usize, what: &str) -> Option<usize> {
    // All search strings are ASCII, so every offset is a character boundary.
    Some(from + text.get(from..)?.find(what)?)
}
