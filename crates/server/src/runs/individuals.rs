//! `GET .../individuals` and `GET .../individuals/ID`: creatures of a run, sorted and filtered by its database.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_creature::brain::Brain;
use burgess_creature::evaluation::Descriptors;
use burgess_creature::task::Measure;
use burgess_evolution::{Archive, Brief, Id, Individual, Operator, Order, Query};
use serde::{Deserialize, Serialize};

use super::shelf::refused;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

/// How many are told unless another number is asked for.
const USUAL_LIMIT: u64 = 60;

#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    sort: Option<String>,
    order: Option<String>,
    operator: Option<String>,
    favourites: Option<u8>,
    removed: Option<u8>,
    least: Option<String>,
    offset: Option<u64>,
    limit: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct Listed {
    total: u64,
    individuals: Vec<Brief>,
}

impl Asked {
    fn query(&self) -> Result<Query, ApiError> {
        let order = match self.sort.as_deref() {
            None | Some("" | "fitness") => Order::Fitness,
            Some("id") => Order::Id,
            Some(name) => {
                let mut known = Descriptors::NAMES.into_iter().chain(Measure::ALL.iter().map(|measure| measure.name()));
                let is_known = known.any(|known| known == name);
                let unknown = || ApiError::bad(format!("'{name}' is neither fitness, id, nor a measure or descriptor"));
                Order::Figure(is_known.then(|| name.to_string()).ok_or_else(unknown)?)
            }
        };
        let ascending = match self.order.as_deref() {
            None | Some("" | "desc") => false,
            Some("asc") => true,
            Some(other) => return Err(ApiError::bad(format!("order is asc or desc, found '{other}'"))),
        };
        let operator = self.operator.as_deref().filter(|name| !name.is_empty()).map(|name| {
            let known = serde_json::from_value::<Operator>(name.into());
            known.map_err(|_| ApiError::bad(format!("'{name}' is no operator")))
        });
        let least = self.least.as_deref().filter(|text| !text.is_empty()).map(|text| {
            let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
            number.ok_or_else(|| ApiError::bad(format!("least is a number, found '{text}'")))
        });
        Ok(Query {
            order,
            ascending,
            operator: operator.transpose()?,
            // Only favourites, or everybody.
            favourites: self.favourites.filter(|wanted| *wanted != 0).map(|_| true),
            removed: self.removed.map(|wanted| wanted != 0),
            least: least.transpose()?,
            offset: self.offset.unwrap_or(0),
            limit: self.limit.unwrap_or(USUAL_LIMIT),
        })
    }
}

pub(super) async fn list(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    Parameters(asked): Parameters<Asked>,
) -> Result<Json<Listed>, ApiError> {
    let query = asked.query()?;
    hub.look(&run, move |_, archive| {
        let (total, individuals) = archive.select(&query).map_err(refused)?;
        Ok(Json(Listed { total, individuals }))
    })
    .await
}

/// All that is known of one, but for its genome.
#[derive(Debug, Serialize)]
pub(super) struct InFull {
    #[serde(flatten)]
    brief: Brief,
    /// In text: numbers of JavaScript are too short for it.
    seed: String,
    family: &'static str,
    children: Vec<Id>,
    parts: usize,
    neurons: usize,
}

pub(super) async fn about(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<Json<InFull>, ApiError> {
    hub.look(&run, move |_, archive| {
        let one = archive.individual(id).map_err(refused)?;
        let (parts, neurons) = size(&archive, &one)?;
        Ok(Json(InFull {
            brief: archive.brief(id).map_err(refused)?,
            seed: one.seed.to_string(),
            family: one.genome.family().name(),
            children: archive.children(id).map_err(refused)?,
            parts,
            neurons,
        }))
    })
    .await
}

/// Parts of the body, and neurons or oscillators of the brain; none of one that does not grow.
fn size(archive: &Archive, one: &Individual) -> Result<(usize, usize), ApiError> {
    let physiology = archive.config().map_err(refused)?.task.physiology;
    let Ok(phenotype) = one.genome.grow(&physiology) else { return Ok((0, 0)) };
    let neurons = match &phenotype.brain {
        Brain::Network(network) => network.neurons.len(),
        Brain::Spectral(spectral) => spectral.oscillators.len(),
    };
    Ok((phenotype.body.parts.len(), neurons))
}
