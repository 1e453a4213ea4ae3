//! `GET .../points`: two figures of the individuals of a run, for a scatter plot.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::{Id, Points};
use serde::{Deserialize, Serialize};

use super::figures::figure_of;
use super::run_directory::archive_error;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

/// Maximum number of individuals at equal distances. An answer has at most 0.5 MB.
const MAX_POINTS: u64 = 5000;

/// Query parameters of a scatter plot.
#[derive(Debug, Deserialize)]
pub(super) struct Axes {
    x: String,
    y: String,
}

/// Two figures of the individuals of a run. The lists have one entry for each point.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Scatter {
    /// Number of individuals of the run.
    total: u64,
    /// Number of individuals that were considered: all, or, of more than 5,000, those at equal distances in the order
    /// of births and the 100 fittest.
    sampled: u64,
    /// Ids of the individuals that have both figures.
    id: Vec<Id>,
    /// First figure.
    x: Vec<f64>,
    /// Second figure.
    y: Vec<f64>,
    /// Fitness, if the individual was scored.
    fitness: Vec<Option<f64>>,
}

impl From<Points> for Scatter {
    fn from(of: Points) -> Self {
        let Points { total, sampled, points } = of;
        Self {
            total,
            sampled,
            id: points.iter().map(|point| point.id).collect(),
            x: points.iter().map(|point| point.x).collect(),
            y: points.iter().map(|point| point.y).collect(),
            fitness: points.iter().map(|point| point.fitness).collect(),
        }
    }
}

pub(super) async fn points(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    Parameters(Axes { x, y }): Parameters<Axes>,
) -> Result<Json<Scatter>, ApiError> {
    let (x, y) = (figure_of(&x)?, figure_of(&y)?);
    hub.read_run(&run, move |_, archive| {
        let points = archive.points(&x, &y, MAX_POINTS).map_err(archive_error)?;
        Ok(Json(points.into()))
    })
    .await
}
