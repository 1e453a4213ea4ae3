//! Fixed steps: detect, collide, move.

use crate::detection::Lookahead;
use crate::modules::{Modules, Moved, TimeControl};
use crate::outcome::Failure;
use crate::stage::Stage;

/// One step is one step, whatever happens in it. Contacts are looked for as far ahead as the step can take bodies, so a
/// solver that minds gaps (time stepping) lets nothing pass through anything.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FixedStep {
    /// Gaps up to this are contacts however slow the bodies are, in m; twice of what gravity covers in a step if zero.
    pub margin: f64,
}

impl TimeControl for FixedStep {
    fn advance(&mut self, stage: &mut Stage, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        let fall = 2.0 * stage.world.model().gravity.length() * step * step;
        let margin = if self.margin > 0.0 { self.margin } else { fall };
        stage.update_kinematics();
        stage.detect_contacts(Lookahead { interval: step, margin });
        if let Some(collisions) = &mut modules.collisions {
            stage.statistics.impulses += collisions.resolve(stage, step);
            modules.motion.notify_impulses();
        }
        match modules.motion.advance(stage, step)? {
            Moved::Fully => Ok(()),
            Moved::PenetrationAt { time } => Err(Failure::CannotGoBack { time }),
        }
    }
}
