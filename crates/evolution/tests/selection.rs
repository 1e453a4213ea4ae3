//! Selection: frequencies match the formulas.

use burgess_creature::Random;
use burgess_evolution::Selection;

const DRAWS: usize = 200_000;

/// Pearson's statistic of counts against shares has mean k, the degrees of freedom, and variance 2 k. Six standard
/// deviations are exceeded once in a billion.
fn assert_shares(selection: Selection, fitness: &[f64], progress: f64, shares: &[f64]) {
    let mut counts = vec![0_usize; fitness.len()];
    let mut dice = Random::new(11);
    for _ in 0..DRAWS {
        counts[selection.select(fitness, progress, &mut dice)] += 1;
    }
    let sum: f64 = shares.iter().sum();
    let mut statistic = 0.0;
    for (&count, share) in counts.iter().zip(shares) {
        let expected = DRAWS as f64 * share / sum;
        if expected == 0.0 {
            assert_eq!(count, 0, "{selection:?}: {counts:?}");
        } else {
            statistic += (count as f64 - expected) * (count as f64 - expected) / expected;
        }
    }
    let freedom = (fitness.len() - 1) as f64;
    assert!(statistic <= freedom + 6.0 * (2.0 * freedom).sqrt(), "{selection:?}: {counts:?}, {statistic}");
}

#[test]
fn proportional_selection_is_proportional_and_its_pressure_grows() {
    let fitness = [8.0, 4.0, 2.0, 1.0, 0.0];
    let proportional = Selection::Proportional { pressure: 0.5 };
    // In the end twice the fitness is twice the probability (Fontijne 2000, section 4.7.2).
    assert_shares(proportional, &fitness, 1.0, &fitness);
    // At first half the mean, 3, is added to every fitness; half way a quarter.
    assert_shares(proportional, &fitness, 0.0, &[9.5, 5.5, 3.5, 2.5, 1.5]);
    assert_shares(proportional, &fitness, 0.5, &[8.75, 4.75, 2.75, 1.75, 0.75]);
    // Negative fitness is measured from the worst.
    assert_shares(proportional, &[3.0, 1.0, -1.0], 1.0, &[4.0, 2.0, 0.0]);
    // All are equal.
    assert_shares(proportional, &[0.0; 4], 1.0, &[1.0; 4]);
    assert_shares(proportional, &[f64::MAX; 4], 0.0, &[1.0; 4]);
}

#[test]
fn the_best_participant_wins_a_tournament() {
    let fitness = [5.0, 4.0, 3.0, 2.0, 1.0];
    for size in [1, 2, 3, 7] {
        // The best of `size` has rank k if none is before it and not all are after it.
        let after = |place: usize| libm::pow((5 - place) as f64 / 5.0, size as f64);
        let shares: Vec<f64> = (0..5).map(|place| after(place) - after(place + 1)).collect();
        assert_shares(Selection::Tournament { size }, &fitness, 0.3, &shares);
    }
}

#[test]
fn truncation_selects_the_best_share_with_equal_probability() {
    let fitness = [9.0, 8.0, 3.0, 2.0, 1.0];
    assert_shares(Selection::Truncation { share: 0.4 }, &fitness, 0.0, &[1.0, 1.0, 0.0, 0.0, 0.0]);
    assert_shares(Selection::Truncation { share: 1.0 }, &fitness, 0.0, &[1.0; 5]);
    assert_shares(Selection::Truncation { share: 0.01 }, &fitness, 0.0, &[1.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn rank_selection_depends_only_on_ranks() {
    let fitness = [1e9, 4.0, 3.0, 2.0, 1.0];
    // Baker: the best has `pressure` times the mean, the worst 2 - pressure times, the others equal steps in between.
    assert_shares(Selection::Rank { pressure: 1.8 }, &fitness, 0.0, &[1.8, 1.4, 1.0, 0.6, 0.2]);
    assert_shares(Selection::Rank { pressure: 2.0 }, &fitness, 0.0, &[2.0, 1.5, 1.0, 0.5, 0.0]);
    assert_shares(Selection::Rank { pressure: 1.0 }, &fitness, 0.0, &[1.0; 5]);
    assert_shares(Selection::Rank { pressure: 1.5 }, &[2.0], 0.0, &[1.0]);
}
