//! `GET /api/versions`: what a client asks repeatedly to learn whether a list has changed. The response is small, and no
//! file is read for it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::api::Routes;
use crate::api::catalogue::recording_files;
use crate::error::ApiError;
use crate::etag;
use crate::hub::Hub;

pub(super) fn routes() -> Routes {
    Routes::new().get("/api/versions", versions)
}

/// Versions of the lists. A list has changed if its version is another one.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Versions {
    /// Identifies the start of the server.
    start: String,
    /// Version of the list of sessions.
    sessions: String,
    /// Version of the list of runs.
    runs: String,
    /// Version of the list of recordings.
    recordings: String,
}

async fn versions(State(hub): State<Arc<Hub>>) -> Result<Json<Versions>, ApiError> {
    let sessions: Vec<(String, usize)> =
        hub.sessions.list().iter().map(|session| (session.id().to_string(), session.viewers())).collect();
    let of_files = hub.read(|hub| Ok((hub.version_of_runs(), etag::tag(&recording_files(hub.folder())))));
    let (runs, recordings) = of_files.await?;
    Ok(Json(Versions { start: hub.start().to_string(), sessions: etag::tag(&sessions), runs, recordings }))
}
