//! `GET .../lineage`: a creature and all its ancestors.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::{Brief, Id};
use serde::Serialize;

use super::shelf::refused;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

/// Of more ancestors than this the eldest are left out.
const MOST_ANCESTORS: usize = 5000;

#[derive(Debug, Serialize)]
pub(super) struct Line {
    individuals: Vec<Brief>,
}

pub(super) async fn lineage(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<Json<Line>, ApiError> {
    hub.look(&run, move |_, archive| {
        let individuals = archive.brief_lineage(id, MOST_ANCESTORS).map_err(refused)?;
        Ok(Json(Line { individuals }))
    })
    .await
}
