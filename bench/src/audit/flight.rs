//! Bodies that leave the ground by themselves.
//!
//! A body that rolls fast enough over a rounded end leaves the ground, and loses energy when it lands. That is no error if
//! the exact motion does so, too. So where a body has left the ground, the analytical paradigm with short steps
//! continues from the last state in which it touched. Only if the body leaves the ground there as well, its energy may
//! fall from then on.

use burgess_dynamics::State;
use burgess_paradigms::Paradigm;
use burgess_simulation::{Lookahead, Simulation};

use crate::case::Case;

/// Gap up to which a body touches the ground, as a share of its size.
const TOUCHES: f64 = 1e-3;
/// Gap above which a body flies, as a share of its size.
const FLIES: f64 = 1e-2;
/// Step of the analytical paradigm, in s.
const STEP: f64 = 1e-4;

/// Watches whether a body has left the ground.
#[derive(Debug, Default)]
pub struct Flight {
    /// The last state in which it touched.
    touched: Option<State>,
    /// Whether it has flown, in the exact motion, too.
    pub has_flown: bool,
}

impl Flight {
    /// Looks at the state after a step. Returns whether the body has just left the ground in the exact motion, too.
    pub fn look(&mut self, case: &Case, simulation: &Simulation) -> bool {
        if self.has_flown || !case.can_lift {
            return false;
        }
        let contacts = simulation.data().detection.contacts();
        let gap = contacts.iter().map(|contact| contact.distance).fold(f64::INFINITY, f64::min) / case.size;
        if gap < TOUCHES {
            self.touched = Some(simulation.state().clone());
        } else if gap > FLIES {
            // Each flight is examined once.
            let start = self.touched.take();
            self.has_flown = start.is_some_and(|start| flies(case, start, simulation.state().time));
        }
        self.has_flown
    }
}

/// Returns whether the analytical paradigm leaves the ground between a state and a time in s.
fn flies(case: &Case, start: State, time: f64) -> bool {
    let Ok(mut exact) = Paradigm::Analytical.simulate(case.world.clone(), start, STEP) else { return false };
    if exact.run(time).is_err() {
        return false;
    }
    let data = exact.data_mut();
    data.update_kinematics();
    data.detect_contacts(Lookahead { interval: 0.0, margin: TOUCHES * case.size });
    data.detection.contacts().is_empty()
}
