//! A snapshot is complete: whoever goes on from it goes on to the same bits.

mod common;

use std::sync::Arc;

use burgess_simulation::{Paradigm, RestSettings, Simulation, WorldError};
use common::{Swing, worlds};

/// Nothing for worlds that the paradigm refuses, as impulses do constraints between bodies.
fn simulation(paradigm: Paradigm, name: &str) -> Option<Simulation> {
    let (_, (world, state)) = worlds().into_iter().find(|(world, _)| *world == name).unwrap();
    let has_constraints = !world.constraints().is_empty();
    let mut simulation = match paradigm.simulate(world, state, step_of(paradigm)) {
        Ok(simulation) => simulation,
        Err(WorldError::Impossible { .. }) if has_constraints => return None,
        Err(error) => panic!("{name} in {}: {error}", paradigm.name()),
    };
    if name == "quadruped" {
        simulation.stage_mut().controllers.add_high_level(Arc::new(Swing));
    }
    Some(simulation)
}

/// Large heaps take force-level paradigms long.
fn is_quick(paradigm: Paradigm, name: &str) -> bool {
    match paradigm {
        Paradigm::Analytical | Paradigm::Hybrid => matches!(name, "balls" | "quadruped" | "mechanism"),
        _ => true,
    }
}

#[test]
fn restored_runs_end_in_the_same_hash() {
    const STEPS: u64 = 120;
    for paradigm in Paradigm::ALL {
        for (name, _) in worlds().into_iter().filter(|(name, _)| is_quick(paradigm, name)) {
            let Some(mut straight) = simulation(paradigm, name) else { continue };
            let mut snapshots = Vec::new();
            for step in 0..STEPS {
                if step % 37 == 5 {
                    snapshots.push(straight.snapshot());
                }
                straight.step().unwrap();
            }
            let (end, complete) = (straight.state_hash(), straight.snapshot());
            for snapshot in &snapshots {
                let mut other = simulation(paradigm, name).unwrap();
                // Something else in its scratch.
                for _ in 0..3 {
                    other.step().unwrap();
                }
                other.restore(snapshot).unwrap();
                while other.steps() < STEPS {
                    other.step().unwrap();
                }
                assert_eq!(other.state_hash(), end, "{name} in {} from step {}", paradigm.name(), snapshot.steps);
                assert_eq!(other.snapshot(), complete, "{name} in {} from step {}", paradigm.name(), snapshot.steps);
            }
        }
    }
}

#[test]
fn sleepers_are_part_of_it() {
    let run = |at: Option<u64>| {
        let mut simulation = simulation(Paradigm::TimeStepping, "wall").unwrap();
        simulation.set_sleeping(Some(RestSettings::default()));
        for step in 0..400 {
            if Some(step) == at {
                let snapshot = simulation.snapshot();
                simulation.step().unwrap();
                simulation.restore(&snapshot).unwrap();
            }
            simulation.step().unwrap();
        }
        assert!(simulation.stage().rest.sleeps(3));
        simulation.state_hash()
    };
    assert_eq!(run(None), run(Some(100)));
    assert_eq!(run(None), run(Some(300)));
}

/// Penalty springs need shorter steps (004 section 3.2).
fn step_of(paradigm: Paradigm) -> f64 {
    if paradigm == Paradigm::Penalty { 1e-3 } else { 1.0 / 240.0 }
}
