//! The viewer's server: worlds on stage, runs of evolution, and the page that shows them. `docs/protocol.md` is what it speaks.
//!
//! ```no_run
//! use burgess_server::{Server, ServerOptions};
//!
//! # fn main() -> Result<(), burgess_server::ServerError> {
//! let server = Server::bind(ServerOptions::default())?;
//! println!("open {}", server.url());
//! // It answers on threads of its own, and ends when the handle is dropped.
//! let handle = server.run_in_background()?;
//! std::thread::sleep(std::time::Duration::from_secs(60));
//! handle.stop();
//! # Ok(())
//! # }
//! ```

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
