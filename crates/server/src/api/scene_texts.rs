//! Routes of scenes as text: the text of a session, its replacement, and scene files in the run directory.

use std::fs;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use crate::api::{JsonBody, PathName, Routes};
use crate::error::ApiError;
use crate::hub::Hub;
use crate::session::{LibraryError, SCENE_SUFFIX, Session, Source, TextFault, read_scene};

/// Maximum number of files of the run directory that are examined.
const MAX_FILES: usize = 10_000;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/api/sessions/{id}/scene", text)
        .post("/api/sessions/{id}/scene", replace)
        .get("/api/scene-files", list)
        .post("/api/scene-files", save)
}

/// The scene of a session as text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SceneText {
    /// Name of the scene or of its file.
    name: String,
    /// The text, in TOML.
    text: String,
}

/// The body of `POST /api/sessions/ID/scene`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewText {
    /// Name of the scene or of its file.
    name: String,
    /// The text, in TOML.
    text: String,
}

/// What the check of a text found.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TextCheck {
    /// What is wrong with the text; null if it was accepted.
    fault: Option<TextFault>,
}

/// The body of `POST /api/scene-files`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewSceneFile {
    /// File name, which ends in `.toml`.
    name: String,
    /// The text, in TOML.
    text: String,
    /// Whether an existing file is replaced.
    #[serde(default)]
    overwrite: bool,
}

/// A scene file in the run directory.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SceneFileEntry {
    /// File name.
    name: String,
    /// Size of the file, in bytes.
    bytes: u64,
}

impl From<LibraryError> for ApiError {
    fn from(error: LibraryError) -> Self {
        match error {
            LibraryError::Missing { .. } => Self::missing(error.to_string()),
            _ => Self::bad(error.to_string()),
        }
    }
}

fn find(hub: &Hub, id: &str) -> Result<Arc<Session>, ApiError> {
    hub.sessions.get(id).ok_or_else(|| ApiError::missing(format!("there is no session '{id}'; it may be closed")))
}

async fn text(State(hub): State<Arc<Hub>>, PathName(id): PathName<String>) -> Result<Json<SceneText>, ApiError> {
    let session = find(&hub, &id)?;
    let read = move || {
        let about = session.about();
        let name = match about.source {
            Source::Text { name, .. } | Source::Scene { name } => name,
            _ => about.title,
        };
        session.scene_text().map(|text| SceneText { name, text })
    };
    Ok(Json(hub.heavy(read).await?.map_err(ApiError::bad)?))
}

async fn replace(
    State(hub): State<Arc<Hub>>,
    PathName(id): PathName<String>,
    JsonBody(NewText { name, text }): JsonBody<NewText>,
) -> Result<Json<TextCheck>, ApiError> {
    let session = find(&hub, &id)?;
    let library = hub.library.clone();
    let work = move || match read_scene(&name, &text, &library) {
        Err(fault) => Ok(TextCheck { fault: Some(fault) }),
        Ok(scene) => session.show_scene(scene, name, text).map(|()| TextCheck { fault: None }),
    };
    Ok(Json(hub.heavy(work).await?.map_err(ApiError::bad)?))
}

async fn list(State(hub): State<Arc<Hub>>) -> Result<Json<Vec<SceneFileEntry>>, ApiError> {
    let folder = hub.folder().to_path_buf();
    let read = move || {
        let files = fs::read_dir(&folder).into_iter().flatten().flatten().take(MAX_FILES);
        let mut found: Vec<_> = files
            .filter_map(|file| {
                let bytes = file.metadata().ok().filter(fs::Metadata::is_file)?.len();
                let is_scene = |name: &String| name.ends_with(SCENE_SUFFIX) && !name.starts_with('.');
                Some(SceneFileEntry { name: file.file_name().into_string().ok().filter(is_scene)?, bytes })
            })
            .collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Json(found)
    };
    hub.heavy(read).await
}

async fn save(
    State(hub): State<Arc<Hub>>,
    JsonBody(NewSceneFile { name, text, overwrite }): JsonBody<NewSceneFile>,
) -> Result<(StatusCode, Json<SceneFileEntry>), ApiError> {
    let library = hub.library.clone();
    let work = move || {
        // The name is checked first: it may be quoted in messages about the text.
        library.file(&name)?;
        read_scene(&name, &text, &library)
            .map_err(|fault| ApiError::bad(format!("the scene is not valid and was not saved: {fault}")))?;
        if !library.write_scene(&name, &text, overwrite)? {
            let why = format!("there is a file called '{name}' already");
            return Err(ApiError::new(StatusCode::CONFLICT, why));
        }
        Ok((StatusCode::CREATED, Json(SceneFileEntry { name, bytes: text.len() as u64 })))
    };
    hub.heavy(work).await?
}
