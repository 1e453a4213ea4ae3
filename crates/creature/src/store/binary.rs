//! Genomes as bytes.
//!
//! ```text
//!   offset  bytes
//!        0      4  "BCRE"
//!        4      1  version
//!        5      1  family: 0 graph, 1 legged
//!        6      n  the genome in the wire format of postcard 1 (https://postcard.jamesmunns.com): fields in order,
//!                  numbers of things as varints, f64 as its eight bytes, little end first
//!    6 + n      4  CRC-32 (IEEE) of all before, little end first
//! ```
//!
//! Numbers keep their bits. Memory is in proportion to the bytes that are given, whatever lengths they claim.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::genome::{AnyGenome, Family};

const MAGIC: [u8; 4] = *b"BCRE";
const HEADER: usize = MAGIC.len() + 2;
const CHECKSUM: usize = 4;

/// The version that [`store`] writes, and the newest that [`retrieve`] reads.
pub const BINARY_VERSION: u8 = 1;

/// Longer ones are refused. The largest genome has less than half of it.
pub const MAX_BYTES: usize = 1 << 20;

/// Why bytes are no genome.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
    /// Some of it is missing.
    #[error("a stored genome has at least {least} bytes, found {found}", least = HEADER + CHECKSUM)]
    TooShort {
        /// Number of bytes.
        found: usize,
    },
    /// Too long to be one.
    #[error("a stored genome has at most {MAX_BYTES} bytes, found {found}")]
    TooLong {
        /// Number of bytes.
        found: usize,
    },
    /// Something else.
    #[error("these bytes are no stored genome: they begin with {found:02x?}, not with \"BCRE\"")]
    Foreign {
        /// The first four.
        found: [u8; 4],
    },
    /// Of another family than was asked for.
    #[error("the stored genome is of the family '{}', not '{}'", found.name(), expected.name())]
    OtherFamily {
        /// Of the bytes.
        found: Family,
        /// That was asked for.
        expected: Family,
    },
    /// From a newer program.
    #[error("the genome is stored in version {found}; this program reads versions 1 to {BINARY_VERSION}")]
    Version {
        /// Of the bytes.
        found: u8,
    },
    /// Changed on the way.
    #[error("the stored genome is damaged: its checksum is {found:08x}, but it says {expected:08x}")]
    Damaged {
        /// Of the bytes.
        found: u32,
        /// At their end.
        expected: u32,
    },
    /// A family that is not known.
    #[error("the stored genome is of family {found}; this program knows 0 (graph) and 1 (legged)")]
    Family {
        /// Of the bytes.
        found: u8,
    },
    /// The bytes do not fit the family.
    #[error("the stored {family} genome cannot be decoded: {reason}")]
    Malformed {
        /// What it says it is.
        family: &'static str,
        /// What the decoder says.
        reason: postcard::Error,
    },
    /// Bytes are left over.
    #[error("{extra} bytes follow the stored genome where its checksum should")]
    Trailing {
        /// How many.
        extra: usize,
    },
    /// No operator makes such a genome.
    #[error("the stored genome is not valid: {reason}")]
    Invalid {
        /// What is wrong.
        reason: String,
    },
}

/// The genome as bytes, for archives.
pub fn store(genome: &AnyGenome) -> Vec<u8> {
    let mut bytes = Vec::from(MAGIC);
    bytes.push(BINARY_VERSION);
    let bytes = match genome {
        AnyGenome::Graph(genome) => with_payload(bytes, 0, genome),
        AnyGenome::Legged(genome) => with_payload(bytes, 1, genome),
    };
    let checksum = crc32fast::hash(&bytes);
    [bytes, checksum.to_le_bytes().to_vec()].concat()
}

fn with_payload(mut bytes: Vec<u8>, family: u8, genome: &impl Serialize) -> Vec<u8> {
    bytes.push(family);
    // Only sequences of unknown length and custom errors fail, and genomes have neither.
    postcard::to_extend(genome, bytes).expect("genomes are plain data")
}

/// The genome that [`store`] made the bytes of.
pub fn retrieve(bytes: &[u8]) -> Result<AnyGenome, StoreError> {
    let found = bytes.len();
    if found > MAX_BYTES {
        return Err(StoreError::TooLong { found });
    }
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(StoreError::TooShort { found })?;
    let (header, payload) = content.split_first_chunk::<HEADER>().ok_or(StoreError::TooShort { found })?;
    let [magic @ .., version, family] = *header;
    if magic != MAGIC {
        return Err(StoreError::Foreign { found: magic });
    }
    if !(1..=BINARY_VERSION).contains(&version) {
        return Err(StoreError::Version { found: version });
    }
    let (found, expected) = (crc32fast::hash(content), u32::from_le_bytes(*checksum));
    if found != expected {
        return Err(StoreError::Damaged { found, expected });
    }
    let genome = match family {
        0 => AnyGenome::Graph(decode(payload, Family::Graph)?),
        1 => AnyGenome::Legged(decode(payload, Family::Legged)?),
        found => return Err(StoreError::Family { found }),
    };
    genome.validate().map_err(|reason| StoreError::Invalid { reason })?;
    Ok(genome)
}

fn decode<G: DeserializeOwned>(payload: &[u8], family: Family) -> Result<G, StoreError> {
    let malformed = |reason| StoreError::Malformed { family: family.name(), reason };
    let (genome, rest) = postcard::take_from_bytes(payload).map_err(malformed)?;
    if rest.is_empty() { Ok(genome) } else { Err(StoreError::Trailing { extra: rest.len() }) }
}
