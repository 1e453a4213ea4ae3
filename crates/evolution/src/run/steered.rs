//! What a person does to a run under way: asked for, written down, done; and done again when the run is taken up.

use std::sync::Arc;

use super::{Born, Onlooker, Purpose, Run};
use crate::breeder::{Child, Parent};
use crate::config::RunConfig;
use crate::error::RunError;
use crate::individual::{Birth, Operator};
use crate::intervention::{Intervention, Refusal};
use crate::steering::{Answer, Wish};

impl Run {
    /// Answers what a person asks for, once all is done again that was done before.
    pub(super) fn listen(&mut self, onlooker: &mut dyn Onlooker) -> Result<(), RunError> {
        while self.bred >= self.archive.count()
            && self.by_hand.pending.is_empty()
            && let Some(request) = onlooker.request()
        {
            let answer = match &request.wish {
                Wish::Intervene(what) => self.intervene(what)?,
                Wish::Evaluations(evaluations) => self.extend(*evaluations)?,
            };
            request.answer(answer);
        }
        Ok(())
    }

    /// Does something before the next birth, and writes it down first.
    fn intervene(&mut self, what: &Intervention) -> Result<Answer, RunError> {
        if let Err(refusal) = self.may(what)? {
            return Ok(Err(refusal));
        }
        self.archive.intervene(self.bred, what)?;
        let Some(born) = self.act(what)? else { return Ok(Ok(None)) };
        let id = self.bred;
        // Handed out with the next births, for this may be a pause.
        let job = self.enter(born)?;
        self.held.extend(job);
        Ok(Ok(Some(id)))
    }

    fn may(&self, what: &Intervention) -> Result<Result<(), Refusal>, RunError> {
        if what.is_birth() && self.config.has_rivals() {
            return Ok(Err(Refusal::Contest));
        }
        if what.is_birth() && self.bred >= self.config.evaluations {
            return Ok(Err(Refusal::NoRoom(self.config.evaluations)));
        }
        match what {
            Intervention::Join { genome, .. } if !self.families.contains(&genome.family()) => {
                Ok(Err(Refusal::Stranger(genome.family())))
            }
            _ => Ok(self.archive.may(what, self.kept)?),
        }
    }

    /// The next thing that was written down when the run came here before.
    pub(super) fn do_again(&mut self) -> Result<Option<Born>, RunError> {
        self.by_hand.pending.pop_front().map_or(Ok(None), |(_, what)| self.act(&what))
    }

    /// Whoever is born by it has no number yet.
    fn act(&mut self, what: &Intervention) -> Result<Option<Born>, RunError> {
        match what {
            Intervention::Favourite { id, on: true } => {
                let genome = self.archive.individual(*id)?.genome;
                self.by_hand.favourites.insert(*id, genome);
            }
            Intervention::Favourite { id, on: false } => {
                self.by_hand.favourites.remove(id);
            }
            Intervention::Remove { id } => {
                self.by_hand.favourites.remove(id);
                self.by_hand.removed.insert(*id);
                self.algorithm.forget(*id);
            }
            Intervention::Breed { parents: [one, other] } => {
                let genomes = [self.archive.individual(*one)?.genome, self.archive.individual(*other)?.genome];
                let parents = [Parent { id: *one, genome: &genomes[0] }, Parent { id: *other, genome: &genomes[1] }];
                let child = self.breeder.child_by_hand(parents, &mut self.dice(Purpose::Breeding));
                return Ok(Some(self.born_by_hand(child)));
            }
            Intervention::Join { genome, .. } => {
                let (genome, parents) = (genome.clone(), Vec::new());
                return Ok(Some(self.born_by_hand(Child { genome, parents, operator: Operator::Immigrant })));
            }
        }
        Ok(None)
    }

    /// A child of favourites, if the next birth is theirs.
    pub(super) fn favoured(&self) -> Option<Child> {
        let favourites: Vec<Parent> =
            self.by_hand.favourites.iter().map(|(id, genome)| Parent { id: *id, genome }).collect();
        let is_theirs = || self.dice(Purpose::Favour).chance(self.config.favour);
        if favourites.is_empty() || self.config.has_rivals() || !is_theirs() {
            return None;
        }
        let dice = &mut self.dice(Purpose::Breeding);
        let child = self.breeder.child(dice, |dice| favourites[dice.below(favourites.len())]);
        Some(Child { operator: Operator::Favoured, ..child })
    }

    /// The next one, who belongs to the generation that has begun and is no birth of the algorithm.
    pub(super) fn born_by_hand(&mut self, child: Child) -> Born {
        let generation = self.algorithm.generation(self.by_hand.number(self.bred).saturating_sub(1));
        self.by_hand.add_birth(self.bred);
        Born { birth: Birth::of(child), generation, task: Arc::clone(self.syllabus.task()) }
    }

    /// Goes on until so many are evaluated.
    fn extend(&mut self, evaluations: u64) -> Result<Answer, RunError> {
        if evaluations < self.bred {
            return Ok(Err(Refusal::Evaluations(evaluations, format!("{} are bred already", self.bred))));
        }
        let config = RunConfig { evaluations, ..self.config.clone() };
        if let Err(error) = config.check() {
            return Ok(Err(Refusal::Evaluations(evaluations, error.to_string())));
        }
        self.archive.extend(evaluations)?;
        self.config = config;
        Ok(Ok(None))
    }
}
