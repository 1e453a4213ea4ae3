//! Honest creatures pass, planted exploiters are refused or named.

mod common;

use burgess_creature::evaluation::{EvaluationOptions, evaluate_phenotype};
use burgess_creature::task::Task;
use burgess_creature::{Dice, Family, GenomeSettings};

#[test]
fn books() {
    let task = Task::preset("walk").unwrap();
    let options = EvaluationOptions { audit: true, ..EvaluationOptions::default() };
    let walker = evaluate_phenotype(&common::walker(), &task, 1, &options);
    println!("walker {} {:?}", walker.fitness, walker.audit);
    for family in Family::ALL {
        for seed in 0..40 {
            let genome = family.random(&GenomeSettings::default(), &mut Dice::new(seed));
            if let Ok(grown) = genome.grow(&task.physiology) {
                let e = evaluate_phenotype(&grown, &task, 1, &options);
                if let Some(a) = e.audit {
                    println!(
                        "{} {seed}: fit {:.2} gait {:.1} created {:.4} of {:.1} J, excess {:.4} of {:.1}, depth {:.3}",
                        family.name(),
                        e.fitness,
                        e.descriptors.gait_frequency,
                        a.energy_created,
                        a.muscle_work,
                        a.impulse_excess,
                        a.impulse,
                        a.penetration
                    );
                } else {
                    println!("{} {seed}: {:?}", family.name(), e.outcome);
                }
            }
        }
    }
}
