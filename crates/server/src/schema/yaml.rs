//! Schemas as YAML for `openapi.yaml`.

use std::collections::BTreeMap;

use serde_json::Value;

/// Values that fit on a line of this length are written on one line.
const MAX_LINE: usize = 110;

/// The entries of `components.schemas`, indented by four spaces.
pub fn schemas(all: &BTreeMap<String, Value>) -> String {
    let mut text = String::new();
    for (name, schema) in all {
        entry(&mut text, 4, name, schema);
    }
    text
}

fn entry(text: &mut String, indent: usize, name: &str, value: &Value) {
    let start = format!("{:indent$}{}:", "", scalar(name));
    value_after(text, indent, &start, value);
}

/// Writes a value after the text that begins its line.
fn value_after(text: &mut String, indent: usize, start: &str, value: &Value) {
    let line = format!("{start} {}", inline(value));
    let is_leaf = !matches!(value, Value::Object(_) | Value::Array(_));
    if is_leaf || line.len() <= MAX_LINE {
        *text += &(line + "\n");
        return;
    }
    *text += &format!("{start}\n");
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| entry(text, indent + 2, name, value)),
        Value::Array(items) => items.iter().for_each(|item| {
            let start = format!("{:indent$}  -", "");
            value_after(text, indent + 2, &start, item);
        }),
        _ => {}
    }
}

/// A value on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.is_empty() => "{}".to_string(),
        Value::Object(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(name, value)| format!("{}: {}", scalar(name), inline(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::String(text) => scalar(text),
        other => other.to_string(),
    }
}

/// A string, quoted unless it is a plain word that YAML does not read as something else.
fn scalar(text: &str) -> String {
    let is_word = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$');
    let is_special = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", ""].contains(&text);
    if is_word && !is_special && !text.starts_with(|first: char| first.is_ascii_digit()) {
        text.to_string()
    } else {
        Value::String(text.to_string()).to_string()
    }
}
