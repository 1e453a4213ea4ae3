//! The values of all measures in a trial.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::measure::Measure;

/// The value of every [`Measure`] in a trial. All values are finite; measures that are not available are 0.
#[derive(Clone, Copy, PartialEq)]
pub struct Measures([f64; Measure::COUNT]);

impl Default for Measures {
    fn default() -> Self {
        Self([0.0; Measure::COUNT])
    }
}

impl Index<Measure> for Measures {
    type Output = f64;

    fn index(&self, measure: Measure) -> &f64 {
        &self.0[measure as usize]
    }
}

impl IndexMut<Measure> for Measures {
    fn index_mut(&mut self, measure: Measure) -> &mut f64 {
        &mut self.0[measure as usize]
    }
}

impl Measures {
    /// Returns the value of the measure with the given name.
    pub fn get(&self, name: &str) -> Option<f64> {
        Measure::from_name(name).map(|measure| self[measure])
    }

    /// Returns all values, in the order of [`Measure::ALL`].
    pub fn values(&self) -> &[f64; Measure::COUNT] {
        &self.0
    }

    /// Returns all measures with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Measure, f64)> {
        Measure::ALL.into_iter().zip(self.0)
    }

    /// Returns the measures that results contain, with their values: those that a task added later does not have are
    /// left out.
    pub fn stored(&self) -> impl Iterator<Item = (Measure, f64)> {
        self.iter().filter(|(measure, value)| measure.is_always_stored() || *value != 0.0)
    }

    /// Returns the mean of each measure over several trials.
    pub fn mean<'a>(all: impl ExactSizeIterator<Item = &'a Self>) -> Self {
        let share = 1.0 / all.len().max(1) as f64;
        let mut mean = Self::default();
        for measures in all {
            mean.0.iter_mut().zip(measures.0).for_each(|(sum, value)| *sum += share * value);
        }
        mean
    }
}

impl fmt::Debug for Measures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(measure, value)| (measure.name(), value))).finish()
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Measure::COUNT))?;
        for (measure, value) in self.iter() {
            map.serialize_entry(measure.name(), &value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Measures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Measures;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a table of measures")
            }

            /// Missing measures are 0, so that results of older versions can be read.
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Measures, A::Error> {
                let mut measures = Measures::default();
                while let Some((name, value)) = map.next_entry::<String, f64>()? {
                    let measure = Measure::from_name(&name)
                        .ok_or_else(|| A::Error::custom(format!("unknown measure '{name}'")))?;
                    measures[measure] = value;
                }
                Ok(measures)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}
