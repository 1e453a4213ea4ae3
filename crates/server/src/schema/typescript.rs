//! TypeScript for the page: types from schemas, and constants from tables.

use std::fmt::Write;

use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::Measure;
use serde_json::{Map, Value};

use super::{REFERENCE, Schemas};
use crate::session::SectionKind;
use crate::session::frame::{
    AGAIN, ENDED, FLOATS_PER_BODY, HASHED, HEADER_BYTES, MAGIC, PLAYING, VERSION as FRAME_VERSION,
};

/// The whole file.
pub fn file(schemas: &Schemas) -> String {
    let mut text = format!(
        "// Generated from the types of crates/server by `{}`. Do not edit.\n\
         // SI units, z up, quaternions x, y, z, w.\n\n",
        super::COMMAND
    );
    for (name, schema) in &schemas.all {
        // A response leaves an optional field out; a request may also have null.
        let schema = if schemas.requests.contains(name) { schema.clone() } else { without_optional_nulls(schema) };
        text += &declaration(name, &schema);
    }
    text + &frames() + &measures()
}

fn declaration(name: &str, schema: &Value) -> String {
    let comment = comment(schema, "");
    let is_plain = schema.get("$ref").is_none() && schema.get("oneOf").is_none();
    match schema.get("properties").and_then(Value::as_object) {
        Some(fields) if is_plain => format!("{comment}export interface {name} {}\n\n", object(schema, fields, "")),
        _ => {
            let definition = type_of(schema, "");
            let space = if definition.starts_with('\n') { "" } else { " " };
            format!("{comment}export type {name} ={space}{definition}\n\n")
        }
    }
}

fn comment(schema: &Value, indent: &str) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
    if text.is_empty() { String::new() } else { format!("{indent}/** {text} */\n") }
}

fn object(schema: &Value, fields: &Map<String, Value>, indent: &str) -> String {
    let required: Vec<_> = schema.get("required").and_then(Value::as_array).into_iter().flatten().collect();
    let inner = format!("{indent}  ");
    let mut text = "{\n".to_string();
    for (name, field) in fields {
        let is_required = required.iter().any(|one| one.as_str() == Some(name));
        let mark = if is_required { "" } else { "?" };
        text += &format!("{}{inner}{name}{mark}: {}\n", comment(field, &inner), type_of(field, &inner));
    }
    text + indent + "}"
}

/// Removes null from the types of all optional fields.
fn without_optional_nulls(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut changed: Map<_, _> =
                fields.iter().map(|(name, value)| (name.clone(), without_optional_nulls(value))).collect();
            let required = fields.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            if let Some(properties) = changed.get_mut("properties").and_then(Value::as_object_mut) {
                for (name, property) in properties.iter_mut() {
                    if !required.iter().any(|one| one.as_str() == Some(name)) {
                        *property = not_null(property);
                    }
                }
            }
            Value::Object(changed)
        }
        Value::Array(items) => Value::Array(items.iter().map(without_optional_nulls).collect()),
        other => other.clone(),
    }
}

fn not_null(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let is_null = |value: &Value| value == "null" || value["type"] == "null";
    for list in ["type", "anyOf"] {
        if let Some(options) = schema.get_mut(list).and_then(Value::as_array_mut) {
            options.retain(|option| !is_null(option));
        }
    }
    schema
}

fn type_of(schema: &Value, indent: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        parts.push(reference.trim_start_matches(REFERENCE).to_string());
    }
    for list in ["oneOf", "anyOf"] {
        if let Some(options) = schema.get(list).and_then(Value::as_array) {
            parts.push(union(options.iter().map(|option| type_of(option, indent)).collect(), indent));
        }
    }
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return union(values.iter().map(literal).collect(), indent);
    }
    if let Some(fields) = schema.get("properties").and_then(Value::as_object) {
        parts.push(object(schema, fields, indent));
    }
    if parts.is_empty() {
        let names = match schema.get("type") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(name)) => vec![name.as_str()],
            _ => return "unknown".to_string(),
        };
        return union(names.into_iter().map(|name| named_type(name, schema, indent)).collect(), indent);
    }
    parts.join(" & ")
}

fn named_type(name: &str, schema: &Value, indent: &str) -> String {
    match name {
        "integer" | "number" => "number".to_string(),
        "array" => array(schema, indent),
        "object" => match schema.get("additionalProperties") {
            Some(values @ Value::Object(_)) => format!("Record<string, {}>", type_of(values, indent)),
            _ => "Record<string, never>".to_string(),
        },
        other => other.to_string(),
    }
}

fn array(schema: &Value, indent: &str) -> String {
    if let Some(items) = schema.get("prefixItems").and_then(Value::as_array) {
        let items: Vec<_> = items.iter().map(|item| type_of(item, indent)).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = schema.get("items").map_or_else(|| "unknown".to_string(), |items| type_of(items, indent));
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most => format!("[{}]", vec![item; most as usize].join(", ")),
        _ if item.contains(['|', '&', '{']) => format!("({item})[]"),
        _ => format!("{item}[]"),
    }
}

fn union(mut options: Vec<String>, indent: &str) -> String {
    options.dedup();
    let line = options.join(" | ");
    if options.len() < 2 || (line.len() < 100 && !line.contains('\n')) {
        return line;
    }
    options.iter().map(|option| format!("\n{indent}  | {}", option.replace('\n', "\n  "))).collect()
}

fn literal(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'"))
}

fn frames() -> String {
    let mut text = String::new();
    let constants = [
        ("FRAME_MAGIC", format!("{MAGIC:#x}"), "First four bytes of a frame: the letters BRGF."),
        ("FRAME_VERSION", FRAME_VERSION.to_string(), "Version of the layout of frames."),
        ("FRAME_HEADER_BYTES", HEADER_BYTES.to_string(), "Number of bytes before the poses."),
        ("FLOATS_PER_BODY", FLOATS_PER_BODY.to_string(), "Number of floats of a pose: position, then quaternion."),
        ("FLAG_PLAYING", PLAYING.to_string(), "Flag: the session is playing."),
        ("FLAG_HASHED", HASHED.to_string(), "Flag: the frame contains the state hash."),
        ("FLAG_AGAIN", AGAIN.to_string(), "Flag: the step is before the latest step."),
        ("FLAG_ENDED", ENDED.to_string(), "Flag: the simulation failed, or the recording is at its end."),
    ];
    for (name, value, description) in constants {
        let _ = writeln!(text, "/** {description} */\nexport const {name} = {value}\n");
    }
    text += "/** Kind of a section of a frame. */\nexport enum Section {\n";
    for kind in SectionKind::ALL {
        let _ = writeln!(text, "  /** {} */\n  {kind:?} = {},", kind.description(), kind as u32);
    }
    text += "}\n\n/** Number of floats of an item of each section. */\n";
    text += "export const SECTION_FLOATS: Record<Section, number> = {\n";
    for kind in SectionKind::ALL {
        let _ = writeln!(text, "  [Section.{kind:?}]: {},", kind.floats());
    }
    text +=
        "}\n\n/** Offsets of the fields of an item of each section, in floats. */\nexport const SECTION_FIELDS = {\n";
    for kind in SectionKind::ALL {
        let mut offset = 0;
        let fields = kind.fields().iter().map(|(name, floats)| {
            offset += floats;
            format!("{name}: {}", offset - floats)
        });
        let _ = writeln!(text, "  {}: {{ {} }},", kind.name(), fields.collect::<Vec<_>>().join(", "));
    }
    text + "} as const\n\n"
}

fn measures() -> String {
    let mut text = "/** A measure or descriptor of individuals. */\n\
                    export interface Quantity {\n  unit: string\n  description: string\n}\n\n\
                    /** All measures, by name. The unit of a plain number is empty. */\n\
                    export const MEASURES: Record<string, Quantity> = {\n"
        .to_string();
    for measure in Measure::ALL {
        let description = measure.description().replace('\'', "\\'");
        let (name, unit) = (measure.name(), measure.unit());
        let _ = writeln!(text, "  {name}: {{ unit: '{unit}', description: '{description}' }},");
    }
    text += "}\n\n/** All descriptors, by name. */\nexport const DESCRIPTORS: Record<string, { unit: string }> = {\n";
    for (name, unit) in Descriptors::NAMES.into_iter().zip(Descriptors::UNITS) {
        let _ = writeln!(text, "  {name}: {{ unit: '{unit}' }},");
    }
    text + "}\n"
}
