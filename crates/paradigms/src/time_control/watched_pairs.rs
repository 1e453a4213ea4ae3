//! The pairs of colliders that may meet within a step, and the earliest time at which each can.
//! Every collider has a box that contains it for the rest of the step if its motion bound holds. Pairs whose boxes
//! overlap are watched: their bounds are in a heap. A bound is renewed when it is due and when an impulse changed one
//! of the two trees. Connected pairs inside the collision envelope are evaluated together, at half of their time:
//! contacts of a stack then collide at the same stops.

use burgess_collision::broad_phase::Pair;
use burgess_geometry::{Aabb, Flight};
use burgess_simulation::{Nearness, SimulationData};

use super::courses::Courses;
use super::impact_bound::time_to_close;
use super::impact_heap::ImpactHeap;

/// Margin of the boxes relative to the body's radius, so that small deviations stay inside.
const BOX_MARGIN_FRACTION: f64 = 0.05;

/// All pairs whose boxes overlap. Times are in s since the start of the step.
#[derive(Debug, Clone, Default)]
pub(super) struct WatchedPairs {
    /// Thickness of the collision envelope, in m.
    epsilon: f64,
    pairs: Vec<Pair>,
    /// Result of the last evaluation of each pair; `None` for pairs without a distance.
    near: Vec<Option<Nearness>>,
    /// Stop of the last evaluation of each pair.
    looked_at: Vec<u64>,
    heap: ImpactHeap,
    /// Trees and their pairs, sorted.
    of_tree: Vec<(u32, u32)>,
    /// Box of each collider.
    boxes: Vec<Aabb>,
    /// Time at which half of the interval until the bound has passed.
    half_time: Vec<f64>,
    /// The pairs in the collision envelope evaluated at this stop, ascending.
    close: Vec<u32>,
    /// For each tree, whether it may get an impulse at this stop.
    active: Vec<bool>,
    /// Number of the current stop.
    stop: u64,
    old_pairs: Vec<Pair>,
    old: Vec<(Option<Nearness>, u64, f64, f64)>,
}

impl WatchedPairs {
    /// Starts a step of `step` s: computes boxes for all colliders; no bounds are known.
    pub fn begin(&mut self, data: &mut SimulationData, courses: &Courses, epsilon: f64, step: f64) {
        self.epsilon = epsilon;
        self.boxes.resize(data.world.colliders().len(), Aabb::EMPTY);
        self.pairs.clear();
        self.heap.reset(0);
        for collider in 0..self.boxes.len() {
            self.enclose(data, courses, collider, step);
        }
        self.pair_up(data);
    }

    /// Begins the next stop; every pair may be evaluated again.
    pub fn next_stop(&mut self) {
        self.stop += 1;
    }

    /// Returns the pair that can meet first, and when.
    pub fn first(&self) -> Option<(Pair, f64)> {
        self.heap.first().map(|(index, time)| (self.pairs[index], time))
    }

    /// Returns the pairs in the envelope.
    pub fn close(&self) -> impl Iterator<Item = (u32, Nearness)> {
        self.close.iter().filter_map(|&index| Some((index, self.near[index as usize]?)))
    }

    /// Evaluates the pairs that are due, those in the envelope that soon will be, and all that an impact there can
    /// reach through bodies in contact.
    pub fn look(&mut self, data: &mut SimulationData, courses: &Courses, now: f64) {
        self.look_at_due(data, courses, now);
        let Self { close, near, epsilon, .. } = self;
        close.clear();
        let inside = |near: &Option<Nearness>| near.is_some_and(|near| near.distance < *epsilon);
        close.extend((0..near.len() as u32).filter(|&index| inside(&near[index as usize])));
        self.find_active(data, now);
        let mut close = std::mem::take(&mut self.close);
        close.retain(|&index| {
            let active = self.trees_of(data, index as usize).into_iter().flatten().any(|tree| self.active[tree]);
            if active {
                self.look_at(data, courses, index as usize, now);
            }
            active && self.near[index as usize].is_some_and(|near| near.distance < self.epsilon)
        });
        self.close = close;
    }

    /// Marks the trees of pairs in the envelope that are evaluated at this stop, and of all trees connected to them.
    fn find_active(&mut self, data: &SimulationData, now: f64) {
        self.active.clear();
        self.active.resize(data.world.trees().len(), false);
        for place in 0..self.close.len() {
            let index = self.close[place] as usize;
            if self.looked_at[index] == self.stop || self.half_time[index] <= now {
                for tree in self.trees_of(data, index).into_iter().flatten() {
                    self.active[tree] = true;
                }
            }
        }
        // Alternate directions until nothing changes: this finds chains in ascending or descending order quickly.
        let (mut changed, mut backwards) = (true, false);
        while changed {
            changed = false;
            for place in 0..self.close.len() {
                let place = if backwards { self.close.len() - 1 - place } else { place };
                if let [Some(a), Some(b)] = self.trees_of(data, self.close[place] as usize)
                    && self.active[a] != self.active[b]
                {
                    (self.active[a], self.active[b]) = (true, true);
                    changed = true;
                }
            }
            backwards = !backwards;
        }
    }

    /// Returns the trees of a pair that impulses can move.
    fn trees_of(&self, data: &SimulationData, index: usize) -> [Option<usize>; 2] {
        let Pair { a, b } = self.pairs[index];
        [a, b].map(|proxy| {
            let tree = data.world.tree_of_link(data.world.colliders()[proxy.index()].link?);
            (!data.world.trees()[tree].is_fixed).then_some(tree)
        })
    }

    /// Evaluates the pairs that are due.
    pub fn look_at_due(&mut self, data: &mut SimulationData, courses: &Courses, now: f64) {
        while let Some((index, time)) = self.heap.first()
            && time <= now
            && self.looked_at[index] != self.stop
        {
            self.look_at(data, courses, index, now);
        }
    }

    /// Evaluates the pairs of a tree whose velocities have changed.
    pub fn look_at_tree(&mut self, data: &mut SimulationData, courses: &Courses, tree: usize, now: f64) {
        let start = self.of_tree.partition_point(|entry| (entry.0 as usize) < tree);
        for entry in start..self.of_tree.len() {
            let (of, index) = self.of_tree[entry];
            if of as usize != tree {
                break;
            }
            self.look_at(data, courses, index as usize, now);
        }
    }

    /// Returns whether all colliders are inside their boxes.
    pub fn boxes_hold(&self, data: &SimulationData) -> bool {
        let moving = data.world.colliders().iter().enumerate().filter(|(_, collider)| collider.link.is_some());
        let mut moving = moving.map(|(index, _)| index);
        moving.all(|index| self.boxes[index].contains(&data.detection.tight_box(&data.world, index)))
    }

    /// Computes new boxes for the colliders that will not stay in theirs within the next `rest` s.
    pub fn renew_boxes(&mut self, data: &mut SimulationData, courses: &Courses, rest: f64) {
        let mut changed = false;
        for collider in 0..self.boxes.len() {
            if data.world.colliders()[collider].link.is_none() {
                continue;
            }
            let reached = reach_of(data, courses, collider, rest);
            if !self.boxes[collider].contains(&reached) {
                self.enclose(data, courses, collider, rest);
                changed = true;
            }
        }
        if changed {
            self.pair_up(data);
        }
    }

    /// Evaluates the distance and the bound of a pair: the distance once per stop, the bound always.
    fn look_at(&mut self, data: &mut SimulationData, courses: &Courses, index: usize, now: f64) {
        if self.looked_at[index] != self.stop {
            self.near[index] = data.detection.nearness(&data.world, &mut data.pairs, index);
            self.looked_at[index] = self.stop;
        }
        let time = self.near[index].map_or(f64::INFINITY, |near| {
            let Pair { a, b } = self.pairs[index];
            let [a, b] = [a, b].map(|proxy| &data.world.colliders()[proxy.index()]);
            let course = [a, b].map(|collider| courses.course(data, collider.link));
            let gap = free_gap(near.distance, self.epsilon);
            now + time_to_close(&near, gap, [&course[0], &course[1]], [a.reach, b.reach])
        });
        self.heap.set(index, time);
        self.half_time[index] = 0.5 * (now + time);
    }

    fn enclose(&mut self, data: &mut SimulationData, courses: &Courses, collider: usize, time: f64) {
        let SimulationData { world, detection, .. } = &*data;
        let aabb = match world.colliders()[collider].link {
            None => detection.tight_box(world, collider),
            Some(_) => {
                let room = self.epsilon + BOX_MARGIN_FRACTION * world.colliders()[collider].reach;
                reach_of(data, courses, collider, time).inflated(room)
            }
        };
        self.boxes[collider] = aabb;
        data.detection.set_box(collider, aabb);
    }

    /// Runs the broad phase. Results for persisting pairs are kept, new pairs are due at once.
    fn pair_up(&mut self, data: &mut SimulationData) {
        data.detection.pair_boxes(&mut data.pairs);
        let found = data.detection.pairs();
        if found == self.pairs && !found.is_empty() {
            return;
        }
        self.old.clear();
        for index in 0..self.pairs.len() {
            let known = (self.near[index], self.looked_at[index], self.half_time[index], self.heap.time(index));
            self.old.push(known);
        }
        std::mem::swap(&mut self.pairs, &mut self.old_pairs);
        self.pairs.clear();
        self.pairs.extend_from_slice(found);
        self.near.clear();
        self.looked_at.clear();
        self.half_time.clear();
        self.of_tree.clear();
        self.close.clear();
        self.heap.reset(found.len());
        for (index, pair) in found.iter().enumerate() {
            let known = self.old_pairs.binary_search(pair).map(|old| self.old[old]);
            let due = f64::NEG_INFINITY;
            let (near, looked_at, half_time, time) = known.unwrap_or((None, u64::MAX, due, due));
            self.near.push(near);
            self.looked_at.push(looked_at);
            self.half_time.push(half_time);
            self.heap.set(index, time);
            for proxy in [pair.a, pair.b] {
                if let Some(link) = data.world.colliders()[proxy.index()].link {
                    self.of_tree.push((data.world.tree_of_link(link) as u32, index as u32));
                }
            }
        }
        self.old_pairs.clear();
        self.of_tree.sort_unstable();
        self.of_tree.dedup();
    }
}

/// Returns the box of everything that a collider reaches within a time.
fn reach_of(data: &SimulationData, courses: &Courses, collider: usize, time: f64) -> Aabb {
    let SimulationData { world, detection, .. } = data;
    let link = world.colliders()[collider].link;
    let course = courses.course(data, link);
    let flight = Flight {
        velocity: course.velocity,
        acceleration: course.acceleration,
        angular_speed: course.turning,
        interval: time,
    };
    let tight = detection.tight_box(world, collider);
    let swept = tight.swept_turning(course.anchor, world.colliders()[collider].reach, &flight);
    swept.inflated(course.growth * time * time).union(&tight)
}

/// Returns by how much a pair at a distance may close before it must be evaluated again: down to half of the envelope,
/// where a collision is detected. Inside of that, a fraction of the envelope, so that time advances however near bodies
/// are; the fraction decreases with depth, so that the pressing motion stays slow enough to be pushed back.
pub(super) fn free_gap(distance: f64, epsilon: f64) -> f64 {
    let inside = (0.5 * distance).clamp(epsilon / 64.0, 0.25 * epsilon);
    (distance - 0.5 * epsilon).max(inside)
}

/// Returns the name of a moving body of a pair.
pub(super) fn name_of(data: &SimulationData, pair: Pair) -> String {
    let link = |proxy: usize| data.world.colliders()[proxy].link;
    data.name(link(pair.b.index()).or(link(pair.a.index())))
}

#[cfg(test)]
mod tests {
    use super::free_gap;

    #[test]
    fn gaps_never_end() {
        for distance in [-1.0, 0.0, 0.2, 0.5, 0.9, 1.0, 5.0] {
            assert!(free_gap(distance, 1.0) >= 1.0 / 64.0);
        }
        assert_eq!(free_gap(5.0, 1.0), 4.5);
    }
}
