//! A number of a task, given as such or as a formula over the task's parameters: `gravity = [0, 0, "-gravity"]`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use burgess_formula::Formula;

/// A number, or a formula that gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum Amount {
    /// A plain number.
    Number(f64),
    /// A formula over the parameters of the task.
    Formula(Formula),
}

/// Named numbers.
pub type Parameters = BTreeMap<String, f64>;

impl Amount {
    /// Returns the value for the given parameters.
    pub fn value(&self, parameters: &Parameters) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Formula(formula) => formula.evaluate(|name| parameters.get(name).copied()),
        }
    }

    /// Returns three amounts as a vector.
    pub fn vector(amounts: &[Self; 3], parameters: &Parameters) -> glam::DVec3 {
        glam::DVec3::from_array(std::array::from_fn(|axis| amounts[axis].value(parameters)))
    }
}

impl From<f64> for Amount {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Formula(formula) => formula.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number or a formula over the parameters in quotes")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Amount, E> {
                Ok(Amount::Number(number))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Amount, E> {
                Ok(Amount::Number(number as f64))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Amount, E> {
                Ok(Amount::Number(number as f64))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Amount, E> {
                Formula::parse(text).map(Amount::Formula).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}
