//! Parry's bounding volume hierarchy, used in two ways.

use anyhow::Result;
use burgess_geometry::Aabb;
use parry3d_f64::bounding_volume::Aabb as ParryAabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use super::{Overlaps, Pairs};
use crate::crowd::Frame;

/// With tight boxes: every step updates the leaves, refits the tree, and traverses it against itself.
pub struct Refit {
    tree: Bvh,
    workspace: BvhWorkspace,
    steps: usize,
}

impl Refit {
    /// Creates a tree over the boxes.
    pub fn new(boxes: &[Aabb]) -> Self {
        Self { tree: tree(boxes), workspace: BvhWorkspace::default(), steps: 0 }
    }
}

/// Number of steps between two runs of Parry's incremental optimization. Without it the quality of the tree degrades.
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

/// With leaves larger than their boxes and Parry's change detection: only leaves that their boxes have left are
/// updated, and only their pairs are searched again; the known pairs are kept and tested exactly.
pub struct Margin {
    tree: Bvh,
    workspace: BvhWorkspace,
    steps: usize,
    candidates: Vec<(u32, u32)>,
    /// For each object, whether its leaf changed in this step.
    changed: Vec<bool>,
    changed_now: Vec<u32>,
    changed_before: Vec<u32>,
}

/// Margin of the leaves on each side, in m: the best for unit boxes of the tested values from 0.03 to 0.8.
const MARGIN: f64 = 0.5;
/// Minimum number of objects per changed leaf at which Parry's partial refit is faster.
const FEW: usize = 64;

impl Margin {
    /// Creates a tree over the boxes.
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut new = Self {
            tree: tree(boxes),
            workspace: BvhWorkspace::default(),
            steps: 0,
            candidates: Vec::new(),
            changed: vec![false; boxes.len()],
            // A new tree reports every leaf as changed.
            changed_now: (0..boxes.len() as u32).collect(),
            changed_before: Vec::new(),
        };
        // The leaves are tight at first; they get margins when boxes move.
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
