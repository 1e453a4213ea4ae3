//! Filters that decide which proxies may pair: group masks, joints, trees, excluded pairs.

use std::collections::BTreeSet;

use super::{BroadPhaseError, ProxyId};

/// Id of a tree of links (a creature, a mechanism), chosen by the caller; below 2^29 - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(pub u32);

/// Link of a tree that a proxy belongs to. Proxies of the same link never pair, nor do those of a link and its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TreeLink {
    /// The tree.
    pub tree: TreeId,
    /// The link within the tree; below 65,535.
    pub link: u16,
    /// The parent of the link; `None` for a root.
    pub parent: Option<u16>,
}

/// What a proxy may pair with. Two proxies pair if the mask of each has a bit of the other's group, and neither their
/// trees nor an exclusion forbids it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The groups the proxy belongs to, one bit each.
    pub group: u32,
    /// The groups the proxy pairs with, one bit each.
    pub mask: u32,
    /// The link that the proxy belongs to, if any.
    pub link: Option<TreeLink>,
}

impl Default for Filter {
    /// A filter in group 0 that pairs with every group and belongs to no tree.
    fn default() -> Self {
        Self { group: 1, mask: u32::MAX, link: None }
    }
}

const FIXED: u32 = 1 << 31;
const NO_SELF_COLLISION: u32 = 1 << 30;
const HAS_EXCLUSIONS: u32 = 1 << 29;
/// Tree ids are below the flags; the largest value means no tree.
const NO_TREE: u32 = HAS_EXCLUSIONS - 1;
const NO_PARENT: u16 = u16::MAX;

/// A filter packed into 16 bytes, so that it shares a cache line with its proxy's box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FilterWords {
    group: u32,
    mask: u32,
    tree_and_flags: u32,
    link: u16,
    parent: u16,
}

impl FilterWords {
    pub fn new(filter: Filter, fixed: bool) -> Result<Self, BroadPhaseError> {
        let (tree, link, parent) = match filter.link {
            None => (NO_TREE, 0, NO_PARENT),
            Some(TreeLink { tree, .. }) if tree.0 >= NO_TREE => {
                return Err(BroadPhaseError::TreeOutOfRange { tree, limit: NO_TREE });
            }
            Some(TreeLink { link, .. }) if link == NO_PARENT => return Err(BroadPhaseError::LinkOutOfRange { link }),
            Some(TreeLink { tree, link, parent }) => (tree.0, link, parent.unwrap_or(NO_PARENT)),
        };
        let flags = if fixed { FIXED } else { 0 };
        Ok(Self { group: filter.group, mask: filter.mask, tree_and_flags: tree | flags, link, parent })
    }

    pub fn filter(&self) -> Filter {
        let parent = (self.parent != NO_PARENT).then_some(self.parent);
        let link = self.tree().map(|tree| TreeLink { tree, link: self.link, parent });
        Filter { group: self.group, mask: self.mask, link }
    }

    pub fn tree(&self) -> Option<TreeId> {
        let tree = self.tree_and_flags & NO_TREE;
        (tree != NO_TREE).then_some(TreeId(tree))
    }

    pub fn is_fixed(&self) -> bool {
        self.tree_and_flags & FIXED != 0
    }

    pub fn has_exclusions(&self) -> bool {
        self.tree_and_flags & HAS_EXCLUSIONS != 0
    }

    pub fn set_self_collision(&mut self, allowed: bool) {
        self.set_flag(NO_SELF_COLLISION, !allowed);
    }

    pub fn set_has_exclusions(&mut self, value: bool) {
        self.set_flag(HAS_EXCLUSIONS, value);
    }

    fn set_flag(&mut self, flag: u32, value: bool) {
        self.tree_and_flags = if value { self.tree_and_flags | flag } else { self.tree_and_flags & !flag };
    }

    /// Returns whether the two may pair, regardless of exclusions.
    #[inline]
    pub fn allows(&self, other: &Self) -> bool {
        let both = self.tree_and_flags & other.tree_and_flags;
        let groups = (self.mask & other.group != 0) & (other.mask & self.group != 0);
        groups & (both & FIXED == 0)
            && (self.tree() != other.tree() || self.tree().is_none() || self.allows_within_tree(other))
    }

    fn allows_within_tree(&self, other: &Self) -> bool {
        let self_collision = (self.tree_and_flags | other.tree_and_flags) & NO_SELF_COLLISION == 0;
        self_collision && self.link != other.link && self.parent != other.link && other.parent != self.link
    }
}

/// Pairs that the caller excluded, each stored in both directions.
#[derive(Debug, Clone, Default)]
pub(super) struct Exclusions {
    directed: BTreeSet<(ProxyId, ProxyId)>,
}

impl Exclusions {
    /// Excludes a pair. Returns whether it was not excluded before.
    pub fn insert(&mut self, a: ProxyId, b: ProxyId) -> bool {
        self.directed.insert((b, a));
        self.directed.insert((a, b))
    }

    /// Includes a pair again. Returns whether it was excluded before.
    pub fn remove(&mut self, a: ProxyId, b: ProxyId) -> bool {
        self.directed.remove(&(b, a));
        self.directed.remove(&(a, b))
    }

    pub fn contains(&self, a: ProxyId, b: ProxyId) -> bool {
        self.directed.contains(&(a, b))
    }

    pub fn any_of(&self, id: ProxyId) -> bool {
        self.partner(id).is_some()
    }

    /// Returns one of the proxies that `id` must not pair with.
    pub fn partner(&self, id: ProxyId) -> Option<ProxyId> {
        self.directed.range((id, ProxyId(0))..=(id, ProxyId(u32::MAX))).next().map(|pair| pair.1)
    }
}
