//! Runs of evolution: their individuals, and interventions (`docs/protocol.md`, section Runs).
//!
//! Everything that is shown comes from the files of runs, which can be read while they are written. A run that evolves
//! in this process is a [`LiveRun`], which sends messages and accepts interventions.

mod brain;
mod clip;
pub(crate) mod contest;
pub(crate) mod curve;
mod export;
mod figures;
pub(crate) mod history;
mod index;
pub(crate) mod individuals;
pub(crate) mod interventions;
pub(crate) mod lineage;
pub(crate) mod list;
pub(crate) mod live_run;
pub(crate) mod map;
pub(crate) mod page;
pub(crate) mod points;
mod portrait;
mod repeat;
mod run_directory;
mod socket;
pub(crate) mod start;
mod table;

pub use list::RunState;
pub use live_run::{LiveRun, RunObserver};
pub use run_directory::RunDirectory;

use crate::api::Routes;

/// The routes under `/api/runs`.
pub(crate) fn routes() -> Routes {
    Routes::new()
        .get("/api/runs", list::list)
        .post("/api/runs", start::start)
        .get("/api/run-page", page::page)
        .get("/api/runs/{run}", list::about)
        .get("/api/runs/{run}/curve", curve::curve)
        .get("/api/runs/{run}/contest", contest::contest)
        .get("/api/runs/{run}/tournament", contest::tournament)
        .get("/api/runs/{run}/map", map::map)
        .get("/api/runs/{run}/history", history::history)
        .get("/api/runs/{run}/points", points::points)
        .get("/api/runs/{run}/table", table::table)
        .get("/api/runs/{run}/individuals", individuals::list)
        .get("/api/runs/{run}/individuals/{id}", individuals::about)
        .get("/api/runs/{run}/individuals/{id}/lineage", lineage::lineage)
        .get("/api/runs/{run}/individuals/{id}/clip", clip::clip)
        .get("/api/runs/{run}/individuals/{id}/brain", brain::brain)
        .get("/api/runs/{run}/individuals/{id}/portrait.svg", portrait::portrait)
        .get("/api/runs/{run}/individuals/{id}/export", export::export)
        .post("/api/runs/{run}/pause", interventions::pause)
        .post("/api/runs/{run}/go-on", interventions::go_on)
        .post("/api/runs/{run}/favourite", interventions::favourite)
        .post("/api/runs/{run}/remove", interventions::remove)
        .post("/api/runs/{run}/breed", interventions::breed)
        .post("/api/runs/{run}/merge", interventions::merge)
        .post("/api/runs/{run}/inject", interventions::inject)
        .get("/api/runs/{run}/socket", socket::watch)
}
