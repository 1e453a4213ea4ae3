//! `GET .../individuals` and `GET .../individuals/ID`: individuals of a run, sorted and filtered by its database.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_creature::Phenotype;
use burgess_creature::brain::Brain;
use burgess_evolution::{Archive, Id, Individual, IndividualSummary, Operator, Order, Query, Spread};
use serde::{Deserialize, Serialize};

use super::figures::{is_measured, range_of};
use super::run_directory::archive_error;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

/// Default number of individuals in a response.
const DEFAULT_LIMIT: u64 = 60;

/// Query parameters of a list of individuals.
#[derive(Debug, Deserialize)]
pub(super) struct ListParameters {
    sort: Option<String>,
    order: Option<String>,
    operator: Option<String>,
    favourites: Option<u8>,
    removed: Option<u8>,
    least: Option<String>,
    x: Option<String>,
    x_low: Option<String>,
    x_high: Option<String>,
    y: Option<String>,
    y_low: Option<String>,
    y_high: Option<String>,
    offset: Option<u64>,
    limit: Option<u64>,
}

/// A page of the individuals of a run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct IndividualList {
    /// Number of individuals that match the query.
    total: u64,
    /// The individuals of this page.
    #[cfg_attr(test, schemars(with = "Vec<crate::schema::IndividualSummary>"))]
    individuals: Vec<IndividualSummary>,
}

impl ListParameters {
    fn query(&self) -> Result<Query, ApiError> {
        let order = match self.sort.as_deref() {
            None | Some("" | "fitness") => Order::Fitness,
            Some("id") => Order::Id,
            Some(name) => {
                let unknown =
                    || ApiError::bad(format!("unknown sort '{name}', expected fitness, id, a measure or a descriptor"));
                Order::Figure(is_measured(name).then(|| name.to_string()).ok_or_else(unknown)?)
            }
        };
        let ascending = match self.order.as_deref() {
            None | Some("" | "desc") => false,
            Some("asc") => true,
            Some(other) => return Err(ApiError::bad(format!("order must be asc or desc, found '{other}'"))),
        };
        let operator = self.operator.as_deref().filter(|name| !name.is_empty()).map(|name| {
            let known = serde_json::from_value::<Operator>(name.into());
            known.map_err(|_| ApiError::bad(format!("unknown operator '{name}'")))
        });
        let least = self.least.as_deref().filter(|text| !text.is_empty()).map(|text| {
            let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
            number.ok_or_else(|| ApiError::bad(format!("least must be a number, found '{text}'")))
        });
        let of = Option::as_deref;
        let x = range_of(of(&self.x), of(&self.x_low), of(&self.x_high))?;
        let y = range_of(of(&self.y), of(&self.y_low), of(&self.y_high))?;
        Ok(Query {
            order,
            ascending,
            operator: operator.transpose()?,
            // Only favourites, or all individuals.
            favourites: self.favourites.filter(|wanted| *wanted != 0).map(|_| true),
            removed: self.removed.map(|wanted| wanted != 0),
            least: least.transpose()?,
            ranges: x.into_iter().chain(y).collect(),
            offset: self.offset.unwrap_or(0),
            limit: self.limit.unwrap_or(DEFAULT_LIMIT),
        })
    }
}

pub(super) async fn list(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    Parameters(asked): Parameters<ListParameters>,
) -> Result<Json<IndividualList>, ApiError> {
    let query = asked.query()?;
    hub.read_run(&run, move |_, archive| {
        let (total, individuals) = archive.select(&query).map_err(archive_error)?;
        Ok(Json(IndividualList { total, individuals }))
    })
    .await
}

/// An individual with everything but its genome.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Individual"))]
pub(crate) struct IndividualDetail {
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "crate::schema::IndividualSummary"))]
    summary: IndividualSummary,
    /// Seed of the evaluation, as text: it has 64 bits, more than a JavaScript number holds.
    seed: String,
    /// Family of the genome.
    family: &'static str,
    /// Spread of its fitness over its evaluations, if it was scored.
    #[cfg_attr(test, schemars(with = "Option<crate::schema::Spread>"))]
    spread: Option<Spread>,
    /// Ids of the children.
    children: Vec<Id>,
    /// Number of parts of the body.
    parts: usize,
    /// Number of neurons or oscillators of the brain.
    neurons: usize,
}

pub(super) async fn about(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<Json<IndividualDetail>, ApiError> {
    hub.read_run(&run, move |_, archive| {
        let one = archive.individual(id).map_err(archive_error)?;
        let (parts, neurons) = size(&archive, &one)?;
        Ok(Json(IndividualDetail {
            summary: archive.summary(id).map_err(archive_error)?,
            seed: one.seed.to_string(),
            family: one.genome.family().name(),
            spread: archive.spread(id).map_err(archive_error)?,
            children: archive.children(id).map_err(archive_error)?,
            parts,
            neurons,
        }))
    })
    .await
}

/// Loads an individual and grows its body and brain.
pub(super) fn grow(archive: &Archive, id: Id) -> Result<(Individual, Phenotype), ApiError> {
    let one = archive.individual(id).map_err(archive_error)?;
    let physiology = archive.config().map_err(archive_error)?.task.physiology;
    let grown = one.genome.grow(&physiology);
    let phenotype = grown.map_err(|why| ApiError::missing(format!("individual {id} does not grow: {why}")))?;
    Ok((one, phenotype))
}

/// Number of parts of the body, and of neurons or oscillators of the brain; 0 if the genome does not grow.
fn size(archive: &Archive, one: &Individual) -> Result<(usize, usize), ApiError> {
    let physiology = archive.config().map_err(archive_error)?.task.physiology;
    let Ok(phenotype) = one.genome.grow(&physiology) else { return Ok((0, 0)) };
    let neurons = match &phenotype.brain {
        Brain::Network(network) => network.neurons.len(),
        Brain::Spectral(spectral) => spectral.oscillators.len(),
    };
    Ok((phenotype.body.parts.len(), neurons))
}
