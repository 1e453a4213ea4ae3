//! The routes, one file for each group. `docs/protocol.md` describes their purpose, `openapi.yaml` their fields.

pub(crate) mod about;
pub(crate) mod catalogue;
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
