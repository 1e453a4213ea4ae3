//! Line breaks of generated Markdown.

/// Maximum length of a line, except in tables and code.
const MAX_LINE: usize = 120;

/// Breaks the lines of paragraphs and list items. Tables, headings, pictures and code are not changed.
pub fn wrap(text: &str) -> String {
    let (mut wrapped, mut paragraph, mut is_code) = (String::new(), Vec::new(), false);
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        let is_fixed = is_code
            || is_fence
            || line.is_empty()
            || ["|", "#", "!", "    "].iter().any(|start| line.starts_with(start));
        if is_fixed || is_item(line) {
            flush(&mut paragraph, &mut wrapped);
        }
        if is_fixed {
            wrapped += line;
            wrapped.push('\n');
        } else {
            paragraph.extend(line.split_whitespace());
        }
    }
    flush(&mut paragraph, &mut wrapped);
    wrapped
}

/// Returns whether a line begins an item of a numbered list.
fn is_item(line: &str) -> bool {
    line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// Appends the words of a paragraph in lines. The further lines of a list item are indented.
fn flush(paragraph: &mut Vec<&str>, wrapped: &mut String) {
    let Some(first) = paragraph.first() else { return };
    let is_number = first.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok());
    let indent = if is_number { first.len() + 1 } else { 0 };
    let mut length = 0;
    for word in paragraph.drain(..) {
        if length > 0 && length + 1 + word.len() > MAX_LINE {
            wrapped.push('\n');
            *wrapped += &" ".repeat(indent);
            length = indent;
        } else if length > 0 {
            wrapped.push(' ');
            length += 1;
        }
        *wrapped += word;
        length += word.len();
    }
    wrapped.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_wrapped_and_tables_are_not() {
        let words = |count: usize| vec!["words"; count].join(" ");
        let row = format!("| {} |", words(30));
        let text = format!(
            "# Head\n\n{}\n{}\n\n{row}\n\n1. {}\n2. two\n\n    {}\n",
            words(15),
            words(10),
            words(20),
            words(30)
        );
        let expected = format!(
            "# Head\n\n{}\n{}\n\n{row}\n\n1. {}\n   words\n2. two\n\n    {}\n",
            words(20),
            words(5),
            words(19),
            words(30)
        );
        assert_eq!(wrap(&text), expected);
        assert_eq!(wrap(&expected), expected);
    }
}
