//! Wall frames: the objects of one frame, as the binary message that walls receive (`docs/protocol.md`, section Walls).
//! A header of 32 bytes, then named objects, each with its own version. All numbers are little-endian; names and data
//! are padded to multiples of 8 bytes.

use thiserror::Error;

/// The first four bytes of a wall frame: the letters BRGW.
pub const MAGIC: u32 = 0x5747_5242;
/// Version of the layout.
pub const VERSION: u16 = 1;
/// Number of bytes before the objects.
pub const HEADER_BYTES: usize = 32;
/// Flag: the frame contains all objects. Other frames omit those that have not changed since the frame before.
pub const KEY: u16 = 1;
/// Maximum number of objects.
pub const MAX_OBJECTS: u32 = 256;

/// Something that travels in wall frames under its name.
pub trait NetworkObject {
    /// Name of the object.
    const NAME: &'static str;
    /// Version of the object's bytes.
    const VERSION: u16;

    /// Appends the object's bytes.
    fn give(&self, bytes: &mut Vec<u8>);

    /// Sets the object from bytes; or returns a sentence that says what is wrong, and changes nothing.
    fn take(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// The object as part of a frame.
    fn part(&self) -> Part {
        let mut bytes = Vec::new();
        self.give(&mut bytes);
        Part { name: Self::NAME.to_string(), version: Self::VERSION, bytes }
    }
}

/// An object as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name of the object.
    pub name: String,
    /// Version of its bytes.
    pub version: u16,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A frame for walls.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WallFrame {
    /// Number of the frame.
    pub number: u64,
    /// Whether the frame contains all objects.
    pub key: bool,
    /// When to show the frame by the server's clock, in s; 0 if it is shown when it is committed.
    pub show_at: f64,
    /// The objects.
    pub parts: Vec<Part>,
}

/// Reason why bytes are not a wall frame.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FrameError {
    /// The bytes end before the frame does.
    #[error("the wall frame has {found} bytes, expected at least {expected}")]
    Short {
        /// Number of bytes found.
        found: usize,
        /// Number of bytes expected.
        expected: usize,
    },
    /// The magic number or the version is another.
    #[error("the bytes begin with {magic:#x} and version {version}, expected {MAGIC:#x} and version {VERSION}")]
    Other {
        /// The first four bytes.
        magic: u32,
        /// The next two bytes.
        version: u16,
    },
    /// There are too many objects.
    #[error("the wall frame has {0} objects, expected at most {MAX_OBJECTS}")]
    TooMany(u32),
    /// The name of an object is not text.
    #[error("the name of an object is not UTF-8 text")]
    Name,
}

impl WallFrame {
    /// Encodes the frame.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&MAGIC.to_le_bytes());
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&if self.key { KEY } else { 0 }.to_le_bytes());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&self.show_at.to_le_bytes());
        bytes.extend_from_slice(&(self.parts.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&0_u32.to_le_bytes());
        for part in &self.parts {
            bytes.extend_from_slice(&(part.name.len() as u16).to_le_bytes());
            bytes.extend_from_slice(&part.version.to_le_bytes());
            bytes.extend_from_slice(&(part.bytes.len() as u32).to_le_bytes());
            bytes.extend_from_slice(part.name.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            bytes.extend_from_slice(&part.bytes);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        bytes
    }

    /// Decodes a frame.
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let mut reader = Reader { bytes, position: 0 };
        let magic = u32::from_le_bytes(reader.array()?);
        let version = u16::from_le_bytes(reader.array()?);
        if magic != MAGIC || version != VERSION {
            return Err(FrameError::Other { magic, version });
        }
        let key = u16::from_le_bytes(reader.array()?) & KEY != 0;
        let number = u64::from_le_bytes(reader.array()?);
        let show_at = f64::from_le_bytes(reader.array()?);
        let count = u32::from_le_bytes(reader.array()?);
        reader.array::<4>()?;
        if count > MAX_OBJECTS {
            return Err(FrameError::TooMany(count));
        }
        let mut parts = Vec::new();
        for _ in 0..count {
            let name = u16::from_le_bytes(reader.array()?) as usize;
            let version = u16::from_le_bytes(reader.array()?);
            let length = u32::from_le_bytes(reader.array()?) as usize;
            let name = std::str::from_utf8(reader.padded(name)?).map_err(|_| FrameError::Name)?.to_string();
            parts.push(Part { name, version, bytes: reader.padded(length)?.to_vec() });
        }
        Ok(Self { number, key, show_at, parts })
    }

    /// The object with a name.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], FrameError> {
        let end = self.position.saturating_add(length);
        let short = FrameError::Short { found: self.bytes.len(), expected: end };
        let slice = self.bytes.get(self.position..end).ok_or(short)?;
        self.position = end;
        Ok(slice)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FrameError> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(N)?);
        Ok(array)
    }

    /// Bytes that are followed by padding.
    fn padded(&mut self, length: usize) -> Result<&'a [u8], FrameError> {
        let slice = self.slice(length)?;
        let end = self.position.next_multiple_of(8);
        self.slice(end - self.position)?;
        Ok(slice)
    }
}
