//! Workers elsewhere, by way of a NATS server with JetStream: [`Nats`] hands jobs to a work queue and takes results from another;
//! [`Worker`] is whoever pulls jobs, with a [child process](serve) for every core (the master, proxy and slaves of 000 section 4.6).
//!
//! Nothing is lost and nothing counts twice, whoever dies:
//! - a job is acknowledged when its result is on the server, and until then the worker says that it is at work; if it falls silent, the job
//!   goes to another;
//! - what is unanswered for long is handed in again, which the server refuses while it still has it;
//! - a result names its job by a hash, and is taken once; evaluation is a pure function, so it does not matter whose.

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
