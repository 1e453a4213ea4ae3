//! Worlds on stage.
use crate::api::Routes;
pub(super) fn routes() -> Routes { Routes::new() }
