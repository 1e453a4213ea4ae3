//! The viewer's server: worlds on stage, runs of evolution, and the page that shows them. `docs/protocol.md` is what it speaks.
//!
//! A program that wants to be looked at starts it, goes on with its own work, and stops it at the end:
//!
//! ```no_run
//! use burgess_server::session::{OpenRequest, Source};
//! use burgess_server::{Server, ServerOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::bind(ServerOptions { runs: "runs".into(), ..ServerOptions::default() })?;
//! // Put something on stage; the page can do that, too.
//! let request = OpenRequest::of(Source::Scene { name: "stack".to_string() });
//! let session = server.hub().sessions.open(request, &server.hub().library)?;
//! println!("open {}", server.url_of(&format!("/stage/{}", session.id())));
//! // It answers on threads of its own until the handle is stopped or dropped.
//! let handle = server.run_in_background()?;
//! std::thread::sleep(std::time::Duration::from_secs(60));
//! handle.stop();
//! # Ok(())
//! # }
//! ```
//!
//! From the outside in: [`Server`] listens (`door`, `tls`), `guard` decides who may ask, [`api`] answers, [`socket`] sends frames of
//! [`session`]s and news of [`runs`], and whatever is left is the page. [`Hub`] is what they share.

pub mod api;
mod door;
mod error;
mod guard;
mod hub;
mod limits;
mod options;
mod page;
mod refusals;
pub mod runs;
mod server;
pub mod session;
pub mod socket;
mod tls;

pub use error::{ApiError, ServerError};
pub use hub::Hub;
pub use limits::Limits;
pub use options::{ServerOptions, Tls, USUAL_ADDRESS};
pub use page::IS_BUILT;
pub use server::{Handle, Server, THREAD_NAME};
