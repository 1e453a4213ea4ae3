//! All integration tests of the crate in one program, because one program links faster than many.

mod client;
mod contests;
mod crowd;
mod fuzz;
mod guard;
mod interaction;
mod menus;
mod observation;
mod openapi;
mod overview;
mod people;
mod random_edits;
mod run_data;
mod runs;
mod scene_text;
mod session_routes;
mod session_sources;
mod session_viewers;
mod sessions;
mod sharing;
mod spaces;
mod support;
mod tls;
mod user_body;
mod wall_tubes;
mod walls;
