//! A timing wheel: which pairs are to be tested at which of the coming updates.

use super::super::pair::{PairKey, key_members, pair_key};

/// Nothing is put off longer than this many updates less one.
pub(super) const SPOKES: u32 = 128;
/// So many appointments and a link fill four cache lines.
const CHUNK: usize = 15;
const NONE: u32 = u32::MAX;

/// A pair to be tested.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Appointment {
    /// Twice the smaller name, plus 1 if the boxes overlap.
    first: u32,
    pub b: u32,
    /// The update in which it was first made: it holds for two that have been candidates since then.
    made: u32,
    /// How often a and b had broken their pace by then: after another break it no longer holds.
    pub breaks: [u8; 2],
}

impl Appointment {
    pub fn new(key: PairKey, overlapping: bool, breaks: [u8; 2], now: u32) -> Self {
        let (a, b) = key_members(key);
        Self { first: a << 1 | u32::from(overlapping), b, made: now, breaks }
    }

    /// The same pair again.
    #[inline]
    pub fn renewed(self, overlapping: bool) -> Self {
        Self { first: self.first & !1 | u32::from(overlapping), ..self }
    }

    #[inline]
    pub fn a(&self) -> u32 {
        self.first >> 1
    }

    #[inline]
    pub fn overlapping(&self) -> bool {
        self.first & 1 != 0
    }

    pub fn key(&self) -> PairKey {
        pair_key(self.a(), self.b)
    }

    /// For how many updates it has been kept and made again.
    #[inline]
    pub fn age(&self, now: u32) -> u32 {
        now.wrapping_sub(self.made)
    }
}

/// Some appointments of one update.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    appointments: [Appointment; CHUNK],
    next: u32,
}

/// The appointments of one update: a chain of chunks, all full but the first.
#[derive(Debug, Clone, Copy)]
struct Spoke {
    chunk: u32,
    /// How many are in the first chunk.
    len: u32,
}

/// As many appointments in the first chunk of an empty spoke as fill it: the next one begins a new chunk.
const EMPTY: Spoke = Spoke { chunk: NONE, len: CHUNK as u32 };

/// Appointments by the update at which they are due; those of one update in the order last made, first kept, by chunks.
#[derive(Debug, Clone)]
pub(super) struct Wheel {
    spokes: [Spoke; SPOKES as usize],
    chunks: Vec<Chunk>,
    /// The first of the chunks that are not in use.
    released: u32,
}

impl Default for Wheel {
    fn default() -> Self {
        Self { spokes: [EMPTY; SPOKES as usize], chunks: Vec::new(), released: NONE }
    }
}

impl Wheel {
    /// Puts an appointment off until update `due`, less than `SPOKES` from now.
    #[inline]
    pub fn put(&mut self, due: u32, appointment: Appointment) {
        let spoke = &mut self.spokes[(due % SPOKES) as usize];
        if spoke.len == CHUNK as u32 {
            let chunk = Chunk { appointments: [Appointment::default(); CHUNK], next: spoke.chunk };
            spoke.len = 0;
            if self.released == NONE {
                spoke.chunk = self.chunks.len() as u32;
                self.chunks.push(chunk);
            } else {
                spoke.chunk = self.released;
                let place = &mut self.chunks[spoke.chunk as usize];
                self.released = std::mem::replace(&mut place.next, chunk.next);
            }
        }
        self.chunks[spoke.chunk as usize].appointments[spoke.len as usize] = appointment;
        spoke.len += 1;
    }

    /// Takes out some of the appointments for update `now` and copies them to `due`; returns how many, 0 if there are none left.
    pub fn take(&mut self, now: u32, due: &mut [Appointment; CHUNK]) -> usize {
        let spoke = &mut self.spokes[(now % SPOKES) as usize];
        if spoke.chunk == NONE {
            return 0;
        }
        let chunk = &mut self.chunks[spoke.chunk as usize];
        *due = chunk.appointments;
        let len = spoke.len as usize;
        let next = std::mem::replace(&mut chunk.next, self.released);
        self.released = spoke.chunk;
        *spoke = Spoke { chunk: next, len: CHUNK as u32 };
        len
    }

    /// Somewhere for `take` to copy to.
    pub fn tray() -> [Appointment; CHUNK] {
        [Appointment::default(); CHUNK]
    }

    /// Cancels everything and keeps the memory.
    pub fn clear(&mut self) {
        self.spokes = [EMPTY; SPOKES as usize];
        self.chunks.clear();
        self.released = NONE;
    }
}
