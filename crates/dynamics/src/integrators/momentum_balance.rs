//! Exact momentum conservation of floating trees: `P(q', v') = P(q, v) + h F`, with P the momentum of a tree about a
//! fixed point and F the external force at the middle of the step. A joint-space method conserves it only to its order;
//! here the velocity of the root, with the joints locked, absorbs the difference. The condition is symmetric in time,
//! so a symmetric method stays symmetric.

use std::ops::Range;

use crate::joint::Joint;
use crate::spatial::{ArticulatedInertia, FactoredInertia, Force, Motion};
use crate::workspace::LinkWork;
use crate::{Model, Workspace};

#[derive(Debug, Clone)]
struct Tree {
    links: Range<usize>,
    /// Momentum at the start of the step about the root's position then.
    start: Force,
    about: glam::DVec3,
    /// Required momentum at the end of the step.
    wanted: Force,
    /// Correction of the root's acceleration.
    correction: Motion,
}

#[derive(Debug, Clone)]
pub(crate) struct MomentumBalance {
    trees: Vec<Tree>,
}

impl MomentumBalance {
    pub fn new(model: &Model) -> Self {
        let roots: Vec<usize> = (0..model.links.len()).filter(|i| model.links[*i].parent().is_none()).collect();
        let ends = roots.iter().skip(1).copied().chain([model.links.len()]);
        let trees = roots.iter().zip(ends).filter(|(root, _)| model.links[**root].joint == Joint::Free);
        let tree = |(root, end): (&usize, usize)| Tree {
            links: *root..end,
            start: Force::ZERO,
            about: glam::DVec3::ZERO,
            wanted: Force::ZERO,
            correction: Motion::ZERO,
        };
        Self { trees: trees.map(tree).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// Stores the momenta at the start of a step, after the first pass there.
    pub fn begin(&mut self, workspace: &Workspace) {
        for tree in &mut self.trees {
            tree.about = workspace.links[tree.links.start].origin;
            tree.start = momentum(&workspace.links[tree.links.clone()], tree.about);
            tree.correction = Motion::ZERO;
        }
    }

    /// Adds the external forces. The workspace is at the middle of the step, after the first pass.
    pub fn aim(&mut self, model: &Model, efforts: &[f64], workspace: &Workspace, step: f64) {
        for tree in &mut self.trees {
            let root = &model.links[tree.links.start];
            let effort = |k: usize| crate::state::read_vector(&efforts[root.v + k..]);
            let shift = workspace.links[tree.links.start].origin - tree.about;
            let mut force = Force::new(effort(0), effort(3)).shifted_back(shift);
            for index in tree.links.clone() {
                let work = &workspace.links[index];
                let weight = work.inertia.times(&Motion::new(glam::DVec3::ZERO, model.gravity));
                force += (weight + workspace.external[index]).shifted_back(work.origin - tree.about);
            }
            tree.wanted = tree.start + force * step;
        }
    }

    /// Adds the corrections to the roots' accelerations.
    pub fn correct(&self, model: &Model, acceleration: &mut [f64]) {
        for tree in &self.trees {
            let v = model.links[tree.links.start].v;
            for k in 0..3 {
                acceleration[v + k] += tree.correction.angular[k];
                acceleration[v + 3 + k] += tree.correction.linear[k];
            }
        }
    }

    /// Improves the corrections. The workspace is at the end of the step, after the first pass.
    pub fn improve(&mut self, model: &Model, workspace: &Workspace, step: f64) {
        for tree in &mut self.trees {
            let links = &workspace.links[tree.links.clone()];
            let v = model.links[tree.links.start].v;
            // The inertia of a drive between the world and the root would have momentum of its own.
            if model.properties[v..v + 6].iter().any(|p| p.armature > 0.0) {
                continue;
            }
            let missing = (tree.wanted - momentum(links, tree.about)).shifted_back(tree.about - links[0].origin);
            let mut locked = ArticulatedInertia::ZERO;
            for work in links {
                locked += work.inertia.shifted_back(work.origin - links[0].origin);
            }
            tree.correction += FactoredInertia::new(&locked).solve(&missing) * (1.0 / step);
        }
    }
}

/// Returns the momentum of links, whose inertias are their own, about a point.
fn momentum(links: &[LinkWork], about: glam::DVec3) -> Force {
    let mut total = Force::ZERO;
    for work in links {
        total += work.inertia.times(&work.velocity).shifted_back(work.origin - about);
    }
    total
}
