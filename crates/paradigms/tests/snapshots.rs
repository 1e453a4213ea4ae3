//! A snapshot is complete: continuing from it gives the same bits.

use std::sync::Arc;

use crate::common::{Swing, worlds};
use burgess_paradigms::Paradigm;
use burgess_simulation::{RestSettings, Simulation, Snapshot, SnapshotError, WorldError};

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
        simulation.data_mut().controllers.add_high_level(Arc::new(Swing));
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
        assert!(simulation.data().rest.sleeps(3));
        simulation.state_hash()
    };
    assert_eq!(run(None), run(Some(100)));
    assert_eq!(run(None), run(Some(300)));
}

/// One thing too many or too few, everywhere; the simulation must stay as it is.
#[test]
fn snapshots_that_do_not_fit_change_nothing() {
    type Spoil = fn(&mut Snapshot);
    let spoil: [(&str, Spoil); 11] = [
        ("positions", |snapshot| snapshot.state.q.push(0.0)),
        ("velocities", |snapshot| snapshot.state.v.truncate(1)),
        ("impulses of rows", |snapshot| snapshot.row_impulses.push(0.0)),
        ("motors", |snapshot| snapshot.state.motors.clear()),
        ("trees that may rest", |snapshot| snapshot.rest.seconds.clear()),
        ("loads of trees at rest", |snapshot| snapshot.rest.loads.push(1.0)),
        ("memories of low-level controllers", |snapshot| snapshot.controllers.low_level.push(1.0)),
        ("memories of high-level controllers", |snapshot| snapshot.controllers.high_level.push(1.0)),
        ("timers", |snapshot| snapshot.controllers.ticks.clear()),
        ("memories of the time control", |snapshot| snapshot.modules.time_control.push(1.0)),
        ("memories of the collision solver", |snapshot| snapshot.modules.collisions.clear()),
    ];
    let mut simulation = simulation(Paradigm::Impulse, "quadruped").unwrap();
    (0..5).for_each(|_| simulation.step().unwrap());
    let early = simulation.snapshot();
    (0..5).for_each(|_| simulation.step().unwrap());
    let now = simulation.snapshot();
    for (what, spoil) in spoil {
        let mut spoilt = early.clone();
        spoil(&mut spoilt);
        let error = simulation.restore(&spoilt).unwrap_err();
        assert!(matches!(error, SnapshotError::Length { what: named, .. } if named == what), "{what}: {error}");
        assert_eq!(simulation.snapshot(), now, "{what}");
    }
    simulation.restore(&early).unwrap();
    assert_eq!(simulation.snapshot(), early);
}

#[test]
fn pairs_of_other_worlds_are_refused() {
    let mut small = simulation(Paradigm::TimeStepping, "quadruped").unwrap();
    let mut large = simulation(Paradigm::TimeStepping, "wall").unwrap();
    (0..3).for_each(|_| large.step().unwrap());
    let mut mixed = small.snapshot();
    mixed.pairs = large.snapshot().pairs;
    let error = small.restore(&mixed).unwrap_err();
    assert!(matches!(error, SnapshotError::Collider { .. }), "{error}");
    assert!(large.restore(&small.snapshot()).is_err());
}

/// The same impulses at other parts of a compound are another state.
#[test]
fn the_hash_sees_the_parts_of_contacts() {
    let mut simulation = simulation(Paradigm::TimeStepping, "wall").unwrap();
    (0..5).for_each(|_| simulation.step().unwrap());
    let before = simulation.state_hash();
    let mut other = simulation.snapshot();
    let stored = other.pairs.iter_mut().flat_map(|(_, record)| &mut record.impulses).next().unwrap();
    stored.id.part_b += 1;
    simulation.restore(&other).unwrap();
    assert_ne!(simulation.state_hash(), before);
}

/// Penalty springs need shorter steps (Erleben 2002, section 3.2).
fn step_of(paradigm: Paradigm) -> f64 {
    if paradigm == Paradigm::Penalty { 1e-3 } else { 1.0 / 240.0 }
}
