//! A streaming XML writer. Output is indented and escaped; numbers have the fewest digits that read back as the same
//! bits. It keeps only the text and the names of the open elements, so nesting depth costs no call stack.
//!
//! ```text
//!   xml.open("body").attribute("name", "arm").numbers("pos", [0.0, 0.5, 1.0]);   <body name="arm" pos="0 0.5 1">
//!   xml.open("freejoint").close();                                                 <freejoint/>
//!   xml.close();                                                                 </body>
//! ```

use std::fmt::Write;

use glam::{DQuat, DVec3};

/// Maximum indentation, in levels: without a bound, deep trees would be mostly spaces.
const MAX_INDENT: usize = 40;

/// Writes elements one after the other to a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct XmlWriter {
    text: String,
    open: Vec<&'static str>,
    /// The start tag of the innermost element is still open for attributes.
    in_tag: bool,
}

impl XmlWriter {
    /// Creates a writer without elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens an element inside the innermost open one.
    pub fn open(&mut self, name: &'static str) -> &mut Self {
        self.begin_line();
        self.text.push('<');
        self.text.push_str(name);
        self.open.push(name);
        self.in_tag = true;
        self
    }

    /// Closes the innermost open element.
    pub fn close(&mut self) -> &mut Self {
        let Some(name) = self.open.pop() else { return self };
        if self.in_tag {
            self.text.push_str("/>\n");
        } else {
            self.indent();
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push_str(">\n");
        }
        self.in_tag = false;
        self
    }

    /// Adds an attribute to the element that was just opened; ignored once the element has content.
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        debug_assert!(self.in_tag, "attribute '{name}' written after the start tag");
        if self.in_tag {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        self
    }

    /// Adds an attribute with a number.
    pub fn number(&mut self, name: &str, value: f64) -> &mut Self {
        self.numbers(name, [value])
    }

    /// Adds an attribute with numbers separated by spaces.
    pub fn numbers(&mut self, name: &str, values: impl IntoIterator<Item = f64>) -> &mut Self {
        let mut list = String::new();
        for value in values {
            if !list.is_empty() {
                list.push(' ');
            }
            push_number(value, &mut list);
        }
        self.attribute(name, &list)
    }

    /// Adds an attribute with a number, unless it is the default of the format.
    pub fn number_unless(&mut self, default: f64, name: &str, value: f64) -> &mut Self {
        if value == default { self } else { self.number(name, value) }
    }

    /// Adds an attribute with a vector, unless it is zero.
    pub fn vector_unless_zero(&mut self, name: &str, value: DVec3) -> &mut Self {
        if value == DVec3::ZERO { self } else { self.numbers(name, value.to_array()) }
    }

    /// Adds an attribute with a quaternion in the order w, x, y, z, unless it is the identity.
    pub fn quaternion_unless_identity(&mut self, name: &str, value: DQuat) -> &mut Self {
        if value == DQuat::IDENTITY { self } else { self.numbers(name, [value.w, value.x, value.y, value.z]) }
    }

    /// Writes an element that contains only text.
    pub fn text(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.begin_line();
        self.text.push_str(&format!("<{name}>"));
        escape(text, &mut self.text);
        self.text.push_str(&format!("</{name}>\n"));
        self
    }

    /// Writes a comment.
    pub fn comment(&mut self, text: &str) -> &mut Self {
        self.begin_line();
        self.text.push_str("<!-- ");
        // Two hyphens are not allowed in a comment.
        let escaped = text.replace("--", "- ");
        self.text.extend(escaped.chars().map(|letter| if letter.is_control() { ' ' } else { letter }));
        self.text.push_str(" -->\n");
        self
    }

    /// Closes all open elements and returns the text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    /// Ends an open start tag and indents a new line.
    fn begin_line(&mut self) {
        if self.in_tag {
            self.text.push_str(">\n");
            self.in_tag = false;
        }
        self.indent();
    }

    fn indent(&mut self) {
        for _ in 0..self.open.len().min(MAX_INDENT) {
            self.text.push_str("  ");
        }
    }
}

/// Appends a number with the fewest digits that read back as the same bits; minus zero is written as zero.
pub(crate) fn push_number(value: f64, text: &mut String) {
    let size = value.abs();
    // Writing to a string cannot fail.
    let _ = if value == 0.0 {
        text.write_char('0')
    } else if (1e-5..1e15).contains(&size) {
        write!(text, "{value}")
    } else {
        write!(text, "{value:e}")
    };
}

fn escape(value: &str, text: &mut String) {
    for letter in value.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\n' => text.push_str("&#10;"),
            '\t' => text.push_str("&#9;"),
            '\r' => text.push_str("&#13;"),
            // XML cannot represent these.
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => text.push(char::REPLACEMENT_CHARACTER),
            letter => text.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_nest_and_close_themselves() {
        let mut xml = XmlWriter::new();
        xml.open("a").attribute("name", "x");
        xml.open("b").numbers("pos", [0.0, -0.0, 0.1]).close();
        xml.comment("a -- b --");
        xml.text("e", "1 < 2");
        xml.open("c");
        xml.open("d");
        let text = xml.finish();
        let expected = "<a name=\"x\">\n  <b pos=\"0 0 0.1\"/>\n  <!-- a -  b -  -->\n  <e>1 &lt; 2</e>\n  <c>\n    <d/>\n  </c>\n</a>\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn special_characters_are_escaped() {
        let mut xml = XmlWriter::new();
        xml.open("a").attribute("name", "<\"&'>\n\u{1}é");
        assert_eq!(xml.finish(), "<a name=\"&lt;&quot;&amp;'&gt;&#10;\u{fffd}é\"/>\n");
    }

    #[test]
    fn numbers_read_back_as_the_same_bits() {
        for value in [0.1, 1.0 / 3.0, -2.5e-310, 1.7976931348623157e308, 5e-324, 123456789012345680.0, -1e-6, 1e15] {
            let mut text = String::new();
            push_number(value, &mut text);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
            assert!(text.len() < 26, "{text}");
        }
    }
}
