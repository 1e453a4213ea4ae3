//! Covers of a manifold, which belong to subgroups of finite index: sheets that the faces of the domain connect.

use std::collections::BTreeSet;

use super::{Domain, EdgeCycle, Element};

/// Maximum number of entries that the search fills in before it stops.
const MAX_STEPS: usize = 200_000;

/// Cover with finitely many sheets. Each sheet is a copy of the domain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cover {
    /// For each sheet and face, the sheet beyond the face.
    pub beyond: Vec<Vec<usize>>,
}

impl Cover {
    /// Returns the number of sheets, which is the index of the subgroup.
    pub fn sheets(&self) -> usize {
        self.beyond.len()
    }

    /// Returns whether all sheets look alike: the subgroup is normal.
    pub fn is_regular(&self) -> bool {
        (0..self.sheets()).all(|sheet| self.seen_from(sheet) == *self)
    }

    /// Returns the sheet of every element of a list made by [`Domain::elements`]. The domain itself is in sheet 0.
    pub fn sheets_of(&self, elements: &[Element]) -> Vec<usize> {
        let mut sheets: Vec<usize> = Vec::with_capacity(elements.len());
        for element in elements {
            let sheet = element.parent.and_then(|(parent, face)| {
                let parent = *sheets.get(parent)?;
                self.beyond.get(parent)?.get(face).copied()
            });
            sheets.push(sheet.unwrap_or(0));
        }
        sheets
    }

    /// Returns the cover with its sheets numbered in the order in which they are found from `first`.
    fn seen_from(&self, first: usize) -> Cover {
        let mut order = vec![first];
        let mut next = 0;
        while next < order.len() {
            for &sheet in &self.beyond[order[next]] {
                if !order.contains(&sheet) {
                    order.push(sheet);
                }
            }
            next += 1;
        }
        let number = |sheet: usize| order.iter().position(|&s| s == sheet).unwrap_or(0);
        Cover { beyond: order.iter().map(|&s| self.beyond[s].iter().map(|&t| number(t)).collect()).collect() }
    }
}

/// Table of a cover that is being searched for: the sheet beyond each face of each sheet, where known.
struct Search<'a> {
    sheets: usize,
    partners: Vec<usize>,
    relations: &'a [Vec<usize>],
    table: Vec<Vec<Option<usize>>>,
    found: BTreeSet<Cover>,
    steps: usize,
}

impl Domain {
    /// Lists the connected covers with the given number of sheets (2 to 8), each once up to the choice of the first
    /// sheet. The search is bounded; it is complete for the built-in spaces.
    pub fn covers(&self, cycles: &[EdgeCycle], sheets: usize) -> Vec<Cover> {
        if !(2..=8).contains(&sheets) || self.faces.is_empty() {
            return Vec::new();
        }
        // The relations of the group, by Poincare's theorem.
        let relations: Vec<Vec<usize>> = cycles.iter().map(|cycle| cycle.faces.repeat(cycle.order)).collect();
        let mut search = Search {
            sheets,
            partners: self.faces.iter().map(|face| face.partner).collect(),
            relations: &relations,
            table: vec![vec![None; self.faces.len()]],
            found: BTreeSet::new(),
            steps: 0,
        };
        search.extend();
        search.found.into_iter().collect()
    }
}

impl Search<'_> {
    /// Fills the first unknown entry in all ways, and records complete tables.
    fn extend(&mut self) {
        self.steps += 1;
        if self.steps > MAX_STEPS || !self.deduce() {
            return;
        }
        let faces = self.partners.len();
        let open = (0..self.table.len() * faces).find(|i| self.table[i / faces][i % faces].is_none());
        let Some(open) = open else {
            if self.table.len() == self.sheets {
                self.record();
            }
            return;
        };
        let (sheet, face) = (open / faces, open % faces);
        for target in 0..=self.table.len().min(self.sheets - 1) {
            let saved = self.table.clone();
            if target == self.table.len() {
                self.table.push(vec![None; faces]);
            }
            if self.set(sheet, face, target) {
                self.extend();
            }
            self.table = saved;
        }
    }

    /// Sets an entry and its inverse. Returns false if that contradicts known entries.
    fn set(&mut self, sheet: usize, face: usize, target: usize) -> bool {
        let back = self.partners[face];
        if self.table[sheet][face].is_some_and(|known| known != target)
            || self.table[target][back].is_some_and(|known| known != sheet)
        {
            return false;
        }
        self.table[sheet][face] = Some(target);
        self.table[target][back] = Some(sheet);
        true
    }

    /// Follows every relation from every sheet. One unknown step can be concluded. Returns false at a contradiction.
    fn deduce(&mut self) -> bool {
        loop {
            let mut changed = false;
            for relation in self.relations {
                for start in 0..self.table.len() {
                    let (mut front, mut ahead) = (start, 0);
                    while let Some(next) = relation.get(ahead).and_then(|&face| self.table[front][face]) {
                        (front, ahead) = (next, ahead + 1);
                    }
                    if ahead == relation.len() {
                        if front != start {
                            return false;
                        }
                        continue;
                    }
                    let (mut rear, mut behind) = (start, relation.len());
                    while behind > ahead + 1
                        && let Some(last) = self.table[rear][self.partners[relation[behind - 1]]]
                    {
                        (rear, behind) = (last, behind - 1);
                    }
                    if behind == ahead + 1 {
                        if !self.set(front, relation[ahead], rear) {
                            return false;
                        }
                        changed = true;
                    }
                }
            }
            if !changed {
                return true;
            }
        }
    }

    fn record(&mut self) {
        let beyond = self.table.iter().map(|row| row.iter().flatten().copied().collect()).collect();
        let cover = Cover { beyond };
        if let Some(least) = (0..cover.sheets()).map(|sheet| cover.seen_from(sheet)).min() {
            self.found.insert(least);
        }
    }
}
