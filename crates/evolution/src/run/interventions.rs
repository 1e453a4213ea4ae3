//! Interventions in a running run: received, recorded, applied; and applied again when the run is resumed.

use super::{Born, Observer, Purpose, Run};
use crate::breeder::{Child, Parent};
use crate::config::RunConfig;
use crate::error::RunError;
use crate::individual::{Birth, Operator};
use crate::intervention::{Intervention, InterventionRequest, InterventionResult, Refusal};

impl Run {
    /// Handles the requests of the observer, once all recorded interventions are applied again.
    pub(super) fn handle_requests(&mut self, observer: &mut dyn Observer) -> Result<(), RunError> {
        while self.bred >= self.archive.count()
            && self.interventions.pending.is_empty()
            && let Some(queued) = observer.next_intervention()
        {
            let result = match &queued.request {
                InterventionRequest::Apply(what) => self.intervene(what)?,
                InterventionRequest::SetEvaluations(evaluations) => self.set_evaluations(*evaluations)?,
            };
            queued.complete(result);
        }
        Ok(())
    }

    /// Records an intervention before the next birth, then applies it.
    fn intervene(&mut self, what: &Intervention) -> Result<InterventionResult, RunError> {
        if let Err(refusal) = self.check_intervention(what)? {
            return Ok(Err(refusal));
        }
        self.archive.intervene(self.bred, what)?;
        let Some(born) = self.apply(what)? else { return Ok(Ok(None)) };
        let id = self.bred;
        // The job is submitted with the next births, because the run may be paused.
        let job = self.enter(born)?;
        self.held.extend(job);
        Ok(Ok(Some(id)))
    }

    fn check_intervention(&self, what: &Intervention) -> Result<Result<(), Refusal>, RunError> {
        if what.is_birth() && self.stage.config.has_rivals() {
            return Ok(Err(Refusal::Contest));
        }
        if what.is_birth() && self.bred >= self.config.evaluations {
            return Ok(Err(Refusal::NoRoom(self.config.evaluations)));
        }
        match what {
            Intervention::Join { genome, .. } if !self.families.contains(&genome.family()) => {
                Ok(Err(Refusal::Stranger(genome.family())))
            }
            _ => Ok(self.archive.check_intervention(what, self.kept)?),
        }
    }

    /// Applies the next recorded intervention.
    pub(super) fn apply_next_recorded(&mut self) -> Result<Option<Born>, RunError> {
        self.interventions.pending.pop_front().map_or(Ok(None), |(_, what)| self.apply(&what))
    }

    /// Applies an intervention, and returns the individual that is born by it, which has no id yet.
    fn apply(&mut self, what: &Intervention) -> Result<Option<Born>, RunError> {
        match what {
            Intervention::Favourite { id, on: true } => {
                let genome = self.archive.individual(*id)?.genome;
                self.interventions.favourites.insert(*id, genome);
            }
            Intervention::Favourite { id, on: false } => {
                self.interventions.favourites.remove(id);
            }
            Intervention::Remove { id } => {
                self.interventions.favourites.remove(id);
                self.interventions.removed.insert(*id);
                self.algorithm.forget(*id);
                self.champions.forget(*id);
            }
            Intervention::Breed { parents: [one, other] } => {
                let genomes = [self.archive.individual(*one)?.genome, self.archive.individual(*other)?.genome];
                let parents = [Parent { id: *one, genome: &genomes[0] }, Parent { id: *other, genome: &genomes[1] }];
                let child = self.breeder.manual_child(parents, &mut self.dice(Purpose::Breeding));
                return Ok(Some(self.manual_birth(child)));
            }
            Intervention::Join { genome, .. } => {
                let (genome, parents) = (genome.clone(), Vec::new());
                return Ok(Some(self.manual_birth(Child { genome, parents, operator: Operator::Immigrant })));
            }
        }
        Ok(None)
    }

    /// Returns a child of favourites, if the next birth is drawn to be one.
    pub(super) fn favoured(&self) -> Option<Child> {
        let favourites: Vec<Parent> =
            self.interventions.favourites.iter().map(|(id, genome)| Parent { id: *id, genome }).collect();
        let is_drawn = || self.dice(Purpose::Favour).chance(self.config.favour);
        if favourites.is_empty() || self.stage.config.has_rivals() || !is_drawn() {
            return None;
        }
        let dice = &mut self.dice(Purpose::Breeding);
        let child = self.breeder.child(dice, |dice| favourites[dice.below(favourites.len())]);
        Some(Child { operator: Operator::Favoured, ..child })
    }

    /// Makes the next birth a manual one, in the current generation of the algorithm.
    pub(super) fn manual_birth(&mut self, child: Child) -> Born {
        let (generation, task) = self.conditions_of_manual_birth();
        self.interventions.add_manual_birth(self.bred);
        Born { birth: Birth::of(child), generation, task }
    }

    /// Changes how many individuals the run evaluates in all.
    fn set_evaluations(&mut self, evaluations: u64) -> Result<InterventionResult, RunError> {
        if evaluations < self.bred {
            return Ok(Err(Refusal::Evaluations(evaluations, format!("{} are bred already", self.bred))));
        }
        if self.has_final_births() {
            let why = "the champions are being tested; change it when the run has ended".to_string();
            return Ok(Err(Refusal::Evaluations(evaluations, why)));
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
