//! `GET .../export?to=html|json|mjcf|urdf`: an individual as a file.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use burgess_catalog::Creature;
use burgess_creature::evaluation::TrialPreview;
use burgess_evolution::{Archive, Id, OutcomeKind};
use burgess_formats::{mjcf, urdf};
use serde::Deserialize;

use super::clip::record;
use super::run_directory::archive_error;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;
use crate::share::{html, max_clip_bytes};

/// Frames per second of a shared page, the first that fits.
const SHARED_RATES: [f64; 4] = [60.0, 30.0, 15.0, 5.0];

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
    if to == "html" {
        let page = shared_page(&hub, &run, id).await?;
        return Ok(attached(&run, id, "html", "text/html; charset=utf-8", page));
    }
    let (ending, media_type, text) = hub.read_run(&run, move |_, archive| written(&archive, &name, id, &to)).await?;
    Ok(attached(&run, id, ending, media_type, text))
}

/// A response that browsers save as a file.
fn attached(run: &str, id: Id, ending: &str, media_type: &'static str, text: String) -> Response {
    let plain: String = run.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let disposition = format!("attachment; filename=\"{plain}-{id}.{ending}\"");
    ([(CONTENT_TYPE, media_type.to_string()), (CONTENT_DISPOSITION, disposition)], text).into_response()
}

/// A self-contained page that plays the evaluation of an individual.
async fn shared_page(hub: &Arc<Hub>, run: &str, id: Id) -> Result<String, ApiError> {
    let title = format!("Creature {id} of {run}");
    let (one, opponent, task) = hub
        .read_run(run, move |_, archive| {
            let one = archive.individual(id).map_err(archive_error)?;
            let task = archive.task_of(&one).map_err(archive_error)?;
            let opponent = archive.opponent_of(&one).map_err(archive_error)?;
            Ok((one, opponent, task))
        })
        .await?;
    let make = move || {
        let most = max_clip_bytes().map_err(|error| ApiError::missing(error.0))?;
        let description = match one.result.outcome {
            OutcomeKind::Scored => format!("{}: fitness {:.3}.", task.name, one.result.fitness),
            _ => task.name.clone(),
        };
        for rate in SHARED_RATES {
            let clip = record(&one, &opponent, &task, rate)?;
            if clip.len() <= most {
                return html(&title, &description, &clip).map_err(|error| ApiError::bad(error.0));
            }
        }
        Err(ApiError::bad(format!("the motion of individual {id} is too large for one page")))
    };
    hub.heavy(make).await?
}

/// The extension of the file, its media type and its text.
fn written(archive: &Archive, name: &str, id: Id, to: &str) -> Result<(&'static str, &'static str, String), ApiError> {
    let one = archive.individual(id).map_err(archive_error)?;
    let task = archive.task_of(&one).map_err(archive_error)?;
    let missing = |why: String| ApiError::missing(format!("individual {id}: {why}"));
    let preview = || {
        TrialPreview::new(&one.genome, &task, one.seed)
            .map_err(|why| missing(format!("the genome does not grow into a creature: {why}")))
    };
    match to {
        "json" => {
            let creature = Creature::of_run(archive.file(), Some(id), false);
            let creature = creature.map_err(|error| ApiError::failed(error.to_string()))?;
            Ok(("json", "application/json", creature.file.to_json()))
        }
        "mjcf" => {
            let made = mjcf::export(preview()?.titled(name, "").scene(), Path::new(""));
            Ok(("xml", "application/xml", made.map_err(|why| missing(why.to_string()))?.xml))
        }
        "urdf" => {
            let made = urdf::export(preview()?.titled(name, "").scene(), Path::new(""), "meshes");
            let made = made.map_err(|why| missing(why.to_string()))?;
            if !made.files.is_empty() {
                let why = "it has shapes that URDF stores in separate mesh files; use `burgess export`";
                return Err(ApiError::bad(format!("individual {id}: {why}")));
            }
            Ok(("urdf", "application/xml", made.xml))
        }
        _ => Err(ApiError::bad(format!("unknown format '{to}', expected html, json, mjcf or urdf"))),
    }
}
