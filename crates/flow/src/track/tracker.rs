//! The tracker: it gives each tube of a step the track of the tube that it continues, and lists the events.

use serde::{Deserialize, Serialize};

use super::labels::Labels;
use crate::grid::Grid;
use crate::tubes::Tube;

/// Share of a tube that must lie in another one, after it moved with the flow, for both to be linked.
const MIN_SHARE: f64 = 0.3;

/// How a track starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// It is in the first step.
    Start,
    /// It appears away from other tubes.
    Born,
    /// It splits from another tube.
    Split,
}

/// How a track ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It is in the last step.
    End,
    /// It disappears.
    Dies,
    /// It merges into another tube.
    Merges,
}

/// The life of a tube.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// First step.
    pub first: u32,
    /// Last step.
    pub last: u32,
    /// How it starts.
    pub origin: Origin,
    /// How it ends.
    pub end: End,
}

/// What happens to tubes between two steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A tube appears.
    Born,
    /// A tube becomes several.
    Split,
    /// Several tubes become one.
    Merge,
    /// A tube disappears.
    Dies,
}

impl EventKind {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Born => "born",
            Self::Split => "split",
            Self::Merge => "merge",
            Self::Dies => "dies",
        }
    }
}

/// An event and its tracks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// The step after the event.
    pub step: u32,
    /// What happens.
    pub kind: EventKind,
    /// Tracks before the event.
    pub from: Vec<u32>,
    /// Tracks after the event.
    pub to: Vec<u32>,
}

/// What the tracker found for one step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrackedStep {
    /// Track of each tube.
    pub tracks: Vec<u32>,
    /// Pairs of tubes of the last step and of this one that overlap.
    pub links: Vec<[u32; 2]>,
    /// Number of tubes that go on: linked to one tube, which is linked to no other.
    pub going_on: usize,
}

/// Follows tubes from step to step.
pub struct Tracker {
    grid: Grid,
    steps: u32,
    tracks: Vec<Track>,
    events: Vec<Event>,
    last: Option<Last>,
}

struct Last {
    time: f64,
    tubes: Vec<Tube>,
    tracks: Vec<u32>,
    labels: Labels,
}

impl Tracker {
    /// Starts before the first step.
    pub fn new(grid: Grid) -> Self {
        Self { grid, steps: 0, tracks: Vec::new(), events: Vec::new(), last: None }
    }

    /// Adds the tubes of the next step.
    pub fn add(&mut self, time: f64, tubes: Vec<Tube>) -> TrackedStep {
        let labels = Labels::new(self.grid, &tubes);
        let step = self.steps;
        self.steps += 1;
        let mut tracked = TrackedStep::default();
        match self.last.take() {
            None => tracked.tracks = tubes.iter().map(|_| self.start(step, Origin::Start)).collect(),
            Some(last) => {
                let overlaps = overlaps(&last, time, &tubes, &labels);
                tracked = self.link(step, &last, tubes.len(), &overlaps);
            }
        }
        self.last = Some(Last { time, tubes, tracks: tracked.tracks.clone(), labels });
        tracked
    }

    /// All tracks and events.
    pub fn finish(self) -> (Vec<Track>, Vec<Event>) {
        (self.tracks, self.events)
    }

    fn start(&mut self, step: u32, origin: Origin) -> u32 {
        self.tracks.push(Track { first: step, last: step, origin, end: End::End });
        self.tracks.len() as u32 - 1
    }

    fn link(&mut self, step: u32, last: &Last, count: usize, overlaps: &[Overlap]) -> TrackedStep {
        let of_old = |old: usize| overlaps.iter().filter(move |overlap| overlap.old == old);
        let of_new = |new: usize| overlaps.iter().filter(move |overlap| overlap.new == new);
        let largest = |best: Option<&Overlap>, overlap: &Overlap| best.is_none_or(|best| overlap.length > best.length);
        fn main<'a>(
            candidates: impl Iterator<Item = &'a Overlap>,
            largest: impl Fn(Option<&Overlap>, &Overlap) -> bool,
        ) -> Option<&'a Overlap> {
            candidates.fold(None, |best, overlap| if largest(best, overlap) { Some(overlap) } else { best })
        }
        let mut tracked = TrackedStep::default();
        for new in 0..count {
            let source = main(of_new(new), largest);
            // The track goes on where both tubes are each other's largest part.
            let continued =
                source.filter(|source| main(of_old(source.old), largest).is_some_and(|best| best.new == new));
            let track = match (continued, source) {
                (Some(overlap), _) => last.tracks[overlap.old],
                (None, Some(_)) => self.start(step, Origin::Split),
                (None, None) => self.start(step, Origin::Born),
            };
            self.tracks[track as usize].last = step;
            tracked.tracks.push(track);
        }
        for new in 0..count {
            let from: Vec<u32> = of_new(new).map(|overlap| last.tracks[overlap.old]).collect();
            let to = vec![tracked.tracks[new]];
            match from.len() {
                0 => self.events.push(Event { step, kind: EventKind::Born, from, to }),
                1 => {}
                _ => self.events.push(Event { step, kind: EventKind::Merge, from, to }),
            }
        }
        for old in 0..last.tubes.len() {
            let track = last.tracks[old];
            let to: Vec<u32> = of_old(old).map(|overlap| tracked.tracks[overlap.new]).collect();
            if !tracked.tracks.contains(&track) {
                self.tracks[track as usize].end = if to.is_empty() { End::Dies } else { End::Merges };
            }
            match to.len() {
                0 => self.events.push(Event { step, kind: EventKind::Dies, from: vec![track], to }),
                1 => {
                    let alone = of_old(old).all(|overlap| of_new(overlap.new).count() == 1);
                    tracked.going_on += usize::from(alone);
                }
                _ => self.events.push(Event { step, kind: EventKind::Split, from: vec![track], to }),
            }
        }
        tracked.links = overlaps.iter().map(|overlap| [overlap.old as u32, overlap.new as u32]).collect();
        tracked
    }
}

/// Two tubes of neighbouring steps that overlap.
struct Overlap {
    old: usize,
    new: usize,
    /// Length of the overlap, both ways.
    length: f64,
}

/// All pairs of which one tube lies in the other by enough of its length, by place of the old tube, then of the new.
fn overlaps(last: &Last, time: f64, tubes: &[Tube], labels: &Labels) -> Vec<Overlap> {
    let interval = time - last.time;
    let forward = shares(&last.tubes, interval, labels, tubes.len());
    let backward = shares(tubes, -interval, &last.labels, last.tubes.len());
    let mut overlaps = Vec::new();
    for old in 0..last.tubes.len() {
        for new in 0..tubes.len() {
            let (ahead, back) = (forward[old][new], backward[new][old]);
            if ahead >= MIN_SHARE || back >= MIN_SHARE {
                let length = ahead * last.tubes[old].length() + back * tubes[new].length();
                overlaps.push(Overlap { old, new, length });
            }
        }
    }
    overlaps
}

/// For each tube, the share of its points that are in each tube of another step after an interval.
fn shares(tubes: &[Tube], interval: f64, labels: &Labels, others: usize) -> Vec<Vec<f64>> {
    let share = |tube: &Tube| {
        let mut counts = vec![0.0; others];
        for point in &tube.points {
            if let Some(other) = labels.at(point.position + interval * point.velocity) {
                counts[other] += 1.0 / tube.points.len() as f64;
            }
        }
        counts
    };
    tubes.iter().map(share).collect()
}
