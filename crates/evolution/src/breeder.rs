//! Making children: which operator, how often, and not handing on what cannot even grow.

use burgess_creature::{AnyGenome, Family, GenomeSettings, Physiology, Random, Recombination};
use serde::{Deserialize, Serialize};

use crate::individual::{Id, Operator};

/// Shares of the operators; they are normalised (000's own add up to 110 %).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shares {
    /// Of children of one parent.
    pub mutation: f64,
    /// Of children of two by exchange of parts.
    pub crossover: f64,
    /// Of children of two by addition of parts.
    pub grafting: f64,
    /// Of children of two by exchange below the parts.
    pub exchange: f64,
    /// Of children of two by the mean of their numbers.
    pub intermediate: f64,
    /// Chance that a child of two is mutated as well.
    pub then_mutate: f64,
}

impl Default for Shares {
    fn default() -> Self {
        Self { mutation: 0.6, crossover: 0.2, grafting: 0.1, exchange: 0.1, intermediate: 0.0, then_mutate: 0.5 }
    }
}

/// What children are made by.
#[derive(Debug, Clone, PartialEq)]
pub struct Breeder {
    /// Of new genomes.
    pub family: Family,
    /// Rates and bounds.
    pub genomes: GenomeSettings,
    /// Which operator how often.
    pub shares: Shares,
    /// What bodies must keep to.
    pub physiology: Physiology,
    /// How often a child that does not grow is tried again.
    pub attempts: usize,
}

/// A possible parent.
#[derive(Debug, Clone, Copy)]
pub struct Parent<'a> {
    /// Its number.
    pub id: Id,
    /// What it has to give.
    pub genome: &'a AnyGenome,
}

/// A child with its parents.
#[derive(Debug, Clone, PartialEq)]
pub struct Child {
    /// What it inherits.
    pub genome: AnyGenome,
    /// The one that gave most first.
    pub parents: Vec<Id>,
    /// How.
    pub operator: Operator,
}

impl Breeder {
    /// Somebody new.
    pub fn random(&self, dice: &mut Random) -> Child {
        let genome = self.viable(dice, |dice| self.family.random(&self.genomes, dice));
        Child { genome, parents: Vec::new(), operator: Operator::Random }
    }

    /// A child of parents that are selected one by one, as many as the operator needs.
    pub fn child<'a>(&self, dice: &mut Random, mut select: impl FnMut(&mut Random) -> Parent<'a>) -> Child {
        let how = self.operator(dice);
        let parents: Vec<Parent> = (0..how.map_or(1, |_| 2)).map(|_| select(dice)).collect();
        self.child_of(&parents, how, dice)
    }

    /// A child of two that a person chose: by any operator that takes two, or crossover if none is in use.
    pub fn child_by_hand(&self, parents: [Parent; 2], dice: &mut Random) -> Child {
        let of_two = Self { shares: Shares { mutation: 0.0, ..self.shares }, ..self.clone() };
        let how = of_two.operator(dice).unwrap_or(Recombination::Crossover);
        Child { operator: Operator::ByHand, ..self.child_of(&parents, Some(how), dice) }
    }

    /// A child of these parents, one for mutation alone, else two; the first gives most.
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

    /// Which operator comes next; none is mutation alone.
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

    /// The first of some attempts that grows, or the last.
    fn viable(&self, dice: &mut Random, mut make: impl FnMut(&mut Random) -> AnyGenome) -> AnyGenome {
        let mut genome = make(dice);
        for _ in 1..self.attempts {
            if genome.grow(&self.physiology).is_ok() {
                break;
            }
            genome = make(dice);
        }
        genome
    }
}
