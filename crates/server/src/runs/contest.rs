//! `GET .../contest` and `GET .../tournament`: who wins in a contest.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use burgess_evolution::tournament::{Tournament, TournamentError, TournamentSettings, play_tournament};
use burgess_evolution::{Archive, Id, SideSummary};
use serde::{Deserialize, Serialize};

use super::run_directory::archive_error;
use crate::api::{Parameters, PathName};
use crate::error::ApiError;
use crate::hub::Hub;

/// Default number of generations whose champions play.
const DEFAULT_GENERATIONS: usize = 6;
/// Maximum number of generations whose champions play. The time of a tournament grows with its square.
const MAX_GENERATIONS: usize = 12;

/// Results of the meetings in a contest.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Contest {
    /// Results by generation and side, the first generation first; empty if the run is not a contest.
    sides: Vec<ContestSide>,
}

/// Results of one side in one generation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ContestSide {
    /// Number of the generation.
    generation: u64,
    /// Side: 0 or 1.
    side: usize,
    /// Id of the individual with the highest adjusted fitness, if one was scored.
    leader: Option<Id>,
    /// Number of meetings with opponents.
    meetings: u64,
    /// Share of the points that the individuals won, where a draw is half a point; null without meetings.
    score: Option<f64>,
}

impl From<SideSummary> for ContestSide {
    fn from(of: SideSummary) -> Self {
        let SideSummary { generation, side, leader, meetings, .. } = of;
        Self { generation, side: side.index(), leader, meetings, score: of.score() }
    }
}

/// Query parameters of a tournament.
#[derive(Debug, Deserialize)]
pub(super) struct TournamentParameters {
    generations: Option<usize>,
}

/// A tournament of the champions of a contest, all against all.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Tournament"))]
pub(crate) struct TournamentResult {
    /// Number of trials.
    trials: usize,
    /// Champions by side and generation.
    players: Vec<TournamentPlayer>,
    /// Share of the points that the player of the row won against that of the column; null without a match.
    matrix: Vec<Vec<Option<f64>>>,
    /// Number of triples of players of whom every pair has a winner.
    triples: usize,
    /// Share of these in which A beats B, B beats C and C beats A; null without triples.
    intransitive_share: Option<f64>,
    /// Ids of the players with the highest rating of each side.
    leaders: Vec<Id>,
}

/// A champion in a tournament.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TournamentPlayer {
    /// Id of the individual.
    id: Id,
    /// Generation whose champion it is.
    generation: u64,
    /// Side for which it evolved: 0 or 1.
    side: usize,
    /// Elo rating; the mean of all players is 0.
    elo: f64,
    /// Standard error of the rating.
    elo_error: f64,
}

impl From<Tournament> for TournamentResult {
    fn from(of: Tournament) -> Self {
        let (count, triples) = (of.players.len(), of.scores.triples());
        let players = of.players.iter().map(|player| TournamentPlayer {
            id: player.id,
            generation: player.generation,
            side: player.side.index(),
            elo: player.rating.elo,
            elo_error: player.rating.error,
        });
        Self {
            trials: of.trials,
            players: players.collect(),
            matrix: (0..count).map(|row| (0..count).map(|column| of.scores.score(row, column)).collect()).collect(),
            triples: triples.decided,
            intransitive_share: triples.intransitive_share(),
            leaders: of.leaders().iter().map(|player| player.id).collect(),
        }
    }
}

pub(super) async fn contest(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
) -> Result<Json<Contest>, ApiError> {
    hub.read_run(&run, |_, archive| {
        let sides = archive.side_summaries().map_err(archive_error)?;
        Ok(Json(Contest { sides: sides.into_iter().map(ContestSide::from).collect() }))
    })
    .await
}

pub(super) async fn tournament(
    State(hub): State<Arc<Hub>>,
    PathName(run): PathName<String>,
    Parameters(TournamentParameters { generations }): Parameters<TournamentParameters>,
) -> Result<Json<TournamentResult>, ApiError> {
    let generations = generations.unwrap_or(DEFAULT_GENERATIONS);
    if !(1..=MAX_GENERATIONS).contains(&generations) {
        return Err(ApiError::bad(format!("generations must be from 1 to {MAX_GENERATIONS}, found {generations}")));
    }
    let file = hub.read_run(&run, |_, archive| Ok(archive.file().to_path_buf())).await?;
    let play = move || {
        let mut archive = Archive::open_read_only(&file).map_err(archive_error)?;
        archive.survey().map_err(archive_error)?;
        let settings = TournamentSettings { generations, ..TournamentSettings::default() };
        play_tournament(&archive, &settings, |_, _| ()).map_err(|error| match error {
            TournamentError::Archive(error) => archive_error(error),
            other => ApiError::bad(other.to_string()),
        })
    };
    Ok(Json(hub.heavy(play).await??.into()))
}
