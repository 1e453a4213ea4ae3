//! Walls: browser windows that show one world from one eye, frame by frame (`docs/walls.md`). The server has at most one
//! cave. Its [`Walls`] hold the windows, the lock and the session that is shown; `socket` connects a window, `routes`
//! has the HTTP routes, `tracker` receives the datagrams of OpenTrack. What needs no socket is in `burgess_walls`.

mod cave_state;
mod flow;
mod group;
mod hands;
mod menu;
mod routes;
mod socket;
mod status;
mod tracker;
mod user_body;

pub use group::Walls;
pub(crate) use group::drive;
pub(crate) use routes::routes;
#[cfg(test)]
pub(crate) use routes::{BodyRequest, CalibrationRequest, CaveChoice, FlowRequest, SetupRequest, ShowRequest};
#[cfg(test)]
pub(crate) use status::CaveStatus;
pub(crate) use tracker::receive_tracking;
