//! Routes about the server itself.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use serde::Serialize;

use crate::api::Routes;
use crate::hub::Hub;
use crate::page;

const OPENAPI: &str = include_str!("../../openapi.yaml");

pub(super) fn routes() -> Routes {
    Routes::new().get("/api", about).get("/api/openapi.yaml", openapi)
}

/// The program and its settings.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct About {
    /// Name of the program: `burgess`.
    program: &'static str,
    /// What starts the program in a shell, such as `target/release/burgess`, quoted if necessary.
    command: String,
    /// Version of the program.
    version: &'static str,
    /// Name of the directory of runs and recordings, without the path to it.
    folder: String,
    /// Whether the page is part of this build of the program.
    page: bool,
    /// Identifies the start of the server: another value means that the server was restarted, and that its sessions are
    /// gone.
    start: String,
    /// Time after which a session without viewers ends, in s; null if it does not.
    idle_time: Option<f64>,
}

async fn about(State(hub): State<Arc<Hub>>) -> Json<About> {
    let folder = hub.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
    Json(About {
        program: "burgess",
        command: hub.command().to_string(),
        version: env!("CARGO_PKG_VERSION"),
        folder,
        page: page::IS_BUILT,
        start: hub.start().to_string(),
        idle_time: hub.sessions.limits().idle.map(|idle| idle.as_secs_f64()),
    })
}

async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/yaml")], OPENAPI)
}
