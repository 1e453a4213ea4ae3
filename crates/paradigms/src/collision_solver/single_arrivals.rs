//! The collisions of time stepping, for time controls that detect contacts again after every collision.

use burgess_simulation::modules::CollisionSolver;
use burgess_simulation::{Impacts, SimulationData, TimeSteppingSettings};

/// Resolves arrivals once, without detecting again what bodies that bounced meet.
#[derive(Debug)]
pub struct SingleArrivals {
    impacts: Impacts,
}

impl SingleArrivals {
    /// Creates a solver with the given settings.
    pub fn new(settings: TimeSteppingSettings) -> Self {
        Self { impacts: Impacts::new(settings) }
    }
}

impl CollisionSolver for SingleArrivals {
    fn resolve(&mut self, data: &mut SimulationData, step: f64) -> usize {
        data.update_kinematics();
        data.whole_step = step;
        self.impacts.resolve_once(data, step)
    }
}
