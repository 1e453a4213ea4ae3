//! Routes of pictures and clips of built-in scenes and creatures, recordings and the collision demonstration.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::api::{PathName, Routes};
use crate::error::ApiError;
use crate::etag;
use crate::hub::Hub;
use crate::session::{BounceSource, Source};

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/api/scenes/{name}/picture.svg", scene_picture)
        .get("/api/scenes/{name}/clip", scene_clip)
        .get("/api/creatures/{name}/picture.svg", creature_picture)
        .get("/api/creatures/{name}/clip", creature_clip)
        .get("/api/recordings/{name}/picture.svg", recording_picture)
        .get("/api/recordings/{name}/clip", recording_clip)
        .get("/api/bounce/picture.svg", bounce_picture)
        .get("/api/bounce/clip", bounce_clip)
}

/// What a picture shows, its title, and a text that changes with its content.
struct Shown {
    source: Source,
    title: String,
    key: String,
}

fn scene(name: String) -> Shown {
    Shown { key: format!("scene {name}"), title: name.clone(), source: Source::Scene { name } }
}

fn creature(name: String) -> Shown {
    let key = format!("creature {name}");
    Shown { key, title: name.clone(), source: Source::Creature { name, task: None, seed: None } }
}

fn bounce() -> Shown {
    let source = Source::Bounce(BounceSource::default());
    Shown { key: "bounce".to_string(), title: "bounce".to_string(), source }
}

/// A recording; the key contains the size and the time of modification of its file.
fn recording(hub: &Hub, name: String) -> Result<Shown, ApiError> {
    let file = hub.library.recording(&name).map_err(|error| ApiError::missing(error.to_string()))?;
    let state = file.metadata().map(|found| (found.len(), found.modified().ok())).ok();
    Ok(Shown { key: format!("recording {name} {state:?}"), title: name.clone(), source: Source::Recording { name } })
}

async fn picture(hub: &Hub, headers: &HeaderMap, shown: Shown, caching: &'static str) -> Result<Response, ApiError> {
    let Shown { source, title, key } = shown;
    Ok(etag::picture(headers, caching, hub.pictures.of_source(hub, source, title, key).await?))
}

async fn clip(hub: &Hub, shown: Shown) -> Result<Response, ApiError> {
    let bytes = hub.pictures.clip_of_source(hub, shown.source, shown.key).await?;
    Ok(([(CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
}

async fn scene_picture(
    State(hub): State<Arc<Hub>>,
    PathName(name): PathName<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    picture(&hub, &headers, scene(name), etag::ASK_LATER).await
}

async fn scene_clip(State(hub): State<Arc<Hub>>, PathName(name): PathName<String>) -> Result<Response, ApiError> {
    clip(&hub, scene(name)).await
}

async fn creature_picture(
    State(hub): State<Arc<Hub>>,
    PathName(name): PathName<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    picture(&hub, &headers, creature(name), etag::ASK_LATER).await
}

async fn creature_clip(State(hub): State<Arc<Hub>>, PathName(name): PathName<String>) -> Result<Response, ApiError> {
    clip(&hub, creature(name)).await
}

async fn recording_picture(
    State(hub): State<Arc<Hub>>,
    PathName(name): PathName<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    picture(&hub, &headers, recording(&hub, name)?, etag::ASK).await
}

async fn recording_clip(State(hub): State<Arc<Hub>>, PathName(name): PathName<String>) -> Result<Response, ApiError> {
    clip(&hub, recording(&hub, name)?).await
}

async fn bounce_picture(State(hub): State<Arc<Hub>>, headers: HeaderMap) -> Result<Response, ApiError> {
    picture(&hub, &headers, bounce(), etag::ASK_LATER).await
}

async fn bounce_clip(State(hub): State<Arc<Hub>>) -> Result<Response, ApiError> {
    clip(&hub, bounce()).await
}
