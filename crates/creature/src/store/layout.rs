//! Layout of JSON files: values that fit stay on one line, so that a vector takes one line and not four.

/// Maximum length of a line with more than one value, in characters.
const MAX_LINE: usize = 110;

/// Returns the same JSON with line breaks. Expects the output of serde_json: valid, without space between tokens.
pub(super) fn format_json(compact: &str) -> String {
    let mut out = String::with_capacity(2 * compact.len());
    write_value(compact, 0, &mut out);
    out.push('\n');
    out
}

/// Writes one value after what is already on the line.
fn write_value(value: &str, depth: usize, out: &mut String) {
    let (open, close) = match value.as_bytes() {
        [b'{', .., b'}'] => ('{', '}'),
        [b'[', .., b']'] => ('[', ']'),
        _ => return out.push_str(value),
    };
    let line = on_one_line(value);
    let used = out.len() - out.rfind('\n').map_or(0, |end| end + 1);
    // The outermost object is always written one field per line.
    if depth > 0 && used + line.len() < MAX_LINE {
        return out.push_str(&line);
    }
    out.push(open);
    for (index, member) in members(&value[1..value.len() - 1]).into_iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        let (key, member) = match open {
            '{' => key_and_value(member),
            _ => ("", member),
        };
        if !key.is_empty() {
            out.push_str(key);
            out.push_str(": ");
        }
        write_value(member, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

/// Returns the value on one line, with a space after every comma and colon.
fn on_one_line(value: &str) -> String {
    let mut line = String::with_capacity(value.len() + value.len() / 4);
    scan(value, |character, in_string, _| {
        line.push(character);
        if !in_string && matches!(character, ',' | ':') {
            line.push(' ');
        }
    });
    line
}

/// Splits the members of a list or an object at the commas of the outermost level.
fn members(inside: &str) -> Vec<&str> {
    let (mut members, mut start, mut at) = (Vec::new(), 0, 0);
    scan(inside, |character, in_string, level| {
        if character == ',' && !in_string && level == 0 {
            members.push(&inside[start..at]);
            start = at + 1;
        }
        at += character.len_utf8();
    });
    if start < inside.len() {
        members.push(&inside[start..]);
    }
    members
}

/// Splits a member at its colon.
fn key_and_value(member: &str) -> (&str, &str) {
    let (mut at, mut colon) = (0, None);
    scan(member, |character, in_string, level| {
        if character == ':' && !in_string && level == 0 && colon.is_none() {
            colon = Some(at);
        }
        at += character.len_utf8();
    });
    colon.map_or(("", member), |colon| (&member[..colon], &member[colon + 1..]))
}

/// Calls `visit` with each character, whether it is in a string, and the number of brackets open around it.
fn scan(text: &str, mut visit: impl FnMut(char, bool, usize)) {
    let (mut in_string, mut escaped, mut level) = (false, false, 0usize);
    for character in text.chars() {
        if !in_string && matches!(character, '}' | ']') {
            level = level.saturating_sub(1);
        }
        visit(character, in_string, level);
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => level += 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::format_json;

    #[test]
    fn short_values_stay_on_a_line_and_strings_as_they_are() {
        let text = r#"{"name":"a, \"b\": [c] {d","list":[1,2,{"x":[1,2]}],"none":[],"long":["1234567890123456789012345678901234567890123456789012345678901234567890","1234567890123456789012345678901234567890"]}"#;
        let expected = r#"{
  "name": "a, \"b\": [c] {d",
  "list": [1, 2, {"x": [1, 2]}],
  "none": [],
  "long": [
    "1234567890123456789012345678901234567890123456789012345678901234567890",
    "1234567890123456789012345678901234567890"
  ]
}
"#;
        assert_eq!(format_json(text), expected);
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&format_json(text)).unwrap(), value);
    }
}
