//! The two forms of a glTF file: `.glb`, where the binary buffer follows the JSON, and `.gltf`, where the buffer is
//! embedded in the JSON as text.
//!
//! ```text
//!   .glb   "glTF", version u32 = 2, length u32;
//!          chunks of multiples of four bytes: length u32, "JSON" or "BIN\0", bytes
//! ```

use std::path::Path;

use base64::Engine;

use super::document::Document;
use super::error::GltfError;

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// `.glb`
    Binary,
    /// `.gltf`
    Text,
}

impl Container {
    /// Returns the form for the extension of a path, ignoring case.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        [Self::Binary, Self::Text].into_iter().find(|container| container.extension()[1..] == *extension)
    }

    /// Returns the extension of the file name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Binary => ".glb",
            Self::Text => ".gltf",
        }
    }

    /// Returns the maximum number of bytes of shapes and motion. Browsers cannot load larger files, and the limit for
    /// text is lower.
    pub fn max_bytes(self) -> usize {
        match self {
            Self::Binary => 1 << 29,
            Self::Text => 1 << 27,
        }
    }

    /// Fails if there are too many bytes of shapes and motion.
    pub(super) fn check(self, bytes: u64) -> Result<(), GltfError> {
        let limit = self.max_bytes() as u64;
        let hint = match self {
            Self::Binary => "",
            Self::Text => " (512 MiB in a .glb file)",
        };
        if bytes <= limit {
            Ok(())
        } else {
            Err(GltfError::TooLarge { bytes, limit, extension: self.extension(), hint })
        }
    }

    /// Assembles the file. `fill` appends the buffer, which has the given number of bytes.
    pub(super) fn assemble(
        self,
        mut document: Document,
        bytes: usize,
        fill: impl FnOnce(&mut Vec<u8>) -> Result<(), GltfError>,
    ) -> Result<Vec<u8>, GltfError> {
        match self {
            Self::Text => {
                let mut buffer = Vec::with_capacity(bytes);
                fill(&mut buffer)?;
                if let Some(own) = document.buffers.first_mut() {
                    let mut uri = "data:application/octet-stream;base64,".to_string();
                    base64::engine::general_purpose::STANDARD.encode_string(&buffer, &mut uri);
                    own.uri = Some(uri);
                }
                drop(buffer);
                Ok(serde_json::to_vec(&document)?)
            }
            Self::Binary => {
                let mut json = serde_json::to_vec(&document)?;
                json.resize(json.len().next_multiple_of(4), b' ');
                let has_buffer = bytes > 0;
                let length = 20 + json.len() + if has_buffer { 8 + bytes } else { 0 };
                let too_large = || GltfError::TooLarge {
                    bytes: length as u64,
                    limit: u64::from(u32::MAX),
                    extension: self.extension(),
                    hint: "",
                };
                let mut file = Vec::with_capacity(length);
                file.extend(b"glTF");
                file.extend(2u32.to_le_bytes());
                file.extend(u32::try_from(length).map_err(|_| too_large())?.to_le_bytes());
                file.extend((json.len() as u32).to_le_bytes());
                file.extend(b"JSON");
                file.extend(&json);
                drop(json);
                if has_buffer {
                    file.extend((bytes as u32).to_le_bytes());
                    file.extend(b"BIN\0");
                    fill(&mut file)?;
                }
                Ok(file)
            }
        }
    }
}
