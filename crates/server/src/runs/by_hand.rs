//! What a person does to a run: `POST .../pause`, `go-on`, `favourite`, `remove`, `breed`, `merge`, `inject`.
//!
//! A run that evolves here is asked, and answers when it is done. Of others, marks are written into the file; for births somebody has
//! to be at work on it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use burgess_creature::store::CreatureFile;
use burgess_evolution::{Archive, Id, Intervention, Refusal, RunConfig, Wish};
use serde::Deserialize;
use serde_json::{Value, json};

use super::search::Search;
use super::shelf::{refusal, refused};
use crate::api::{JsonBody, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

/// So many of another run join unless another number is asked for.
const USUAL_MERGE: usize = 10;
/// More do not.
const MOST_MERGE: usize = 1000;

type Done = Result<Json<Value>, ApiError>;

/// The search of a run that is there, or that nobody is at work on it here.
async fn evolving(hub: &Arc<Hub>, run: &str) -> Result<Arc<Search>, ApiError> {
    if let Some(search) = hub.runs.search(run) {
        return Ok(search);
    }
    let name = run.to_string();
    hub.read(move |hub| hub.run_file(&name)).await?;
    let why = format!("'{run}' does not evolve in this server; let it go on first");
    Err(ApiError::new(StatusCode::CONFLICT, why))
}

async fn done(search: &Search, wish: Wish) -> Result<Option<Id>, ApiError> {
    search.ask(wish).await.map_err(refusal)
}

/// The number of whoever is born by it.
async fn child(search: &Search, what: Intervention) -> Result<Id, ApiError> {
    let born = done(search, Wish::Intervene(what)).await?;
    born.ok_or_else(|| ApiError::failed("nobody was born by it"))
}

pub(super) async fn pause(State(hub): State<Arc<Hub>>, PathName(run): PathName<String>) -> Done {
    evolving(&hub, &run).await?.pause(true);
    Ok(Json(json!({})))
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoOn {
    evaluations: Option<u64>,
}

pub(super) async fn go_on(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(GoOn { evaluations }): JsonBody<GoOn>,
) -> Done {
    let name = run.clone();
    let begun = hub.read(move |hub| {
        let file = hub.run_file(&name)?;
        hub.runs.write(&name, |runs| {
            runs.has_room()?;
            let archive = Archive::open(&file).map_err(refused)?;
            let config = archive.config().map_err(refused)?;
            let wanted = evaluations.unwrap_or(config.evaluations);
            extend(&archive, &RunConfig { evaluations: wanted, ..config })?;
            runs.evolve(&name, archive)
        })
    });
    if let Err(search) = begun.await? {
        if let Some(evaluations) = evaluations {
            done(&search, Wish::Evaluations(evaluations)).await?;
        }
        search.pause(false);
    }
    Ok(Json(json!({})))
}

/// Until so many are evaluated, if these are more than there are.
fn extend(archive: &Archive, config: &RunConfig) -> Result<(), ApiError> {
    let (count, wanted) = (archive.count(), config.evaluations);
    if wanted <= count {
        let why = format!("{count} have been evaluated already; say until how many it is to go on");
        return Err(ApiError::new(StatusCode::CONFLICT, why));
    }
    config.check().map_err(|error| ApiError::bad(error.to_string()))?;
    archive.extend(wanted).map_err(refused)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Favourite {
    id: Id,
    on: bool,
}

pub(super) async fn favourite(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Favourite { id, on }): JsonBody<Favourite>,
) -> Done {
    mark(&hub, run, Intervention::Favourite { id, on }).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Remove {
    id: Id,
}

pub(super) async fn remove(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Remove { id }): JsonBody<Remove>,
) -> Done {
    mark(&hub, run, Intervention::Remove { id }).await
}

/// By the search of the run, or in its file.
async fn mark(hub: &Arc<Hub>, run: String, what: Intervention) -> Done {
    let wish = Wish::Intervene(what.clone());
    let marked = hub.read(move |hub| {
        let file = hub.run_file(&run)?;
        hub.runs.write(&run, |_| Archive::open(&file).and_then(|mut archive| archive.mark(&what)).map_err(refused))
    });
    match marked.await? {
        Ok(marked) => marked.map_err(refusal)?,
        Err(search) => {
            done(&search, wish).await?;
        }
    }
    Ok(Json(json!({})))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Breed {
    parents: [Id; 2],
}

pub(super) async fn breed(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Breed { parents }): JsonBody<Breed>,
) -> Done {
    let search = evolving(&hub, &run).await?;
    Ok(Json(json!({ "child": child(&search, Intervention::Breed { parents }).await? })))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Merge {
    run: String,
    most: Option<usize>,
}

pub(super) async fn merge(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Merge { run: other, most }): JsonBody<Merge>,
) -> Done {
    let search = evolving(&hub, &run).await?;
    let most = most.unwrap_or(USUAL_MERGE);
    if !(1..=MOST_MERGE).contains(&most) {
        return Err(ApiError::bad(format!("most is from 1 to {MOST_MERGE}, found {most}")));
    }
    let name = other.clone();
    let joiners = hub.look(&other, move |_, archive| {
        let join = |id| {
            let genome = archive.individual(id)?.genome;
            Ok(Intervention::Join { genome, origin: format!("{name}.burgess#{id}") })
        };
        archive.fittest(most).and_then(|ids| ids.into_iter().map(join).collect::<Result<Vec<_>, _>>()).map_err(refused)
    });
    let mut children: Vec<Id> = Vec::new();
    for joiner in joiners.await? {
        match search.ask(Wish::Intervene(joiner)).await {
            Ok(child) => children.extend(child),
            // As many as there is room for.
            Err(Refusal::NoRoom(_)) if !children.is_empty() => break,
            Err(why) => return Err(refusal(why)),
        }
    }
    if children.is_empty() {
        return Err(ApiError::new(StatusCode::CONFLICT, format!("nobody in '{other}' has a fitness yet")));
    }
    Ok(Json(json!({ "children": children })))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Inject {
    creature: Value,
}

pub(super) async fn inject(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    JsonBody(Inject { creature }): JsonBody<Inject>,
) -> Done {
    let search = evolving(&hub, &run).await?;
    let file = CreatureFile::from_json(&creature.to_string(), "creature");
    let file = file.map_err(|error| ApiError::bad(error.to_string()))?;
    let join = Intervention::Join { genome: file.genome, origin: file.name };
    Ok(Json(json!({ "child": child(&search, join).await? })))
}
