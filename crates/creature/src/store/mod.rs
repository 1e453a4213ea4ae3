//! How creatures are kept: [JSON files](CreatureFile) for people and other programs, [bytes](store) for archives.
//!
//! Both carry a version of their own. A program writes the newest and reads all that it knows; a file in the tests for every
//! version shows that old ones still read as the same creature. What is read is checked, so that a genome that comes out of
//! here is one that the operators could have made.

mod binary;
mod creature_file;
mod file_error;
mod layout;
mod tagged;

pub use binary::{BINARY_VERSION, MAX_BYTES, StoreError, retrieve, store};
pub use creature_file::{CreatureFile, FORMAT, JSON_VERSION, MAX_JSON_BYTES};
pub use file_error::{CreatureFault, CreatureFileError};
