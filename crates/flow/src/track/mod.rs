//! Tracking of tubes from step to step: tubes that overlap after they moved with the flow are the same.

mod labels;
mod tracker;

pub use tracker::{End, Event, EventKind, Origin, Track, TrackedStep, Tracker};
