//! `GET .../curve`: fitness and diversity, generation by generation.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::GenerationSummary;
use serde::Serialize;

use super::shelf::refused;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

#[derive(Debug, Serialize)]
pub(super) struct Curve {
    generations: Vec<Generation>,
}

#[derive(Debug, Serialize)]
struct Generation {
    generation: u64,
    born: usize,
    scored: usize,
    best: Option<f64>,
    upper_quartile: Option<f64>,
    median: Option<f64>,
    lower_quartile: Option<f64>,
    diversity: Option<f64>,
}

impl From<GenerationSummary> for Generation {
    fn from(of: GenerationSummary) -> Self {
        let if_scored = |value: f64| (of.scored > 0).then_some(value);
        Self {
            generation: of.generation,
            born: of.born,
            scored: of.scored,
            best: if_scored(of.best),
            upper_quartile: if_scored(of.upper_quartile),
            median: if_scored(of.median),
            lower_quartile: if_scored(of.lower_quartile),
            diversity: if_scored(of.diversity),
        }
    }
}

pub(super) async fn curve(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
) -> Result<Json<Curve>, ApiError> {
    hub.look(&run, |_, archive| {
        let curve = archive.curve().map_err(refused)?;
        Ok(Json(Curve { generations: curve.into_iter().map(Generation::from).collect() }))
    })
    .await
}
