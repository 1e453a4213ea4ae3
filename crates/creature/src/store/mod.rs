//! Storage of creatures: [JSON files](CreatureFile) for exchange, [bytes](store) for archives.
//!
//! Each format has its own version number. A program writes the newest version and reads all versions it knows; the
//! tests contain a file of every version. Everything that is read is checked, so a genome from here is one that the
//! operators could have made.

mod binary;
mod creature_file;
mod file_error;
mod graph_1;
mod layout;
mod tagged;

pub use binary::{BINARY_VERSION, MAX_BYTES, StoreError, retrieve, store};
pub use creature_file::{CreatureFile, FORMAT, JSON_VERSION, MAX_JSON_BYTES};
pub use file_error::{CreatureFault, CreatureFileError};
