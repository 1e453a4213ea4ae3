//! Writes XML, one element after the other: indented, escaped, and numbers in the fewest digits that read back as the
//! same bits. Nothing is kept but the text and the names of the open elements, so depth costs no stack.
//!
//! ```text
//!   xml.open("body").attribute("name", "arm").numbers("pos", [0.0, 0.5, 1.0]);   <body name="arm" pos="0 0.5 1">
//!   xml.open("freejoint").close();                                                 <freejoint/>
//!   xml.close();                                                                 </body>
//! ```

use std::fmt::Write;

use glam::{DQuat, DVec3};

/// Text that grows by elements.
#[derive(Debug, Clone, Default)]
pub(crate) struct XmlWriter {
    text: String,
    open: Vec<&'static str>,
    /// The start tag of the innermost element still takes attributes.
    in_tag: bool,
}

impl XmlWriter {
    /// No elements yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins an element inside the innermost open one.
    pub fn open(&mut self, name: &'static str) -> &mut Self {
        self.begin_line();
        self.text.push('<');
        self.text.push_str(name);
        self.open.push(name);
        self.in_tag = true;
        self
    }

    /// Ends the innermost open element.
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

    /// An attribute of the element that was just opened; ignored once that has content.
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        debug_assert!(self.in_tag, "attribute '{name}' comes too late");
        if self.in_tag {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        self
    }

    /// An attribute with a number.
    pub fn number(&mut self, name: &str, value: f64) -> &mut Self {
        self.numbers(name, [value])
    }

    /// An attribute with numbers, a blank between them.
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

    /// An attribute with a number, unless it is what a reader takes for granted.
    pub fn number_unless(&mut self, default: f64, name: &str, value: f64) -> &mut Self {
        if value == default { self } else { self.number(name, value) }
    }

    /// An attribute with the parts of a vector, unless they are all zero.
    pub fn vector_unless_zero(&mut self, name: &str, value: DVec3) -> &mut Self {
        if value == DVec3::ZERO { self } else { self.numbers(name, value.to_array()) }
    }

    /// An attribute with a quaternion in the order w, x, y, z, unless it turns nothing.
    pub fn quaternion_unless_straight(&mut self, name: &str, value: DQuat) -> &mut Self {
        if value == DQuat::IDENTITY { self } else { self.numbers(name, [value.w, value.x, value.y, value.z]) }
    }

    /// An element with nothing but a text.
    pub fn text(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.begin_line();
        self.text.push_str(&format!("<{name}>"));
        escape(text, &mut self.text);
        self.text.push_str(&format!("</{name}>\n"));
        self
    }

    /// A line for people.
    pub fn comment(&mut self, text: &str) -> &mut Self {
        self.begin_line();
        self.text.push_str("<!-- ");
        // Two hyphens would end the comment.
        let harmless = text.replace("--", "- ");
        self.text.extend(harmless.chars().map(|letter| if letter.is_control() { ' ' } else { letter }));
        self.text.push_str(" -->\n");
        self
    }

    /// Closes what is open; the text.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    /// Ends an open start tag and indents.
    fn begin_line(&mut self) {
        if self.in_tag {
            self.text.push_str(">\n");
            self.in_tag = false;
        }
        self.indent();
    }

    fn indent(&mut self) {
        // Deep trees would be mostly blanks.
        for _ in 0..self.open.len().min(40) {
            self.text.push_str("  ");
        }
    }
}

/// The fewest digits that read back as the same bits; minus zero is zero.
pub(crate) fn push_number(value: f64, text: &mut String) {
    let size = value.abs();
    // Writing to a string does not fail.
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
            // XML has no way to say these.
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
    fn what_xml_means_otherwise_is_escaped() {
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
