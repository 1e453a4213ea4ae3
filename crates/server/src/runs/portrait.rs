//! `GET .../portrait.svg`: a picture of a creature at rest.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use burgess_creature::portrait as draw;
use burgess_evolution::Id;
use burgess_pictures::PictureOptions;

use super::shelf::refused;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

pub(super) async fn portrait(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<impl IntoResponse, ApiError> {
    let title = format!("Individual {id} of {run}");
    let svg = hub.look(&run, move |_, archive| {
        let one = archive.individual(id).map_err(refused)?;
        let physiology = archive.config().map_err(refused)?.task.physiology;
        let grown = one.genome.grow(&physiology);
        let phenotype = grown.map_err(|why| ApiError::missing(format!("individual {id} does not grow: {why}")))?;
        let options = PictureOptions { title, ..PictureOptions::default() };
        draw(&phenotype.body, options).map_err(|why| ApiError::missing(format!("individual {id}: {why}")))
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?))
}
