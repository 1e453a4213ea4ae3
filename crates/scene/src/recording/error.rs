//! What can be wrong with a recording.

use thiserror::Error;

/// Why a recording was not written or read.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The system reports an error.
    #[error("the recording cannot be read or written: {0}")]
    System(#[from] std::io::Error),
    /// The file is not a recording.
    #[error("not a recording: it begins with {found:02x?}")]
    NotARecording {
        /// The first bytes.
        found: Vec<u8>,
    },
    /// The recording is from a newer program.
    #[error("this recording has version {found}; this program reads versions up to {supported}")]
    Version {
        /// Version of the recording.
        found: u32,
        /// Newest version that this program reads.
        supported: u32,
    },
    /// The file is truncated.
    #[error("the recording breaks off at byte {offset}, in {part}")]
    BreaksOff {
        /// Where the part begins.
        offset: u64,
        /// Name of the part.
        part: &'static str,
    },
    /// A checksum is wrong.
    #[error("the recording is damaged at byte {offset}: {part} does not match its checksum")]
    Damaged {
        /// Where the part begins.
        offset: u64,
        /// Name of the part.
        part: &'static str,
    },
    /// The bytes are not valid, though the checksum is right.
    #[error("the recording makes no sense at byte {offset}: {why}")]
    Senseless {
        /// Offset of the bytes.
        offset: u64,
        /// What was found and what was expected.
        why: String,
    },
    /// There is no such frame.
    #[error("there is no frame {index}: the recording has {frames}")]
    NoSuchFrame {
        /// Index that was asked for.
        index: u64,
        /// Number that there are.
        frames: u64,
    },
    /// The frame does not match the header.
    #[error("each frame has {expected} {what}, found {found}")]
    WrongCount {
        /// "poses" or "statistics".
        what: &'static str,
        /// Number in the header.
        expected: usize,
        /// Number that was given.
        found: usize,
    },
    /// The time of a frame is before that of the last one.
    #[error("frames come in the order of their times: {time} s after {last} s")]
    TimeOrder {
        /// Time of the frame, in s.
        time: f64,
        /// Time of the frame before, in s.
        last: f64,
    },
    /// The pose is not finite or too far away.
    #[error("the pose of '{body}' at {time} s is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Time of the frame, in s.
        time: f64,
    },
    /// There are more of something than a recording can hold.
    #[error("a recording has at most {limit} {what}, found {found}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// Largest number allowed.
        limit: usize,
        /// Number that there are.
        found: usize,
    },
    /// Another recording was left unfinished under this name.
    #[error("'{0}' is an unfinished recording; rename it to keep it, or remove it")]
    Unfinished(String),
}
