//! The levels in use: those that some proxy is, or recently was, native to.

/// The levels in use.
#[derive(Debug, Clone, Copy)]
pub(super) struct Levels {
    /// One bit per level: every proxy that is native to it or to a finer level is hashed there.
    pub in_use: u64,
    pub natives: [u32; 64],
    /// Number of updates for which no proxy has been native to the level.
    pub idle: [u32; 64],
}

impl Default for Levels {
    fn default() -> Self {
        Self { in_use: 0, natives: [0; 64], idle: [0; 64] }
    }
}

impl Levels {
    pub fn is_in_use(&self, level: u8) -> bool {
        self.in_use & (1 << level) != 0
    }

    /// Returns the levels in use from `first` up, ascending.
    pub fn from(&self, first: u8) -> impl Iterator<Item = u8> + use<> {
        let mut rest = self.in_use & (u64::MAX << first);
        std::iter::from_fn(move || {
            let level = rest.trailing_zeros() as u8;
            rest &= rest.wrapping_sub(1);
            (level < 64).then_some(level)
        })
    }
}
