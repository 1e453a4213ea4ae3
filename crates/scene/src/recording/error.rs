//! What can be wrong with a recording.

use thiserror::Error;

/// Why a recording was not written or read.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The system refuses.
    #[error("the recording cannot be read or written: {0}")]
    System(#[from] std::io::Error),
    /// Something else.
    #[error("not a recording: it begins with {found:02x?}")]
    NotARecording {
        /// The first bytes.
        found: Vec<u8>,
    },
    /// From a newer program.
    #[error("this recording has version {found}; this program reads versions up to {supported}")]
    Version {
        /// Of the recording.
        found: u32,
        /// Of this program.
        supported: u32,
    },
    /// It ends too soon to say anything.
    #[error("the recording breaks off at byte {offset}, in {part}")]
    BreaksOff {
        /// Where the part begins.
        offset: u64,
        /// In words.
        part: &'static str,
    },
    /// Bytes have changed.
    #[error("the recording is damaged at byte {offset}: {part} does not match its checksum")]
    Damaged {
        /// Where the part begins.
        offset: u64,
        /// In words.
        part: &'static str,
    },
    /// Bytes that make no sense, though the checksum is right.
    #[error("the recording makes no sense at byte {offset}: {why}")]
    Senseless {
        /// Where.
        offset: u64,
        /// What was found and what was expected.
        why: String,
    },
    /// There is no such frame.
    #[error("there is no frame {index}: the recording has {frames}")]
    NoSuchFrame {
        /// What was asked for.
        index: u64,
        /// How many there are.
        frames: u64,
    },
    /// A frame that does not fit the head.
    #[error("each frame has {expected} {what}, found {found}")]
    WrongCount {
        /// "poses" or "statistics".
        what: &'static str,
        /// As the head says.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// Time must not go back.
    #[error("frames come in the order of their times: {time} s after {last} s")]
    TimeOrder {
        /// Of the frame.
        time: f64,
        /// Of the frame before.
        last: f64,
    },
    /// A pose that no file can hold.
    #[error("the pose of '{body}' at {time} s is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// In s.
        time: f64,
    },
    /// More than a recording can hold.
    #[error("a recording has at most {limit} {what}, found {found}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there may be.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// Another recording was left unfinished under this name.
    #[error("'{0}' is an unfinished recording; rename it to keep it, or remove it")]
    Unfinished(String),
}
