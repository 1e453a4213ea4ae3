//! `GET .../portrait.svg`: a picture of a creature at rest. It is drawn once for each version of the run's file.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use burgess_creature::portrait as draw;
use burgess_evolution::Id;
use burgess_pictures::PictureOptions;
use bytes::Bytes;

use super::index::FileState;
use super::individuals::grow;
use crate::api::PathName;
use crate::error::ApiError;
use crate::etag;
use crate::hub::Hub;

pub(super) async fn portrait(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let file = hub.run_file(&run)?;
    let key = format!("{} {:?} {id}", file.display(), FileState::of(&file));
    if let Some(kept) = hub.runs.portraits.get(&key) {
        return Ok(etag::picture(&headers, etag::ASK, kept));
    }
    let title = format!("Individual {id} of {run}");
    let svg = hub.read_run(&run, move |_, archive| {
        let (_, phenotype) = grow(&archive, id)?;
        let options = PictureOptions { title, ..PictureOptions::default() };
        draw(&phenotype.body, options).map_err(|why| ApiError::missing(format!("individual {id}: {why}")))
    });
    let svg = Bytes::from(svg.await?);
    hub.runs.portraits.keep(key, svg.clone());
    Ok(etag::picture(&headers, etag::ASK, svg))
}
