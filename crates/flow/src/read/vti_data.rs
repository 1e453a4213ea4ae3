//! Arrays of the XML format: text, base64 or appended bytes, with or without compression.

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use roxmltree::Node;

use super::vti::Appended;
use super::{ReadFault, unexpected};

/// How bytes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Raw,
    Base64,
}

/// What all arrays of a file share.
pub(super) struct Reader<'a> {
    big_endian: bool,
    /// Width of the numbers in front of the data, in bytes.
    header_width: usize,
    compressed: bool,
    appended: Option<Appended<'a>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(root: Node, appended: Option<Appended<'a>>) -> Result<Self, ReadFault> {
        let big_endian = match root.attribute("byte_order").unwrap_or("LittleEndian") {
            "LittleEndian" => false,
            "BigEndian" => true,
            other => return Err(unexpected(other, "the byte order LittleEndian or BigEndian")),
        };
        let header_width = match root.attribute("header_type").unwrap_or("UInt32") {
            "UInt32" => 4,
            "UInt64" => 8,
            other => return Err(unexpected(other, "the header type UInt32 or UInt64")),
        };
        let compressed = match root.attribute("compressor") {
            None | Some("") => false,
            Some("vtkZLibDataCompressor") => true,
            Some(other) => return Err(unexpected(other, "no compressor or vtkZLibDataCompressor")),
        };
        Ok(Self { big_endian, header_width, compressed, appended })
    }

    /// The values of an array, whose number is known.
    pub(super) fn values(&self, node: Node, count: usize) -> Result<Vec<f32>, ReadFault> {
        let width = match node.attribute("type").unwrap_or_default() {
            "Float32" => 4,
            "Float64" => 8,
            other => return Err(unexpected(other, "values of type Float32 or Float64")),
        };
        let text = node.text().unwrap_or_default();
        let bytes = match node.attribute("format").unwrap_or("ascii") {
            "ascii" => return ascii(text, count),
            "binary" => self.decode(text.trim().as_bytes(), Encoding::Base64, count * width)?,
            "appended" => {
                let appended = self.appended.as_ref();
                let appended = appended.ok_or_else(|| unexpected("no appended data", "an element AppendedData"))?;
                let offset = node.attribute("offset").unwrap_or_default();
                let place = offset.parse().ok().filter(|place: &usize| *place <= appended.bytes.len());
                let place = place.ok_or_else(|| unexpected(offset, "an offset within the appended data"))?;
                self.decode(&appended.bytes[place..], appended.encoding, count * width)?
            }
            other => return Err(unexpected(other, "the format ascii, binary or appended")),
        };
        if bytes.len() != count * width {
            return Err(unexpected(format!("{} bytes", bytes.len()), format!("{count} values of {width} bytes")));
        }
        let single =
            |bytes: [u8; 4]| if self.big_endian { f32::from_be_bytes(bytes) } else { f32::from_le_bytes(bytes) };
        let double =
            |bytes: [u8; 8]| if self.big_endian { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) };
        Ok(if width == 4 {
            bytes.as_chunks::<4>().0.iter().map(|bytes| single(*bytes)).collect()
        } else {
            bytes.as_chunks::<8>().0.iter().map(|bytes| double(*bytes) as f32).collect()
        })
    }

    /// The bytes of an array of an expected length.
    fn decode(&self, source: &[u8], encoding: Encoding, expected: usize) -> Result<Vec<u8>, ReadFault> {
        let width = self.header_width;
        if !self.compressed {
            // One number: the length of the data. In base64 it is encoded together with the data.
            let bytes = take(source, encoding, width + expected)?;
            let length = self.number(&bytes[..width]);
            if length != expected as u64 {
                return Err(unexpected(format!("{length} bytes"), format!("{expected} bytes")));
            }
            return Ok(bytes[width..].to_vec());
        }
        // Number of blocks, their length, that of the last one, and the compressed lengths.
        let head = take(source, encoding, 3 * width)?;
        let blocks = self.number(&head[..width]) as usize;
        let block_length = self.number(&head[width..2 * width]) as usize;
        let last_length = self.number(&head[2 * width..]) as usize;
        let table_bytes = blocks.checked_add(3).and_then(|numbers| numbers.checked_mul(width));
        let table_bytes = table_bytes.filter(|bytes| *bytes <= source.len());
        let table_bytes = table_bytes.ok_or_else(|| unexpected(format!("{blocks} blocks"), "fewer"))?;
        let table = take(source, encoding, table_bytes)?;
        let lengths: Vec<usize> =
            table[3 * width..].chunks_exact(width).map(|bytes| self.number(bytes) as usize).collect();
        let total = lengths.iter().try_fold(0_usize, |sum, length| sum.checked_add(*length));
        let total = total.filter(|total| *total <= source.len());
        let total = total.ok_or_else(|| ReadFault::Truncated("compressed blocks".to_string()))?;
        let start = encoded_length(encoding, table_bytes);
        let rest = source.get(start..).unwrap_or_default();
        let data = take(rest, encoding, total)?;
        let mut bytes = Vec::new();
        let mut place = 0;
        for (number, length) in lengths.iter().enumerate() {
            let is_partial = number + 1 == blocks && last_length > 0;
            let limit = if is_partial { last_length } else { block_length };
            if bytes.len().saturating_add(limit) > expected {
                return Err(unexpected(format!("more than {expected} bytes"), format!("{expected} bytes")));
            }
            let block = decompress_to_vec_zlib_with_limit(&data[place..place + length], limit);
            let block = block.map_err(|error| unexpected(error.to_string(), format!("block {number} in zlib")))?;
            bytes.extend(block);
            place += length;
        }
        Ok(bytes)
    }

    fn number(&self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

fn ascii(text: &str, count: usize) -> Result<Vec<f32>, ReadFault> {
    let parse = |word: &str| word.parse::<f32>().map_err(|_| unexpected(word, "a number"));
    let values: Vec<f32> = text.split_whitespace().take(count + 1).map(parse).collect::<Result<_, _>>()?;
    if values.len() == count {
        Ok(values)
    } else {
        let found = if values.len() > count { "more values".to_string() } else { format!("{} values", values.len()) };
        Err(unexpected(found, format!("{count} values")))
    }
}

fn encoded_length(encoding: Encoding, bytes: usize) -> usize {
    match encoding {
        Encoding::Raw => bytes,
        Encoding::Base64 => bytes.div_ceil(3) * 4,
    }
}

/// The first bytes of encoded data.
fn take(source: &[u8], encoding: Encoding, count: usize) -> Result<Vec<u8>, ReadFault> {
    let truncated = || ReadFault::Truncated(format!("{count} bytes of data"));
    let encoded = source.get(..encoded_length(encoding, count)).ok_or_else(truncated)?;
    if encoding == Encoding::Raw {
        return Ok(encoded.to_vec());
    }
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let mut bytes = engine.decode(encoded).map_err(|error| unexpected(error.to_string(), "base64"))?;
    if bytes.len() < count {
        return Err(truncated());
    }
    bytes.truncate(count);
    Ok(bytes)
}
