//! Bytes of one step: 16 bits per value, scaled per tube.
//!
//! Little-endian. The number of tubes (u32), then each tube: track (u32), number of points (u32), closed (u8), turns
//! (three i8), least position and its range (six f32), largest term of a section (f32), least and range of each
//! quantity (eight f32), then all positions, the angles of the normals, the sections, and the quantities (u16 each).

use glam::DVec3;
use thiserror::Error;

use super::curve::Curve;
use super::frame::reference_normal;
use super::section::TERMS;
use super::stored::{StoredPoint, StoredStep, StoredTube};

const LEVELS: f64 = 65535.0;
const TUBE_BYTES: usize = 4 + 4 + 4 + 24 + 4 + 32;
const SECTION_VALUES: usize = 2 * TERMS - 1;
const POINT_BYTES: usize = 2 * (3 + 1 + SECTION_VALUES + 4);

/// Why the bytes of a step are not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StepError {
    /// The bytes end too early.
    #[error("the step ends at byte {0}, within a tube")]
    Truncated(usize),
    /// There are bytes left over.
    #[error("the step has {0} bytes after its last tube")]
    TooLong(usize),
    /// A value is not finite.
    #[error("tube {0} of the step has a value that is not finite")]
    NotFinite(usize),
    /// A tube has too few points.
    #[error("tube {0} of the step has fewer than 2 points")]
    TooFewPoints(usize),
}

/// Encodes a step. Values between two levels of 16 bits are rounded.
pub fn encode_step(step: &StoredStep, extent: DVec3) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend((step.tubes.len() as u32).to_le_bytes());
    for tube in &step.tubes {
        encode_tube(tube, extent, &mut bytes);
    }
    bytes
}

/// Least value and range of values, in single precision.
fn range(values: impl Iterator<Item = f64> + Clone) -> [f32; 2] {
    let least = values.clone().fold(f64::INFINITY, f64::min) as f32;
    let most = values.fold(f64::NEG_INFINITY, f64::max) as f32;
    [least, most - least]
}

fn level(value: f64, [least, range]: [f32; 2]) -> u16 {
    if range > 0.0 {
        libm::rint((value - f64::from(least)) / f64::from(range) * LEVELS).clamp(0.0, LEVELS) as u16
    } else {
        0
    }
}

fn value(level: u16, [least, range]: [f32; 2]) -> f64 {
    f64::from(least) + f64::from(level) / LEVELS * f64::from(range)
}

fn encode_tube(tube: &StoredTube, extent: DVec3, bytes: &mut Vec<u8>) {
    let points = &tube.points;
    bytes.extend(tube.track.to_le_bytes());
    bytes.extend((points.len() as u32).to_le_bytes());
    bytes.push(u8::from(tube.turns.is_some()));
    bytes.extend(tube.turns.unwrap_or_default().map(|turns| turns.to_le_bytes()[0]));
    let places = [0, 1, 2].map(|axis| range(points.iter().map(move |point| point.position[axis])));
    let largest = points.iter().flat_map(|point| point.terms).fold(0.0, |most: f64, term| most.max(term.abs())) as f32;
    let terms = [-largest, 2.0 * largest];
    let scales = [0, 1, 2, 3].map(|number| range(points.iter().map(move |point| point.quantities[number])));
    for number in places.as_flattened().iter().chain([&largest]).chain(scales.as_flattened()) {
        bytes.extend(number.to_le_bytes());
    }
    let mut put = |level: u16| bytes.extend(level.to_le_bytes());
    for point in points {
        (0..3).for_each(|axis| put(level(point.position[axis], places[axis])));
    }
    // The tangent comes from the positions that the reader will see.
    let rounded = |point: &StoredPoint| {
        let axis = |axis: usize| value(level(point.position[axis], places[axis]), places[axis]);
        DVec3::new(axis(0), axis(1), axis(2))
    };
    let curve = Curve::new(points.iter().map(rounded).collect(), tube.closure(extent));
    for (number, point) in points.iter().enumerate() {
        let tangent = curve.tangent(number);
        let reference = reference_normal(tangent);
        let angle = libm::atan2(point.normal.dot(tangent.cross(reference)), point.normal.dot(reference));
        let turn = angle / std::f64::consts::TAU;
        put((libm::rint((turn - libm::floor(turn)) * 65536.0) as u32 % 65536) as u16);
    }
    for point in points {
        point.terms.iter().for_each(|term| put(level(*term, terms)));
    }
    for point in points {
        (0..4).for_each(|number| put(level(point.quantities[number], scales[number])));
    }
}

/// Decodes a step.
pub fn decode_step(bytes: &[u8], extent: DVec3) -> Result<StoredStep, StepError> {
    let mut source = Source { bytes, place: 0 };
    let count = source.u32()?;
    let mut tubes = Vec::new();
    for number in 0..count as usize {
        tubes.push(decode_tube(&mut source, number, extent)?);
    }
    match bytes.len() - source.place {
        0 => Ok(StoredStep { tubes }),
        left => Err(StepError::TooLong(left)),
    }
}

struct Source<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Source<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], StepError> {
        let end = self.place.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or(StepError::Truncated(self.bytes.len()))?;
        let taken = &self.bytes[self.place..end];
        self.place = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StepError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| StepError::Truncated(self.place))
    }

    fn u32(&mut self) -> Result<u32, StepError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u16(&mut self) -> Result<u16, StepError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn range(&mut self, tube: usize) -> Result<[f32; 2], StepError> {
        let range = [f32::from_le_bytes(self.array()?), f32::from_le_bytes(self.array()?)];
        let sum = range[0] + range[1];
        if sum.is_finite() && range[1] >= 0.0 { Ok(range) } else { Err(StepError::NotFinite(tube)) }
    }
}

fn decode_tube(source: &mut Source, number: usize, extent: DVec3) -> Result<StoredTube, StepError> {
    let track = source.u32()?;
    let count = source.u32()? as usize;
    let closed = source.array::<1>()?[0] != 0;
    let turns = source.array::<3>()?.map(|turns| i8::from_le_bytes([turns]));
    let turns = closed.then_some(turns);
    if count < 2 {
        return Err(StepError::TooFewPoints(number));
    }
    // Memory is allocated only for points whose bytes are there.
    let needed = count.checked_mul(POINT_BYTES).and_then(|bytes| bytes.checked_add(TUBE_BYTES - 12));
    if needed.is_none_or(|needed| needed > source.bytes.len() - source.place) {
        return Err(StepError::Truncated(source.bytes.len()));
    }
    let places = [source.range(number)?, source.range(number)?, source.range(number)?];
    let largest = f32::from_le_bytes(source.array()?);
    if !(largest >= 0.0 && largest.is_finite()) {
        return Err(StepError::NotFinite(number));
    }
    let terms = [-largest, 2.0 * largest];
    let scales = [source.range(number)?, source.range(number)?, source.range(number)?, source.range(number)?];
    let mut positions = Vec::with_capacity(count);
    for _ in 0..count {
        let levels = [source.u16()?, source.u16()?, source.u16()?];
        let [x, y, z] = [0, 1, 2].map(|axis| value(levels[axis], places[axis]));
        positions.push(DVec3::new(x, y, z));
    }
    let mut tube = StoredTube { track, turns, points: Vec::new() };
    let curve = Curve::new(positions.clone(), tube.closure(extent));
    for (place, position) in positions.into_iter().enumerate() {
        let tangent = curve.tangent(place);
        let reference = reference_normal(tangent);
        let angle = std::f64::consts::TAU * f64::from(source.u16()?) / 65536.0;
        let normal = libm::cos(angle) * reference + libm::sin(angle) * tangent.cross(reference);
        tube.points.push(StoredPoint { position, normal, terms: [0.0; SECTION_VALUES], quantities: [0.0; 4] });
    }
    for point in &mut tube.points {
        for term in &mut point.terms {
            *term = value(source.u16()?, terms);
        }
    }
    for point in &mut tube.points {
        for (quantity, scale) in point.quantities.iter_mut().zip(scales) {
            *quantity = value(source.u16()?, scale);
        }
    }
    Ok(tube)
}
