//! Frames: what a viewer sees at a moment, as the bytes that go over the wire (`docs/protocol.md`, section Frames). A header of
//! 64 bytes, the poses of all bodies in single precision, then the sections that somebody asked for.
//!
//! Everything is little-endian; where the machine is, too, floats are copied as they are.

use bytemuck::cast_slice;
use bytes::Bytes;
use thiserror::Error;

/// The letters BRGF.
pub const MAGIC: u32 = 0x4647_5242;
/// Of the layout.
pub const VERSION: u16 = 1;
/// Bytes before the poses.
pub const HEADER_BYTES: usize = 64;
/// Position and orientation.
pub const FLOATS_PER_BODY: usize = 7;

/// It goes on by itself.
pub const PLAYING: u16 = 1;
/// The state hash is there.
pub const HASHED: u16 = 2;
/// This step was shown before.
pub const AGAIN: u16 = 4;
/// Failed, or the recording is over.
pub const ENDED: u16 = 8;

/// What a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum SectionKind {
    /// Contacts with forces.
    Contacts = 1,
    /// Closest points and their features.
    Closest = 2,
    /// Boxes of the broad phase.
    Boxes = 3,
    /// Tiles of the hash table.
    Tiles = 4,
    /// Contact groups.
    Groups = 5,
    /// Centre of mass.
    Centre = 6,
    /// Joint axes.
    Joints = 7,
    /// Outputs of neurons.
    Activations = 8,
    /// Numbers with names.
    Counters = 9,
}

impl SectionKind {
    /// All, in the order in which they are sent.
    pub const ALL: [Self; 9] = [
        Self::Contacts,
        Self::Closest,
        Self::Boxes,
        Self::Tiles,
        Self::Groups,
        Self::Centre,
        Self::Joints,
        Self::Activations,
        Self::Counters,
    ];

    /// As orders name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contacts => "contacts",
            Self::Closest => "closest",
            Self::Boxes => "boxes",
            Self::Tiles => "tiles",
            Self::Groups => "groups",
            Self::Centre => "centre",
            Self::Joints => "joints",
            Self::Activations => "activations",
            Self::Counters => "counters",
        }
    }

    /// By its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Floats of an item.
    pub fn floats(self) -> usize {
        match self {
            Self::Contacts => 12,
            Self::Closest => 10,
            Self::Boxes => 7,
            Self::Tiles => 5,
            Self::Groups => 2,
            Self::Centre => 4,
            Self::Joints => 8,
            Self::Activations | Self::Counters => 1,
        }
    }
}

/// Numbers of a kind, item after item.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// What they are.
    pub kind: SectionKind,
    /// Items times [`SectionKind::floats`].
    pub numbers: Vec<f32>,
}

/// A frame before it becomes bytes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// See the constants.
    pub flags: u16,
    /// Of the world.
    pub epoch: u32,
    /// Steps from the start.
    pub step: u64,
    /// The farthest that was reached.
    pub latest: u64,
    /// In s.
    pub time: f64,
    /// Of the state, with [`HASHED`].
    pub hash: u64,
    /// In J.
    pub kinetic_energy: f32,
    /// In J.
    pub potential_energy: f32,
    /// Simulated seconds in a second.
    pub real_time_factor: f32,
    /// Seven numbers for each body: position, then the quaternion x, y, z, w.
    pub poses: Vec<f32>,
    /// What was asked for.
    pub sections: Vec<Section>,
}

/// Why bytes are no frame.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FrameError {
    /// There are too few.
    #[error("a frame of {found} bytes breaks off: {expected} were expected at least")]
    Short {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// They begin otherwise.
    #[error("the bytes begin with {found:#x}, frames of version {VERSION} with {MAGIC:#x}")]
    Other {
        /// The first word.
        found: u32,
    },
    /// A section that nobody knows.
    #[error("section {found} is none of 1 to 9")]
    Section {
        /// Its number.
        found: u32,
    },
}

impl Frame {
    /// How many bodies there are.
    pub fn bodies(&self) -> usize {
        self.poses.len() / FLOATS_PER_BODY
    }

    /// The bytes.
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

    /// The frame of some bytes, for programs that watch.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut reader = Reader { bytes, place: 0 };
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
            let kind = SectionKind::ALL.into_iter().find(|kind| *kind as u32 == found);
            let kind = kind.ok_or(FrameError::Section { found })?;
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
    place: usize,
}

impl Reader<'_> {
    fn slice(&mut self, length: usize) -> Result<&[u8], FrameError> {
        let end = self.place.saturating_add(length);
        let short = FrameError::Short { found: self.bytes.len(), expected: end };
        let slice = self.bytes.get(self.place..end).ok_or(short)?;
        self.place = end;
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
    fn fields_are_where_the_protocol_says() {
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
    fn bytes_become_the_same_frame_again() {
        assert_eq!(Frame::decode(&example().encode()), Ok(example()));
    }

    #[test]
    fn bytes_that_break_off_are_no_frame() {
        let bytes = example().encode();
        for length in 0..bytes.len() {
            assert!(Frame::decode(&bytes[..length]).is_err(), "{length}");
        }
    }
}
