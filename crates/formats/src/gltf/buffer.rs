//! The single buffer of a file and its layout.
//!
//! ```text
//!   positions | normals | indices u16 | indices u32 | times | translations | rotations
//! ```
//!
//! Each part is a buffer view that starts at a multiple of four bytes; empty parts are omitted. Shapes come first.
//! Space for the motion is only reserved; its bytes are written at the end directly to their place, so that no data is
//! stored twice.

use super::document::{Accessor, BufferView, ComponentType};

/// glTF target of vertex attributes.
const ARRAY_BUFFER: u32 = 34962;
/// glTF target of vertex indices.
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The parts of the buffer, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Positions,
    Normals,
    ShortIndices,
    LongIndices,
    Times,
    Translations,
    Rotations,
}

impl Part {
    const ALL: [Self; 7] = [
        Self::Positions,
        Self::Normals,
        Self::ShortIndices,
        Self::LongIndices,
        Self::Times,
        Self::Translations,
        Self::Rotations,
    ];

    fn component_type(self) -> ComponentType {
        match self {
            Self::ShortIndices => ComponentType::U16,
            Self::LongIndices => ComponentType::U32,
            _ => ComponentType::F32,
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Positions | Self::Normals | Self::Translations => "VEC3",
            Self::Rotations => "VEC4",
            Self::ShortIndices | Self::LongIndices | Self::Times => "SCALAR",
        }
    }

    /// Returns the number of bytes of one vector or number.
    pub fn element_bytes(self) -> usize {
        match self {
            Self::Positions | Self::Normals | Self::Translations => 12,
            Self::Rotations => 16,
            Self::ShortIndices => 2,
            Self::LongIndices | Self::Times => 4,
        }
    }

    fn view(self, byte_offset: usize, byte_length: usize) -> BufferView {
        let (byte_stride, target) = match self {
            Self::Positions | Self::Normals => (Some(self.element_bytes()), Some(ARRAY_BUFFER)),
            Self::ShortIndices | Self::LongIndices => (None, Some(ELEMENT_ARRAY_BUFFER)),
            Self::Times | Self::Translations | Self::Rotations => (None, None),
        };
        BufferView { buffer: 0, byte_offset, byte_length, byte_stride, target }
    }
}

/// Builds the parts of the buffer.
#[derive(Debug, Default)]
pub(super) struct BufferBuilder {
    /// Known bytes of each part.
    bytes: [Vec<u8>; 7],
    /// Number of bytes of each part that are written later, after the known bytes.
    reserved: [usize; 7],
    /// Accessors with their parts; the views are assigned by `layout`.
    accessors: Vec<(Part, Accessor)>,
}

/// The layout of the buffer.
#[derive(Debug)]
pub(super) struct Layout {
    pub accessors: Vec<Accessor>,
    pub views: Vec<BufferView>,
    /// Length of the buffer.
    pub bytes: usize,
    /// Offsets of the reserved bytes of translations and rotations.
    pub tracks: [usize; 2],
}

impl BufferBuilder {
    pub fn push(&mut self, part: Part, bytes: &[u8]) {
        self.bytes[part as usize].extend(bytes);
    }

    pub fn push_floats(&mut self, part: Part, numbers: &[f32]) {
        numbers.iter().for_each(|number| self.push(part, &number.to_le_bytes()));
    }

    /// Returns the current length of the buffer.
    pub fn bytes(&self) -> usize {
        self.bytes.iter().map(Vec::len).chain(self.reserved).sum()
    }

    /// Adds an accessor of the last `count` elements that were pushed, with their minimum and maximum if given.
    pub fn accessor(&mut self, part: Part, count: usize, range: Option<[Vec<f64>; 2]>) -> usize {
        let byte_offset = self.bytes[part as usize].len() + self.reserved[part as usize] - count * part.element_bytes();
        let [min, max] = range.unwrap_or_default();
        let (component_type, kind) = (part.component_type(), part.kind());
        let accessor = Accessor { buffer_view: 0, byte_offset, component_type, count, kind, min, max };
        self.accessors.push((part, accessor));
        self.accessors.len() - 1
    }

    /// Reserves space for elements that are written later and adds an accessor for them.
    pub fn reserve(&mut self, part: Part, count: usize) -> usize {
        self.reserved[part as usize] += count * part.element_bytes();
        self.accessor(part, count, None)
    }

    /// Computes the layout: the parts one after the other.
    pub fn layout(&mut self) -> Layout {
        let mut views = Vec::new();
        let mut view_of_part = [0; 7];
        let mut tracks = [0; 2];
        let mut end = 0usize;
        for part in Part::ALL {
            let length = self.bytes[part as usize].len() + self.reserved[part as usize];
            match part {
                Part::Translations => tracks[0] = end,
                Part::Rotations => tracks[1] = end,
                _ => {}
            }
            if length > 0 {
                view_of_part[part as usize] = views.len();
                views.push(part.view(end, length));
                end += length.next_multiple_of(4);
            }
        }
        let located =
            |(part, accessor): (Part, Accessor)| Accessor { buffer_view: view_of_part[part as usize], ..accessor };
        let accessors = std::mem::take(&mut self.accessors).into_iter().map(located).collect();
        Layout { accessors, views, bytes: end, tracks }
    }

    /// Writes the buffer, with zeros in the reserved space.
    pub fn write(self, output: &mut Vec<u8>) {
        let start = output.len();
        for (bytes, reserved) in self.bytes.into_iter().zip(self.reserved) {
            output.extend(&bytes);
            let length = output.len() - start + reserved;
            output.resize(start + length.next_multiple_of(4), 0);
        }
    }
}
