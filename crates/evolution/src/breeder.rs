//! Breeding: the choice of an operator, and repeated attempts if a child does not grow.

use burgess_creature::{AnyGenome, Family, GenomeSettings, Physiology, Random, Recombination};
use serde::{Deserialize, Serialize};

use crate::individual::{Id, Operator};

/// Shares of the operators. They are normalized (those of Fontijne (2000) add up to 110 %).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shares {
    /// Share of mutation of one parent.
    pub mutation: f64,
    /// Share of crossover: two parents exchange parts.
    pub crossover: f64,
    /// Share of grafting: parts of one parent are added to the other.
    pub grafting: f64,
    /// Share of exchange of what is below the level of a part.
    pub exchange: f64,
    /// Share of intermediate recombination: the mean of two parents' numbers.
    pub intermediate: f64,
    /// Probability that a child of two parents is mutated as well.
    pub then_mutate: f64,
}

impl Default for Shares {
    fn default() -> Self {
        Self { mutation: 0.6, crossover: 0.2, grafting: 0.1, exchange: 0.1, intermediate: 0.0, then_mutate: 0.5 }
    }
}

/// Creates genomes: random ones and children.
#[derive(Debug, Clone, PartialEq)]
pub struct Breeder {
    /// Family of random genomes.
    pub family: Family,
    /// Rates and bounds of the operators.
    pub genomes: GenomeSettings,
    /// Shares of the operators.
    pub shares: Shares,
    /// Requirements on bodies.
    pub physiology: Physiology,
    /// Number of attempts at a child that grows.
    pub attempts: usize,
}

/// A possible parent.
#[derive(Debug, Clone, Copy)]
pub struct Parent<'a> {
    /// Id of the parent.
    pub id: Id,
    /// Genome of the parent.
    pub genome: &'a AnyGenome,
}

/// A child and its parents.
#[derive(Debug, Clone, PartialEq)]
pub struct Child {
    /// Genome of the child.
    pub genome: AnyGenome,
    /// Parents, the one that contributed most first.
    pub parents: Vec<Id>,
    /// Operator that made it.
    pub operator: Operator,
}

impl Breeder {
    /// Creates a random genome.
    pub fn random(&self, dice: &mut Random) -> Child {
        let genome = self.viable(dice, |dice| self.family.random(&self.genomes, dice));
        Child { genome, parents: Vec::new(), operator: Operator::Random }
    }

    /// Breeds a child. `select` is called once for each parent that the operator needs.
    pub fn child<'a>(&self, dice: &mut Random, mut select: impl FnMut(&mut Random) -> Parent<'a>) -> Child {
        let how = self.operator(dice);
        let parents: Vec<Parent> = (0..how.map_or(1, |_| 2)).map(|_| select(dice)).collect();
        self.child_of(&parents, how, dice)
    }

    /// Breeds a child of two parents that a person chose, by any operator for two parents, or by crossover if all
    /// their shares are 0.
    pub fn manual_child(&self, parents: [Parent; 2], dice: &mut Random) -> Child {
        let of_two = Self { shares: Shares { mutation: 0.0, ..self.shares }, ..self.clone() };
        let how = of_two.operator(dice).unwrap_or(Recombination::Crossover);
        Child { operator: Operator::Manual, ..self.child_of(&parents, Some(how), dice) }
    }

    /// Breeds a child of one parent by mutation, or of two by recombination. The first parent contributes most.
    pub fn child_of(&self, parents: &[Parent], how: Option<Recombination>, dice: &mut Random) -> Child {
        let ids = parents.iter().map(|parent| parent.id).collect();
        match (parents, how) {
            ([], _) => self.random(dice),
            ([first, second, ..], Some(how)) => {
                let genome = self.viable(dice, |dice| {
                    let child = first.genome.recombine(second.genome, how, &self.genomes, dice);
                    if dice.chance(self.shares.then_mutate) { child.mutate(&self.genomes, dice) } else { child }
                });
                Child { genome, parents: ids, operator: how.into() }
            }
            ([first, ..], _) => {
                let genome = self.viable(dice, |dice| first.genome.mutate(&self.genomes, dice));
                Child { genome, parents: ids, operator: Operator::Mutation }
            }
        }
    }

    /// Draws an operator. `None` is mutation of one parent.
    pub fn operator(&self, dice: &mut Random) -> Option<Recombination> {
        let Shares { mutation, crossover, grafting, exchange, intermediate, .. } = self.shares;
        let choices = [
            (None, mutation),
            (Some(Recombination::Crossover), crossover),
            (Some(Recombination::Grafting), grafting),
            (Some(Recombination::Exchange), exchange),
            (Some(Recombination::Intermediate), intermediate),
        ];
        let mut left = dice.between(0.0, choices.iter().map(|(_, share)| share).sum());
        for (how, share) in choices {
            if left < share {
                return how;
            }
            left -= share;
        }
        None
    }

    /// Returns the first of several attempts that grows, or the last.
    fn viable(&self, dice: &mut Random, mut make: impl FnMut(&mut Random) -> AnyGenome) -> AnyGenome {
        let mut genome = make(dice);
        for _ in 1..self.attempts {
            if genome.family() == Family::Tuning || genome.grow(&self.physiology).is_ok() {
                break;
            }
            genome = make(dice);
        }
        genome
    }
}
