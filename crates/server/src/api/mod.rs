//! The routes, one file for each group. `docs/protocol.md` describes their purpose, `openapi.yaml` their fields.

pub(crate) mod about;
pub(crate) mod catalogue;
mod extract;
mod pictures;
mod routes;
pub(crate) mod scene_texts;
pub(crate) mod sessions;
pub(crate) mod spaces;
pub(crate) mod versions;

pub use extract::{JsonBody, Parameters, PathName};
pub use routes::Routes;

/// All routes.
pub fn routes() -> Routes {
    Routes::new()
        .merge(about::routes())
        .merge(catalogue::routes())
        .merge(pictures::routes())
        .merge(scene_texts::routes())
        .merge(spaces::routes())
        .merge(sessions::routes())
        .merge(versions::routes())
        .merge(crate::runs::routes())
        .merge(crate::flows::routes())
        .merge(crate::walls::routes())
}
