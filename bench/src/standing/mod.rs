//! Boxes that stand on each other and on the ground, in two simulators: time per step, drift and penetration.
//!
//! Trajectories of different simulators diverge, but here the exact solution is that nothing moves. Both simulators
//! settle for [`SETTLING`] steps, in which drift and penetration are measured; then steps are timed. Sleeping is disabled.

mod burgess;
mod rapier;
mod scene;
mod steadiness;

use anyhow::{Result, anyhow};

use crate::duel::{Duel, processor_seconds};
pub use burgess::Burgess;
pub use rapier::Rapier;
pub use scene::{Block, DENSITY, FRICTION, Scene};
pub use steadiness::{Steadiness, deepest_penetration};

/// Time step, in s.
pub const STEP: f64 = 1.0 / 240.0;
/// Number of steps before the timing, in which drift is measured.
pub const SETTLING: usize = 240;
/// Number of steps (ten seconds) after which both sides restart.
const LIFETIME: usize = 2400;

/// A simulator with the boxes of a scene.
pub trait Standing {
    /// Performs one step of [`STEP`] seconds.
    fn step(&mut self) -> Result<()>;
    /// Returns the poses of the boxes in scene order.
    fn poses(&self) -> Vec<burgess_geometry::Pose>;
    /// Returns the number of contact points of the last step.
    fn contacts(&self) -> usize;
    /// Returns additional remarks on the last step; may be empty.
    fn remarks(&self) -> String {
        String::new()
    }
}

/// Burgess and the peer.
type Sides = [Box<dyn Standing>; 2];

/// Two simulators and a scene.
pub struct SideBySide {
    scene: Scene,
    sides: Sides,
    outcomes: [Result<()>; 2],
    settling: [f64; 2],
    work: usize,
    age: usize,
}

impl SideBySide {
    /// Creates Burgess and Rapier, both settled.
    pub fn new(scene: Scene) -> Result<Self> {
        let (sides, settling) = settled(&scene)?;
        Ok(Self { scene, sides, outcomes: [Ok(()), Ok(())], settling, work: 0, age: SETTLING })
    }

    /// Returns the time per step of both sides while settling, in ns.
    pub fn settling(&self) -> [f64; 2] {
        self.settling
    }

    /// Returns drift and penetration of both sides, compared with the start.
    pub fn steadiness(&self) -> [Steadiness; 2] {
        [0, 1].map(|side| Steadiness::measure(&self.scene, self.sides[side].as_ref()))
    }

    /// Returns the remarks of both sides on the last step.
    pub fn remarks(&self) -> [String; 2] {
        [0, 1].map(|side| self.sides[side].remarks())
    }
}

/// Creates and settles both sides; returns them with their time per step in ns.
fn settled(scene: &Scene) -> Result<(Sides, [f64; 2])> {
    let mut sides: Sides = [Box::new(Burgess::new(scene)?), Box::new(Rapier::new(scene))];
    let mut times = [0.0; 2];
    for (side, time) in sides.iter_mut().zip(&mut times) {
        let start = processor_seconds();
        for _ in 0..SETTLING {
            side.step()?;
        }
        *time = 1e9 * (processor_seconds() - start) / SETTLING as f64;
    }
    Ok((sides, times))
}

impl Duel for SideBySide {
    fn prepare(&mut self, work: usize) -> Result<()> {
        if self.age + work > LIFETIME && self.age > SETTLING {
            self.sides = settled(&self.scene)?.0;
            self.age = SETTLING;
        }
        self.work = work;
        self.age += work;
        Ok(())
    }

    fn run(&mut self, side: usize) {
        self.outcomes[side] = (0..self.work).try_for_each(|_| self.sides[side].step());
    }

    /// Checks that nothing has fallen on either side.
    fn agree(&mut self) -> Result<()> {
        for (side, name) in ["ours", "theirs"].into_iter().enumerate() {
            std::mem::replace(&mut self.outcomes[side], Ok(()))?;
            let drift = steadiness::drift(&self.scene, self.sides[side].as_ref());
            if drift.is_nan() || drift > self.scene.size() {
                return Err(anyhow!("{name} has fallen: a body is {drift} m away from where it began"));
            }
        }
        Ok(())
    }
}
