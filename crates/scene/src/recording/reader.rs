//! Random access to the frames of a recording, including unfinished and damaged ones.

use std::io::{Read, Seek, SeekFrom};

use super::{
    CHUNK_HEAD_BYTES, CHUNK_MAGIC, END_BYTES, END_MAGIC, Frame, HEAD_BYTES, INDEX_ENTRY_BYTES, INDEX_HEAD_BYTES,
    INDEX_MAGIC, MAGIC, RecordingError, RecordingHeader, VERSION, packed_pose,
};

/// Block size of the search for the next chunk after damage, in bytes.
const SEARCH_BYTES: usize = 1 << 16;

/// A readable chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Chunk {
    offset: u64,
    /// Index of its first frame among the readable frames.
    first_frame: u64,
    first_time: f64,
}

/// Reads a recording from any seekable input.
#[derive(Debug)]
pub struct RecordingReader<R> {
    input: R,
    length: u64,
    header: RecordingHeader,
    chunks: Vec<Chunk>,
    frames: u64,
    finished: bool,
    /// Index of the chunk whose frames are in `payload`.
    loaded: Option<usize>,
    payload: Vec<u8>,
}

/// A part of the file that is searched for chunk headers.
struct Block {
    bytes: Vec<u8>,
    offset: u64,
}

/// The header of a chunk.
struct ChunkHead {
    frames: u32,
    length: u32,
    checksum: u32,
}

impl<R: Read + Seek> RecordingReader<R> {
    /// Reads the header and finds all chunks, from the index or, without a valid index, by searching the file.
    pub fn new(mut input: R) -> Result<Self, RecordingError> {
        let length = input.seek(SeekFrom::End(0))?;
        let (header, begin) = read_header(&mut input, length)?;
        let mut reader = Self {
            input,
            length,
            header,
            chunks: Vec::new(),
            frames: 0,
            finished: false,
            loaded: None,
            payload: Vec::new(),
        };
        match reader.read_index(begin) {
            Ok(()) => reader.finished = true,
            Err(RecordingError::System(error)) => return Err(error.into()),
            Err(_) => reader.search_chunks(begin)?,
        }
        Ok(reader)
    }

    /// Returns the header of the recording.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// Number of readable frames.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns whether the recording was finished. If not, its frames are those of all complete chunks.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Reads a frame by its index among the readable frames.
    pub fn frame(&mut self, index: u64, frame: &mut Frame) -> Result<(), RecordingError> {
        if index >= self.frames {
            return Err(RecordingError::NoSuchFrame { index, frames: self.frames });
        }
        let chunk = self.chunks.partition_point(|chunk| chunk.first_frame <= index) - 1;
        self.load(chunk)?;
        let size = self.header.frame_bytes();
        let Chunk { offset, first_frame, .. } = self.chunks[chunk];
        let place = usize::try_from(index - first_frame).unwrap_or(usize::MAX);
        let bytes = self.payload.chunks_exact(size).nth(place).ok_or_else(|| RecordingError::Senseless {
            offset,
            why: format!("frame {index} should be in this chunk, which is too short"),
        })?;
        decode(bytes, self.header.bodies.len(), frame);
        Ok(())
    }

    /// Returns the index of the last frame at or before a time (s), the first frame for earlier times, and `None` if
    /// there are no frames.
    pub fn frame_at(&mut self, time: f64) -> Result<Option<u64>, RecordingError> {
        if self.frames == 0 {
            return Ok(None);
        }
        let chunk = self.chunks.partition_point(|chunk| chunk.first_time <= time).max(1) - 1;
        self.load(chunk)?;
        let size = self.header.frame_bytes();
        let times = self.payload.chunks_exact(size).map(|frame| number(frame, 0));
        let within = times.take_while(|&own| own <= time).count().max(1) as u64 - 1;
        Ok(Some(self.chunks[chunk].first_frame + within))
    }

    /// Returns the times of the first and the last frame, in s.
    pub fn times(&mut self) -> Result<Option<(f64, f64)>, RecordingError> {
        let Some(first) = self.chunks.first().map(|chunk| chunk.first_time) else { return Ok(None) };
        let mut last = Frame::default();
        self.frame(self.frames - 1, &mut last)?;
        Ok(Some((first, last.time)))
    }

    /// Reads the list of chunks from the index at the end of the file.
    fn read_index(&mut self, begin: u64) -> Result<(), RecordingError> {
        let end = self.length.checked_sub(END_BYTES).filter(|&end| end >= begin);
        let end = end.ok_or(RecordingError::BreaksOff { offset: self.length, part: "its end" })?;
        let mut tail = [0; END_BYTES as usize];
        self.read_at(end, &mut tail)?;
        let offset = unsigned(&tail, 0);
        let senseless = |why: &str| RecordingError::Senseless { offset, why: why.to_string() };
        if tail[8..] != END_MAGIC || offset < begin || offset.saturating_add(INDEX_HEAD_BYTES) > end {
            return Err(senseless("this is not the end of a recording"));
        }
        let mut head = [0; INDEX_HEAD_BYTES as usize];
        self.read_at(offset, &mut head)?;
        let count = u64::from(word(&head, 4));
        if head[..4] != INDEX_MAGIC || offset + INDEX_HEAD_BYTES + count * INDEX_ENTRY_BYTES != end {
            return Err(senseless("this is not an index"));
        }
        let mut payload = vec![0; (count * INDEX_ENTRY_BYTES) as usize];
        self.read_at(offset + INDEX_HEAD_BYTES, &mut payload)?;
        if crc32fast::hash(&payload) != word(&head, 8) {
            return Err(RecordingError::Damaged { offset, part: "the index" });
        }
        let mut previous: Option<Chunk> = None;
        for entry in payload.chunks_exact(INDEX_ENTRY_BYTES as usize) {
            let chunk =
                Chunk { offset: unsigned(entry, 0), first_frame: unsigned(entry, 8), first_time: number(entry, 16) };
            let fine = match previous {
                None => chunk.first_frame == 0,
                Some(last) => chunk.first_frame > last.first_frame && chunk.first_time >= last.first_time,
            };
            if !fine || chunk.offset < begin || chunk.offset >= offset || !chunk.first_time.is_finite() {
                return Err(senseless("the index is not in order"));
            }
            self.chunks.push(chunk);
            previous = Some(chunk);
        }
        if let Some(last) = previous {
            let head = self.chunk_head(last.offset)?;
            self.frames = last.first_frame.saturating_add(u64::from(head.frames));
        }
        Ok(())
    }

    /// Searches the file for complete chunks and skips everything else. Takes time proportional to the file size.
    fn search_chunks(&mut self, begin: u64) -> Result<(), RecordingError> {
        (self.chunks, self.frames) = (Vec::new(), 0);
        let mut block = Block { bytes: Vec::new(), offset: begin };
        let mut offset = begin;
        let mut last_time = f64::NEG_INFINITY;
        while let Some(found) = self.find_chunk(offset, &mut block)? {
            offset = match self.read_chunk(found) {
                Ok(frames) => {
                    let first_time = number(&self.payload, 0);
                    if first_time >= last_time {
                        self.chunks.push(Chunk { offset: found, first_frame: self.frames, first_time });
                        self.frames += frames;
                        last_time = first_time;
                    }
                    found + CHUNK_HEAD_BYTES + self.payload.len() as u64
                }
                // The header is valid, so the chunk has the length that it gives.
                Err(RecordingError::Damaged { .. }) => found + CHUNK_HEAD_BYTES + self.payload.len() as u64,
                Err(RecordingError::System(error)) => return Err(error.into()),
                Err(_) => found + 1,
            };
        }
        Ok(())
    }

    /// Returns the offset of the next chunk header at or after an offset.
    fn find_chunk(&mut self, mut offset: u64, block: &mut Block) -> Result<Option<u64>, RecordingError> {
        while offset + CHUNK_HEAD_BYTES <= self.length {
            let read = block.offset + block.bytes.len() as u64;
            if offset < block.offset || offset + CHUNK_HEAD_BYTES > read {
                block.bytes.resize((self.length - offset).min(SEARCH_BYTES as u64) as usize, 0);
                block.offset = offset;
                self.read_at(offset, &mut block.bytes)?;
            }
            let heads = block.bytes[(offset - block.offset) as usize..].windows(CHUNK_HEAD_BYTES as usize);
            let count = heads.len() as u64;
            if let Some(place) = heads.into_iter().position(is_chunk_head) {
                return Ok(Some(offset + place as u64));
            }
            offset += count;
        }
        Ok(None)
    }

    fn chunk_head(&mut self, offset: u64) -> Result<ChunkHead, RecordingError> {
        if offset.saturating_add(CHUNK_HEAD_BYTES) > self.length {
            return Err(RecordingError::BreaksOff { offset, part: "the head of a chunk" });
        }
        let mut head = [0; CHUNK_HEAD_BYTES as usize];
        self.read_at(offset, &mut head)?;
        if !is_chunk_head(&head) {
            return Err(RecordingError::Damaged { offset, part: "the head of a chunk" });
        }
        let head = ChunkHead { frames: word(&head, 12), length: word(&head, 16), checksum: word(&head, 20) };
        if offset + CHUNK_HEAD_BYTES + u64::from(head.length) > self.length {
            return Err(RecordingError::BreaksOff { offset, part: "a chunk" });
        }
        let expected = u64::from(head.frames) * self.header.frame_bytes() as u64;
        if head.frames == 0 || expected != u64::from(head.length) {
            let why = format!("{} frames need {expected} bytes, found {}", head.frames, head.length);
            return Err(RecordingError::Senseless { offset, why });
        }
        Ok(head)
    }

    /// Reads a chunk into `payload` and returns the number of its frames.
    fn read_chunk(&mut self, offset: u64) -> Result<u64, RecordingError> {
        self.loaded = None;
        let head = self.chunk_head(offset)?;
        let mut payload = std::mem::take(&mut self.payload);
        payload.resize(head.length as usize, 0);
        let read = self.read_at(offset + CHUNK_HEAD_BYTES, &mut payload);
        self.payload = payload;
        read?;
        if crc32fast::hash(&self.payload) != head.checksum {
            return Err(RecordingError::Damaged { offset, part: "a chunk" });
        }
        Ok(u64::from(head.frames))
    }

    fn load(&mut self, chunk: usize) -> Result<(), RecordingError> {
        if self.loaded != Some(chunk) {
            self.read_chunk(self.chunks[chunk].offset)?;
            self.loaded = Some(chunk);
        }
        Ok(())
    }

    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> Result<(), RecordingError> {
        self.input.seek(SeekFrom::Start(offset))?;
        Ok(self.input.read_exact(bytes)?)
    }
}

fn is_chunk_head(bytes: &[u8]) -> bool {
    bytes[..4] == CHUNK_MAGIC && crc32fast::hash(&bytes[..24]) == word(bytes, 24)
}

/// Reads the header and returns it with the offset of the first chunk.
fn read_header<R: Read + Seek>(input: &mut R, length: u64) -> Result<(RecordingHeader, u64), RecordingError> {
    input.seek(SeekFrom::Start(0))?;
    let mut head = [0; HEAD_BYTES as usize];
    let known = length.min(HEAD_BYTES) as usize;
    input.read_exact(&mut head[..known])?;
    if known < 8 || head[..8] != MAGIC {
        return Err(RecordingError::NotARecording { found: head[..known.min(8)].to_vec() });
    }
    // The layout after the version depends on the version.
    let version = word(&head, 8);
    if known >= 12 && version != VERSION {
        return Err(RecordingError::Version { found: version, supported: VERSION });
    }
    let begin = HEAD_BYTES + u64::from(word(&head, 12));
    if (known as u64) < HEAD_BYTES || length < begin {
        return Err(RecordingError::BreaksOff { offset: 0, part: "the head" });
    }
    let mut payload = vec![0; (begin - HEAD_BYTES) as usize];
    input.read_exact(&mut payload)?;
    if crc32fast::hash(&payload) != word(&head, 16) {
        return Err(RecordingError::Damaged { offset: HEAD_BYTES, part: "the head" });
    }
    let mut fields = Fields { bytes: &payload, offset: HEAD_BYTES };
    let rate = number(fields.take(8)?, 0);
    let (bodies, statistics) = (fields.names()?, fields.names()?);
    let header = RecordingHeader { rate, bodies, statistics, scene: fields.text()? };
    Ok((header, begin))
}

/// The unread part of the header.
struct Fields<'a> {
    bytes: &'a [u8],
    offset: u64,
}

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], RecordingError> {
        let split = self.bytes.split_at_checked(count);
        let (taken, rest) = split.ok_or(RecordingError::BreaksOff { offset: self.offset, part: "the head" })?;
        self.bytes = rest;
        self.offset += count as u64;
        Ok(taken)
    }

    fn text(&mut self) -> Result<String, RecordingError> {
        let length = word(self.take(4)?, 0) as usize;
        let offset = self.offset;
        let text = String::from_utf8(self.take(length)?.to_vec());
        text.map_err(|_| RecordingError::Senseless { offset, why: "this text is not UTF-8".to_string() })
    }

    fn names(&mut self) -> Result<Vec<String>, RecordingError> {
        let count = word(self.take(4)?, 0);
        // Do not allocate by count, which may be wrong.
        (0..count).map(|_| self.text()).collect()
    }
}

fn decode(bytes: &[u8], bodies: usize, frame: &mut Frame) {
    frame.time = number(bytes, 0);
    let (poses, statistics) = bytes[8..].split_at(packed_pose::BYTES * bodies);
    frame.poses.clear();
    frame.poses.extend(poses.as_chunks().0.iter().map(packed_pose::unpack));
    frame.statistics.clear();
    frame.statistics.extend(statistics.chunks_exact(8).map(|bytes| number(bytes, 0)));
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn unsigned(bytes: &[u8], at: usize) -> u64 {
    u64::from(word(bytes, at)) | u64::from(word(bytes, at + 4)) << 32
}

fn number(bytes: &[u8], at: usize) -> f64 {
    f64::from_bits(unsigned(bytes, at))
}
