//! Frames: the state of a session at one step, as the binary message that viewers receive (`docs/protocol.md`, section
//! Frames). A header of 64 bytes, the poses of all bodies in single precision, then the sections that viewers asked
//! for.
//!
//! All numbers are little-endian. On little-endian machines floats are copied without conversion.

use bytemuck::cast_slice;
use bytes::Bytes;
use thiserror::Error;

use super::section::SectionKind;

/// The first four bytes of a frame: the letters BRGF.
pub const MAGIC: u32 = 0x4647_5242;
/// Version of the layout.
pub const VERSION: u16 = 1;
/// Number of bytes before the poses.
pub const HEADER_BYTES: usize = 64;
/// Number of floats of a pose: position, then quaternion.
pub const FLOATS_PER_BODY: usize = 7;

/// Flag: the session is playing.
pub const PLAYING: u16 = 1;
/// Flag: the frame contains the state hash.
pub const HASHED: u16 = 2;
/// Flag: the step is before the latest step of the session.
pub const AGAIN: u16 = 4;
/// Flag: the simulation failed, or the recording is at its end.
pub const ENDED: u16 = 8;

/// A section of a frame: all items of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The kind of the items.
    pub kind: SectionKind,
    /// The floats of all items, [`SectionKind::floats`] for each.
    pub numbers: Vec<f32>,
}

/// A decoded frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// Sum of [`PLAYING`], [`HASHED`], [`AGAIN`] and [`ENDED`].
    pub flags: u16,
    /// Number of the appearance that the bodies belong to.
    pub epoch: u32,
    /// Number of steps from the start.
    pub step: u64,
    /// The latest step that was reached.
    pub latest: u64,
    /// Simulated time, in s.
    pub time: f64,
    /// State hash if [`HASHED`] is set, otherwise 0.
    pub hash: u64,
    /// Kinetic energy, in J.
    pub kinetic_energy: f32,
    /// Potential energy, in J.
    pub potential_energy: f32,
    /// Simulated seconds per second of wall-clock time.
    pub real_time_factor: f32,
    /// Seven floats for each body: position in m, then quaternion x, y, z, w.
    pub poses: Vec<f32>,
    /// Sections of the overlays that viewers asked for.
    pub sections: Vec<Section>,
}

/// Reason why bytes cannot be decoded as a frame.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FrameError {
    /// The bytes end before the frame does.
    #[error("the frame has {found} bytes, expected at least {expected}")]
    Short {
        /// Number of bytes found.
        found: usize,
        /// Number of bytes expected.
        expected: usize,
    },
    /// The magic number or the version is another.
    #[error("the bytes begin with {found:#x}, expected {MAGIC:#x} and version {VERSION}")]
    Other {
        /// The first four bytes.
        found: u32,
    },
    /// The kind of a section is unknown.
    #[error("unknown section {found}, expected 1 to {}", SectionKind::ALL.len())]
    Section {
        /// Number of the section kind.
        found: u32,
    },
}

impl Frame {
    /// The number of bodies.
    pub fn bodies(&self) -> usize {
        self.poses.len() / FLOATS_PER_BODY
    }

    /// Encodes the frame as bytes.
    pub fn encode(&self) -> Bytes {
        let sections: usize = self.sections.iter().map(|section| 8 + 4 * section.numbers.len()).sum();
        let mut bytes = Vec::with_capacity(HEADER_BYTES + 4 * self.poses.len() + sections);
        bytes.extend_from_slice(&MAGIC.to_le_bytes());
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&self.flags.to_le_bytes());
        bytes.extend_from_slice(&self.epoch.to_le_bytes());
        bytes.extend_from_slice(&(self.bodies() as u32).to_le_bytes());
        bytes.extend_from_slice(&self.step.to_le_bytes());
        bytes.extend_from_slice(&self.latest.to_le_bytes());
        bytes.extend_from_slice(&self.time.to_le_bytes());
        bytes.extend_from_slice(&self.hash.to_le_bytes());
        push_floats(&mut bytes, &[self.kinetic_energy, self.potential_energy, self.real_time_factor]);
        bytes.extend_from_slice(&(self.sections.len() as u32).to_le_bytes());
        push_floats(&mut bytes, &self.poses);
        for section in &self.sections {
            bytes.extend_from_slice(&(section.kind as u32).to_le_bytes());
            bytes.extend_from_slice(&((section.numbers.len() / section.kind.floats()) as u32).to_le_bytes());
            push_floats(&mut bytes, &section.numbers);
        }
        Bytes::from(bytes)
    }

    /// Decodes a frame. Clients in Rust use this.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut reader = Reader { bytes, position: 0 };
        let magic = u32::from_le_bytes(reader.take()?);
        let version = u16::from_le_bytes(reader.take()?);
        if magic != MAGIC || version != VERSION {
            return Err(FrameError::Other { found: magic });
        }
        let flags = u16::from_le_bytes(reader.take()?);
        let epoch = u32::from_le_bytes(reader.take()?);
        let bodies = u32::from_le_bytes(reader.take()?) as usize;
        let step = u64::from_le_bytes(reader.take()?);
        let latest = u64::from_le_bytes(reader.take()?);
        let time = f64::from_le_bytes(reader.take()?);
        let hash = u64::from_le_bytes(reader.take()?);
        let [kinetic_energy, potential_energy, real_time_factor] = [
            f32::from_le_bytes(reader.take()?),
            f32::from_le_bytes(reader.take()?),
            f32::from_le_bytes(reader.take()?),
        ];
        let count = u32::from_le_bytes(reader.take()?);
        let poses = reader.floats(bodies.saturating_mul(FLOATS_PER_BODY))?;
        let mut sections = Vec::new();
        for _ in 0..count {
            let found = u32::from_le_bytes(reader.take()?);
            let kind = SectionKind::from_id(found).ok_or(FrameError::Section { found })?;
            let items = u32::from_le_bytes(reader.take()?) as usize;
            sections.push(Section { kind, numbers: reader.floats(items.saturating_mul(kind.floats()))? });
        }
        Ok(Self {
            flags,
            epoch,
            step,
            latest,
            time,
            hash,
            kinetic_energy,
            potential_energy,
            real_time_factor,
            poses,
            sections,
        })
    }
}

fn push_floats(bytes: &mut Vec<u8>, floats: &[f32]) {
    if cfg!(target_endian = "little") {
        bytes.extend_from_slice(cast_slice(floats));
    } else {
        floats.iter().for_each(|float| bytes.extend_from_slice(&float.to_le_bytes()));
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Reader<'_> {
    fn slice(&mut self, length: usize) -> Result<&[u8], FrameError> {
        let end = self.position.saturating_add(length);
        let short = FrameError::Short { found: self.bytes.len(), expected: end };
        let slice = self.bytes.get(self.position..end).ok_or(short)?;
        self.position = end;
        Ok(slice)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        let mut taken = [0; N];
        taken.copy_from_slice(self.slice(N)?);
        Ok(taken)
    }

    fn floats(&mut self, count: usize) -> Result<Vec<f32>, FrameError> {
        let bytes = self.slice(count.saturating_mul(4))?;
        let float = |word: &[u8]| f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        Ok(bytes.chunks_exact(4).map(float).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Frame {
        Frame {
            flags: PLAYING | HASHED,
            epoch: 3,
            step: 40,
            latest: 80,
            time: 0.25,
            hash: 0x0123_4567_89ab_cdef,
            kinetic_energy: 1.5,
            potential_energy: -2.0,
            real_time_factor: 1.0,
            poses: (0..14).map(|number| number as f32).collect(),
            sections: vec![
                Section { kind: SectionKind::Centre, numbers: vec![1.0, 2.0, 3.0, 4.0] },
                Section { kind: SectionKind::Contacts, numbers: Vec::new() },
            ],
        }
    }

    #[test]
    fn fields_have_the_documented_offsets() {
        let bytes = example().encode();
        assert_eq!(bytes.len(), 64 + 28 * 2 + (8 + 16) + 8);
        assert_eq!(&bytes[..4], b"BRGF");
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let double = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        assert_eq!((word(8), word(12), word(60)), (3, 2, 2));
        assert_eq!((double(16), double(24), double(40)), (40, 80, 0x0123_4567_89ab_cdef));
        assert_eq!(f64::from_bits(double(32)), 0.25);
        assert_eq!([48, 52, 56].map(|at| f32::from_bits(word(at))), [1.5, -2.0, 1.0]);
        assert_eq!(f32::from_bits(word(64 + 4 * 13)), 13.0);
        assert_eq!((word(120), word(124)), (6, 1));
    }

    #[test]
    fn decoding_inverts_encoding() {
        assert_eq!(Frame::decode(&example().encode()), Ok(example()));
    }

    #[test]
    fn truncated_bytes_are_rejected() {
        let bytes = example().encode();
        for length in 0..bytes.len() {
            assert!(Frame::decode(&bytes[..length]).is_err(), "{length}");
        }
    }
}
