//! Robust champions: an individual leads only after it was evaluated again under new draws of the conditions.
//!
//! The best of many evaluations is a lucky one. So some births of a run are *retests*: evaluations of a known genome
//! with a new seed. The values of an individual are its own fitness and those of its retests; one that was not scored
//! counts as 0. Individuals rank by a low quantile of their values:
//!
//! ```text
//!   rank = v[floor(q n)],  v[0] <= v[1] <= ... <= v[n - 1],  q = 0.1 by default: the lowest of up to 9 values
//! ```
//!
//! The candidate with the highest rank so far is tested next, as long as this rank is above the leader's. A candidate
//! whose rank falls below it is given up, so most need few retests. After `draws` retests it is *tested* and may lead.

use std::collections::BTreeMap;

use burgess_creature::AnyGenome;
use serde::{Deserialize, Serialize};

use crate::individual::{EvaluatedIndividual, Id};

/// Largest number of candidates that are remembered.
const MAX_CANDIDATES: usize = 512;

/// Settings of retests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChampionSettings {
    /// Number of retests before an individual may lead. With 0 there are no retests, and the fittest leads.
    pub draws: usize,
    /// Quantile of the values by which individuals rank.
    pub quantile: f64,
    /// One in this many births is a retest; 0 for none.
    pub every: u64,
    /// Share of the run's evaluations, the last ones, that are retests.
    pub last: f64,
    /// Number of recent results that a retest does not wait for.
    pub window: u64,
}

impl Default for ChampionSettings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl ChampionSettings {
    /// No retests, as in runs of versions that had none.
    pub const NONE: Self = Self { draws: 0, ..Self::DEFAULT };

    const DEFAULT: Self = Self { draws: 8, quantile: 0.1, every: 20, last: 0.05, window: 96 };

    /// Returns whether no birth is a retest.
    pub fn is_none(&self) -> bool {
        self.draws == 0
    }

    /// Id of the first of the last births of a run, which are all retests.
    pub fn final_start(&self, evaluations: u64) -> Id {
        if self.is_none() {
            return evaluations;
        }
        evaluations - (self.last * evaluations as f64) as u64
    }

    /// Rank of an individual with these values, in ascending order.
    pub fn rank(&self, values: &[f64]) -> f64 {
        let index = (self.quantile * values.len() as f64) as usize;
        values.get(index.min(values.len().max(1) - 1)).copied().unwrap_or(0.0)
    }
}

/// The values of an individual: its fitness under several draws of the conditions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Values(Vec<f64>);

impl Values {
    /// Creates the values of an individual without retests.
    pub fn new(fitness: f64) -> Self {
        Self(vec![fitness])
    }

    /// Adds the result of a retest. `None` if it was not scored.
    pub fn add(&mut self, fitness: Option<f64>) {
        let value = fitness.unwrap_or(0.0);
        let place = self.0.partition_point(|other| other.total_cmp(&value).is_le());
        self.0.insert(place, value);
    }

    /// The values in ascending order. There is at least one.
    pub fn sorted(&self) -> &[f64] {
        &self.0
    }

    /// Number of retests.
    pub fn retests(&self) -> usize {
        self.0.len() - 1
    }

    /// Returns whether the individual has enough retests to lead.
    pub fn is_tested(&self, settings: &ChampionSettings) -> bool {
        self.retests() >= settings.draws
    }
}

/// Spread of an individual's fitness over several draws of the conditions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Number of values: 1 and the number of retests.
    pub draws: usize,
    /// Quantile by which individuals rank, from 0 to 1.
    pub quantile: f64,
    /// Value at this quantile.
    pub rank: f64,
    /// Lowest value.
    pub lowest: f64,
    /// Median.
    pub median: f64,
    /// Highest value.
    pub highest: f64,
}

impl Spread {
    /// Creates the spread of some values.
    pub fn of(values: &Values, settings: &ChampionSettings) -> Self {
        let sorted = values.sorted();
        let at = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
        let last = sorted.len().max(1) - 1;
        Self {
            draws: sorted.len(),
            quantile: settings.quantile,
            rank: settings.rank(sorted),
            lowest: at(0),
            median: f64::midpoint(at(last / 2), at(last.div_ceil(2))),
            highest: at(last),
        }
    }
}

/// An individual that leads or may come to lead.
#[derive(Debug)]
struct Candidate {
    genome: AnyGenome,
    values: Values,
    /// Number of retests without a result.
    under_way: usize,
}

/// Candidates of a run, and the choice of the next retest. Like an algorithm, it is a function of the results that it
/// received, in the order of births.
#[derive(Debug)]
pub(crate) struct Champions {
    settings: ChampionSettings,
    candidates: BTreeMap<Id, Candidate>,
    /// Candidates of the retests without a result.
    pending: BTreeMap<Id, Id>,
}

impl Champions {
    pub fn new(settings: ChampionSettings) -> Self {
        Self { settings, candidates: BTreeMap::new(), pending: BTreeMap::new() }
    }

    /// Forgets all candidates, because their fitness belongs to another task.
    pub fn renew(&mut self) {
        self.candidates.clear();
    }

    /// Forgets a candidate that a person removed.
    pub fn forget(&mut self, id: Id) {
        self.candidates.remove(&id);
    }

    /// Tested candidate with the highest rank, and this rank. Of equals the older leads.
    pub fn leader(&self) -> Option<(Id, f64)> {
        let tested = self.candidates.iter().filter(|(_, one)| one.values.is_tested(&self.settings));
        best(tested.map(|(id, one)| (*id, self.settings.rank(one.values.sorted()))))
    }

    /// Chooses a candidate for the next retest, which has this id. If no other may come to lead, the leader is tested
    /// again where `must` is set.
    pub fn next(&mut self, retest: Id, must: bool) -> Option<(Id, AnyGenome)> {
        let leader = self.leader();
        let least = leader.map_or(0.0, |(_, rank)| rank);
        let open = self.candidates.iter().filter(|(_, one)| one.values.retests() + one.under_way < self.settings.draws);
        let chosen =
            best(open.map(|(id, one)| (*id, self.settings.rank(one.values.sorted()))).filter(|one| one.1 > least));
        let (id, _) = chosen.or(leader.filter(|_| must))?;
        let candidate = self.candidates.get_mut(&id)?;
        candidate.under_way += 1;
        self.pending.insert(retest, id);
        Some((id, candidate.genome.clone()))
    }

    /// Returns whether a birth was a retest without a result so far.
    pub fn is_retest(&self, id: Id) -> bool {
        self.pending.contains_key(&id)
    }

    /// Records the result of a retest.
    pub fn record_retest(&mut self, retest: Id, fitness: Option<f64>) {
        let candidate = self.pending.remove(&retest).and_then(|id| self.candidates.get_mut(&id));
        if let Some(candidate) = candidate {
            candidate.under_way -= 1;
            candidate.values.add(fitness);
        }
    }

    /// Records a scored individual.
    pub fn record_individual(&mut self, one: &EvaluatedIndividual) {
        if self.settings.is_none() || !one.scored {
            return;
        }
        let (genome, values) = (one.genome.clone(), Values::new(one.fitness));
        self.candidates.insert(one.id, Candidate { genome, values, under_way: 0 });
        if self.candidates.len() > MAX_CANDIDATES {
            self.drop_worst();
        }
    }

    /// Drops the half with the lowest ranks, of the tested and of the others.
    fn drop_worst(&mut self) {
        for tested in [false, true] {
            let of_kind = self.candidates.iter().filter(|(_, one)| one.values.is_tested(&self.settings) == tested);
            let ranked = of_kind.map(|(id, one)| (*id, self.settings.rank(one.values.sorted())));
            let mut all: Vec<(Id, f64)> = ranked.collect();
            all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            for (id, _) in all.drain(all.len().div_ceil(2)..) {
                self.candidates.remove(&id);
            }
        }
    }
}

/// The highest rank. Of equals the first.
fn best(all: impl Iterator<Item = (Id, f64)>) -> Option<(Id, f64)> {
    all.reduce(|best, one| if one.1 > best.1 { one } else { best })
}
