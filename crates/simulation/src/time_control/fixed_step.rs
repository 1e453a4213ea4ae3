//! Fixed steps: detect, collide, move.

use crate::detection::Lookahead;
use crate::modules::{Modules, Moved, TimeControl};
use crate::outcome::Failure;
use crate::simulation_data::SimulationData;

/// Steps in which a tree of several links turns by more than this are divided, in rad: the default motion is accurate to some
/// tenths of a radian.
const TURN: f64 = 0.5;
/// How far it may turn in a part, in rad.
const TURN_OF_PART: f64 = 0.25;
/// The most parts.
const MOST_PARTS: usize = 16;

/// Bodies this near touch, however they move and without gravity, too; in m. A blow travels on through them.
const TOUCHING: f64 = 1e-9;

/// One step is one step, whatever happens in it, unless a tree whirls. Contacts are looked for as far ahead as the step can
/// take bodies, so a solver that minds gaps (time stepping) lets nothing pass through anything.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FixedStep {
    /// Gaps up to this are contacts however slow the bodies are, in m; twice of what gravity covers in a step if zero.
    pub margin: f64,
}

impl TimeControl for FixedStep {
    fn advance(&mut self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        data.update_kinematics();
        let parts = parts(data, step);
        self.advance_once(data, modules, step / parts as f64)?;
        for _ in 1..parts {
            data.update_kinematics();
            self.advance_once(data, modules, step / parts as f64)?;
        }
        Ok(())
    }
}

impl FixedStep {
    fn advance_once(&self, data: &mut SimulationData, modules: &mut Modules, step: f64) -> Result<(), Failure> {
        let fall = 2.0 * data.world.model().gravity.length() * step * step;
        let margin = if self.margin > 0.0 { self.margin } else { fall.max(TOUCHING) };
        match modules.advance(data, Lookahead { interval: step, margin }, step)? {
            Moved::Fully => Ok(()),
            Moved::PenetrationAt { time } => Err(Failure::CannotGoBack { time }),
        }
    }
}

/// Into how many parts a step has to be divided. A body alone can turn as fast as it likes.
fn parts(data: &SimulationData, step: f64) -> usize {
    let spin = |link: usize| data.workspace.velocity_at(link, data.workspace.anchor(link)).angular.length_squared();
    let trees = data.world.trees().iter().filter(|tree| tree.links.len() > 1);
    let fastest = trees.flat_map(|tree| tree.links.clone()).map(spin).fold(0.0, f64::max);
    let turn = fastest.sqrt() * step;
    if turn > TURN && turn.is_finite() { ((turn / TURN_OF_PART) as usize + 1).min(MOST_PARTS) } else { 1 }
}
