//! Age-fitness Pareto selection (Schmidt and Lipson 2011): the young compete with the young. Every generation brings some new
//! random genomes of age zero, and one is thrown out only by somebody who is at least as good and at most as old. With protection of young bodies (Cheney and others 2018) a child whose body differs from its
//! parent's is as young as a new one, until its control has had time to adapt.

use std::collections::{BTreeMap, VecDeque};

use burgess_creature::Dice;
use serde::{Deserialize, Serialize};

use super::{Algorithm, barrier};
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
    /// How many of the last generation the first of the next do not wait for.
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
            window: 16,
        }
    }
}

/// One that lives, and since when its line does.
#[derive(Debug, Clone)]
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
    /// Those that have to be evaluated again.
    again: VecDeque<Member>,
    /// Is the members' fitness out of date?
    stale: bool,
}

impl AgeFitness {
    /// Starts with founders and, where these are too few, with random genomes.
    pub fn new(settings: AgeFitnessSettings, breeder: Breeder, founders: Vec<Child>) -> Self {
        let (unborn, members, told, again) = (BTreeMap::new(), Vec::new(), Vec::new(), VecDeque::new());
        Self { settings, breeder, founders, members, unborn, told, again, stale: false }
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
        barrier(number, self.size(), self.settings.window)
    }

    fn breed(&mut self, number: u64, dice: &mut Dice) -> Birth {
        let generation = self.generation(number);
        if let Some(Member { one, since }) = self.again.pop_front() {
            self.unborn.insert(number, since);
            return Birth::copy(&one);
        }
        // The last ones, as copies come first.
        let newcomer = number % self.size() + self.settings.newcomers as u64 >= self.size();
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
        // A generation of which nobody was scored leaves everything as it was.
        if last_of_generation && !self.told.is_empty() {
            if std::mem::take(&mut self.stale) {
                self.members.clear();
            }
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

    fn renew(&mut self) {
        // Those whom nobody dominates; never so many that there is no room for children.
        let (front, _) = first_front(self.members.clone());
        self.again = front.into_iter().take(self.settings.offspring.div_ceil(2)).collect();
        self.stale = true;
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
        let (front, rest) = first_front(members);
        kept.extend(front);
        members = rest;
    }
    kept.truncate(most);
    kept.sort_by(|a, b| by_fitness(&a.one, &b.one));
    kept
}

/// Those whom nobody dominates, and the others. Best first, so one is dominated exactly if somebody before it is at most as old.
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
