//! `GET .../export?to=json|mjcf|urdf`: a creature as a file for this program or for others.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use burgess_creature::evaluation::Showing;
use burgess_creature::store::CreatureFile;
use burgess_creature::task::Task;
use burgess_evolution::{Archive, Id, Individual};
use burgess_formats::{mjcf, urdf};
use serde::Deserialize;

use super::shelf::refused;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

#[derive(Debug, Deserialize)]
pub(super) struct Export {
    to: String,
}

pub(super) async fn export(
    State(hub): State<Arc<Hub>>,
    PathName((run, id)): PathName<(String, Id)>,
    Parameters(Export { to }): Parameters<Export>,
) -> Result<Response, ApiError> {
    let name = format!("{run}-{id}");
    let (ending, media_type, text) = hub.look(&run, move |_, archive| written(&archive, &name, id, &to)).await?;
    let plain: String = run.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let disposition = format!("attachment; filename=\"{plain}-{id}.{ending}\"");
    Ok(([(CONTENT_TYPE, media_type.to_string()), (CONTENT_DISPOSITION, disposition)], text).into_response())
}

/// The ending of the file, its type and its text.
fn written(archive: &Archive, name: &str, id: Id, to: &str) -> Result<(&'static str, &'static str, String), ApiError> {
    let one = archive.individual(id).map_err(refused)?;
    let task = archive.task_of(&one).map_err(refused)?;
    let missing = |why: String| ApiError::missing(format!("individual {id}: {why}"));
    let showing =
        || Showing::new(&one.genome, &task, one.seed).map_err(|why| missing(format!("it does not live: {why}")));
    match to {
        "json" => Ok(("json", "application/json", file_of(name, &one, &task).to_json())),
        "mjcf" => {
            let made = mjcf::export(showing()?.titled(name, "").scene(), Path::new(""));
            Ok(("xml", "application/xml", made.map_err(|why| missing(why.to_string()))?.xml))
        }
        "urdf" => {
            let made = urdf::export(showing()?.titled(name, "").scene(), Path::new(""), "meshes");
            let made = made.map_err(|why| missing(why.to_string()))?;
            if !made.files.is_empty() {
                let why = "it has shapes that URDF keeps in files of their own; `burgess export` writes them all";
                return Err(ApiError::bad(format!("individual {id}: {why}")));
            }
            Ok(("urdf", "application/xml", made.xml))
        }
        _ => Err(ApiError::bad(format!("'{to}' is no format; there are json, mjcf and urdf"))),
    }
}

/// With what is known of it.
fn file_of(name: &str, one: &Individual, task: &Task) -> CreatureFile {
    let is_preset = Task::preset(&task.name).is_ok_and(|preset| preset == *task);
    CreatureFile {
        name: name.to_string(),
        description: Some(format!("Number {} of its run, born in generation {}.", one.id, one.generation)),
        task: is_preset.then(|| task.name.clone()),
        seed: Some(one.seed),
        fitness: Some(one.result.fitness),
        physiology: Some(task.physiology),
        genome: one.genome.clone(),
    }
}
