//! Errors of a broad phase.

use thiserror::Error;

use super::{ProxyId, TreeId};

/// Why a broad phase rejected a request. A rejected request changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BroadPhaseError {
    /// No proxy has this id: it was never assigned, or the proxy was removed.
    #[error("proxy {} does not exist", .id.index())]
    UnknownProxy {
        /// The unknown id.
        id: ProxyId,
    },
    /// A corner of a box has a NaN coordinate.
    #[error("a corner of the box has a coordinate that is NaN")]
    NotANumber,
    /// All proxy ids are in use.
    #[error("the broad phase already holds {limit} proxies, which is the maximum")]
    TooManyProxies {
        /// Maximum number of proxies.
        limit: usize,
    },
    /// A tree id is too large for the filter word.
    #[error("tree {} is not below {limit}", .tree.0)]
    TreeOutOfRange {
        /// The tree id that was given.
        tree: TreeId,
        /// The first id that is too large.
        limit: u32,
    },
    /// A link index is too large for the filter word.
    #[error("link {link} is not below {}", u16::MAX)]
    LinkOutOfRange {
        /// The link index that was given.
        link: u16,
    },
}
