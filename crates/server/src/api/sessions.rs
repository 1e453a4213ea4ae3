//! Routes of sessions.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::api::{JsonBody, Parameters, PathName, Routes};
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::{About, BrainGraph, Format, OpenError, OpenRequest, Session, Take};
use crate::socket::{self, Feed};

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/api/sessions", list)
        .post("/api/sessions", open)
        .get("/api/sessions/{id}", about)
        .delete("/api/sessions/{id}", close)
        .get("/api/sessions/{id}/appearance", appearance)
        .get("/api/sessions/{id}/take", take)
        .get("/api/sessions/{id}/export", export)
        .get("/api/sessions/{id}/brain", brain)
        .get("/api/sessions/{id}/socket", watch)
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Missing(_) => Self::missing(error.to_string()),
            OpenError::Refused(_) => Self::bad(error.to_string()),
            OpenError::TooMany(_) => Self::busy(error.to_string()),
        }
    }
}

fn find(hub: &Hub, id: &str) -> Result<Arc<Session>, ApiError> {
    hub.sessions.get(id).ok_or_else(|| ApiError::missing(format!("there is no session '{id}'; it may be closed")))
}

async fn list(State(hub): State<Arc<Hub>>) -> Json<Vec<About>> {
    Json(hub.sessions.list().iter().map(|session| session.about()).collect())
}

async fn open(
    State(hub): State<Arc<Hub>>,
    JsonBody(request): JsonBody<OpenRequest>,
) -> Result<(StatusCode, Json<About>), ApiError> {
    let (sessions, library) = (hub.sessions.clone(), hub.library.clone());
    let session = hub.heavy(move || sessions.open(request, &library)).await??;
    Ok((StatusCode::CREATED, Json(session.about())))
}

async fn about(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<Json<About>, ApiError> {
    Ok(Json(find(&hub, &id)?.about()))
}

async fn close(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<StatusCode, ApiError> {
    find(&hub, &id)?;
    hub.sessions.close(&id);
    Ok(StatusCode::NO_CONTENT)
}

async fn appearance(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<Response, ApiError> {
    let json = find(&hub, &id)?.appearance();
    Ok(([(CONTENT_TYPE, "application/json")], json).into_response())
}

async fn take(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<Json<Take>, ApiError> {
    Ok(Json(find(&hub, &id)?.take()))
}

async fn brain(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<Json<BrainGraph>, ApiError> {
    let session = find(&hub, &id)?;
    session.brain().cloned().map(Json).ok_or_else(|| ApiError::missing("the session has no brain"))
}

#[derive(Deserialize)]
struct Export {
    to: String,
}

async fn export(
    State(hub): State<Arc<Hub>>,
    PathName(id): PathName<String>,
    Parameters(Export { to }): Parameters<Export>,
) -> Result<Response, ApiError> {
    let session = find(&hub, &id)?;
    let unknown = || ApiError::bad(format!("unknown format '{to}', expected gltf, mjcf, urdf or toml"));
    let format = Format::from_name(&to).ok_or_else(unknown)?;
    let exported = hub.heavy(move || session.export(format)).await?;
    let exported = exported.map_err(|error| ApiError::bad(error.to_string()))?;
    let name: String =
        exported.name.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '-' }).collect();
    let disposition = format!("attachment; filename=\"{}\"", name.replace(['"', '\\'], "-"));
    let head = [(CONTENT_TYPE, exported.media_type.to_string()), (CONTENT_DISPOSITION, disposition)];
    Ok((head, exported.bytes).into_response())
}

async fn watch(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    PathName(id): PathName<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let session = find(&hub, &id)?;
    let upgrade = upgrade.map_err(|refused| ApiError::new(refused.status(), refused.body_text()))?;
    let mut viewer =
        session.join().ok_or_else(|| ApiError::busy("the session has too many viewers, or it is closed"))?;
    // Messages since the viewer joined are in the receiver that is moved out.
    let rest = viewer.says.resubscribe();
    let says = std::mem::replace(&mut viewer.says, rest);
    let feed = Feed { frames: Some(viewer.frames.clone()), says };
    socket::open(upgrade, &hub, peer, feed, move |text| viewer.command(text).map_err(|refused| refused.0))
}
