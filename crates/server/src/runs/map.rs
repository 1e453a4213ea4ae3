//! `GET .../map`: the best individual of each cell of a grid of descriptors.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_creature::evaluation::Descriptors;
use burgess_evolution::algorithm::Dimension;
use serde::{Deserialize, Serialize};

use super::run_directory::archive_error;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

#[derive(Debug, Deserialize)]
pub(super) struct Axes {
    x: Option<String>,
    y: Option<String>,
}

/// The best individual of each cell of a grid of descriptors.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EliteMap"))]
pub(crate) struct Map {
    /// Dimensions of the grid.
    #[cfg_attr(test, schemars(with = "Vec<crate::schema::Dimension>"))]
    dimensions: Vec<Dimension>,
    /// Occupied cells.
    cells: Vec<Cell>,
}

/// The best individual of a cell.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Elite"))]
struct Cell {
    /// Index of the cell along each dimension.
    cell: Vec<usize>,
    /// Id of the individual.
    id: u64,
    /// Fitness of the individual.
    fitness: f64,
}

pub(super) async fn map(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    Parameters(axes): Parameters<Axes>,
) -> Result<Json<Map>, ApiError> {
    hub.read_run(&run, move |_, archive| {
        let chosen = [axes.x, axes.y].into_iter().flatten();
        let chosen = chosen.map(|name| {
            let known = archive.dimension(&name).map_err(archive_error)?;
            let names = Descriptors::NAMES.join(", ");
            known.ok_or_else(|| ApiError::bad(format!("unknown descriptor '{name}', expected one of {names}")))
        });
        let chosen: Vec<Dimension> = chosen.collect::<Result<_, ApiError>>()?;
        let dimensions = if chosen.is_empty() { archive.dimensions().map_err(archive_error)? } else { chosen };
        let elites = archive.elites(&dimensions).map_err(archive_error)?;
        let cells = elites.into_iter().map(|elite| Cell { cell: elite.cell, id: elite.id, fitness: elite.fitness });
        Ok(Json(Map { cells: cells.collect(), dimensions }))
    })
    .await
}
