//! Contact groups: sets of bodies connected through contacts and joints, found by union-find.

use thiserror::Error;

/// Why contact groups could not be computed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContactAnalysisError {
    /// A contact or a link refers to a body that does not exist.
    #[error("{what} {index} refers to body {body}, but there are only {bodies} bodies")]
    UnknownBody {
        /// "contact" or "link".
        what: &'static str,
        /// Index of the contact or link.
        index: usize,
        /// Body index that it uses.
        body: u32,
        /// Number of bodies.
        bodies: usize,
    },
}

/// One group, by the caller's indices, each list ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactGroup<'a> {
    /// Movable bodies of the group.
    pub bodies: &'a [u32],
    /// Contacts between these bodies, and between them and fixed bodies.
    pub contacts: &'a [u32],
    /// Joints and other links between these bodies, and between them and fixed bodies.
    pub links: &'a [u32],
}

/// The groups of a world, in flat arrays that are reused from call to call.
///
/// ```
/// use burgess_collision::contact_analysis::ContactGroups;
///
/// // Body 0 is the ground; 1 stands on it, 2 on 1; 3 stands alone.
/// let mut groups = ContactGroups::default();
/// groups.find(&[false, true, true, true], &[(0, 3), (1, 2), (0, 1)], &[]).unwrap();
/// let found: Vec<_> = groups.iter().map(|g| (g.bodies.to_vec(), g.contacts.to_vec())).collect();
/// assert_eq!(found, [(vec![1, 2], vec![1, 2]), (vec![3], vec![0])]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ContactGroups {
    parent: Vec<u32>,
    group_of_body: Vec<u32>,
    groups: usize,
    bodies: Members,
    contacts: Members,
    links: Members,
}

/// Marks a fixed body, which is in no group.
const NO_GROUP: u32 = u32::MAX;

impl ContactGroups {
    /// Computes the groups. Fixed bodies (`movable` false) connect nothing and are in no group; every movable body is
    /// in exactly one. Groups are ordered by their smallest body. A contact between fixed bodies is in no group.
    pub fn find(
        &mut self,
        movable: &[bool],
        contacts: &[(u32, u32)],
        links: &[(u32, u32)],
    ) -> Result<(), ContactAnalysisError> {
        for (what, pairs) in [("contact", contacts), ("link", links)] {
            for (index, &(a, b)) in pairs.iter().enumerate() {
                let body = a.max(b);
                if body as usize >= movable.len() {
                    return Err(ContactAnalysisError::UnknownBody { what, index, body, bodies: movable.len() });
                }
            }
        }

        self.parent.clear();
        self.parent.extend(0..movable.len() as u32);
        for &(a, b) in contacts.iter().chain(links) {
            if movable[a as usize] && movable[b as usize] {
                self.unite(a, b);
            }
        }

        // The root of a set is its smallest body, so numbering roots in ascending order orders the groups.
        self.groups = 0;
        self.group_of_body.clear();
        for body in 0..movable.len() as u32 {
            let root = self.root(body);
            let group = if !movable[body as usize] {
                NO_GROUP
            } else if root == body {
                self.groups += 1;
                self.groups as u32 - 1
            } else {
                self.group_of_body[root as usize]
            };
            self.group_of_body.push(group);
        }

        let of_body = &self.group_of_body;
        // NO_GROUP is the largest number, so the minimum is the movable body's group.
        let of_pair = |&(a, b): &(u32, u32)| of_body[a as usize].min(of_body[b as usize]);
        self.bodies.sort(self.groups, of_body.iter().copied());
        self.contacts.sort(self.groups, contacts.iter().map(of_pair));
        self.links.sort(self.groups, links.iter().map(of_pair));
        Ok(())
    }

    /// Returns the number of groups.
    pub fn len(&self) -> usize {
        self.groups
    }

    /// Returns whether there are no groups because nothing can move.
    pub fn is_empty(&self) -> bool {
        self.groups == 0
    }

    /// Returns the group with this index, from 0 to `len() - 1`; empty beyond.
    pub fn group(&self, index: usize) -> ContactGroup<'_> {
        ContactGroup { bodies: self.bodies.of(index), contacts: self.contacts.of(index), links: self.links.of(index) }
    }

    /// Returns all groups in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ContactGroup<'_>> {
        (0..self.len()).map(|index| self.group(index))
    }

    /// Returns the group of a body; `None` for a fixed or unknown body.
    pub fn group_of_body(&self, body: u32) -> Option<usize> {
        self.group_of_body.get(body as usize).filter(|&&g| g != NO_GROUP).map(|&g| g as usize)
    }

    fn root(&mut self, mut body: u32) -> u32 {
        while self.parent[body as usize] != body {
            // Path halving.
            let grandparent = self.parent[self.parent[body as usize] as usize];
            self.parent[body as usize] = grandparent;
            body = grandparent;
        }
        body
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// Indices sorted by group, and where each group begins.
#[derive(Debug, Clone, Default)]
struct Members {
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl Members {
    /// Counting sort, which keeps indices ascending in each group.
    fn sort(&mut self, groups: usize, group_of: impl Iterator<Item = u32> + Clone) {
        let grouped = || group_of.clone().enumerate().filter(|&(_, group)| group != NO_GROUP);
        // Slot `group + 2` counts. After summing, slot `group + 1` is where the group begins, and is advanced to its
        // end.
        self.starts.clear();
        self.starts.resize(groups + 2, 0);
        for (_, group) in grouped() {
            self.starts[group as usize + 2] += 1;
        }
        for slot in 2..self.starts.len() {
            self.starts[slot] += self.starts[slot - 1];
        }
        self.indices.clear();
        self.indices.resize(self.starts[groups + 1] as usize, 0);
        for (index, group) in grouped() {
            let place = &mut self.starts[group as usize + 1];
            self.indices[*place as usize] = index as u32;
            *place += 1;
        }
        self.starts.truncate(groups + 1);
    }

    fn of(&self, group: usize) -> &[u32] {
        match self.starts.get(group..group.saturating_add(2)) {
            Some(&[start, end]) => &self.indices[start as usize..end as usize],
            _ => &[],
        }
    }
}
