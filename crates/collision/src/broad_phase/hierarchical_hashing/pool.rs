//! Many small arrays of numbers in one allocation.

const NONE: u32 = u32::MAX;

/// Blocks of `2^log2` numbers, cut from one array. A released block is reused for the next one of its size.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    numbers: Vec<u32>,
    /// The first released block of every size. The first number of a released block is the index of the next.
    released: [u32; 32],
}

impl Default for Pool {
    fn default() -> Self {
        Self { numbers: Vec::new(), released: [NONE; 32] }
    }
}

impl Pool {
    /// Allocates a block filled with `value`. Returns its start.
    pub fn take(&mut self, log2: u32, value: u32) -> u32 {
        let block = self.released[log2 as usize];
        if block == NONE {
            let block = self.numbers.len();
            self.numbers.resize(block + (1 << log2), value);
            return block as u32;
        }
        self.released[log2 as usize] = self.numbers[block as usize];
        self.block_mut(block, log2).fill(value);
        block
    }

    pub fn release(&mut self, block: u32, log2: u32) {
        self.numbers[block as usize] = self.released[log2 as usize];
        self.released[log2 as usize] = block;
    }

    #[inline]
    pub fn block(&self, block: u32, log2: u32) -> &[u32] {
        &self.numbers[block as usize..][..1 << log2]
    }

    #[inline]
    pub fn block_mut(&mut self, block: u32, log2: u32) -> &mut [u32] {
        &mut self.numbers[block as usize..][..1 << log2]
    }

    /// Moves the contents to a block of twice the size.
    pub fn double(&mut self, block: u32, log2: u32) -> u32 {
        let larger = self.take(log2 + 1, 0);
        let start = block as usize;
        self.numbers.copy_within(start..start + (1 << log2), larger as usize);
        self.release(block, log2);
        larger
    }

    /// Releases everything and keeps the memory.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.released = [NONE; 32];
    }
}
