//! The contacts and rows of one contact group, as indices into the contact space.

use crate::contact_space::ContactSpace;
use crate::simulation_data::SimulationData;

/// Contacts and rows of the current group. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupMembers {
    /// Indices of the contacts that take part.
    pub blocks: Vec<u32>,
    /// Indices of the rows.
    pub rows: Vec<u32>,
    /// Group and index of every row, sorted.
    rows_by_group: Vec<(u32, u32)>,
}

impl GroupMembers {
    /// Returns whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.rows.is_empty()
    }

    /// Assigns all rows of the space to the groups in which they act.
    pub fn sort_rows(&mut self, data: &SimulationData, space: &ContactSpace) {
        self.rows_by_group.clear();
        for (index, row) in space.rows().iter().enumerate() {
            let tree = space.tree_of_row(row);
            if let Some(group) = tree.and_then(|tree| data.detection.groups().group_of_body(tree)) {
                self.rows_by_group.push((group as u32, index as u32));
            }
        }
        self.rows_by_group.sort_unstable();
    }

    /// Selects the rows of a group, and its contacts except those marked as idle.
    pub fn select(&mut self, data: &SimulationData, group: usize, idle: &[bool]) {
        self.blocks.clear();
        let contacts = data.detection.groups().group(group).contacts.iter();
        self.blocks.extend(contacts.filter(|&&contact| !idle[contact as usize]));
        let group = group as u32;
        let start = self.rows_by_group.partition_point(|entry| entry.0 < group);
        self.rows.clear();
        self.rows.extend(self.rows_by_group[start..].iter().take_while(|entry| entry.0 == group).map(|entry| entry.1));
    }
}
