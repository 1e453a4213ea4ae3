//! Routes of the cave and its walls.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::response::Response;
use burgess_walls::menu::{MenuAction, MenuLayout};
use burgess_walls::message::{MAX_BYTES, WallMessage};
use burgess_walls::tracking::{CalibrationPoint, Tracking, calibrate};
use burgess_walls::{CaveText, PROTOCOL_VERSION};
use serde::Deserialize;

use super::group::show_chosen;
use super::socket;
use super::status::CaveStatus;
use crate::api::{JsonBody, Parameters, PathName, Routes};
use crate::error::ApiError;
use crate::hub::Hub;

pub(crate) fn routes() -> Routes {
    Routes::new()
        .get("/api/cave", status)
        .post("/api/cave", choose)
        .post("/api/cave/session", show)
        .post("/api/cave/flow", show_flow)
        .post("/api/cave/setup", set_up)
        .post("/api/cave/body", set_body)
        .get("/api/cave/menu", menu)
        .post("/api/cave/tracking", track)
        .post("/api/cave/calibration", calibrate_tracker)
        .get("/api/cave/walls/{name}/socket", open_wall)
}

async fn status(State(hub): State<Arc<Hub>>) -> Json<CaveStatus> {
    let cave = hub.walls.lock();
    Json(CaveStatus::new(cave.as_ref(), hub.walls.address()))
}

/// The body of `POST /api/cave`: a built-in cave, or the text of a cave file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CaveChoice {
    /// Name of a built-in cave.
    preset: Option<String>,
    /// The text of a cave file, in TOML.
    text: Option<String>,
}

async fn choose(
    State(hub): State<Arc<Hub>>,
    JsonBody(choice): JsonBody<CaveChoice>,
) -> Result<Json<CaveStatus>, ApiError> {
    let text = match choice {
        CaveChoice { preset: Some(name), text: None } => {
            CaveText::preset(&name).ok_or_else(|| ApiError::missing(format!("there is no built-in cave '{name}'")))?
        }
        CaveChoice { preset: None, text: Some(text) } => {
            CaveText::read(text, "cave.toml").map_err(|error| ApiError::bad(error.to_string()))?
        }
        _ => return Err(ApiError::bad("expected either a preset or a text")),
    };
    hub.walls.choose(text).map_err(ApiError::failed)?;
    Ok(status(State(hub)).await)
}

/// The body of `POST /api/cave/session`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ShowRequest {
    /// Id of the session that the walls show.
    session: String,
}

async fn show(State(hub): State<Arc<Hub>>, JsonBody(request): JsonBody<ShowRequest>) -> Result<StatusCode, ApiError> {
    let missing = || ApiError::missing(format!("there is no session '{}'; it may be closed", request.session));
    let session = hub.sessions.get(&request.session).ok_or_else(missing)?;
    hub.walls.show(session).map_err(ApiError::bad)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The body of `POST /api/cave/flow`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FlowRequest {
    /// Id of the history of vortex tubes that the walls show.
    flow: String,
}

async fn show_flow(
    State(hub): State<Arc<Hub>>,
    JsonBody(request): JsonBody<FlowRequest>,
) -> Result<StatusCode, ApiError> {
    hub.walls.show_flow(&hub.flows, &request.flow).map_err(ApiError::bad)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The body of `POST /api/cave/setup`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SetupRequest {
    /// Whether walls show their numbers, and handles at their corners.
    on: bool,
}

async fn set_up(
    State(hub): State<Arc<Hub>>,
    JsonBody(request): JsonBody<SetupRequest>,
) -> Result<StatusCode, ApiError> {
    let mut cave = hub.walls.lock();
    let cave = cave.as_mut().ok_or_else(|| ApiError::bad("there is no cave: choose one first"))?;
    cave.setup = request.on;
    cave.say(&WallMessage::Setup { on: request.on });
    Ok(StatusCode::NO_CONTENT)
}

async fn track(State(hub): State<Arc<Hub>>, JsonBody(tracking): JsonBody<Tracking>) -> Result<StatusCode, ApiError> {
    if let Some(scene) = hub.walls.track(&tracking).map_err(ApiError::bad)? {
        show_chosen(&hub, scene).await.map_err(ApiError::bad)?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The body of `POST /api/cave/body`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BodyRequest {
    /// Whether the user's body is a collider.
    on: bool,
}

async fn set_body(
    State(hub): State<Arc<Hub>>,
    JsonBody(request): JsonBody<BodyRequest>,
) -> Result<StatusCode, ApiError> {
    let mut cave = hub.walls.lock();
    let cave = cave.as_mut().ok_or_else(|| ApiError::bad("there is no cave: choose one first"))?;
    cave.press(MenuAction::Body(request.on));
    Ok(StatusCode::NO_CONTENT)
}

/// Where the items of the menu are, for headsets.
async fn menu() -> Json<MenuLayout> {
    Json(MenuLayout::default())
}

/// The body of `POST /api/cave/calibration`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CalibrationRequest {
    /// Three places that the tracker reported, and where they were in the room.
    points: [CalibrationPoint; 3],
}

async fn calibrate_tracker(
    State(hub): State<Arc<Hub>>,
    JsonBody(request): JsonBody<CalibrationRequest>,
) -> Result<Json<[[f64; 4]; 3]>, ApiError> {
    let rows = calibrate(&request.points).map_err(ApiError::bad)?;
    let mut cave = hub.walls.lock();
    let cave = cave.as_mut().ok_or_else(|| ApiError::bad("there is no cave: choose one first"))?;
    let text = cave.text.with_tracker(rows).map_err(ApiError::bad)?;
    hub.walls.save(cave, text).map_err(ApiError::failed)?;
    Ok(Json(rows))
}

#[derive(Deserialize)]
struct Client {
    /// Version of the messages that the client uses.
    version: Option<u32>,
}

async fn open_wall(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    PathName(name): PathName<String>,
    Parameters(client): Parameters<Client>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|refused| ApiError::new(refused.status(), refused.body_text()))?;
    let permit = hub.socket_permit()?;
    let upgrade = upgrade.max_message_size(2 * MAX_BYTES).max_frame_size(2 * MAX_BYTES).write_buffer_size(0);
    // A browser cannot read why a socket is not opened, so reasons are sent through it.
    Ok(upgrade.on_upgrade(move |socket| async move {
        let _permit = permit;
        let joined = match client.version {
            Some(PROTOCOL_VERSION) => hub.walls.join(&name, peer),
            other => {
                let found = other.map_or_else(|| "no version".to_string(), |version| format!("version {version}"));
                Err(format!("the wall speaks {found}, expected version {PROTOCOL_VERSION}; reload its page"))
            }
        };
        socket::serve(socket, hub, peer, joined).await;
    }))
}
