//! Overlapping pairs of many boxes over many steps.

mod burgess;
mod parry;

use std::hint::black_box;

use anyhow::{Result, bail};
use burgess_geometry::Aabb;

use crate::Options;
use crate::crowd::{Crowd, Frame};
use crate::duel::{self, Duel};
use crate::report;

/// A broad phase with the boxes of one scene.
pub trait Overlaps {
    /// Updates the boxes that moved, and adds exactly the pairs of boxes that overlap now to `pairs`.
    fn step(&mut self, frame: &Frame, pairs: &mut Pairs) -> Result<()>;
}

/// Receives pairs. Counts them and computes an order-independent hash, so that two sets can be compared, or stores
/// them.
#[derive(Default)]
pub struct Pairs {
    count: usize,
    hash: u64,
    stored: Option<Vec<(u32, u32)>>,
}

impl Pairs {
    /// Adds a pair, in any order.
    #[inline]
    pub fn add(&mut self, a: u32, b: u32) {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        // The multiplication makes equal sums of different sets unlikely.
        self.hash = self.hash.wrapping_add(
            (u64::from(low) << 32 | u64::from(high)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
                ^ u64::from(high),
        );
        self.count += 1;
        if let Some(stored) = &mut self.stored {
            stored.push((low, high));
        }
    }

    fn storing() -> Self {
        Self { stored: Some(Vec::new()), ..Self::default() }
    }

    fn sorted(self) -> Vec<(u32, u32)> {
        let mut pairs = self.stored.unwrap_or_default();
        pairs.sort_unstable();
        pairs
    }
}

/// Runs `hash-4096`.
pub fn crowd_4096(options: &Options) -> Result<()> {
    compare("hash-4096", options, || Crowd::flying(4096, 1))
}

/// Runs `hash-65536`.
pub fn crowd_65536(options: &Options) -> Result<()> {
    compare("hash-65536", options, || Crowd::flying(65_536, 2))
}

/// Runs `hash-sizes`: boxes from 1 m to 1000 m in one scene.
pub fn sizes(options: &Options) -> Result<()> {
    compare("hash-sizes", options, || Crowd::of_all_sizes(4096, 3))
}

/// Runs `hash-pile`: a settled pile in which few objects move.
pub fn pile(options: &Options) -> Result<()> {
    compare("hash-pile", options, || Crowd::pile(16, 4))
}

/// Creates the broad phase of a peer.
type CreatePeer = fn(&[Aabb]) -> Box<dyn Overlaps>;

/// Peers and their names.
const PEERS: [(&str, CreatePeer); 2] = [
    ("parry3d-f64 Bvh, refit", |boxes| Box::new(parry::Refit::new(boxes))),
    ("parry3d-f64 Bvh, margin", |boxes| Box::new(parry::Margin::new(boxes))),
];

/// Number of steps that are compared pair by pair before the timing starts.
const CHECKED_STEPS: usize = 20;

fn compare(bench: &str, options: &Options, scene: impl Fn() -> Crowd) -> Result<()> {
    for (peer, create) in PEERS {
        let crowd = scene();
        let ours = burgess::Burgess::new(crowd.boxes())?;
        let sides = [Box::new(ours), create(crowd.boxes())];
        let mut comparison = Comparison { crowd, frames: Vec::new(), work: 0, sides, seen: [Ok((0, 0)), Ok((0, 0))] };
        let pairs = comparison.check(bench)?;
        let measured = duel::run(&mut comparison, options.seconds)?;
        eprintln!("{bench}: {} objects, {pairs} overlaps", comparison.crowd.boxes().len());
        report::print(bench, "ns/step", peer, &measured)?;
    }
    Ok(())
}

/// One scene and both broad phases.
struct Comparison {
    crowd: Crowd,
    frames: Vec<Frame>,
    work: usize,
    sides: [Box<dyn Overlaps>; 2],
    seen: [Result<(usize, u64)>; 2],
}

impl Comparison {
    /// Checks that both broad phases find the same pairs as an exhaustive search; returns the number of pairs at the
    /// end.
    fn check(&mut self, bench: &str) -> Result<usize> {
        let mut pairs = 0;
        for step in 0..CHECKED_STEPS {
            self.prepare(1)?;
            let frame = &self.frames[0];
            let [ours, theirs] = &mut self.sides;
            let (ours, theirs) = (pairs_of(ours.as_mut(), frame)?, pairs_of(theirs.as_mut(), frame)?);
            if ours != theirs {
                bail!("{bench}: step {step}: the overlaps differ: {} and {}", ours.len(), theirs.len());
            }
            if step == CHECKED_STEPS - 1 && ours != exhaustive(&frame.boxes) {
                bail!("{bench}: step {step}: both broad phases miss overlaps");
            }
            pairs = ours.len();
        }
        Ok(pairs)
    }
}

fn pairs_of(side: &mut dyn Overlaps, frame: &Frame) -> Result<Vec<(u32, u32)>> {
    let mut pairs = Pairs::storing();
    side.step(frame, &mut pairs)?;
    Ok(pairs.sorted())
}

impl Duel for Comparison {
    fn prepare(&mut self, work: usize) -> Result<()> {
        self.work = work;
        if self.frames.len() < work {
            self.frames.resize(work, Frame::default());
        }
        for frame in &mut self.frames[..work] {
            self.crowd.step(frame);
        }
        Ok(())
    }

    fn run(&mut self, side: usize) {
        let mut pairs = Pairs::default();
        let frames = &self.frames[..self.work];
        let outcome = frames.iter().try_for_each(|frame| self.sides[side].step(frame, &mut pairs));
        self.seen[side] = black_box(outcome.map(|()| (pairs.count, pairs.hash)));
    }

    fn agree(&mut self) -> Result<()> {
        let [ours, theirs] = self.seen.each_mut().map(|seen| std::mem::replace(seen, Ok((0, 0))));
        let (ours, theirs) = (ours?, theirs?);
        if ours != theirs {
            bail!("the overlaps in a slice differ: {} and {}", ours.0, theirs.0);
        }
        Ok(())
    }
}

/// Tests all pairs, sorted by their minimum x so that most pairs can be skipped.
fn exhaustive(boxes: &[Aabb]) -> Vec<(u32, u32)> {
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by(|&a, &b| boxes[a as usize].min.x.total_cmp(&boxes[b as usize].min.x));
    let mut pairs = Vec::new();
    for (index, &a) in order.iter().enumerate() {
        for &b in order[index + 1..].iter().take_while(|&&b| boxes[b as usize].min.x <= boxes[a as usize].max.x) {
            if boxes[a as usize].overlaps(&boxes[b as usize]) {
                pairs.push((a.min(b), a.max(b)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
