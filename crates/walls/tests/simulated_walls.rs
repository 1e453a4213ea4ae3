//! Simulated walls: they obey the protocol over links with random delays, draw for random times, and show frames at the
//! refreshes of their screens. Time is simulated.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::Duration;

use burgess_walls::{FrameLock, LockMode, LockSettings, Order, WallId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Behaviour of a wall. Times are in microseconds.
#[derive(Debug, Clone)]
pub struct Behaviour {
    pub latency: (u64, u64),
    pub drawing: (u64, u64),
    /// Time between two refreshes of the screen, and the time of the first one.
    pub refresh: u64,
    pub phase: u64,
    /// From when to when the wall is slow, and by what factor.
    pub slow: Option<(u64, u64, u64)>,
    /// From when to when the wall exists.
    pub present: (u64, u64),
}

impl Default for Behaviour {
    fn default() -> Self {
        let present = (0, u64::MAX);
        Self { latency: (200, 400), drawing: (2000, 4000), refresh: 16_667, phase: 0, slow: None, present }
    }
}

/// What a wall shows from a time on.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    pub time: u64,
    pub wall: WallId,
    pub frame: u64,
    pub locked: bool,
}

/// All that happened.
#[derive(Debug, Default)]
pub struct Log {
    pub shown: Vec<Shown>,
    /// Time at which each frame was committed to locked walls, by frame.
    pub commits: BTreeMap<u64, u64>,
    /// Walls that were locked when a frame was committed, and the frames for which each wall was ready, with times.
    pub required: BTreeMap<u64, Vec<WallId>>,
    pub ready: BTreeMap<(WallId, u64), u64>,
    /// Times at which walls left the lock and were locked.
    pub late: Vec<(u64, WallId)>,
    pub locked: Vec<(u64, WallId)>,
    pub prepared: BTreeMap<u64, u64>,
    /// Times at which walls got a frame, and whether it was a key frame.
    pub keys: Vec<(u64, WallId, bool)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Join(WallId),
    Leave(WallId),
    Prepare(WallId, u64, Option<u64>),
    Commit(WallId, u64, bool),
    Draw(WallId, u64),
    Refresh(WallId, u64, bool),
    Ready(WallId, u64),
    Shown(WallId, u64),
    Wake,
}

struct Wall {
    behaviour: Behaviour,
    waiting: Option<(u64, Option<u64>)>,
    /// The frame that is drawn, but not reported because the one before is not shown.
    drawn: Option<u64>,
    committed: Option<u64>,
    shown: u64,
    arrival: [u64; 2],
    is_present: bool,
}

pub struct World {
    lock: FrameLock,
    mode: LockMode,
    walls: Vec<Wall>,
    random: Pcg64,
    queue: BinaryHeap<Reverse<(u64, u64, Event)>>,
    sequence: u64,
    wake: Option<u64>,
    pub log: Log,
}

fn micros(time: u64) -> Duration {
    Duration::from_micros(time)
}

impl World {
    pub fn new(period: u64, mode: LockMode, walls: Vec<Behaviour>, seed: u64) -> Self {
        let lock = FrameLock::new(LockSettings { period: micros(period), mode });
        let random = Pcg64::seed_from_u64(seed);
        let (queue, wake, log) = (BinaryHeap::new(), None, Log::default());
        let wall = |behaviour| Wall {
            behaviour,
            waiting: None,
            drawn: None,
            committed: None,
            shown: 0,
            arrival: [0; 2],
            is_present: false,
        };
        let walls = walls.into_iter().map(wall).collect();
        let mut world = Self { lock, mode, walls, random, queue, sequence: 0, wake, log };
        for wall in 0..world.walls.len() {
            let (from, until) = world.walls[wall].behaviour.present;
            world.push(from, Event::Join(wall as u32));
            if until < u64::MAX {
                world.push(until, Event::Leave(wall as u32));
            }
        }
        world
    }

    fn push(&mut self, time: u64, event: Event) {
        self.sequence += 1;
        self.queue.push(Reverse((time, self.sequence, event)));
    }

    /// Simulates until a time, in microseconds.
    pub fn run(&mut self, until: u64) {
        while let Some(Reverse((time, _, event))) = self.queue.pop() {
            if time > until {
                return self.push(time, event);
            }
            self.handle(time, event);
        }
    }

    /// A message between a wall and the server arrives, in the order of sending.
    fn send(&mut self, time: u64, wall: WallId, to_wall: bool, event: Event) {
        let Behaviour { latency: (low, high), .. } = self.walls[wall as usize].behaviour;
        let delay = self.random.random_range(low..=high);
        let last = &mut self.walls[wall as usize].arrival[usize::from(to_wall)];
        *last = (time + delay).max(*last);
        let arrival = *last;
        self.push(arrival, event);
    }

    fn handle(&mut self, time: u64, event: Event) {
        let mut orders = Vec::new();
        let now = micros(time);
        match event {
            Event::Join(wall) => {
                self.walls[wall as usize].is_present = true;
                self.lock.join(wall, now, &mut orders);
            }
            Event::Leave(wall) => {
                self.walls[wall as usize].is_present = false;
                self.log.late.push((time, wall));
                self.lock.leave(wall, now, &mut orders);
            }
            Event::Wake => {
                self.wake = None;
                self.lock.advance(now, &mut orders);
            }
            Event::Ready(wall, frame) if self.walls[wall as usize].is_present => {
                self.log.ready.insert((wall, frame), time);
                self.lock.ready(wall, frame, now, &mut orders).expect("the wall obeys the protocol");
            }
            Event::Shown(wall, frame) if self.walls[wall as usize].is_present => {
                self.lock.shown(wall, frame, now, &mut orders).expect("the wall obeys the protocol");
            }
            Event::Prepare(wall, frame, show_at) => {
                self.walls[wall as usize].waiting = Some((frame, show_at));
                self.draw(time, wall);
            }
            Event::Commit(wall, frame, locked) => {
                self.walls[wall as usize].committed = Some(frame);
                let refresh = self.refresh_after(time, wall);
                self.push(refresh, Event::Refresh(wall, frame, locked));
            }
            Event::Draw(wall, frame) => match self.mode {
                LockMode::Commit => {
                    self.walls[wall as usize].drawn = Some(frame);
                    self.report(time, wall);
                }
                LockMode::Timed => {
                    let (_, show_at) = self.walls[wall as usize].waiting.expect("a frame");
                    let refresh = self.refresh_after(time.max(show_at.expect("a time")), wall);
                    let locked = self.lock.is_locked(wall);
                    self.push(refresh, Event::Refresh(wall, frame, locked));
                }
            },
            Event::Refresh(wall, frame, locked) if self.walls[wall as usize].is_present => {
                if frame <= self.walls[wall as usize].shown {
                    return;
                }
                self.walls[wall as usize].shown = frame;
                self.log.shown.push(Shown { time, wall, frame, locked });
                self.send(time, wall, false, Event::Shown(wall, frame));
                self.report(time, wall);
            }
            _ => {}
        }
        self.obey(time, orders);
    }

    /// Says that a frame is drawn, if the committed one is shown.
    fn report(&mut self, time: u64, wall: WallId) {
        let own = &mut self.walls[wall as usize];
        if own.committed.is_some_and(|committed| own.shown < committed) {
            return;
        }
        if let Some(frame) = own.drawn.take() {
            self.send(time, wall, false, Event::Ready(wall, frame));
        }
    }

    /// Starts to draw the frame that has arrived.
    fn draw(&mut self, time: u64, wall: WallId) {
        let own = &mut self.walls[wall as usize];
        let frame = own.waiting;
        let Some((frame, _)) = frame.filter(|(frame, _)| *frame > own.shown) else { return };
        let Behaviour { drawing: (low, high), slow, .. } = own.behaviour;
        let factor = slow.filter(|(from, until, _)| (*from..*until).contains(&time)).map_or(1, |(_, _, factor)| factor);
        let drawing = factor * self.random.random_range(low..=high);
        self.push(time + drawing, Event::Draw(wall, frame));
    }

    fn refresh_after(&self, time: u64, wall: WallId) -> u64 {
        let Behaviour { refresh, phase, .. } = self.walls[wall as usize].behaviour;
        phase + (time.saturating_sub(phase) / refresh + 1) * refresh
    }

    fn obey(&mut self, time: u64, orders: Vec<Order>) {
        for order in orders {
            match order {
                Order::Prepare { wall, frame, key, show_at } => {
                    self.log.prepared.entry(frame).or_insert(time);
                    self.log.keys.push((time, wall, key));
                    let show_at = show_at.map(|time| time.as_micros() as u64);
                    self.send(time, wall, true, Event::Prepare(wall, frame, show_at));
                }
                Order::Commit { wall, frame, locked } => {
                    if locked {
                        // A wall that is locked later shows the frame after the others.
                        if *self.log.commits.entry(frame).or_insert(time) == time {
                            self.log.required.entry(frame).or_default().push(wall);
                        }
                    }
                    self.send(time, wall, true, Event::Commit(wall, frame, locked));
                }
                Order::Late { wall } => self.log.late.push((time, wall)),
                Order::Locked { wall } => self.log.locked.push((time, wall)),
            }
        }
        let wake = self.lock.next_wake().map(|wake| wake.as_nanos().div_ceil(1000) as u64);
        if let Some(wake) = wake.filter(|wake| self.wake.is_none_or(|planned| *wake < planned || planned <= time)) {
            self.wake = Some(wake);
            self.push(wake.max(time), Event::Wake);
        }
    }
}

impl Log {
    /// Largest difference between the frames that locked walls show at the same time, and the share of time in which they
    /// differ.
    pub fn differences(&self) -> (u64, f64) {
        let mut showing: BTreeMap<WallId, u64> = BTreeMap::new();
        // A wall that has left does not count until it is locked again, although it still shows frames of the lock.
        let mut changes: Vec<(u64, WallId, bool)> = Vec::new();
        changes.extend(self.late.iter().map(|(time, wall)| (*time, *wall, false)));
        changes.extend(self.locked.iter().map(|(time, wall)| (*time, *wall, true)));
        changes.sort_by_key(|(time, ..)| *time);
        let mut changes = changes.into_iter().peekable();
        let mut locked = BTreeSet::new();
        let (mut largest, mut differing, mut last) = (0, 0, 0);
        for shown in &self.shown {
            let spread = |showing: &BTreeMap<WallId, u64>| {
                let frames = showing.values().copied();
                frames.clone().max().unwrap_or(0) - frames.min().unwrap_or(0)
            };
            while let Some((_, wall, is_locked)) = changes.next_if(|(time, ..)| *time <= shown.time) {
                if is_locked {
                    locked.insert(wall);
                } else {
                    locked.remove(&wall);
                    showing.remove(&wall);
                }
            }
            largest = largest.max(spread(&showing));
            differing += if spread(&showing) > 0 { shown.time - last } else { 0 };
            last = shown.time;
            if shown.locked && locked.contains(&shown.wall) {
                showing.insert(shown.wall, shown.frame);
            } else {
                showing.remove(&shown.wall);
            }
        }
        (largest, differing as f64 / last.max(1) as f64)
    }
}
