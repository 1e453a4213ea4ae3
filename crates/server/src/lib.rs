//! The viewer's server: worlds on stage, runs of evolution, and the page that shows them. `docs/protocol.md` is what it speaks.

pub mod session;
