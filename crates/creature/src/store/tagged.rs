//! Reads `{"family": .., the fields of a genome}` when the family is already known. Fields are read one by one, so
//! errors know their line; serde's own representation of tagged enums buffers everything first.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, Visitor};

/// A genome stored next to the name of its family.
pub(super) struct Tagged<G>(pub(super) G);

impl<'de, G: Deserialize<'de>> Deserialize<'de> for Tagged<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(GenomeVisitor(PhantomData))
    }
}

struct GenomeVisitor<G>(PhantomData<G>);

impl<'de, G: Deserialize<'de>> Visitor<'de> for GenomeVisitor<G> {
    type Value = Tagged<G>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a genome")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        G::deserialize(MapAccessDeserializer::new(WithoutFamily(map))).map(Tagged)
    }
}

/// All entries of a map except the family.
struct WithoutFamily<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutFamily<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Self::Error> {
        while let Some(key) = self.0.next_key::<String>()? {
            if key != "family" {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            self.0.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Self::Error> {
        self.0.next_value_seed(seed)
    }
}
