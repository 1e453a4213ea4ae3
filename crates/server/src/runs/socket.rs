//! `GET .../socket`: news of a run.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::response::Response;

use super::search::{Told, say};
use super::shelf::refused;
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
    // Before the state is asked for, so that no change of it is missed.
    let news = hub.runs.news(&run);
    let feed = Feed { frames: None, says: news.subscribe() };
    let name = run.clone();
    let told = hub.look(&run, move |hub, archive| {
        if let Some(search) = hub.runs.search(&name) {
            return Ok(search.told());
        }
        let (count, evaluations) = (archive.count(), archive.config().map_err(refused)?.evaluations);
        let best = archive.champion().ok().map(|one| one.result.fitness);
        let state = if count >= evaluations { "done" } else { "stopped" };
        let failure = if state == "stopped" { hub.runs.failure(&name) } else { None };
        let (say, median, per_second, seconds_left) = ("progress", None, 0.0, None);
        Ok(Told { say, count, evaluations, best, median, per_second, seconds_left, state, failure })
    });
    let told = told.await?;
    // Whoever listens already hears it once more.
    say(&news, &told);
    socket::open(upgrade, &hub, peer, feed, |_| {
        Err("news of a run are to be heard; orders go to its routes".to_string())
    })
}
