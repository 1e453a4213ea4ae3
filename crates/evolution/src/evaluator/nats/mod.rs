//! Workers in other processes, connected by a NATS server with JetStream. [`Nats`] publishes jobs to a work queue and
//! receives results from another. A [`Worker`] pulls jobs and has a [child process](serve) for every core. These are
//! the master, proxy and slaves of Fontijne (2000) section 4.6.
//!
//! No job is lost and no result counts twice, whichever process ends:
//! - A job is acknowledged when its result is on the server. Until then the worker extends the ack deadline; if it
//!   stops, the server delivers the job to another worker.
//! - A job without a result for long is published again, which the server rejects while it still has it.
//! - A result names its job by a hash and is used once. Evaluation is a pure function, so any copy of the result will
//!   do.

mod child;
mod coordinator;
mod error;
mod message;
mod options;
mod process;
mod streams;
mod worker;

pub use child::{serve, serve_with};
pub use coordinator::Nats;
pub use error::NatsError;
pub use options::{NatsOptions, Notice};
pub use process::ChildCommand;
pub use worker::{Tally, Worker, WorkerOptions};
