//! `GET .../map`: the best of each kind, on a grid of descriptors.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_creature::evaluation::Descriptors;
use burgess_evolution::algorithm::Dimension;
use serde::{Deserialize, Serialize};

use super::shelf::refused;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

#[derive(Debug, Deserialize)]
pub(super) struct Axes {
    x: Option<String>,
    y: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Map {
    dimensions: Vec<Dimension>,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    cell: Vec<usize>,
    id: u64,
    fitness: f64,
}

pub(super) async fn map(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    Parameters(axes): Parameters<Axes>,
) -> Result<Json<Map>, ApiError> {
    hub.look(&run, move |_, archive| {
        let chosen = [axes.x, axes.y].into_iter().flatten();
        let chosen = chosen.map(|name| {
            let known = archive.dimension(&name).map_err(refused)?;
            let names = Descriptors::NAMES.join(", ");
            known.ok_or_else(|| ApiError::bad(format!("'{name}' is no descriptor; there are {names}")))
        });
        let chosen: Vec<Dimension> = chosen.collect::<Result<_, ApiError>>()?;
        let dimensions = if chosen.is_empty() { archive.dimensions().map_err(refused)? } else { chosen };
        let elites = archive.elites(&dimensions).map_err(refused)?;
        let cells = elites.into_iter().map(|elite| Cell { cell: elite.cell, id: elite.id, fitness: elite.fitness });
        Ok(Json(Map { cells: cells.collect(), dimensions }))
    })
    .await
}
