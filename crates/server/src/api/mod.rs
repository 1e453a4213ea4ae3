//! The routes, one file for each group of them. `docs/protocol.md` tells what they are for, `openapi.yaml` their fields.

mod about;
mod catalogue;
mod extract;
mod routes;
mod sessions;

pub use extract::{JsonBody, Parameters, PathName};
pub use routes::Routes;

/// All routes.
pub fn routes() -> Routes {
    Routes::new()
        .merge(about::routes())
        .merge(catalogue::routes())
        .merge(sessions::routes())
        .merge(crate::runs::routes())
}
