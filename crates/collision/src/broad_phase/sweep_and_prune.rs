//! Sweep and prune: the ends of the boxes are sorted along each axis. When two ends are swapped, their boxes may begin
//! or cease to overlap.

use burgess_geometry::Aabb;

use super::motion::NOTHING;
use super::pair::{PairList, pair_key};
use super::{BroadPhase, Pair, Proxies, Statistics};

/// Keeps the ends of the boxes sorted along three axes by insertion sort, which is fast if few ends pass each other
/// between updates.
#[derive(Debug, Clone, Default)]
pub struct SweepAndPrune {
    proxies: Proxies,
    axes: [Vec<End>; 3],
    /// The boxes as currently sorted; NaN for boxes that are not in the lists.
    sorted: Vec<Aabb>,
    /// Scratch of the sweep: proxies whose box contains the current end.
    open: Vec<u32>,
    pairs: PairList,
    statistics: Statistics,
}

/// The lower or upper end of a box on one axis.
#[derive(Debug, Clone, Copy)]
struct End {
    value: f64,
    /// Twice the proxy's id, plus 1 for an upper end.
    code: u32,
}

impl End {
    fn proxy(self) -> u32 {
        self.code >> 1
    }

    fn is_upper(self) -> bool {
        self.code & 1 != 0
    }

    /// Of equal ends the lower comes first, because boxes that touch overlap.
    #[inline]
    fn comes_before(self, other: Self) -> bool {
        self.value < other.value || (self.value == other.value && !self.is_upper() && other.is_upper())
    }
}

impl SweepAndPrune {
    /// Creates a broad phase without proxies.
    pub fn new() -> Self {
        Self::default()
    }

    fn is_sorted(&self, proxy: u32) -> bool {
        !self.sorted[proxy as usize].min.x.is_nan()
    }

    /// Takes out proxies that were removed, became empty or got another filter.
    fn drop_reset(&mut self) {
        let mut any = false;
        for &proxy in self.proxies.changes() {
            let stays = self.proxies.occupies_space(proxy) && !self.proxies.is_reset(proxy);
            if !stays && self.is_sorted(proxy) {
                self.sorted[proxy as usize] = NOTHING;
                any = true;
            }
        }
        if !any {
            return;
        }
        let Self { axes, sorted, pairs, .. } = self;
        let is_sorted = |proxy: u32| !sorted[proxy as usize].min.x.is_nan();
        for axis in axes {
            axis.retain(|end| is_sorted(end.proxy()));
        }
        pairs.end_where(|a, b| !is_sorted(a) || !is_sorted(b));
    }

    /// Appends the ends of new boxes. Returns the number of new boxes.
    fn append_new(&mut self) -> usize {
        let mut added = 0;
        for &proxy in self.proxies.changes() {
            if self.proxies.occupies_space(proxy) && !self.is_sorted(proxy) {
                for axis in &mut self.axes {
                    axis.extend([2 * proxy, 2 * proxy + 1].map(|code| End { value: 0.0, code }));
                }
                added += 1;
            }
        }
        added
    }

    fn read_values(&mut self) {
        for (axis, ends) in self.axes.iter_mut().enumerate() {
            for end in ends {
                let aabb = self.proxies.aabb(end.proxy());
                end.value = if end.is_upper() { aabb.max[axis] } else { aabb.min[axis] };
            }
        }
    }

    /// Insertion sort. Boxes whose ends are swapped may begin or cease to overlap.
    fn sort_coherently(&mut self) {
        let Self { axes, proxies, sorted, pairs, statistics, .. } = self;
        for ends in axes {
            for sorted_ends in 1..ends.len() {
                let end = ends[sorted_ends];
                let mut place = sorted_ends;
                while place > 0 && end.comes_before(ends[place - 1]) {
                    let passed = ends[place - 1];
                    ends[place] = passed;
                    place -= 1;
                    if end.is_upper() != passed.is_upper() {
                        let (x, y) = (end.proxy(), passed.proxy());
                        let before = sorted[x as usize].overlaps(&sorted[y as usize]);
                        if end.is_upper() && before {
                            pairs.end(pair_key(x, y));
                        } else if passed.is_upper() && !before && proxies.overlap(x, y) && proxies.allows(x, y) {
                            pairs.begin(pair_key(x, y));
                        }
                    }
                    statistics.operations += 1;
                }
                ends[place] = end;
                statistics.operations += 1;
            }
        }
    }

    /// Sorts from scratch and sweeps along the first axis.
    fn sort_anew(&mut self) {
        let Self { axes, proxies, open, pairs, statistics, .. } = self;
        for ends in axes.iter_mut() {
            // Lower before upper, then by id. Negative zero equals zero.
            ends.sort_unstable_by(|a, b| {
                (a.value + 0.0).total_cmp(&(b.value + 0.0)).then((a.code & 1, a.code).cmp(&(b.code & 1, b.code)))
            });
            statistics.operations += ends.len() as u64;
        }
        pairs.end_where(|_, _| true);
        open.clear();
        for end in &axes[0] {
            let proxy = end.proxy();
            if end.is_upper() {
                open.retain(|&other| other != proxy);
                continue;
            }
            statistics.operations += open.len() as u64;
            for &other in open.iter() {
                if proxies.overlap(proxy, other) && proxies.allows(proxy, other) {
                    pairs.begin(pair_key(proxy, other));
                }
            }
            open.push(proxy);
        }
    }
}

impl BroadPhase for SweepAndPrune {
    fn proxies(&self) -> &Proxies {
        &self.proxies
    }

    fn proxies_mut(&mut self) -> &mut Proxies {
        &mut self.proxies
    }

    fn update(&mut self) {
        self.statistics.start_update();
        if self.proxies.changes().is_empty() {
            return;
        }
        self.sorted.resize(self.proxies.capacity(), NOTHING);
        self.drop_reset();
        let added = self.append_new();
        self.read_values();
        // Each new end passes half of the others, so many of them are better sorted together.
        if added > 8 + self.proxies.len() / 16 {
            self.sort_anew();
        } else {
            self.sort_coherently();
        }
        for &proxy in self.proxies.changes() {
            self.sorted[proxy as usize] = *self.proxies.aabb(proxy);
        }
        let created = self.pairs.apply();
        self.statistics.visited = self.proxies.changes().len();
        self.proxies.clear_changes();
        self.statistics.candidates = self.pairs.as_slice().len();
        self.statistics.candidates_created += created as u64;
    }

    fn pairs(&self) -> &[Pair] {
        self.pairs.as_slice()
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }
}
