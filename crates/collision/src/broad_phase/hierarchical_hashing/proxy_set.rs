//! The set of proxies in a tile: two are stored inline, more in a block of the pool.

use super::pool::Pool;

const INLINE: usize = 2;
const VACANT: u32 = u32::MAX;
/// Logarithm of the size of the first block: it holds three proxies with room for three more.
const FIRST_LOG2: u32 = 3;

/// A set of numbers. Insertion and removal take constant time whatever its size: a large set is a small hash table.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ProxySet {
    len: u32,
    /// Up to `INLINE` members; beyond that, the block and the binary logarithm of its size.
    words: [u32; INLINE],
}

impl ProxySet {
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the slots of the set. Some are vacant: use `is_member` to skip them.
    #[inline]
    pub fn slots<'a>(&'a self, pool: &'a Pool) -> &'a [u32] {
        if self.len as usize <= INLINE {
            &self.words[..self.len as usize]
        } else {
            pool.block(self.words[0], self.words[1])
        }
    }

    #[inline]
    pub fn is_member(place: u32) -> bool {
        place != VACANT
    }

    /// Inserts a number that is not in the set.
    pub fn insert(&mut self, pool: &mut Pool, member: u32) {
        let len = self.len as usize;
        if len < INLINE {
            self.words[len] = member;
        } else if len == INLINE {
            let inside = self.words;
            self.words = [pool.take(FIRST_LOG2, VACANT), FIRST_LOG2];
            let block = pool.block_mut(self.words[0], FIRST_LOG2);
            inside.into_iter().chain([member]).for_each(|each| put(block, FIRST_LOG2, each));
        } else {
            // The table is at most three quarters full.
            if (len + 1) * 4 > 3 << self.words[1] {
                self.rehash(pool, self.words[1] + 1);
            }
            put(pool.block_mut(self.words[0], self.words[1]), self.words[1], member);
        }
        self.len += 1;
    }

    /// Removes a number, if it is in the set.
    pub fn remove(&mut self, pool: &mut Pool, member: u32) {
        if self.len as usize <= INLINE {
            if let Some(place) = self.words[..self.len as usize].iter().position(|&each| each == member) {
                self.words[place] = self.words[self.len as usize - 1];
                self.len -= 1;
            }
            return;
        }
        let [block, log2] = self.words;
        if !pull(pool.block_mut(block, log2), log2, member) {
            return;
        }
        self.len -= 1;
        if self.len as usize == INLINE {
            let mut rest = pool.block(block, log2).iter().copied().filter(|&place| place != VACANT);
            self.words = [rest.next().unwrap_or(VACANT), rest.next().unwrap_or(VACANT)];
            pool.release(block, log2);
        } else if log2 > FIRST_LOG2 && (self.len << 3) < 1 << log2 {
            self.rehash(pool, log2 - 1);
        }
    }

    fn rehash(&mut self, pool: &mut Pool, new_log2: u32) {
        let [old, old_log2] = self.words;
        let new = pool.take(new_log2, VACANT);
        for place in 0..1 << old_log2 {
            let member = pool.block(old, old_log2)[place];
            if member != VACANT {
                put(pool.block_mut(new, new_log2), new_log2, member);
            }
        }
        pool.release(old, old_log2);
        self.words = [new, new_log2];
    }
}

fn home(member: u32, log2: u32) -> usize {
    (member.wrapping_mul(0x9E37_79B1) >> (32 - log2)) as usize
}

fn put(block: &mut [u32], log2: u32, member: u32) {
    let mask = block.len() - 1;
    let mut place = home(member, log2);
    while block[place] != VACANT {
        place = (place + 1) & mask;
    }
    block[place] = member;
}

fn pull(block: &mut [u32], log2: u32, member: u32) -> bool {
    let mask = block.len() - 1;
    let mut place = home(member, log2);
    while block[place] != member {
        if block[place] == VACANT {
            return false;
        }
        place = (place + 1) & mask;
    }
    // Close the gap: move back every later member that may be stored in it.
    let mut gap = place;
    loop {
        place = (place + 1) & mask;
        let other = block[place];
        if other == VACANT {
            break;
        }
        if (place.wrapping_sub(home(other, log2)) & mask) >= (place.wrapping_sub(gap) & mask) {
            block[gap] = other;
            gap = place;
        }
    }
    block[gap] = VACANT;
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_bag_is_a_set(steps in prop::collection::vec((any::<bool>(), 0_u32..120), 0..600)) {
            let (mut pool, mut bag, mut set) = (Pool::default(), ProxySet::default(), BTreeSet::new());
            for (grow, member) in steps {
                if !grow {
                    bag.remove(&mut pool, member);
                    set.remove(&member);
                } else if set.insert(member) {
                    bag.insert(&mut pool, member);
                }
                let members: BTreeSet<u32> = bag.slots(&pool).iter().copied().filter(|&p| ProxySet::is_member(p)).collect();
                prop_assert_eq!(&members, &set);
                prop_assert_eq!(bag.is_empty(), set.is_empty());
            }
        }
    }
}
