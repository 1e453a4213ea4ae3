//! Runs of evolution: their creatures, and what a person does to them (`docs/protocol.md`, section Runs).
//!
//! All that is shown comes from the runs' files, which are read while somebody writes on them. A run that evolves in this process is a
//! [`Search`]: news come from it, and what a person does to a run goes through it.

mod brain;
mod by_hand;
mod clip;
mod curve;
mod export;
mod individuals;
mod lineage;
mod list;
mod map;
mod portrait;
mod search;
mod shelf;
mod socket;
mod start;

pub use search::{Search, Watcher};
pub use shelf::Runs;

use crate::api::Routes;

/// The routes under `/api/runs`.
pub(crate) fn routes() -> Routes {
    Routes::new()
        .get("/api/runs", list::list)
        .post("/api/runs", start::start)
        .get("/api/runs/{run}", list::about)
        .get("/api/runs/{run}/curve", curve::curve)
        .get("/api/runs/{run}/map", map::map)
        .get("/api/runs/{run}/individuals", individuals::list)
        .get("/api/runs/{run}/individuals/{id}", individuals::about)
        .get("/api/runs/{run}/individuals/{id}/lineage", lineage::lineage)
        .get("/api/runs/{run}/individuals/{id}/clip", clip::clip)
        .get("/api/runs/{run}/individuals/{id}/brain", brain::brain)
        .get("/api/runs/{run}/individuals/{id}/portrait.svg", portrait::portrait)
        .get("/api/runs/{run}/individuals/{id}/export", export::export)
        .post("/api/runs/{run}/pause", by_hand::pause)
        .post("/api/runs/{run}/go-on", by_hand::go_on)
        .post("/api/runs/{run}/favourite", by_hand::favourite)
        .post("/api/runs/{run}/remove", by_hand::remove)
        .post("/api/runs/{run}/breed", by_hand::breed)
        .post("/api/runs/{run}/merge", by_hand::merge)
        .post("/api/runs/{run}/inject", by_hand::inject)
        .get("/api/runs/{run}/socket", socket::watch)
}
