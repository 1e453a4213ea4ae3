//! Scores of players against each other: who won how often, cycles, and Elo ratings with their errors.

/// Standard deviation of the ratings that is assumed before any game, in natural units: 400 Elo points. It keeps the
/// rating of a player who won or lost every game finite.
const PRIOR_DEVIATION: f64 = std::f64::consts::LN_10;
/// Elo points per natural unit: with 400 points more, the odds of a win are 10 to 1 (Elo 1978).
const POINTS_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Newton's method ends when no rating changes by more than this, in natural units.
const CONVERGED_STEP: f64 = 1e-12;
/// Largest number of Newton steps. The likelihood is concave, and ten steps are usually enough.
const MAX_NEWTON_STEPS: usize = 100;
/// Longest Newton step of a rating, in natural units, so that no step overshoots.
const MAX_STEP: f64 = 1.0;

/// Results of all players against each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    players: usize,
    /// Points of the player of the row against that of the column: 1 for a win, 0.5 for a draw.
    points: Vec<f64>,
}

/// An Elo rating. The mean of all players is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Rating, in Elo points.
    pub elo: f64,
    /// Standard error of the difference from the mean, in Elo points.
    pub error: f64,
}

/// Triples of players of whom each beat another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Triples {
    /// Number of triples without a tie between two of them.
    pub decided: usize,
    /// Number of these in which the first beats the second, the second the third and the third the first.
    pub intransitive: usize,
}

impl Triples {
    /// Returns the share of intransitive triples; `None` if no triple is decided.
    pub fn intransitive_share(self) -> Option<f64> {
        (self.decided > 0).then(|| self.intransitive as f64 / self.decided as f64)
    }
}

impl Scores {
    /// Creates the table of a number of players without games.
    pub fn new(players: usize) -> Self {
        Self { players, points: vec![0.0; players * players] }
    }

    /// Returns the number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds games between two different players, by their points.
    pub fn add(&mut self, one: usize, points: f64, other: usize, other_points: f64) {
        if one < self.players && other < self.players && one != other {
            self.points[one * self.players + other] += points;
            self.points[other * self.players + one] += other_points;
        }
    }

    fn points(&self, one: usize, other: usize) -> f64 {
        self.points[one * self.players + other]
    }

    fn games(&self, one: usize, other: usize) -> f64 {
        self.points(one, other) + self.points(other, one)
    }

    /// Returns the share of the points that a player won against another; `None` if they did not play.
    pub fn score(&self, one: usize, other: usize) -> Option<f64> {
        if one.max(other) >= self.players {
            return None;
        }
        let games = self.games(one, other);
        (games > 0.0).then(|| self.points(one, other) / games)
    }

    /// Returns the share of the points that a player won against all others; `None` if it did not play.
    pub fn total_score(&self, one: usize) -> Option<f64> {
        if one >= self.players {
            return None;
        }
        let sum = |of: &dyn Fn(usize) -> f64| (0..self.players).map(of).sum::<f64>();
        let (points, games) = (sum(&|other| self.points(one, other)), sum(&|other| self.games(one, other)));
        (games > 0.0).then(|| points / games)
    }

    /// Counts the triples of players among whom every pair has a winner.
    pub fn triples(&self) -> Triples {
        let beats = |one: usize, other: usize| {
            let score = self.score(one, other)?;
            (score != 0.5).then_some(score > 0.5)
        };
        let mut triples = Triples::default();
        for a in 0..self.players {
            for b in a + 1..self.players {
                for c in b + 1..self.players {
                    let (Some(ab), Some(bc), Some(ca)) = (beats(a, b), beats(b, c), beats(c, a)) else { continue };
                    triples.decided += 1;
                    triples.intransitive += usize::from(ab == bc && bc == ca);
                }
            }
        }
        triples
    }

    /// Returns the Elo rating of every player: the most probable ratings of the model of Bradley and Terry (1952), in
    /// which a player beats another with probability 1 / (1 + exp(other - own)), with a normal prior. Errors come from
    /// the curvature of the log-likelihood at these ratings.
    pub fn ratings(&self) -> Vec<Rating> {
        let count = self.players;
        let mut ratings = vec![0.0; count];
        for _ in 0..MAX_NEWTON_STEPS {
            let (gradient, curvature) = self.derivatives(&ratings);
            let Some(step) = solve(&curvature, &gradient) else { break };
            let longest = step.iter().fold(0.0_f64, |longest, one| longest.max(one.abs()));
            let share = (MAX_STEP / longest.max(MAX_STEP)).min(1.0);
            ratings.iter_mut().zip(&step).for_each(|(rating, one)| *rating += share * one);
            if longest < CONVERGED_STEP {
                break;
            }
        }
        let mean = ratings.iter().sum::<f64>() / count.max(1) as f64;
        let (_, curvature) = self.derivatives(&ratings);
        let column = |player: usize| {
            let unit: Vec<f64> = (0..count).map(|other| f64::from(u8::from(other == player))).collect();
            solve(&curvature, &unit).unwrap_or(unit)
        };
        let covariance: Vec<Vec<f64>> = (0..count).map(column).collect();
        // Games say nothing of an offset that all ratings share, so errors are those of differences from the mean.
        let means: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / count.max(1) as f64).collect();
        let common = means.iter().sum::<f64>() / count.max(1) as f64;
        let error = |player: usize| (covariance[player][player] - 2.0 * means[player] + common).max(0.0).sqrt();
        let rating = |player: usize| Rating {
            elo: POINTS_PER_UNIT * (ratings[player] - mean),
            error: POINTS_PER_UNIT * error(player),
        };
        (0..count).map(rating).collect()
    }

    /// Gradient of the log-posterior at some ratings, and the negative of its matrix of second derivatives.
    fn derivatives(&self, ratings: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let count = self.players;
        let precision = 1.0 / (PRIOR_DEVIATION * PRIOR_DEVIATION);
        let mut gradient: Vec<f64> = ratings.iter().map(|rating| -precision * rating).collect();
        let mut curvature = vec![vec![0.0; count]; count];
        for one in 0..count {
            curvature[one][one] += precision;
            for other in 0..count {
                let games = self.games(one, other);
                if one == other || games == 0.0 {
                    continue;
                }
                let expected = 1.0 / (1.0 + libm::exp(ratings[other] - ratings[one]));
                gradient[one] += self.points(one, other) - games * expected;
                let weight = games * expected * (1.0 - expected);
                curvature[one][one] += weight;
                curvature[one][other] -= weight;
            }
        }
        (gradient, curvature)
    }
}

/// Solves a system with a symmetric, positive definite matrix by its Cholesky factor. `None` if it is not.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let count = matrix.len();
    let mut factor = vec![vec![0.0; count]; count];
    for row in 0..count {
        for column in 0..=row {
            let sum: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
            let rest = matrix[row][column] - sum;
            factor[row][column] = if row > column {
                rest / factor[column][column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    let mut solution = right.to_vec();
    for row in 0..count {
        let sum: f64 = (0..row).map(|k| factor[row][k] * solution[k]).sum();
        solution[row] = (solution[row] - sum) / factor[row][row];
    }
    for row in (0..count).rev() {
        let sum: f64 = (row + 1..count).map(|k| factor[k][row] * solution[k]).sum();
        solution[row] = (solution[row] - sum) / factor[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points that players with the given ratings (natural units) win on average in a number of games.
    fn expected(ratings: &[f64], games: f64) -> Scores {
        let mut scores = Scores::new(ratings.len());
        for one in 0..ratings.len() {
            for other in one + 1..ratings.len() {
                let won = games / (1.0 + libm::exp(ratings[other] - ratings[one]));
                scores.add(one, won, other, games - won);
            }
        }
        scores
    }

    #[test]
    fn ratings_are_those_that_explain_the_scores() {
        let truth = [-1.0, 0.25, 0.75];
        // With a million games the prior has no weight: its share is 1e-6 of a unit.
        let found = expected(&truth, 1e6).ratings();
        for (rating, unit) in found.iter().zip(truth) {
            assert!((rating.elo - POINTS_PER_UNIT * unit).abs() < 0.01, "{rating:?}");
        }
    }

    #[test]
    fn the_difference_of_two_players_follows_from_their_score() {
        // 10 to 1 odds are 400 points by definition. One million games suppress the prior.
        let mut scores = Scores::new(2);
        scores.add(0, 1e6, 1, 1e5);
        let [one, other] = [scores.ratings()[0], scores.ratings()[1]];
        assert!((one.elo - other.elo - 400.0).abs() < 0.01, "{one:?} {other:?}");
    }

    #[test]
    fn errors_shrink_with_the_root_of_the_number_of_games() {
        let error = |games: f64| expected(&[0.0, 0.0, 0.0, 0.0], games).ratings()[0].error;
        // The prior makes errors a little smaller: by less than a thousandth after a hundred games.
        assert!((error(100.0) / error(10_000.0) - 10.0).abs() < 0.01, "{} {}", error(100.0), error(10_000.0));
        // Four equal players, n games per pair: the information of a rating is 4 n / 4, of its difference from the mean
        // of all, variance 3/4 of 1 / n.
        let closed = POINTS_PER_UNIT * (0.75 / 10_000.0_f64).sqrt();
        assert!((error(10_000.0) / closed - 1.0).abs() < 1e-3, "{} {closed}", error(10_000.0));
    }

    #[test]
    fn a_player_without_games_has_the_rating_of_the_prior() {
        // The difference of one of two from their mean has half the variance of the prior.
        let (found, error) = (Scores::new(2).ratings(), 400.0 * 0.5_f64.sqrt());
        assert!(found.iter().all(|rating| rating.elo == 0.0 && (rating.error - error).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn a_player_who_wins_every_game_has_a_finite_rating() {
        let mut scores = Scores::new(2);
        scores.add(0, 50.0, 1, 0.0);
        let found = scores.ratings();
        assert!(found[0].elo > 200.0 && found[0].elo < 2000.0, "{found:?}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-9);
    }

    #[test]
    fn rock_paper_and_scissors_are_one_intransitive_triple() {
        let mut scores = Scores::new(4);
        for (one, other) in [(0, 1), (1, 2), (2, 0)] {
            scores.add(one, 2.0, other, 0.0);
        }
        assert_eq!(scores.triples(), Triples { decided: 1, intransitive: 1 });
        // A fourth player who beats all others makes three transitive triples.
        (0..3).for_each(|other| scores.add(3, 2.0, other, 0.0));
        assert_eq!(scores.triples(), Triples { decided: 4, intransitive: 1 });
        assert_eq!(scores.triples().intransitive_share(), Some(0.25));
        // A tie decides nothing.
        scores.add(0, 0.0, 1, 2.0);
        assert_eq!(scores.triples(), Triples { decided: 2, intransitive: 0 });
        assert_eq!((scores.score(3, 0), scores.score(0, 0), scores.score(9, 0)), (Some(1.0), None, None));
        assert_eq!(scores.total_score(3), Some(1.0));
    }
}
