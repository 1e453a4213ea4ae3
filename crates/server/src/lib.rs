//! The viewer's server: sessions, runs of evolution, and the page that shows them. `docs/protocol.md` describes its
//! protocol.
//!
//! A program starts the server, continues with its own work, and stops the server at the end:
//!
//! ```
//! use burgess_server::session::{OpenRequest, Source};
//! use burgess_server::{Server, ServerOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Port 0 takes a free one.
//! let options = ServerOptions { listen: "127.0.0.1:0".parse()?, runs: "runs".into(), ..ServerOptions::default() };
//! let server = Server::bind(options)?;
//! // Open a session. The page can do that, too.
//! let request = OpenRequest::of(Source::Scene { name: "stack".to_string() });
//! let session = server.hub().sessions.open(request, &server.hub().library)?;
//! println!("open {}", server.url_of(&format!("/stage/{}", session.id())));
//! // The server responds on its own threads until the handle is stopped or dropped.
//! let handle = server.run_in_background()?;
//! handle.stop();
//! # Ok(())
//! # }
//! ```
//!
//! A request passes through these layers: [`Server`] listens (`connection_limit`, `tls`), `guard` checks access,
//! [`api`] has the routes, [`socket`] sends frames of [`session`]s and messages about [`runs`]; every other path
//! belongs to the page. [`Hub`] is the shared state.

pub mod api;
mod byte_cache;
mod clip;
mod connection_limit;
mod error;
mod etag;
pub mod flows;
mod guard;
mod hub;
mod limits;
mod options;
mod page;
mod pictures;
mod refusals;
pub mod runs;
#[cfg(test)]
mod schema;
mod server;
pub mod session;
mod share;
pub mod socket;
mod tls;
pub mod walls;

pub use error::{ApiError, ServerError};
pub use hub::Hub;
pub use limits::Limits;
pub use options::{DEFAULT_ADDRESS, DEFAULT_IDLE, ServerOptions, Tls};
pub use page::IS_BUILT;
pub use server::{Handle, Server, THREAD_NAME};
pub use share::{MAX_SHARED_BYTES, SharedPage, share_subject};
