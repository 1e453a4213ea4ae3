//! Routes of sessions.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use crate::api::{JsonBody, Parameters, PathName, Routes};
use crate::error::ApiError;
use crate::etag;
use crate::hub::Hub;
use crate::session::{About, BrainGraph, Format, Frame, MotionOptions, OpenError, OpenRequest, Session, Take};
use crate::socket::{self, Feed};

/// Maximum simulated time of a shared page, in s.
const MAX_SHARED_SECONDS: f64 = 3600.0;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/api/sessions", list)
        .post("/api/sessions", open)
        .delete("/api/sessions", close_all)
        .get("/api/sessions/{id}", about)
        .delete("/api/sessions/{id}", close)
        .get("/api/sessions/{id}/appearance", appearance)
        .get("/api/sessions/{id}/picture.svg", picture)
        .get("/api/sessions/{id}/contents", contents)
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

/// A session in the list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SessionEntry {
    #[serde(flatten)]
    about: About,
    /// Time since the session was opened, in s.
    age: f64,
    /// Number of viewers.
    viewers: usize,
}

async fn list(State(hub): State<Arc<Hub>>) -> Json<Vec<SessionEntry>> {
    let entry = |session: &Arc<Session>| SessionEntry {
        about: session.about().brief(),
        age: session.age().as_secs_f64(),
        viewers: session.viewers(),
    };
    Json(hub.sessions.list().iter().map(entry).collect())
}

async fn close_all(State(hub): State<Arc<Hub>>) -> StatusCode {
    hub.sessions.close_all();
    StatusCode::NO_CONTENT
}

async fn picture(
    State(hub): State<Arc<Hub>>,
    PathName(id): PathName<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let session = find(&hub, &id)?;
    let frame = Frame::decode(&session.frame()).unwrap_or_default();
    let svg = hub.pictures.of_session(&hub, session, (frame.epoch, frame.step)).await?;
    Ok(etag::picture(&headers, etag::ASK, svg))
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

async fn contents(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<Response, ApiError> {
    let json = find(&hub, &id)?.contents();
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
    /// Simulated time of a page, in s.
    seconds: Option<f64>,
}

async fn export(
    State(hub): State<Arc<Hub>>,
    PathName(id): PathName<String>,
    Parameters(Export { to, seconds }): Parameters<Export>,
) -> Result<Response, ApiError> {
    let session = find(&hub, &id)?;
    if let Some(seconds) = seconds.filter(|seconds| to != "html" || !(0.0..=MAX_SHARED_SECONDS).contains(seconds)) {
        let expected = format!("seconds is for html, from 0 to {MAX_SHARED_SECONDS}");
        return Err(ApiError::bad(format!("{expected}; found {seconds} for {to}")));
    }
    let unknown = || ApiError::bad(format!("unknown format '{to}', expected gltf, html, mjcf, urdf or toml"));
    let exported = if to == "html" {
        hub.heavy(move || session.share(MotionOptions { seconds, rate: None })).await?
    } else {
        let format = Format::from_name(&to).ok_or_else(unknown)?;
        hub.heavy(move || session.export(format)).await?
    };
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
