//! Interventions in a run: `POST .../pause`, `go-on`, `favourite`, `remove`, `breed`, `merge`, `inject`.
//!
//! A run that evolves in this process performs them itself. For other runs, marks are written to the file; manual
//! births need a run that evolves.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use burgess_creature::store::CreatureFile;
use burgess_evolution::{Archive, Id, Intervention, InterventionRequest, Refusal, RunConfig};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::live_run::LiveRun;
use super::run_directory::{archive_error, refusal};
use crate::api::{JsonBody, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

/// Default number of individuals of a merge.
const DEFAULT_MERGE: usize = 10;
/// Maximum number of individuals of a merge.
const MAX_MERGE: usize = 1000;

type Done = Result<Json<Value>, ApiError>;

/// The run with this name if it evolves in this process; otherwise an error.
async fn live_run(hub: &Arc<Hub>, run: &str) -> Result<Arc<LiveRun>, ApiError> {
    if let Some(live) = hub.runs.live(run) {
        return Ok(live);
    }
    let name = run.to_string();
    hub.read(move |hub| hub.run_file(&name)).await?;
    let why = format!("'{run}' does not evolve in this server; continue it first");
    Err(ApiError::new(StatusCode::CONFLICT, why))
}

async fn done(live: &LiveRun, request: InterventionRequest) -> Result<Option<Id>, ApiError> {
    live.ask(request).await.map_err(refusal)
}

/// Requests a manual birth and returns the id of the child.
async fn child(live: &LiveRun, what: Intervention) -> Result<Id, ApiError> {
    let born = done(live, InterventionRequest::Apply(what)).await?;
    born.ok_or_else(|| ApiError::failed("the intervention caused no birth"))
}

pub(super) async fn pause(State(hub): State<Arc<Hub>>, PathName(run): PathName<String>) -> Done {
    live_run(&hub, &run).await?.pause(true);
    Ok(Json(json!({})))
}

/// The body of `POST .../go-on`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ResumeRun {
    /// Number of evaluations at which the run ends.
    evaluations: Option<u64>,
}

pub(super) async fn go_on(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(ResumeRun { evaluations }): JsonBody<ResumeRun>,
) -> Done {
    let name = run.clone();
    let begun = hub.read(move |hub| {
        let file = hub.run_file(&name)?;
        hub.runs.write(&name, |runs| {
            runs.check_capacity()?;
            let mut archive = Archive::open(&file).map_err(archive_error)?;
            let config = archive.config().map_err(archive_error)?;
            let wanted = evaluations.unwrap_or(config.evaluations);
            extend(&mut archive, &RunConfig { evaluations: wanted, ..config })?;
            runs.evolve(&name, archive)
        })
    });
    if let Err(live) = begun.await? {
        if let Some(evaluations) = evaluations {
            done(&live, InterventionRequest::SetEvaluations(evaluations)).await?;
        }
        live.pause(false);
    }
    Ok(Json(json!({})))
}

/// Sets the number of evaluations of a run, which must be more than have been done.
fn extend(archive: &mut Archive, config: &RunConfig) -> Result<(), ApiError> {
    let (count, wanted) = (archive.count(), config.evaluations);
    if wanted <= count {
        let why = format!("{count} evaluations are done; set a larger number of evaluations");
        return Err(ApiError::new(StatusCode::CONFLICT, why));
    }
    config.check().map_err(|error| ApiError::bad(error.to_string()))?;
    archive.extend(wanted).map_err(archive_error)
}

/// The body of `POST .../favourite`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Favourite {
    /// Id of the individual.
    id: Id,
    /// Whether it is a favourite.
    on: bool,
}

pub(super) async fn favourite(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Favourite { id, on }): JsonBody<Favourite>,
) -> Done {
    mark(&hub, run, Intervention::Favourite { id, on }).await
}

/// The body of `POST .../remove`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Remove {
    /// Id of the individual.
    id: Id,
}

pub(super) async fn remove(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Remove { id }): JsonBody<Remove>,
) -> Done {
    mark(&hub, run, Intervention::Remove { id }).await
}

/// Marks an individual through the run if it evolves in this process, otherwise in its file.
async fn mark(hub: &Arc<Hub>, run: String, what: Intervention) -> Done {
    let request = InterventionRequest::Apply(what.clone());
    let marked = hub.read(move |hub| {
        let file = hub.run_file(&run)?;
        hub.runs
            .write(&run, |_| Archive::open(&file).and_then(|mut archive| archive.mark(&what)).map_err(archive_error))
    });
    match marked.await? {
        Ok(marked) => marked.map_err(refusal)?,
        Err(live) => {
            done(&live, request).await?;
        }
    }
    Ok(Json(json!({})))
}

/// The body of `POST .../breed`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Breed {
    /// Ids of the parents.
    parents: [Id; 2],
}

pub(super) async fn breed(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Breed { parents }): JsonBody<Breed>,
) -> Result<Json<NewChild>, ApiError> {
    let live = live_run(&hub, &run).await?;
    Ok(Json(NewChild { child: child(&live, Intervention::Breed { parents }).await? }))
}

/// The id that a manual birth will have.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewChild {
    /// Id of the child.
    child: Id,
}

/// The ids that manual births will have.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NewChildren {
    /// Ids of the children.
    children: Vec<Id>,
}

/// The body of `POST .../merge`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Merge {
    /// Name of the other run.
    run: String,
    /// Maximum number of individuals to take.
    most: Option<usize>,
}

pub(super) async fn merge(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Merge { run: other, most }): JsonBody<Merge>,
) -> Result<Json<NewChildren>, ApiError> {
    let live = live_run(&hub, &run).await?;
    let most = most.unwrap_or(DEFAULT_MERGE);
    if !(1..=MAX_MERGE).contains(&most) {
        return Err(ApiError::bad(format!("most must be from 1 to {MAX_MERGE}, found {most}")));
    }
    let name = other.clone();
    let joiners = hub.read_run(&other, move |_, archive| {
        let join = |id| {
            let genome = archive.individual(id)?.genome;
            Ok(Intervention::Join { genome, origin: format!("{name}.burgess#{id}") })
        };
        archive
            .fittest(most)
            .and_then(|ids| ids.into_iter().map(join).collect::<Result<Vec<_>, _>>())
            .map_err(archive_error)
    });
    let mut children: Vec<Id> = Vec::new();
    for joiner in joiners.await? {
        match live.ask(InterventionRequest::Apply(joiner)).await {
            Ok(child) => children.extend(child),
            // Add as many as there is room for.
            Err(Refusal::NoRoom(_)) if !children.is_empty() => break,
            Err(why) => return Err(refusal(why)),
        }
    }
    if children.is_empty() {
        return Err(ApiError::new(StatusCode::CONFLICT, format!("no individual of '{other}' has a fitness yet")));
    }
    Ok(Json(NewChildren { children }))
}

/// The body of `POST .../inject`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Inject {
    /// Content of a creature file.
    creature: Value,
}

pub(super) async fn inject(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Inject { creature }): JsonBody<Inject>,
) -> Result<Json<NewChild>, ApiError> {
    let live = live_run(&hub, &run).await?;
    let file = CreatureFile::from_json(&creature.to_string(), "creature");
    let file = file.map_err(|error| ApiError::bad(error.to_string()))?;
    let join = Intervention::Join { genome: file.genome, origin: file.name };
    Ok(Json(NewChild { child: child(&live, join).await? }))
}
