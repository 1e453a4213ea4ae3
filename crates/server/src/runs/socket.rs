//! `GET .../socket`: messages about a run.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::response::Response;

use super::list::RunState;
use super::live_run::{Progress, RunMessage, send};
use super::run_directory::archive_error;
use crate::api::PathName;
use crate::error::ApiError;
use crate::hub::Hub;
use crate::socket::{self, Feed};

pub(super) async fn watch(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    PathName(run): PathName<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|refused| ApiError::new(refused.status(), refused.body_text()))?;
    // Subscribe before reading the state, so that no change is missed.
    let messages = hub.runs.messages(&run);
    let feed = Feed { frames: None, says: messages.subscribe() };
    let name = run.clone();
    let progress = hub.read_run(&run, move |hub, archive| {
        if let Some(live) = hub.runs.live(&name) {
            return Ok(live.progress());
        }
        let (count, evaluations) = (archive.count(), archive.config().map_err(archive_error)?.evaluations);
        let best = archive.champion().ok().map(|one| one.result.fitness);
        let state = if count >= evaluations { RunState::Done } else { RunState::Stopped };
        let failure = if state == RunState::Stopped { hub.runs.failure(&name) } else { None };
        let (median, per_second, seconds_left) = (None, 0.0, None);
        Ok(Progress { count, evaluations, best, median, per_second, seconds_left, state, failure })
    });
    let progress = progress.await?;
    // Other viewers receive it once more.
    send(&messages, &RunMessage::Progress(progress));
    socket::open(upgrade, &hub, peer, feed, |_| {
        Err("this socket accepts no commands; use the routes of the run".to_string())
    })
}
