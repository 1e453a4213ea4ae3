//! A timing wheel: which pairs are to be tested at which of the next updates.

use super::super::pair::{PairKey, key_members, pair_key};

/// Number of spokes. A test is put off for less than this many updates.
pub(super) const SPOKES: u32 = 128;
/// Number of tests in a chunk: with a link they fill four cache lines.
const CHUNK_LEN: usize = 15;
const NONE: u32 = u32::MAX;

/// A pair to be tested.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScheduledTest {
    /// Twice the smaller id, plus 1 if the boxes overlap.
    first: u32,
    pub b: u32,
    /// The update in which the test was first scheduled. The test is valid only if the two have been candidates since
    /// then.
    made: u32,
    /// Number of breaks of a and b at that time. After another break the test is outdated.
    pub breaks: [u8; 2],
}

impl ScheduledTest {
    pub fn new(key: PairKey, overlapping: bool, breaks: [u8; 2], now: u32) -> Self {
        let (a, b) = key_members(key);
        Self { first: a << 1 | u32::from(overlapping), b, made: now, breaks }
    }

    /// Returns the next test of the same pair.
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

    /// Returns for how many updates the test has been rescheduled.
    #[inline]
    pub fn age(&self, now: u32) -> u32 {
        now.wrapping_sub(self.made)
    }
}

/// Some tests of one update.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    tests: [ScheduledTest; CHUNK_LEN],
    next: u32,
}

/// The tests of one update: a chain of chunks, all full except the first.
#[derive(Debug, Clone, Copy)]
struct Spoke {
    chunk: u32,
    /// Number of tests in the first chunk.
    len: u32,
}

/// An empty spoke counts as full, so that the next test begins a new chunk.
const EMPTY: Spoke = Spoke { chunk: NONE, len: CHUNK_LEN as u32 };

/// Tests by the update at which they are due. Those of one update are taken chunk by chunk, the last chunk first.
#[derive(Debug, Clone)]
pub(super) struct Wheel {
    spokes: [Spoke; SPOKES as usize],
    chunks: Vec<Chunk>,
    /// The first of the unused chunks.
    released: u32,
}

impl Default for Wheel {
    fn default() -> Self {
        Self { spokes: [EMPTY; SPOKES as usize], chunks: Vec::new(), released: NONE }
    }
}

impl Wheel {
    /// Schedules a test for update `due`, less than `SPOKES` from now.
    #[inline]
    pub fn put(&mut self, due: u32, scheduled: ScheduledTest) {
        let spoke = &mut self.spokes[(due % SPOKES) as usize];
        if spoke.len == CHUNK_LEN as u32 {
            let chunk = Chunk { tests: [ScheduledTest::default(); CHUNK_LEN], next: spoke.chunk };
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
        self.chunks[spoke.chunk as usize].tests[spoke.len as usize] = scheduled;
        spoke.len += 1;
    }

    /// Moves some of the tests for update `now` to `due`. Returns their number; 0 if none are left.
    pub fn take(&mut self, now: u32, due: &mut [ScheduledTest; CHUNK_LEN]) -> usize {
        let spoke = &mut self.spokes[(now % SPOKES) as usize];
        if spoke.chunk == NONE {
            return 0;
        }
        let chunk = &mut self.chunks[spoke.chunk as usize];
        *due = chunk.tests;
        let len = spoke.len as usize;
        let next = std::mem::replace(&mut chunk.next, self.released);
        self.released = spoke.chunk;
        *spoke = Spoke { chunk: next, len: CHUNK_LEN as u32 };
        len
    }

    /// Returns an empty batch for `take`.
    pub fn batch() -> [ScheduledTest; CHUNK_LEN] {
        [ScheduledTest::default(); CHUNK_LEN]
    }

    /// Removes all tests and keeps the memory.
    pub fn clear(&mut self) {
        self.spokes = [EMPTY; SPOKES as usize];
        self.chunks.clear();
        self.released = NONE;
    }
}
