//! `GET .../brain`: a creature's brain as a graph.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::Id;

use super::shelf::refused;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::BrainGraph;
use crate::session::brain::graph_of;

pub(super) async fn brain(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<Json<BrainGraph>, ApiError> {
    hub.look(&run, move |_, archive| {
        let one = archive.individual(id).map_err(refused)?;
        let physiology = archive.config().map_err(refused)?.task.physiology;
        let grown = one.genome.grow(&physiology);
        let phenotype = grown.map_err(|why| ApiError::missing(format!("individual {id} does not grow: {why}")))?;
        Ok(Json(graph_of(&phenotype, one.genome.family().name())))
    })
    .await
}
