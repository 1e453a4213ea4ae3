//! Age-fitness Pareto selection (Schmidt and Lipson 2011): young individuals compete with young ones. Every generation
//! adds some random genomes of age zero. An individual is replaced only by one that is at least as good and not older.
//!
//! With protection of young bodies (Cheney et al. 2018), a child with a [new body](is_new_body) gets age zero like a
//! random genome, so that its control has time to adapt.

use std::collections::{BTreeMap, VecDeque};

use burgess_creature::{AnyGenome, Body, Part, Random};
use serde::{Deserialize, Serialize};

use super::{Algorithm, barrier};
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, EvaluatedIndividual, Id, by_fitness};
use crate::selection::Selection;

/// Settings of age-fitness Pareto selection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgeFitnessSettings {
    /// Number of individuals that survive from generation to generation.
    pub population: usize,
    /// Number of births in a generation.
    pub offspring: usize,
    /// Number of births in a generation that are new random genomes.
    pub newcomers: usize,
    /// Selection of parents.
    pub selection: Selection,
    /// Whether a child with a new body gets age zero.
    pub protect_bodies: bool,
    /// Number of results of the last generation that the first births of the next do not wait for.
    pub window: u64,
}

impl Default for AgeFitnessSettings {
    fn default() -> Self {
        Self {
            population: 100,
            offspring: 100,
            newcomers: 5,
            selection: Selection::Tournament { size: 2 },
            protect_bodies: true,
            window: 72,
        }
    }
}

/// A living individual and the age of its line.
#[derive(Debug, Clone)]
struct Member {
    one: EvaluatedIndividual,
    /// Generation in which its line began.
    since: u64,
}

/// State of age-fitness Pareto selection.
#[derive(Debug)]
pub struct AgeFitness {
    settings: AgeFitnessSettings,
    breeder: Breeder,
    founders: Vec<Child>,
    /// Living individuals, the best first.
    members: Vec<Member>,
    /// Generations in which the lines of the births without a result began, by the number of the birth.
    pending: BTreeMap<u64, u64>,
    results: Vec<Member>,
    /// Individuals that have to be evaluated again.
    again: VecDeque<Member>,
    /// Whether the fitness of the members is out of date.
    stale: bool,
}

impl AgeFitness {
    /// Creates a population from founders and, if these are too few, random genomes.
    pub fn new(settings: AgeFitnessSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let (pending, members, results, again) = (BTreeMap::new(), Vec::new(), Vec::new(), VecDeque::new());
        Self { settings, breeder, founders, members, pending, results, again, stale: false }
    }

    fn size(&self) -> u64 {
        self.settings.offspring.max(1) as u64
    }

    /// Returns whether a child has a new body. A genome that does not grow has no body to protect.
    fn has_new_body(&self, child: &Child, parent: &EvaluatedIndividual) -> bool {
        let grow = |genome: &AnyGenome| genome.grow(&self.breeder.physiology);
        match (grow(&child.genome), grow(&parent.genome)) {
            (Ok(child), Ok(parent)) => is_new_body(&child.body, &parent.body),
            _ => false,
        }
    }

    fn child(&self, generation: u64, dice: &mut Random) -> (Child, u64) {
        let fitness: Vec<f64> = self.members.iter().map(|member| member.one.fitness).collect();
        let child = self.breeder.child(dice, |dice| {
            let chosen = &self.members[self.settings.selection.select(&fitness, 0.0, dice)].one;
            Parent { id: chosen.id, genome: &chosen.genome }
        });
        let parents = || self.members.iter().filter(|member| child.parents.contains(&member.one.id));
        let first = parents().find(|member| child.parents.first() == Some(&member.one.id));
        let is_new = self.settings.protect_bodies && first.is_some_and(|first| self.has_new_body(&child, &first.one));
        // A line is as old as its oldest ancestor.
        let oldest = parents().map(|member| member.since).min().unwrap_or(generation);
        (child, if is_new { generation } else { oldest })
    }
}

impl Algorithm for AgeFitness {
    fn needs(&self, number: u64) -> u64 {
        barrier(number, self.size(), self.settings.window)
    }

    fn breed(&mut self, number: u64, dice: &mut Random) -> Birth {
        let generation = self.generation(number);
        if let Some(Member { one, since }) = self.again.pop_front() {
            self.pending.insert(number, since);
            return Birth::copy(&one);
        }
        // The newcomers are the last births of a generation, because copies come first.
        let newcomer = number % self.size() + self.settings.newcomers as u64 >= self.size();
        let (child, since) = match self.founders.get(number as usize) {
            Some(founder) => (founder.clone(), generation),
            None if newcomer || self.members.is_empty() => (self.breeder.random(dice), generation),
            None => self.child(generation, dice),
        };
        self.pending.insert(number, since);
        Birth::of(child)
    }

    fn record_result(&mut self, number: u64, result: EvaluatedIndividual) {
        let last_of_generation = (number + 1).is_multiple_of(self.size());
        let since = self.pending.remove(&number).unwrap_or(0);
        if result.scored {
            self.results.push(Member { one: result, since });
        }
        // If no individual of a generation was scored, the population stays as it was.
        if last_of_generation && !self.results.is_empty() {
            if std::mem::take(&mut self.stale) {
                self.members.clear();
            }
            self.members.append(&mut self.results);
            self.members = survivors(std::mem::take(&mut self.members), self.settings.population.max(1));
        }
    }

    fn add_immigrant(&mut self, immigrant: EvaluatedIndividual) {
        // An immigrant is as old as the youngest member, because its own age was counted in another run.
        let since = self.members.iter().map(|member| member.since).max().unwrap_or(0);
        self.members.push(Member { one: immigrant, since });
        self.members.sort_by(|a, b| by_fitness(&a.one, &b.one));
    }

    fn forget(&mut self, id: Id) {
        self.members.retain(|member| member.one.id != id);
        self.results.retain(|member| member.one.id != id);
        self.again.retain(|member| member.one.id != id);
    }

    fn renew(&mut self) {
        // Only undominated members are evaluated again, and never so many that no births are left for children.
        let (front, _) = first_front(self.members.clone());
        self.again = front.into_iter().take(self.settings.offspring.div_ceil(2)).collect();
        self.stale = true;
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}

/// Selects front after front of undominated individuals until there are enough, and the fittest of the last front.
fn survivors(mut members: Vec<Member>, most: usize) -> Vec<Member> {
    members.sort_by(|a, b| by_fitness(&a.one, &b.one));
    let mut kept: Vec<Member> = Vec::new();
    while kept.len() < most && !members.is_empty() {
        let (front, rest) = first_front(members);
        kept.extend(front);
        members = rest;
    }
    kept.truncate(most);
    kept.sort_by(|a, b| by_fitness(&a.one, &b.one));
    kept
}

/// Splits individuals into undominated and dominated ones. They are sorted by fitness, so an individual is dominated
/// exactly if one before it is not older.
fn first_front(members: Vec<Member>) -> (Vec<Member>, Vec<Member>) {
    let mut youngest = None;
    members.into_iter().partition(|member| {
        let leads = youngest.is_none_or(|since| member.since > since);
        if leads {
            youngest = Some(member.since);
        }
        leads
    })
}

/// Factor by which the volume of a part may change before the body counts as new.
const SAME_VOLUME: f64 = 1.5;

/// Returns whether a body has other parts, other joints, or a part of a very different size. Almost every mutation
/// changes a body a little, so smaller changes do not count. With the default rates one in nine mutants of the legged
/// family and one in four of the graphs have a new body.
fn is_new_body(child: &Body, parent: &Body) -> bool {
    let plan = |part: &Part| {
        let joint = part.attachment.as_ref().map(|joint| (joint.parent, joint.axes.len()));
        (std::mem::discriminant(&part.shape), joint)
    };
    let is_new_part = |(a, b): (&Part, &Part)| {
        let growth = a.shape.volume() / b.shape.volume();
        plan(a) != plan(b) || !(1.0 / SAME_VOLUME..=SAME_VOLUME).contains(&growth)
    };
    child.parts.len() != parent.parts.len() || child.parts.iter().zip(&parent.parts).any(is_new_part)
}

#[cfg(test)]
mod tests {
    use burgess_creature::{Family, GenomeSettings, Physiology};

    use super::*;

    /// Share of mutants with a new body among those that grow.
    fn share_of_new_bodies(family: Family) -> f64 {
        let (settings, physiology) = (GenomeSettings::default(), Physiology::default());
        let (mut new, mut all) = (0.0, 0.0);
        for seed in 0..1000 {
            let mut dice = Random::new(seed);
            let parent = family.random(&settings, &mut dice);
            let child = parent.mutate(&settings, &mut dice);
            if let (Ok(parent), Ok(child)) = (parent.grow(&physiology), child.grow(&physiology)) {
                all += 1.0;
                new += if is_new_body(&child.body, &parent.body) { 1.0 } else { 0.0 };
            }
        }
        new / all
    }

    #[test]
    fn some_mutants_have_new_bodies_and_most_have_not() {
        let (legged, graph) = (share_of_new_bodies(Family::Legged), share_of_new_bodies(Family::Graph));
        assert!((0.05..0.25).contains(&legged), "{legged}");
        assert!((0.2..0.5).contains(&graph), "{graph}");
    }
}
