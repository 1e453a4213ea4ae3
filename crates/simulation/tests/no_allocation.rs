//! Time stepping does not allocate once its buffers have grown.

use std::sync::Arc;

use crate::common::{Swing, worlds};
use burgess_simulation::Simulation;

#[test]
fn warm_steps_allocate_nothing() {
    for (name, (world, state)) in worlds() {
        let mut simulation = Simulation::new(world, state, 1.0 / 240.0).unwrap();
        if name == "quadruped" {
            simulation.data_mut().controllers.add_high_level(Arc::new(Swing));
        }
        // Long enough for all pairs to have been in contact.
        simulation.run(10.0).unwrap();
        let info = allocation_counter::measure(|| {
            for _ in 0..240 {
                simulation.step().unwrap();
            }
        });
        assert_eq!(info.count_total, 0, "{name}");
    }
}
