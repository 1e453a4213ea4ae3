//! `GET .../lineage`: an individual and its ancestors.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::{Id, IndividualSummary};
use serde::Serialize;

use super::run_directory::archive_error;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

/// Maximum number of individuals of a lineage. The oldest are left out.
const MAX_ANCESTORS: usize = 5000;

/// An individual and its ancestors, the youngest first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Lineage {
    /// The individuals.
    #[cfg_attr(test, schemars(with = "Vec<crate::schema::IndividualSummary>"))]
    individuals: Vec<IndividualSummary>,
}

pub(super) async fn lineage(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<Json<Lineage>, ApiError> {
    hub.read_run(&run, move |_, archive| {
        let individuals = archive.lineage_summaries(id, MAX_ANCESTORS).map_err(archive_error)?;
        Ok(Json(Lineage { individuals }))
    })
    .await
}
