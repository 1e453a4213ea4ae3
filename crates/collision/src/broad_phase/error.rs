//! What can be wrong with a request to a broad phase.

use thiserror::Error;

use super::{ProxyId, TreeId};

/// Why a broad phase refused a request. A refused request changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BroadPhaseError {
    /// No proxy has this name: it was never handed out, or the proxy was removed.
    #[error("there is no proxy {}", .id.index())]
    UnknownProxy {
        /// The name that was given.
        id: ProxyId,
    },
    /// A corner of a box has a coordinate that is not a number.
    #[error("a corner of the box is not a number")]
    NotANumber,
    /// All names are taken.
    #[error("more than {limit} proxies")]
    TooManyProxies {
        /// How many proxies a broad phase can hold.
        limit: usize,
    },
    /// A tree's number is too large for the filter word.
    #[error("tree {} is not below {limit}", .tree.0)]
    TreeOutOfRange {
        /// The tree that was given.
        tree: TreeId,
        /// The first number that is too large.
        limit: u32,
    },
    /// A link's number is too large for the filter word.
    #[error("link {link} is not below {}", u16::MAX)]
    LinkOutOfRange {
        /// The link that was given.
        link: u16,
    },
}
