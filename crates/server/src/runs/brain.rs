//! `GET .../brain`: a creature's brain as a graph.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::Id;

use super::individuals::grow;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::BrainGraph;
use crate::session::brain::graph_of;

pub(super) async fn brain(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<Json<BrainGraph>, ApiError> {
    hub.read_run(&run, move |_, archive| {
        let (one, phenotype) = grow(&archive, id)?;
        Ok(Json(graph_of(&phenotype, one.genome.family().name())))
    })
    .await
}
