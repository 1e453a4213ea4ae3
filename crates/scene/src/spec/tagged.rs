//! Tables with a `type` field.
//!
//! serde's own tagged enums read a table into a buffer first and lose the positions of its values, so their errors name
//! neither field nor line. These read the tag first and the rest in place. The reader of scene files returns `type`
//! before all other keys; other formats must have it first, as they do when they were written from these types.

use std::fmt;
use std::marker::PhantomData;

use burgess_files::closest;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};

/// An enum that is read from a table with a `type`.
pub(crate) trait Tagged: Sized {
    /// Reads the rest of the table.
    fn read<'de, A: MapAccess<'de>>(tag: &str, rest: A) -> Result<Self, A::Error>;
}

/// The value of the first key, which must be `type`.
pub(crate) fn read_tag<'de, A: MapAccess<'de>>(map: &mut A) -> Result<String, A::Error> {
    match map.next_key::<String>()? {
        Some(key) if key == "type" => map.next_value(),
        _ => Err(A::Error::missing_field("type")),
    }
}

/// Reads a tagged enum that has a table for itself.
pub(crate) struct TaggedVisitor<T>(pub PhantomData<T>);

impl<'de, T: Tagged> Visitor<'de> for TaggedVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table with a type")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let tag = read_tag(&mut map)?;
        T::read(&tag, map)
    }
}

/// The fields of a table that belong to the kind. `take` reads those of the record around it.
pub(crate) struct Rest<'a, A, F> {
    pub map: &'a mut A,
    /// Names of the fields of the record.
    pub own: &'static [&'static str],
    pub take: F,
}

impl<'de, A: MapAccess<'de>, F: FnMut(&str, &mut A) -> Result<bool, A::Error>> MapAccess<'de> for Rest<'_, A, F> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<String>()? {
            if !(self.take)(&key, self.map)? {
                let known = seed.deserialize(key.as_str().into_deserializer()).map(Some);
                // A misspelled field of the record is reported with the fields of the record, not with those of the
                // kind.
                let misspelled = known.is_err() && closest(&key, self.own.iter().copied()).is_some();
                return if misspelled { Err(A::Error::unknown_field(&key, self.own)) } else { known };
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Reads a field that may be given once.
pub(crate) fn once<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
    slot: &mut Option<T>,
    field: &'static str,
    map: &mut A,
) -> Result<bool, A::Error> {
    if slot.is_some() {
        return Err(A::Error::duplicate_field(field));
    }
    *slot = Some(map.next_value()?);
    Ok(true)
}

/// Defines an enum of records, read from and written to a table with a `type`. Each variant's name in files is said
/// once, here.
macro_rules! tagged {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$variant_meta:meta])* $tag:literal => $variant:ident($content:ty)),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[serde(tag = "type")]
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $tag)] $variant($content)),+
        }

        impl $name {
            /// The `type` of the variant in scene files.
            pub fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $tag),+
                }
            }
        }

        impl crate::spec::tagged::Tagged for $name {
            fn read<'de, A: serde::de::MapAccess<'de>>(tag: &str, rest: A) -> Result<Self, A::Error> {
                let rest = serde::de::value::MapAccessDeserializer::new(rest);
                match tag {
                    $($tag => <$content as serde::Deserialize>::deserialize(rest).map(Self::$variant),)+
                    other => Err(serde::de::Error::unknown_variant(other, &[$($tag),+])),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map(crate::spec::tagged::TaggedVisitor(std::marker::PhantomData))
            }
        }
    };
}

/// Reads a record whose table holds the fields of a tagged `kind` besides its own, which all have defaults.
macro_rules! read_with_kind {
    ($name:ident: $kind:ty { $($field:ident = $default:expr),+ $(,)? }) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Reader;
                impl<'de> serde::de::Visitor<'de> for Reader {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                        f.write_str("a table with a type")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        use crate::spec::tagged::{Rest, Tagged, once, read_tag};
                        let tag = read_tag(&mut map)?;
                        $(let mut $field = None;)+
                        let take = |key: &str, map: &mut A| match key {
                            $(stringify!($field) => once(&mut $field, stringify!($field), map),)+
                            _ => Ok(false),
                        };
                        let kind = <$kind>::read(&tag, Rest { map: &mut map, own: &[$(stringify!($field)),+], take })?;
                        Ok($name { kind, $($field: $field.unwrap_or_else(|| $default)),+ })
                    }
                }
                deserializer.deserialize_map(Reader)
            }
        }
    };
}

pub(crate) use {read_with_kind, tagged};
