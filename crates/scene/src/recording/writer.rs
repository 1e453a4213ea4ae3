//! Writes a recording frame by frame. Only one chunk and the index are kept in memory.

use std::io::Write;

use burgess_geometry::Pose;

use super::{
    CHUNK_BYTES, CHUNK_HEAD_BYTES, CHUNK_MAGIC, END_MAGIC, INDEX_MAGIC, MAGIC, MAX_RECORDED_BODIES, MAX_STATISTICS,
    RecordingError, RecordingHeader, VERSION, packed_pose,
};

/// Writes a recording to any byte output.
///
/// ```
/// use burgess_geometry::Pose;
/// use burgess_scene::recording::{Frame, RecordingHeader, RecordingReader, RecordingWriter};
///
/// let header = RecordingHeader { rate: 60.0, bodies: vec!["ball".to_string()], ..Default::default() };
/// let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
/// writer.frame(0.0, &[Pose::IDENTITY], &[]).unwrap();
/// let bytes = writer.finish().unwrap();
///
/// let mut reader = RecordingReader::new(std::io::Cursor::new(bytes)).unwrap();
/// let mut frame = Frame::default();
/// reader.frame(0, &mut frame).unwrap();
/// assert_eq!(frame.poses, [Pose::IDENTITY]);
/// ```
#[derive(Debug)]
pub struct RecordingWriter<W: Write> {
    output: W,
    header: RecordingHeader,
    /// Bytes written so far.
    offset: u64,
    /// Payload of the current chunk.
    chunk: Vec<u8>,
    /// Number of frames in the current chunk.
    chunk_frames: u32,
    chunk_time: f64,
    frames: u64,
    last_time: f64,
    /// Payload of the index.
    index: Vec<u8>,
}

impl<W: Write> RecordingWriter<W> {
    /// Starts a recording by writing its header.
    pub fn new(mut output: W, header: RecordingHeader) -> Result<Self, RecordingError> {
        let counts = [
            ("bodies", header.bodies.len(), MAX_RECORDED_BODIES),
            ("statistics", header.statistics.len(), MAX_STATISTICS),
        ];
        for (what, found, limit) in counts {
            if found > limit {
                return Err(RecordingError::TooMany { what, limit, found });
            }
        }
        let mut payload = header.rate.to_le_bytes().to_vec();
        for list in [&header.bodies, &header.statistics] {
            payload.extend((list.len() as u32).to_le_bytes());
            list.iter().for_each(|name| push_text(&mut payload, name));
        }
        push_text(&mut payload, &header.scene);
        let length = u32::try_from(payload.len()).map_err(|_| RecordingError::TooMany {
            what: "bytes of names and scene",
            limit: u32::MAX as usize,
            found: payload.len(),
        })?;
        let mut head = MAGIC.to_vec();
        head.extend(VERSION.to_le_bytes());
        head.extend(length.to_le_bytes());
        head.extend(crc32fast::hash(&payload).to_le_bytes());
        head.extend(payload);
        output.write_all(&head)?;
        output.flush()?;
        Ok(Self {
            output,
            offset: head.len() as u64,
            chunk: Vec::with_capacity(CHUNK_BYTES + header.frame_bytes()),
            header,
            chunk_frames: 0,
            chunk_time: 0.0,
            frames: 0,
            last_time: f64::NEG_INFINITY,
            index: Vec::new(),
        })
    }

    /// Returns the header of the recording.
    pub fn header(&self) -> &RecordingHeader {
        &self.header
    }

    /// Number of frames added so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds a frame. A refused frame leaves the recording unchanged.
    pub fn frame(&mut self, time: f64, poses: &[Pose], statistics: &[f64]) -> Result<(), RecordingError> {
        let counts = [
            ("poses", self.header.bodies.len(), poses.len()),
            ("statistics", self.header.statistics.len(), statistics.len()),
        ];
        for (what, expected, found) in counts {
            if expected != found {
                return Err(RecordingError::WrongCount { what, expected, found });
            }
        }
        if !(time.is_finite() && time >= self.last_time) {
            return Err(RecordingError::TimeOrder { time, last: self.last_time });
        }
        let begin = self.chunk.len();
        self.chunk.extend(time.to_le_bytes());
        for (pose, body) in poses.iter().zip(&self.header.bodies) {
            let Some(bytes) = packed_pose::pack(pose) else {
                self.chunk.truncate(begin);
                return Err(RecordingError::NotFinite { body: body.clone(), time });
            };
            self.chunk.extend(bytes);
        }
        self.chunk.extend(statistics.iter().flat_map(|value| value.to_le_bytes()));
        if self.chunk_frames == 0 {
            self.chunk_time = time;
        }
        self.chunk_frames += 1;
        self.frames += 1;
        self.last_time = time;
        if self.chunk.len() >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Writes the pending frames as a chunk. They are then readable even if the recording is never finished.
    pub fn flush(&mut self) -> Result<(), RecordingError> {
        if self.chunk_frames == 0 {
            return Ok(());
        }
        let first = self.frames - u64::from(self.chunk_frames);
        let mut head = [0; CHUNK_HEAD_BYTES as usize];
        head[..4].copy_from_slice(&CHUNK_MAGIC);
        head[4..12].copy_from_slice(&first.to_le_bytes());
        head[12..16].copy_from_slice(&self.chunk_frames.to_le_bytes());
        head[16..20].copy_from_slice(&(self.chunk.len() as u32).to_le_bytes());
        head[20..24].copy_from_slice(&crc32fast::hash(&self.chunk).to_le_bytes());
        let own = crc32fast::hash(&head[..24]);
        head[24..].copy_from_slice(&own.to_le_bytes());
        self.output.write_all(&head)?;
        self.output.write_all(&self.chunk)?;
        self.output.flush()?;
        self.index.extend(self.offset.to_le_bytes());
        self.index.extend(first.to_le_bytes());
        self.index.extend(self.chunk_time.to_le_bytes());
        self.offset += CHUNK_HEAD_BYTES + self.chunk.len() as u64;
        self.chunk.clear();
        self.chunk_frames = 0;
        Ok(())
    }

    /// Writes the pending frames and the index, and returns the output.
    pub fn finish(mut self) -> Result<W, RecordingError> {
        self.flush()?;
        let mut end = INDEX_MAGIC.to_vec();
        end.extend((self.index.len() as u32 / super::INDEX_ENTRY_BYTES as u32).to_le_bytes());
        end.extend(crc32fast::hash(&self.index).to_le_bytes());
        end.extend(&self.index);
        end.extend(self.offset.to_le_bytes());
        end.extend(END_MAGIC);
        self.output.write_all(&end)?;
        self.output.flush()?;
        Ok(self.output)
    }
}

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    // `new` refuses longer texts by the length of the whole header.
    bytes.extend((text.len().min(u32::MAX as usize) as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}
