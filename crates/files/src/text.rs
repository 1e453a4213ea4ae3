//! Text files of bounded length.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::Fault;

/// Longer files are refused, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 26;

/// Reads a text file of at most [`MAX_FILE_BYTES`].
pub fn read_text(path: &Path) -> Result<String, Fault> {
    let file = File::open(path).map_err(Fault::Unreadable)?;
    let mut bytes = Vec::new();
    // Pipes and devices have no length, so the limit is applied while reading.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(Fault::Unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Fault::TooLong { limit: MAX_FILE_BYTES });
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Fault::Syntax(format!("is not UTF-8 text: byte {offset} is not part of a character"))
    })
}
