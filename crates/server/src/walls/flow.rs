//! Vortex tubes on the walls: a history of tubes that plays in a loop. All walls get the tubes of a step in the frame.

use std::time::Duration;

use burgess_walls::frame::{NetworkObject, Part};
use burgess_walls::menu::MenuAction;
use burgess_walls::tubes::Tubes;
use glam::DVec3;

use crate::flows::FlowSteps;

/// Number of steps per second at normal speed.
const RATE: f64 = 10.0;
/// Largest side of the flow's box in the world, in m.
const SIZE: f64 = 2.4;
/// Place of the middle of the flow's box, in m: in front of the user, and between knees and eyes.
const MIDDLE: DVec3 = DVec3::new(0.0, 2.5, 1.3);
/// Longest time between two frames that counts, in s.
const MAX_TIME: f64 = 0.25;

/// A history of tubes that the walls show.
#[derive(Debug)]
pub(super) struct ShownFlow {
    steps: FlowSteps,
    tubes: Tubes,
    /// The step that `tubes` has.
    loaded: Option<usize>,
    /// Time since the first step, in steps.
    position: f64,
    advanced_at: Option<Duration>,
    pub playing: bool,
    pub speed: f64,
}

impl ShownFlow {
    /// Shows a history from its first step.
    pub fn new(steps: FlowSteps) -> Self {
        let scale = SIZE / steps.extent.max_element().max(f64::MIN_POSITIVE);
        let origin = MIDDLE - scale * (steps.origin + 0.5 * steps.extent);
        let tubes = Tubes { scale, origin, range: steps.range, step: Vec::new() };
        Self { steps, tubes, loaded: None, position: 0.0, advanced_at: None, playing: true, speed: 1.0 }
    }

    /// Name of the file.
    pub fn title(&self) -> &str {
        &self.steps.title
    }

    /// The tubes at a time of the server's clock, as an object of a frame.
    pub fn part(&mut self, now: Duration) -> Part {
        let before = self.advanced_at.replace(now).unwrap_or(now);
        let time = now.saturating_sub(before).as_secs_f64().min(MAX_TIME);
        if self.playing {
            self.position = (self.position + RATE * self.speed * time) % self.steps.count.max(1) as f64;
        }
        let step = self.position as usize;
        if self.loaded != Some(step) {
            match self.steps.read(step) {
                Ok(bytes) => self.tubes.step = bytes,
                Err(why) => tracing::warn!("step {step} of {} is not shown: {why}", self.steps.title),
            }
            self.loaded = Some(step);
        }
        self.tubes.part()
    }

    /// Does what an item of the menu does, if it concerns the flow.
    pub fn act(&mut self, action: &MenuAction) {
        match action {
            MenuAction::Play(on) => self.playing = *on,
            MenuAction::Restart => self.position = 0.0,
            MenuAction::Speed(speed) => self.speed = *speed,
            _ => {}
        }
    }
}
