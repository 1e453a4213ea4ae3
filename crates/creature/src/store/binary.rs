//! The binary format of genomes.
//!
//! ```text
//!   offset  bytes
//!        0      4  "BCRE"
//!        4      1  version
//!        5      1  family: 0 graph, 1 legged, 2 tuning
//!        6      n  the genome in the wire format of postcard 1 (https://postcard.jamesmunns.com): fields in order,
//!                  lengths as varints, f64 as eight bytes, little-endian
//!    6 + n      4  CRC-32 (IEEE) of all preceding bytes, little-endian
//! ```
//!
//! The bits of all numbers are preserved. Memory use is proportional to the number of bytes given, whatever lengths
//! they claim.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::graph_1::GraphGenome1;
use crate::genome::{AnyGenome, Family};

const MAGIC: [u8; 4] = *b"BCRE";
const HEADER: usize = MAGIC.len() + 2;
const CHECKSUM: usize = 4;

/// The newest version that [`retrieve`] reads.
pub const BINARY_VERSION: u8 = 2;

/// Maximum length of a stored genome, in bytes. The largest genome has less than half of it.
pub const MAX_BYTES: usize = 1 << 20;

/// The reason why bytes could not be read as a genome.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StoreError {
    /// Bytes are missing.
    #[error("a stored genome has at least {least} bytes, found {found}", least = HEADER + CHECKSUM)]
    TooShort {
        /// Number of bytes.
        found: usize,
    },
    /// There are too many bytes.
    #[error("a stored genome has at most {MAX_BYTES} bytes, found {found}")]
    TooLong {
        /// Number of bytes.
        found: usize,
    },
    /// The bytes are something else.
    #[error("not a stored genome: the bytes begin with {found:02x?}, expected \"BCRE\"")]
    Foreign {
        /// The first four bytes.
        found: [u8; 4],
    },
    /// The genome is of another family than expected.
    #[error("the stored genome is of the family '{}', not '{}'", found.name(), expected.name())]
    OtherFamily {
        /// Family of the stored genome.
        found: Family,
        /// Family that was expected.
        expected: Family,
    },
    /// A newer program wrote the genome.
    #[error("the genome is stored in version {found}; this program reads versions 1 to {BINARY_VERSION}")]
    Version {
        /// Version of the stored genome.
        found: u8,
    },
    /// The bytes were changed after they were written.
    #[error("the stored genome is damaged: its checksum is {found:08x}, but it says {expected:08x}")]
    Damaged {
        /// Checksum of the bytes.
        found: u32,
        /// Checksum stored at their end.
        expected: u32,
    },
    /// The family is unknown.
    #[error("the stored genome is of family {found}; this program knows 0 (graph) and 1 (legged)")]
    Family {
        /// Code of the family.
        found: u8,
    },
    /// The bytes do not decode as a genome of the family.
    #[error("the stored {family} genome cannot be decoded: {reason}")]
    Malformed {
        /// Name of the family.
        family: &'static str,
        /// Error of the decoder.
        reason: postcard::Error,
    },
    /// There are additional bytes.
    #[error("{extra} bytes follow the stored genome, expected its checksum")]
    Trailing {
        /// Number of additional bytes.
        extra: usize,
    },
    /// The operators cannot have made such a genome.
    #[error("the stored genome is not valid: {reason}")]
    Invalid {
        /// What is wrong.
        reason: String,
    },
}

/// Returns a genome as bytes, for archives: in version 2 if it is a graph with a servo, a rhythm or beats, or a tuning,
/// otherwise in version 1.
pub fn store(genome: &AnyGenome) -> Vec<u8> {
    let with_version = |version: u8| [&MAGIC[..], &[version]].concat();
    let bytes = match genome {
        AnyGenome::Graph(genome) => match GraphGenome1::of(genome) {
            Some(old) => with_payload(with_version(1), 0, &old),
            None => with_payload(with_version(2), 0, genome),
        },
        AnyGenome::Legged(genome) => with_payload(with_version(1), 1, genome),
        AnyGenome::Tuning(genome) => with_payload(with_version(2), 2, genome),
    };
    let checksum = crc32fast::hash(&bytes);
    [bytes, checksum.to_le_bytes().to_vec()].concat()
}

fn with_payload(mut bytes: Vec<u8>, family: u8, genome: &impl Serialize) -> Vec<u8> {
    bytes.push(family);
    // Only sequences of unknown length and custom errors fail, and genomes have neither.
    postcard::to_extend(genome, bytes).expect("genomes are plain data")
}

/// Reads the bytes that [`store`] wrote.
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
        0 if version == 1 => AnyGenome::Graph(decode::<GraphGenome1>(payload, Family::Graph)?.into()),
        0 => AnyGenome::Graph(decode(payload, Family::Graph)?),
        1 => AnyGenome::Legged(decode(payload, Family::Legged)?),
        2 => AnyGenome::Tuning(decode(payload, Family::Tuning)?),
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
