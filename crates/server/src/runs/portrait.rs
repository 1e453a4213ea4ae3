//! `GET .../portrait.svg`: a picture of a creature at rest.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use burgess_creature::portrait as draw;
use burgess_evolution::Id;
use burgess_pictures::PictureOptions;

use super::individuals::grow;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;

pub(super) async fn portrait(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
) -> Result<impl IntoResponse, ApiError> {
    let title = format!("Individual {id} of {run}");
    let svg = hub.read_run(&run, move |_, archive| {
        let (_, phenotype) = grow(&archive, id)?;
        let options = PictureOptions { title, ..PictureOptions::default() };
        draw(&phenotype.body, options).map_err(|why| ApiError::missing(format!("individual {id}: {why}")))
    });
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg.await?))
}
