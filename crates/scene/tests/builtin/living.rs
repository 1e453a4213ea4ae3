//! Flocks and crowds give the same bits with any broad phase, and after a restore at any step.

use burgess_collision::broad_phase::{BroadPhase, Exhaustive, HierarchicalHashing, SweepAndPrune};
use burgess_collision::contact_determination::FullManifold;
use burgess_simulation::CollisionDetection;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

use super::run::Run;

const SCENES: [&str; 3] = ["flock", "crossing", "evacuation"];
const STEPS: usize = 150;

#[test]
fn living_scenes_have_the_same_hash_with_any_broad_phase() {
    for name in SCENES {
        let hash = |broad_phase: Box<dyn BroadPhase>| {
            let mut run = Run::start(name);
            let data = run.simulation.data_mut();
            data.detection =
                CollisionDetection::with_modules(&data.world, broad_phase, Box::new(FullManifold::new(0.0))).unwrap();
            for _ in 0..STEPS {
                run.simulation.step().unwrap();
            }
            run.simulation.state_hash()
        };
        let exhaustive = hash(Box::<Exhaustive>::default());
        assert_eq!(hash(Box::<SweepAndPrune>::default()), exhaustive, "{name}");
        assert_eq!(hash(Box::<HierarchicalHashing>::default()), exhaustive, "{name}");
    }
}

#[test]
fn living_scenes_continue_from_snapshots_of_random_steps() {
    let mut random = Pcg64::seed_from_u64(23);
    for name in SCENES {
        let mut run = Run::start(name);
        let mut snapshots = Vec::new();
        let chosen: Vec<usize> = (0..3).map(|_| random.random_range(0..STEPS)).collect();
        for step in 0..STEPS {
            if chosen.contains(&step) {
                snapshots.push((step, run.simulation.snapshot()));
            }
            run.simulation.step().unwrap();
        }
        for (step, snapshot) in snapshots {
            let mut other = Run::start(name);
            other.simulation.restore(&snapshot).unwrap();
            for _ in step..STEPS {
                other.simulation.step().unwrap();
            }
            assert_eq!(other.simulation.state_hash(), run.simulation.state_hash(), "{name} from step {step}");
            assert_eq!(
                other.simulation.data().controllers.memory(),
                run.simulation.data().controllers.memory(),
                "{name} from step {step}"
            );
        }
    }
}
