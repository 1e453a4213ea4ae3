//! Parry's bounding volume hierarchy, used in the two ways that it offers.

use anyhow::Result;
use burgess_geometry::Aabb;
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use super::{Overlaps, Pairs};
use crate::crowd::Frame;

/// Tight boxes: every step updates the leaves, refits the tree, and walks it against itself.
pub struct Refit {
    tree: Bvh,
    workspace: BvhWorkspace,
    steps: usize,
}

impl Refit {
    /// A tree over the boxes.
    pub fn new(boxes: &[Aabb]) -> Self {
        Self { tree: tree(boxes), workspace: BvhWorkspace::default(), steps: 0 }
    }
}

/// Steps between two rounds of Parry's incremental optimisation: without them the tree decays, and each costs time.
const OPTIMIZE_EVERY: usize = 4;

impl Overlaps for Refit {
    fn step(&mut self, frame: &Frame, pairs: &mut Pairs) -> Result<()> {
        for &index in &frame.moved {
            self.tree.insert_or_update_partially(aabb(&frame.boxes[index as usize]), index, 0.0);
        }
        self.tree.refit(&mut self.workspace);
        self.steps += 1;
        if self.steps.is_multiple_of(OPTIMIZE_EVERY) {
            self.tree.optimize_incremental(&mut self.workspace);
        }
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| pairs.add(a, b));
        Ok(())
    }
}

/// Leaves larger than their boxes, and Parry's change detection: only leaves that their boxes have left are updated, only
/// their pairs are sought again; the pairs found so far are kept and tested exactly.
pub struct Margin {
    tree: Bvh,
    workspace: BvhWorkspace,
    steps: usize,
    candidates: Vec<(u32, u32)>,
    /// By object: did its leaf change in this step?
    changed: Vec<bool>,
    changed_now: Vec<u32>,
    changed_before: Vec<u32>,
}

/// How much larger, on each side, in metres: the best for unit boxes of those tried, from 0.03 to 0.8.
const MARGIN: f64 = 0.5;
/// One changed leaf in so many objects or fewer: Parry's partial refit is the faster one.
const FEW: usize = 64;

impl Margin {
    /// A tree over the boxes.
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut new = Self {
            tree: tree(boxes),
            workspace: BvhWorkspace::default(),
            steps: 0,
            candidates: Vec::new(),
            changed: vec![false; boxes.len()],
            // A new tree calls every leaf changed.
            changed_now: (0..boxes.len() as u32).collect(),
            changed_before: Vec::new(),
        };
        // The leaves are tight at first: the pairs between them, then margins as boxes move.
        let candidates = &mut new.candidates;
        new.tree.traverse_bvtt_single_tree::<false>(&mut new.workspace, &mut |a, b| candidates.push((a, b)));
        new
    }
}

impl Overlaps for Margin {
    fn step(&mut self, frame: &Frame, pairs: &mut Pairs) -> Result<()> {
        use parry3d_f64::partitioning::BvhLeafUpdateStatus::Unchanged;
        std::mem::swap(&mut self.changed_now, &mut self.changed_before);
        self.changed_now.clear();
        for &index in &frame.moved {
            let status = self.tree.insert_or_update_partially(aabb(&frame.boxes[index as usize]), index, MARGIN);
            if status != Unchanged {
                self.changed_now.push(index);
                self.changed[index as usize] = true;
            }
        }
        self.steps += 1;
        let few = FEW * self.changed_now.len() < self.changed.len();
        if self.steps.is_multiple_of(OPTIMIZE_EVERY) && !few {
            self.tree.optimize_incremental(&mut self.workspace);
            self.tree.refit(&mut self.workspace);
        } else if few {
            self.tree.refit_partial(&self.changed_before, &self.changed_now);
        } else {
            self.tree.refit(&mut self.workspace);
        }
        let (candidates, changed) = (&mut self.candidates, &self.changed);
        candidates.retain(|&(a, b)| !(changed[a as usize] | changed[b as usize]));
        self.tree.traverse_bvtt_single_tree::<true>(&mut self.workspace, &mut |a, b| candidates.push((a, b)));
        for &index in &self.changed_now {
            self.changed[index as usize] = false;
        }
        for &(a, b) in &self.candidates {
            if frame.boxes[a as usize].overlaps(&frame.boxes[b as usize]) {
                pairs.add(a, b);
            }
        }
        Ok(())
    }
}

fn tree(boxes: &[Aabb]) -> Bvh {
    let leaves: Vec<ParryAabb> = boxes.iter().map(aabb).collect();
    Bvh::from_leaves(BvhBuildStrategy::default(), &leaves)
}

fn aabb(bounds: &Aabb) -> ParryAabb {
    ParryAabb { mins: bounds.min, maxs: bounds.max }
}
