//! Age-fitness Pareto selection (Schmidt and Lipson 2011): the young compete with the young. Every generation brings some new
//! random genomes of age zero, and one is thrown out only by somebody who is at least as good and at most as old. With protection of young bodies (Cheney and others 2018) a child whose body differs from its
//! parent's is as young as a new one, until its control has had time to adapt.

use std::collections::BTreeMap;

use burgess_creature::Dice;
use serde::{Deserialize, Serialize};

use super::Algorithm;
use crate::breeder::{Breeder, Child, Parent};
use crate::individual::{Birth, Learned, by_fitness};
use crate::selection::Selection;

/// How large, and what counts as young.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgeFitnessSettings {
    /// Individuals that live on from generation to generation.
    pub population: usize,
    /// Births in a generation.
    pub offspring: usize,
    /// Of these, how many are new random genomes.
    pub newcomers: usize,
    /// Who becomes a parent.
    pub selection: Selection,
    /// Is a child with a new body young again?
    pub protect_bodies: bool,
}

impl Default for AgeFitnessSettings {
    fn default() -> Self {
        Self {
            population: 100,
            offspring: 100,
            newcomers: 5,
            selection: Selection::Tournament { size: 2 },
            protect_bodies: true,
        }
    }
}

/// One that lives, and since when its line does.
#[derive(Debug)]
struct Member {
    one: Learned,
    /// Generation in which its line began.
    since: u64,
}

/// The population.
#[derive(Debug)]
pub struct AgeFitness {
    settings: AgeFitnessSettings,
    breeder: Breeder,
    founders: Vec<Child>,
    /// Best first.
    members: Vec<Member>,
    /// Since when the lines of births by number that were not told yet live.
    unborn: BTreeMap<u64, u64>,
    told: Vec<Member>,
}

impl AgeFitness {
    /// Starts with founders and, where these are too few, with random genomes.
    pub fn new(settings: AgeFitnessSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let (unborn, members, told) = (BTreeMap::new(), Vec::new(), Vec::new());
        Self { settings, breeder, founders, members, unborn, told }
    }

    fn size(&self) -> u64 {
        self.settings.offspring.max(1) as u64
    }

    /// Is the body of a child another than that of its parent?
    fn has_new_body(&self, child: &Child, parent: &Learned) -> bool {
        let body = |genome: &burgess_creature::AnyGenome| genome.grow(&self.breeder.physiology).map(|grown| grown.body);
        body(&child.genome) != body(&parent.genome)
    }

    fn child(&self, generation: u64, dice: &mut Dice) -> (Child, u64) {
        let fitness: Vec<f64> = self.members.iter().map(|member| member.one.fitness).collect();
        let child = self.breeder.child(dice, |dice| {
            let chosen = &self.members[self.settings.selection.select(&fitness, 0.0, dice)].one;
            Parent { id: chosen.id, genome: &chosen.genome }
        });
        let parents = || self.members.iter().filter(|member| child.parents.contains(&member.one.id));
        let first = parents().find(|member| child.parents.first() == Some(&member.one.id));
        let is_new = self.settings.protect_bodies && first.is_some_and(|first| self.has_new_body(&child, &first.one));
        // A line is as old as its oldest part.
        let oldest = parents().map(|member| member.since).min().unwrap_or(generation);
        (child, if is_new { generation } else { oldest })
    }
}

impl Algorithm for AgeFitness {
    fn needs(&self, number: u64) -> u64 {
        self.generation(number) * self.size()
    }

    fn breed(&mut self, number: u64, dice: &mut Dice) -> Birth {
        let generation = self.generation(number);
        let newcomer = number % self.size() < self.settings.newcomers as u64;
        let (child, since) = match self.founders.get(number as usize) {
            Some(founder) => (founder.clone(), generation),
            None if newcomer || self.members.is_empty() => (self.breeder.random(dice), generation),
            None => self.child(generation, dice),
        };
        self.unborn.insert(number, since);
        Birth::of(child)
    }

    fn learn(&mut self, number: u64, result: Learned) {
        let last_of_generation = (number + 1) % self.size() == 0;
        let since = self.unborn.remove(&number).unwrap_or(0);
        if result.scored {
            self.told.push(Member { one: result, since });
        }
        if last_of_generation {
            self.members.append(&mut self.told);
            self.members = survivors(std::mem::take(&mut self.members), self.settings.population.max(1));
        }
    }

    fn welcome(&mut self, immigrant: Learned) {
        // As old as the youngest: its own age is that of another world.
        let since = self.members.iter().map(|member| member.since).max().unwrap_or(0);
        self.members.push(Member { one: immigrant, since });
        self.members.sort_by(|a, b| by_fitness(&a.one, &b.one));
    }

    fn generation(&self, number: u64) -> u64 {
        number / self.size()
    }
}

/// Front after front of those whom nobody dominates, until there are enough; of the last front the fittest.
fn survivors(mut members: Vec<Member>, most: usize) -> Vec<Member> {
    members.sort_by(|a, b| by_fitness(&a.one, &b.one));
    let mut kept: Vec<Member> = Vec::new();
    while kept.len() < most && !members.is_empty() {
        // Best first, so one is dominated exactly if somebody before it is at most as old.
        let mut youngest = None;
        let (front, rest): (Vec<Member>, Vec<Member>) = members.into_iter().partition(|member| {
            let leads = youngest.is_none_or(|since| member.since > since);
            if leads {
                youngest = Some(member.since);
            }
            leads
        });
        kept.extend(front);
        members = rest;
    }
    kept.truncate(most);
    kept.sort_by(|a, b| by_fitness(&a.one, &b.one));
    kept
}
