//! Lower bounds on times of impact, the earliest on top (Mirtich and Canny 1995, section 3.1).

/// A binary heap of items 0, 1, 2, ... by time. The time of any item can be changed. Equal times are ordered by item.
#[derive(Debug, Clone, Default)]
pub struct ImpactHeap {
    /// Time of each item, in s.
    times: Vec<f64>,
    /// Items in heap order.
    heap: Vec<u32>,
    /// Place of each item in `heap`.
    places: Vec<u32>,
}

impl ImpactHeap {
    /// Resets the heap to a number of items, all of them due at once.
    pub fn reset(&mut self, items: usize) {
        self.times.clear();
        self.times.resize(items, f64::NEG_INFINITY);
        self.heap.clear();
        self.heap.extend(0..items as u32);
        self.places.clear();
        self.places.extend(0..items as u32);
    }

    /// Returns the earliest item and its time.
    pub fn first(&self) -> Option<(usize, f64)> {
        self.heap.first().map(|&item| (item as usize, self.times[item as usize]))
    }

    /// Returns the time of an item.
    pub fn time(&self, item: usize) -> f64 {
        self.times[item]
    }

    /// Changes the time of an item.
    pub fn set(&mut self, item: usize, time: f64) {
        self.times[item] = time;
        let place = self.places[item] as usize;
        let place = self.rise(place);
        self.sink(place);
    }

    fn is_before(&self, first: u32, second: u32) -> bool {
        let (a, b) = (self.times[first as usize], self.times[second as usize]);
        a.total_cmp(&b).then(first.cmp(&second)).is_lt()
    }
}

/// Restores the heap order.
impl ImpactHeap {
    fn swap(&mut self, i: usize, k: usize) {
        self.heap.swap(i, k);
        self.places[self.heap[i] as usize] = i as u32;
        self.places[self.heap[k] as usize] = k as u32;
    }

    fn rise(&mut self, mut place: usize) -> usize {
        while place > 0 && self.is_before(self.heap[place], self.heap[(place - 1) / 2]) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        place
    }

    fn sink(&mut self, mut place: usize) {
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            let mut first = place;
            for child in [left, right] {
                if child < self.heap.len() && self.is_before(self.heap[child], self.heap[first]) {
                    first = child;
                }
            }
            if first == place {
                return;
            }
            self.swap(place, first);
            place = first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ImpactHeap;

    #[test]
    fn the_earliest_is_first_whatever_changes() {
        let mut heap = ImpactHeap::default();
        heap.reset(50);
        let mut times = vec![f64::NEG_INFINITY; 50];
        let mut seed = 1_u64;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (item, time) = ((seed >> 33) as usize % 50, (seed >> 40) as f64);
            heap.set(item, time);
            times[item] = time;
            let earliest = times.iter().copied().fold(f64::INFINITY, f64::min);
            assert_eq!(heap.first().unwrap().1, earliest);
        }
    }
}
