//! `GET .../curve`: fitness and diversity, generation by generation.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::GenerationSummary;
use serde::Serialize;

use super::run_directory::archive_error;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

/// Fitness and diversity of a run by generation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Curve {
    /// The generations, the first one first.
    generations: Vec<Generation>,
}

/// Statistics of a generation. Numbers are null if no individual was scored.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Generation {
    /// Number of the generation.
    generation: u64,
    /// Number of individuals born.
    born: usize,
    /// Number of individuals scored.
    scored: usize,
    /// Highest fitness.
    best: Option<f64>,
    /// Upper quartile of the fitness.
    upper_quartile: Option<f64>,
    /// Median of the fitness.
    median: Option<f64>,
    /// Lower quartile of the fitness.
    lower_quartile: Option<f64>,
    /// Diversity of the genomes.
    diversity: Option<f64>,
    /// Whether the task or its parameters changed before this generation. Fitness cannot be compared with earlier ones.
    new_task: bool,
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
            new_task: of.is_new_task,
        }
    }
}

pub(super) async fn curve(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
) -> Result<Json<Curve>, ApiError> {
    hub.read_run(&run, |_, archive| {
        let curve = archive.curve().map_err(archive_error)?;
        Ok(Json(Curve { generations: curve.into_iter().map(Generation::from).collect() }))
    })
    .await
}
