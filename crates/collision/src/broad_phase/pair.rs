//! Proxy ids, pairs of them, and the sorted list of overlapping pairs.

/// Id of a box in a broad phase. It is stable, and is reused only after the box is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProxyId(pub(super) u32);

impl ProxyId {
    /// Returns the id as a small index, for arrays parallel to the proxies.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Two proxies, the smaller id first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The smaller id.
    pub a: ProxyId,
    /// The larger id.
    pub b: ProxyId,
}

impl Pair {
    /// Creates the pair of two different proxies, given in any order.
    pub fn new(first: ProxyId, second: ProxyId) -> Self {
        Self { a: first.min(second), b: first.max(second) }
    }
}

/// A pair packed into one word. Keys sort like pairs. No pair has key 0.
pub(super) type PairKey = u64;

/// Returns the key of two different proxies, given in any order.
#[inline]
pub(super) fn pair_key(first: u32, second: u32) -> PairKey {
    let (a, b) = if first < second { (first, second) } else { (second, first) };
    (u64::from(a) << 32) | u64::from(b)
}

#[inline]
pub(super) fn key_members(key: PairKey) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

fn key_of(pair: &Pair) -> PairKey {
    pair_key(pair.a.0, pair.b.0)
}

fn pair_of(key: PairKey) -> Pair {
    let (a, b) = key_members(key);
    Pair { a: ProxyId(a), b: ProxyId(b) }
}

/// The sorted list of overlapping pairs. Each update merges the pairs that began and ended into it.
#[derive(Debug, Clone, Default)]
pub(super) struct PairList {
    pairs: Vec<Pair>,
    merged: Vec<Pair>,
    began: Vec<PairKey>,
    ended: Vec<PairKey>,
}

impl PairList {
    pub fn as_slice(&self) -> &[Pair] {
        &self.pairs
    }

    /// Adds the pair at the next `apply`. Overrides `end`.
    pub fn begin(&mut self, key: PairKey) {
        self.began.push(key);
    }

    /// Removes the pair at the next `apply`.
    pub fn end(&mut self, key: PairKey) {
        self.ended.push(key);
    }

    /// Removes all pairs for which `ends` holds, at the next `apply`.
    pub fn end_where(&mut self, ends: impl Fn(u32, u32) -> bool) {
        self.ended.extend(self.pairs.iter().filter(|pair| ends(pair.a.0, pair.b.0)).map(key_of));
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.began.clear();
        self.ended.clear();
    }

    /// Appends a pair that sorts after all others.
    pub fn push_last(&mut self, key: PairKey) {
        self.pairs.push(pair_of(key));
    }

    /// Merges the added and removed pairs into the list. Returns the number of new pairs.
    pub fn apply(&mut self) -> usize {
        if self.began.is_empty() && self.ended.is_empty() {
            return 0;
        }
        let mut created = 0;
        self.began.sort_unstable();
        self.began.dedup();
        self.ended.sort_unstable();
        self.ended.dedup();

        self.merged.clear();
        // The two lists are swapped at every merge, so both need the same capacity.
        self.merged.reserve(self.pairs.capacity());
        let (mut rest, mut began, mut ended) = (&self.pairs[..], &self.began[..], &self.ended[..]);
        loop {
            // Smallest changed key. A pair that both began and ended stays.
            let (key, present) = match (began.first(), ended.first()) {
                (None, None) => break,
                (Some(&b), Some(&e)) if e < b => (e, false),
                (None, Some(&e)) => (e, false),
                (Some(&b), _) => (b, true),
            };
            began = skip_key(began, key);
            ended = skip_key(ended, key);

            let (unchanged, after) = rest.split_at(first_not_below(rest, key));
            self.merged.extend_from_slice(unchanged);
            let known = after.first().map(key_of) == Some(key);
            rest = if known { &after[1..] } else { after };
            if present {
                self.merged.push(pair_of(key));
                created += usize::from(!known);
            }
        }
        self.merged.extend_from_slice(rest);
        std::mem::swap(&mut self.pairs, &mut self.merged);
        self.began.clear();
        self.ended.clear();
        created
    }
}

fn skip_key(keys: &[PairKey], key: PairKey) -> &[PairKey] {
    if keys.first() == Some(&key) { &keys[1..] } else { keys }
}

/// Returns the index of the first pair not below `key`. The search doubles its steps, because the next change is
/// usually near.
fn first_not_below(pairs: &[Pair], key: PairKey) -> usize {
    let mut bound = 1;
    while bound < pairs.len() && key_of(&pairs[bound - 1]) < key {
        bound *= 2;
    }
    let low = bound / 2;
    let high = bound.min(pairs.len());
    low + pairs[low..high].partition_point(|pair| key_of(pair) < key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(list: &PairList) -> Vec<PairKey> {
        list.as_slice().iter().map(key_of).collect()
    }

    #[test]
    fn a_merge_adds_removes_and_keeps() {
        let mut list = PairList::default();
        for n in [9, 3, 5, 7, 3] {
            list.begin(pair_key(n, 1));
        }
        list.apply();
        assert_eq!(keys(&list), [3, 5, 7, 9].map(|n| pair_key(1, n)));
        // 5 ends; 7 ends and begins again; 2 and 11 begin; 4 ends but was not in the list; 9 begins again.
        for n in [5, 7, 4] {
            list.end(pair_key(1, n));
        }
        for n in [11, 2, 7, 9] {
            list.begin(pair_key(1, n));
        }
        list.apply();
        assert_eq!(keys(&list), [2, 3, 7, 9, 11].map(|n| pair_key(1, n)));
    }

    #[test]
    fn a_long_list_is_searched_right_at_every_place() {
        let pairs: Vec<Pair> = (0..100).map(|n| pair_of(pair_key(1, 10 + 2 * n))).collect();
        for n in 9..213 {
            let key = pair_key(1, n);
            assert_eq!(first_not_below(&pairs, key), pairs.iter().filter(|p| key_of(p) < key).count(), "{n}");
        }
    }
}
