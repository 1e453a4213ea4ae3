//! Deserializes a parsed TOML document such that every error knows its field and its position in the text.

use std::fmt;
use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeInteger, DeTable, DeValue};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::{Fault, Step, closest};

/// A fault with its path in the tree and its position in the text.
#[derive(Debug)]
pub(crate) struct ReadError {
    pub fault: Box<Fault>,
    /// Path to the value, innermost step first.
    pub steps: Vec<Step>,
    pub span: Option<Range<usize>>,
    /// The field or word that the fault is about.
    subject: Option<String>,
}

impl ReadError {
    fn new(fault: Fault, subject: Option<&str>) -> Self {
        Self { fault: Box::new(fault), steps: Vec::new(), span: None, subject: subject.map(str::to_string) }
    }

    fn within(mut self, step: Step, span: Range<usize>) -> Self {
        self.steps.push(step);
        self.span.get_or_insert(span);
        self
    }

    /// Adds the position of the field that the error is about, if the error has no position yet.
    fn in_table(mut self, table: &DeTable, span: Range<usize>) -> Self {
        if self.span.is_some() {
            return self;
        }
        let field = match (&*self.fault, self.subject.take()) {
            (Fault::UnknownField { .. } | Fault::Missing, Some(field)) => Some(field),
            (Fault::UnknownWord { .. }, _) => Some("type".to_string()),
            _ => None,
        };
        let key = field.as_ref().and_then(|field| table.keys().find(|key| key.get_ref() == field.as_str()));
        self.span = Some(key.map_or(span, Spanned::span));
        self.steps.extend(field.map(Step::Field));
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Fault::Conflict(message.to_string()), None)
    }

    fn invalid_type(found: Unexpected, expected: &dyn Expected) -> Self {
        Self::new(Fault::WrongType { expected: describe_expected(expected), found: describe_found(found) }, None)
    }

    fn invalid_value(found: Unexpected, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(Fault::WrongType { expected: describe_expected(expected), found: format!("{length} elements") }, None)
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        let suggestion = closest(found, expected.iter().copied());
        let fault = Fault::UnknownWord { found: found.to_string(), suggestion, expected: expected.to_vec() };
        Self::new(fault, Some(found))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let suggestion = closest(field, expected.iter().copied());
        Self::new(Fault::UnknownField { suggestion, expected: expected.to_vec() }, Some(field))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Fault::Missing, Some(field))
    }
}

/// Translates serde's names of Rust types to TOML terms.
fn describe_expected(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    match text.as_str() {
        "f64" => "a number".to_string(),
        "u32" | "u64" | "usize" => "a whole number that is not negative".to_string(),
        "a boolean" => "true or false".to_string(),
        "a sequence" => "an array".to_string(),
        "a map" => "a table".to_string(),
        _ if text.starts_with("struct ") => "a table".to_string(),
        _ if text.starts_with("enum ") => "a word".to_string(),
        _ => text,
    }
}

fn describe_found(found: Unexpected) -> String {
    match found {
        Unexpected::Map => "a table".to_string(),
        Unexpected::Seq => "an array".to_string(),
        Unexpected::Str(text) => format!("the string \"{}\"", text.chars().take(40).collect::<String>()),
        Unexpected::Float(value) => format!("{value}"),
        Unexpected::Signed(value) => format!("{value}"),
        Unexpected::Bool(value) => format!("{value}"),
        other => other.to_string(),
    }
}

/// A value with its position in the text.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a, 'i> {
    pub value: &'a DeValue<'i>,
    pub span: (usize, usize),
}

impl<'a, 'i> Node<'a, 'i> {
    pub fn new(value: &'a Spanned<DeValue<'i>>) -> Self {
        let span = value.span();
        Self { value: value.get_ref(), span: (span.start, span.end) }
    }

    fn span(&self) -> Range<usize> {
        self.span.0..self.span.1
    }

    fn locate<T>(&self, result: Result<T, ReadError>) -> Result<T, ReadError> {
        result.map_err(|error| match self.value {
            DeValue::Table(table) => error.in_table(table, self.span()),
            _ => ReadError { span: error.span.clone().or(Some(self.span())), ..error },
        })
    }

    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.value {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(integer) => visitor.visit_i64(parse_integer(integer)?),
            DeValue::Float(float) => {
                let value = float.as_str().parse::<f64>();
                visitor.visit_f64(value.map_err(|_| de::Error::custom("is not a number"))?)
            }
            DeValue::Boolean(value) => visitor.visit_bool(*value),
            DeValue::Datetime(time) => visitor.visit_string(time.to_string()),
            DeValue::Array(array) => visitor.visit_seq(Elements { array, next: 0 }),
            DeValue::Table(table) => visitor.visit_map(Entries::new(table)),
        }
    }
}

fn parse_integer(integer: &DeInteger) -> Result<i64, ReadError> {
    i64::from_str_radix(integer.as_str(), integer.radix())
        .map_err(|_| de::Error::custom(format!("{} is too large a number", integer.as_str())))
}

impl<'de> Deserializer<'de> for Node<'_, '_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.locate(self.visit(visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, ReadError> {
        let has_length = matches!(self.value, DeValue::Array(array) if array.len() == length);
        if !has_length {
            let found = match self.value {
                DeValue::Array(array) => format!("{} elements", array.len()),
                other => format!("a value of type {}", other.type_str()),
            };
            let fault = Fault::WrongType { expected: format!("an array of {length} elements"), found };
            return self.locate(Err(ReadError::new(fault, None)));
        }
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.locate(match self.value {
            DeValue::String(text) => visitor.visit_enum(Word(text)),
            other => {
                let found = format!("a value of type {}", other.type_str());
                Err(ReadError::new(Fault::WrongType { expected: "a word in quotes".to_string(), found }, None))
            }
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq map
        struct identifier ignored_any
    }
}

/// Iterates over the elements of an array.
struct Elements<'a, 'i> {
    array: &'a [Spanned<DeValue<'i>>],
    next: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_, '_> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let index = self.next;
        let Some(value) = self.array.get(index) else { return Ok(None) };
        self.next += 1;
        seed.deserialize(Node::new(value)).map(Some).map_err(|error| error.within(Step::Index(index), value.span()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.array.len() - self.next)
    }
}

/// Iterates over the entries of a table, `type` first.
struct Entries<'a, 'i> {
    table: &'a DeTable<'i>,
    keys: Vec<&'a Spanned<std::borrow::Cow<'i, str>>>,
    next: usize,
}

impl<'a, 'i> Entries<'a, 'i> {
    fn new(table: &'a DeTable<'i>) -> Self {
        let mut keys: Vec<_> = table.keys().collect();
        if let Some(index) = keys.iter().position(|key| key.get_ref() == "type") {
            keys[..=index].rotate_right(1);
        }
        Self { table, keys, next: 0 }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some(key) = self.keys.get(self.next) else { return Ok(None) };
        seed.deserialize(key.get_ref().as_ref().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let key = self.keys.get(self.next).ok_or_else(|| de::Error::custom("a value without a key"))?;
        let value = self.table.get(key.get_ref().as_ref()).ok_or_else(|| de::Error::custom("a key without a value"))?;
        self.next += 1;
        // Report the position of the key; a table may begin far below it.
        let step = Step::Field(key.get_ref().to_string());
        seed.deserialize(Node::new(value)).map_err(|error| error.within(step, key.span()))
    }
}

/// The name of a unit variant.
struct Word<'a>(&'a str);

impl<'de> EnumAccess<'de> for Word<'_> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), ReadError> {
        Ok((seed.deserialize(self.0.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Word<'_> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, ReadError> {
        Err(de::Error::custom("must be a word"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, ReadError> {
        Err(de::Error::custom("must be a word"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, ReadError> {
        Err(de::Error::custom("must be a word"))
    }
}
