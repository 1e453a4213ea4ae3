//! Verification of all rows, and what readers do with damaged ones.
//!
//! Each row has a hash of its content and of the link before it. If a row is damaged, the next row is verified with the
//! link that is stored in the damaged row, or with the one that its content gives: one of them may be intact. If a row
//! is missing or unreadable, the next row cannot be verified by itself, and is accepted if it can be decoded.

use std::collections::BTreeMap;

use super::{Archive, ArchiveError, Row};
use crate::individual::Id;

/// Number of individuals that a report names.
const MAX_NAMED: usize = 8;

/// What is wrong with the rows of an archive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Damage {
    /// Damaged individuals, and what is wrong with each.
    pub damaged: BTreeMap<Id, String>,
    /// Individuals whose rows are missing.
    pub missing: Vec<Id>,
    /// Individuals whose rows can be read but not verified, because the row before them is missing or unreadable.
    pub unverified: Vec<Id>,
}

impl Damage {
    /// Returns whether all rows are whole.
    pub fn is_none(&self) -> bool {
        self.damaged.is_empty() && self.missing.is_empty()
    }

    /// Individuals that are damaged or missing.
    pub fn lost(&self) -> Vec<Id> {
        let mut lost: Vec<Id> = self.damaged.keys().chain(&self.missing).copied().collect();
        lost.sort_unstable();
        lost
    }
}

/// Names the first few of a list of individuals.
pub(super) fn named(ids: &[Id]) -> String {
    let mut text = ids.iter().take(MAX_NAMED).map(Id::to_string).collect::<Vec<_>>().join(", ");
    if ids.len() > MAX_NAMED {
        text += &format!(" and {} more", ids.len() - MAX_NAMED);
    }
    text
}

/// The row of an individual, as far as it could be verified.
pub(super) enum Found {
    Whole(Box<Row>, u64),
    Unverified(Box<Row>, u64),
    Damaged(String),
    Missing,
}

/// The end of the chain of links: all links that the last row may have.
pub(super) struct Chain(pub Vec<u64>);

impl Chain {
    /// Reads the next row and verifies it.
    pub fn next(&mut self, archive: &Archive, id: Id) -> Found {
        let (row, stored) = match Row::read(&archive.database, id) {
            Ok(Some(found)) => found,
            Ok(None) => {
                self.0.clear();
                return Found::Missing;
            }
            Err(cause) => {
                self.0.clear();
                return Found::Damaged(cause.to_string());
            }
        };
        let is_unverified = self.0.is_empty();
        let links: Vec<u64> =
            self.0.iter().map(|before| row.link(archive.link_with_interventions(*before, id))).collect();
        self.0 = vec![stored];
        if !is_unverified && !links.contains(&stored) {
            self.0.extend(links);
            return Found::Damaged("its row is not the one that was written".to_string());
        }
        match row.clone().individual() {
            Err(what) => Found::Damaged(what),
            Ok(_) if is_unverified => Found::Unverified(Box::new(row), stored),
            Ok(_) => Found::Whole(Box::new(row), stored),
        }
    }
}

impl Archive {
    /// Verifies all rows and returns what is wrong with them. From then on queries leave damaged rows out, and
    /// [`hash`](Self::hash) is the link of the last row.
    pub fn survey(&mut self) -> Result<&Damage, ArchiveError> {
        let mut chain = Chain(vec![self.link]);
        for id in self.checked..self.count {
            match chain.next(self, id) {
                Found::Whole(_, link) => self.link = link,
                Found::Unverified(_, link) => {
                    self.link = link;
                    self.damage.unverified.push(id);
                }
                Found::Damaged(what) => {
                    self.damage.damaged.insert(id, what);
                }
                Found::Missing => {}
            }
        }
        self.checked = self.count;
        self.damage.missing = self.missing.iter().copied().chain(self.first_orphan()?).collect();
        Ok(&self.damage)
    }

    /// Leaves out damaged rows that an earlier [survey](Self::survey) of the same file found.
    pub fn leave_out(&mut self, damage: Damage) {
        self.damage = damage;
    }

    /// Describes the rows that are damaged or missing, for a message; `None` if all are whole.
    pub fn damage_report(&self) -> Option<String> {
        let lost = self.damage.lost();
        let file = self.file.display();
        let what = match lost.len() {
            0 => return None,
            1 => format!("the row of individual {} is damaged or missing and was left out", lost[0]),
            count => format!("{count} rows are damaged or missing and were left out (individuals {})", named(&lost)),
        };
        Some(format!("{file}: {what}; `burgess salvage {file} -o NEW` makes a file that can be resumed"))
    }

    /// Returns the first individual at the end whose parents are recorded but which is missing.
    pub(super) fn first_orphan(&self) -> Result<Option<Id>, ArchiveError> {
        let query = "SELECT min(child) FROM parents WHERE child >= ?1";
        let found = self.database.query_row(query, [self.count as i64], |row| row.get::<_, Option<i64>>(0));
        Ok(found.map_err(|cause| self.failed(cause))?.map(|id| id as Id))
    }

    /// SQL condition for rows that are not damaged.
    pub(super) fn undamaged(&self) -> String {
        let ids: Vec<String> = self.damage.damaged.keys().map(Id::to_string).collect();
        format!("id NOT IN ({})", ids.join(","))
    }
}
