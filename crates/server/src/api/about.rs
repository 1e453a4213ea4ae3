//! Who is there, and what may be asked.

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

#[derive(Serialize)]
struct About {
    program: &'static str,
    version: &'static str,
    folder: String,
    page: bool,
}

async fn about(State(hub): State<Arc<Hub>>) -> Json<About> {
    let folder = hub.folder().display().to_string();
    Json(About { program: "burgess", version: env!("CARGO_PKG_VERSION"), folder, page: page::IS_BUILT })
}

async fn openapi() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/yaml")], OPENAPI)
}
