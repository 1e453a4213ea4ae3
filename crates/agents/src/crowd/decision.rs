//! The decision of one walker: the step of least energy among a fan of steps (Granieri et al. 1995, section 2.3.1).
//!
//! A step is considered only if it touches nobody and nothing. A walker that has no such step stands, which is always
//! possible, so nobody ever walks through anybody.

use glam::DVec2;

use super::gait::{PIVOTS, SIDE_STEP, STRIDES, Step, TURNS};
use super::pace::{count_weight, density, expected_offset, speed_share};
use super::plane::direction;
use super::view::{Near, View};
use super::walker::{Activity, Walker};

/// Least time of a step, in s.
const MIN_STEP_TIME: f64 = 0.3;
/// Maximum time for which a foot swings, in s. Slower walkers pause between steps.
const MAX_SWING_TIME: f64 = 1.0;
/// Maximum time between two decisions of a walker that walks, in s.
const MAX_STEP_TIME: f64 = 2.0;
/// Least speed of a walker that has room, in m/s.
const MIN_SPEED: f64 = 0.05;
/// Speeds from which on walkers make medium and long steps, in m/s.
const MEDIUM_SPEED: f64 = 0.45;
const LONG_SPEED: f64 = 0.9;
/// Time for which a walker stands that found no step, in s.
const STAND_TIME: f64 = 0.2;
/// Movement below which a step does not count as getting ahead, in m.
const MIN_ADVANCE: f64 = 0.04;
/// Shortening of the way that counts as getting nearer to the goal, in m.
const MIN_PROGRESS: f64 = 0.1;
/// Maximum energy of standing, in m.
const MAX_IMPATIENCE: f64 = 0.6;

impl View<'_> {
    /// Lets a walker decide. `late` is the time (s) since its last step ended, and `extra` gives further energy (m) of
    /// a place with a heading.
    pub fn decide(&self, walker: &mut Walker, late: f64, extra: impl Fn(DVec2, f64) -> f64) {
        let gait = walker.gait;
        let root = gait.root();
        let heading = direction(gait.heading_to());
        let (Some(length), Some(way)) = (self.way(root), self.way_energy(root, gait.heading_to())) else {
            return stand(walker, Activity::NoWay);
        };
        if length < walker.nearest - MIN_PROGRESS {
            walker.nearest = length;
            walker.stuck = 0.0;
        }
        let pace = gait.pace();
        let weight = |near: &Near| count_weight(expected_offset(near.offset, near.pace - pace), heading);
        let weights: f64 = 1.0 + self.near.iter().map(weight).sum::<f64>();
        let speed = (walker.speed * speed_share(density(weights, self.open_share))).max(MIN_SPEED);
        let longest = 1 + usize::from(speed >= MEDIUM_SPEED) + usize::from(speed >= LONG_SPEED);

        // Standing, which every step must improve on. Those who have waited mind others less.
        let patience = 1.0 / (1.0 + walker.need());
        let impatience = (self.settings.impatience * walker.need()).min(MAX_IMPATIENCE);
        let crowding = self.crowding(DVec2::ZERO, STAND_TIME);
        // Standing with one foot far ahead of the other costs energy.
        let astride = 0.5 * STRIDES[gait.stride()];
        let mut least = way + astride + impatience + patience * crowding + extra(root, gait.heading_to());

        let mut best: Option<(Step, f64)> = None;
        let mut at_gate = false;
        // The other foot swings, unless it cannot: then the same one may step again.
        for swing in [1 - gait.swing, gait.swing] {
            let fan = (0..=longest).rev().flat_map(|stride| TURNS.into_iter().map(move |turn| (turn, stride, 0.0)));
            let pivots = PIVOTS.into_iter().map(|turn| (turn, 0, 0.0));
            for (turn, stride, wider) in fan.chain(pivots).chain([(0.0, 0, SIDE_STEP)]) {
                let step = gait.step(swing, turn, stride, wider);
                let shift = step.root - root;
                let duration = (shift.length() / speed).clamp(MIN_STEP_TIME, MAX_SWING_TIME);
                let Some(place) = self.place_energy(&step) else { continue };
                // Stepping on the spot is no better than standing.
                let in_place = if shift.length() < MIN_ADVANCE { impatience } else { 0.0 };
                let mut energy = place + in_place + extra(step.root, step.foot.heading);
                if energy >= least {
                    continue;
                }
                let velocity = if stride > 0 { speed * direction(step.foot.heading) } else { DVec2::ZERO };
                energy += patience * (self.crowding(shift, duration) + self.meetings(shift, velocity, duration));
                if energy >= least || !self.is_clear(root, &step, duration, late) {
                    continue;
                }
                if self.enters_gate(root, step.root) {
                    at_gate = true;
                    continue;
                }
                least = energy;
                best = Some((step, duration));
            }
            if best.is_some() {
                break;
            }
        }
        let Some((step, duration)) = best else {
            return stand(walker, if at_gate { Activity::AtGate } else { Activity::Blocked });
        };
        let advance = step.root.distance(root);
        walker.activity = Activity::Walking;
        walker.gait.begin(&step, duration, late);
        walker.gait.until = (advance / speed).clamp(duration, MAX_STEP_TIME.max(duration));
        walker.waited = if advance > MIN_ADVANCE { 0.0 } else { walker.waited + walker.gait.until };
        walker.stuck += walker.gait.until;
    }
}

/// Lets a walker stand until it decides again.
pub(super) fn stand(walker: &mut Walker, activity: Activity) {
    walker.activity = activity;
    walker.gait.stand(STAND_TIME);
    if activity == Activity::Blocked {
        walker.waited += STAND_TIME;
        walker.stuck += STAND_TIME;
    } else {
        walker.waited = 0.0;
        walker.stuck = 0.0;
    }
}
