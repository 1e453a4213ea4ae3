//! The legacy format of VTK: structured points, in text or big-endian binary.

use glam::DVec3;

use super::{Place, RawField, ReadFault, components, is_pressure, is_velocity, unexpected};
use crate::grid::Grid;

/// Reads a file.
pub(super) fn parse(bytes: &[u8], periodic: [bool; 3]) -> Result<RawField, Place> {
    let mut source = Source { bytes, place: 0, line: 1 };
    if !bytes.starts_with(b"# vtk DataFile Version") {
        return Err(Place::whole(ReadFault::OtherKind));
    }
    source.text_line()?; // The version.
    source.text_line()?; // The title.
    let binary = match source.text_line()?.trim() {
        "ASCII" => false,
        "BINARY" => true,
        other => return Err(source.fault(unexpected(other, "ASCII or BINARY"))),
    };
    source.keyword("DATASET")?;
    source.keyword("STRUCTURED_POINTS")?;
    let (mut size, mut origin, mut spacing) = (None, DVec3::ZERO, DVec3::ONE);
    let mut points = None;
    let mut arrays = Arrays::default();
    while let Some(word) = source.word_or_end()? {
        match word.to_ascii_uppercase().as_str() {
            "DIMENSIONS" => size = Some([source.count()?, source.count()?, source.count()?]),
            "ORIGIN" => origin = DVec3::new(source.number()?, source.number()?, source.number()?),
            "SPACING" | "ASPECT_RATIO" => {
                spacing = DVec3::new(source.number()?, source.number()?, source.number()?);
            }
            "FIELD" => source.field(binary, points, &mut arrays)?,
            "POINT_DATA" => {
                let count = source.count()?;
                let size = size.ok_or_else(|| source.fault(unexpected("POINT_DATA", "DIMENSIONS before it")))?;
                let grid = Grid::new(size, origin, spacing, periodic).map_err(|error| source.fault(error))?;
                if count != grid.points() {
                    let expected = format!("{}, the number of points", grid.points());
                    return Err(source.fault(unexpected(count.to_string(), expected)));
                }
                points = Some((grid, count));
            }
            "VECTORS" => {
                let (name, kind) = (source.word()?, source.word()?);
                let count = source.points(points)?;
                let values = source.values(binary, &kind, 3 * count)?;
                arrays.add(&name, 3, values);
            }
            "SCALARS" => {
                let (name, kind) = (source.word()?, source.word()?);
                let count = source.points(points)?;
                let parts = source.components_and_table()?;
                let values = source.values(binary, &kind, parts * count)?;
                arrays.add(&name, parts, values);
            }
            "METADATA" => source.skip_metadata()?,
            "CELL_DATA" => break,
            _ => return Err(source.fault(unexpected(word, "VECTORS, SCALARS, FIELD or POINT_DATA"))),
        }
    }
    let (grid, _) = points.ok_or_else(|| Place::whole(ReadFault::NoVelocity))?;
    let velocity = arrays.velocity.or(arrays.first_vector).ok_or_else(|| Place::whole(ReadFault::NoVelocity))?;
    Ok(RawField { grid, time: arrays.time, velocity: components(&velocity), pressure: arrays.pressure })
}

/// The arrays that matter.
#[derive(Default)]
struct Arrays {
    velocity: Option<Vec<f32>>,
    first_vector: Option<Vec<f32>>,
    pressure: Option<Vec<f32>>,
    time: Option<f64>,
}

impl Arrays {
    fn add(&mut self, name: &str, parts: usize, values: Vec<f32>) {
        if parts == 3 && is_velocity(name) {
            self.velocity.get_or_insert(values);
        } else if parts == 3 {
            self.first_vector.get_or_insert(values);
        } else if parts == 1 && is_pressure(name) {
            self.pressure.get_or_insert(values);
        }
    }
}

struct Source<'a> {
    bytes: &'a [u8],
    place: usize,
    line: usize,
}

impl Source<'_> {
    fn fault(&self, fault: impl Into<ReadFault>) -> Place {
        Place::line(self.line, fault)
    }

    /// The rest of the line.
    fn text_line(&mut self) -> Result<String, Place> {
        let rest = &self.bytes[self.place..];
        let end = rest.iter().take(1024).position(|byte| *byte == b'\n');
        let end = end.ok_or_else(|| self.fault(ReadFault::Truncated("a line of the header".to_string())))?;
        let text = String::from_utf8_lossy(&rest[..end]).trim_end_matches('\r').to_string();
        self.place += end + 1;
        self.line += 1;
        Ok(text)
    }

    /// The next word, or none at the end of the file.
    fn word_or_end(&mut self) -> Result<Option<String>, Place> {
        while let Some(byte) = self.bytes.get(self.place).filter(|byte| byte.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.place += 1;
        }
        let rest = &self.bytes[self.place..];
        let length = rest.iter().take(256).position(u8::is_ascii_whitespace).unwrap_or(rest.len().min(256));
        if length == 0 {
            return Ok(None);
        }
        let word = std::str::from_utf8(&rest[..length]);
        let word = word.map_err(|_| self.fault(unexpected("bytes that are no text", "a word")))?.to_string();
        self.place += length;
        Ok(Some(word))
    }

    fn word(&mut self) -> Result<String, Place> {
        self.word_or_end()?.ok_or_else(|| self.fault(ReadFault::Truncated("another word".to_string())))
    }

    fn keyword(&mut self, expected: &str) -> Result<(), Place> {
        let word = self.word()?;
        if word.eq_ignore_ascii_case(expected) { Ok(()) } else { Err(self.fault(unexpected(word, expected))) }
    }

    fn count(&mut self) -> Result<usize, Place> {
        let word = self.word()?;
        word.parse().map_err(|_| self.fault(unexpected(word, "a whole number")))
    }

    fn number(&mut self) -> Result<f64, Place> {
        let word = self.word()?;
        word.parse().map_err(|_| self.fault(unexpected(word, "a number")))
    }

    fn points(&self, points: Option<(Grid, usize)>) -> Result<usize, Place> {
        points.map(|(_, count)| count).ok_or_else(|| self.fault(unexpected("an array", "POINT_DATA before it")))
    }

    /// The optional number of components, and the table of colours that follows scalars.
    fn components_and_table(&mut self) -> Result<usize, Place> {
        let rest_of_line = self.text_line()?;
        let parts = match rest_of_line.trim() {
            "" => 1,
            text => text.parse().map_err(|_| self.fault(unexpected(text, "the number of components")))?,
        };
        if !(1..=4).contains(&parts) {
            return Err(self.fault(unexpected(parts.to_string(), "1 to 4 components")));
        }
        self.keyword("LOOKUP_TABLE")?;
        // The rest of the line is skipped before the values.
        self.word()?;
        Ok(parts)
    }

    /// The arrays of a FIELD.
    fn field(&mut self, binary: bool, points: Option<(Grid, usize)>, arrays: &mut Arrays) -> Result<(), Place> {
        self.word()?;
        for _ in 0..self.count()? {
            let name = self.word()?;
            if name == "METADATA" {
                self.skip_metadata()?;
                continue;
            }
            let (parts, count, kind) = (self.count()?, self.count()?, self.word()?);
            let total = parts.checked_mul(count).filter(|total| *total <= self.bytes.len());
            let total = total.ok_or_else(|| self.fault(ReadFault::Truncated(format!("the values of {name}"))))?;
            let values = self.values(binary, &kind, total)?;
            if name.eq_ignore_ascii_case("time") || name.eq_ignore_ascii_case("timevalue") {
                arrays.time = values.first().map(|value| f64::from(*value)).filter(|time| time.is_finite());
            } else if points.is_some_and(|(_, expected)| expected == count) {
                arrays.add(&name, parts, values);
            }
        }
        Ok(())
    }

    fn skip_metadata(&mut self) -> Result<(), Place> {
        // The rest of the line, then lines up to an empty one.
        self.text_line()?;
        while self.place < self.bytes.len() && !self.text_line()?.trim().is_empty() {}
        Ok(())
    }

    fn values(&mut self, binary: bool, kind: &str, count: usize) -> Result<Vec<f32>, Place> {
        let width = match kind.to_ascii_lowercase().as_str() {
            "float" => 4,
            "double" => 8,
            other => return Err(self.fault(unexpected(other, "values of type float or double"))),
        };
        if !binary {
            // Each value takes at least two bytes, so memory is bounded by the file.
            if count > self.bytes.len() - self.place {
                return Err(self.fault(ReadFault::Truncated(format!("{count} values"))));
            }
            return (0..count).map(|_| self.number().map(|value| value as f32)).collect();
        }
        self.text_line()?;
        let needed = count.checked_mul(width).filter(|bytes| *bytes <= self.bytes.len() - self.place);
        let needed =
            needed.ok_or_else(|| self.fault(ReadFault::Truncated(format!("{count} values of {width} bytes"))))?;
        let taken = &self.bytes[self.place..self.place + needed];
        self.place += needed;
        Ok(if width == 4 {
            taken.as_chunks::<4>().0.iter().map(|bytes| f32::from_be_bytes(*bytes)).collect()
        } else {
            taken.as_chunks::<8>().0.iter().map(|bytes| f64::from_be_bytes(*bytes) as f32).collect()
        })
    }
}
