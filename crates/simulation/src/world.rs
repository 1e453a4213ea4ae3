//! What does not change during a step: the model of the links, their shapes and materials, constraints between them.

use std::ops::Range;
use std::sync::Arc;

use burgess_collision::broad_phase::{Filter, TreeId, TreeLink};
use burgess_dynamics::joint::Joint;
use burgess_dynamics::{AxisProperties, Environment, LinkId, Model, Tendon, Workspace};
use burgess_geometry::{Pose, Shape};

use crate::constraint::Constraint;
use crate::material::{MaterialId, Materials, Surface};
use crate::script::SharedScript;

/// A shape with a surface, fixed to a link or to the world.
#[derive(Debug, Clone)]
pub struct Collider {
    /// Index of the link; none if it stands in the world.
    pub link: Option<usize>,
    /// The shape.
    pub shape: Arc<Shape>,
    /// Where the shape is in the link's own coordinates, or in the world.
    pub pose: Pose,
    /// Its surface.
    pub material: MaterialId,
    /// What it may touch.
    pub filter: Filter,
    /// Radius about the link's anchor that the shape stays within; infinite for half-spaces.
    pub reach: f64,
    /// Others are held so far away from its surface, in m.
    pub margin: f64,
}

/// Links that hang together, and so share one inertia. A free body is a tree of one link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Its links.
    pub links: Range<usize>,
    /// Its positions in `q`.
    pub positions: Range<usize>,
    /// Its degrees of freedom in `v`.
    pub dofs: Range<usize>,
    /// One link that moves freely?
    pub is_free_body: bool,
    /// Does nothing act back on it: no degrees of freedom at all?
    pub is_fixed: bool,
}

/// Everything that is given, checked by a [`WorldBuilder`](crate::WorldBuilder).
#[derive(Debug, Clone)]
pub struct World {
    pub(crate) model: Model,
    pub(crate) colliders: Vec<Collider>,
    pub(crate) materials: Materials,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) tendons: Vec<Tendon>,
    pub(crate) scripts: Vec<(usize, SharedScript)>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) tree_of_link: Vec<u32>,
    /// Colliders that do not touch each other, besides those of links and the links that they hang on.
    pub(crate) exclusions: Vec<(Range<usize>, Range<usize>)>,
    /// Trees whose links touch each other.
    pub(crate) self_colliding: bool,
}

impl World {
    /// The links and their joints.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// All shapes.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// All constraints besides joints and contacts.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Damped springs over joints.
    pub fn tendons(&self) -> &[Tendon] {
        &self.tendons
    }

    /// The trees whose joints a tendon is over, at most two, by their index.
    pub fn trees_of_tendon(&self, tendon: &Tendon) -> [Option<usize>; 2] {
        let tree = |dof: usize| self.trees.partition_point(|tree| tree.dofs.end <= dof);
        let trees = || tendon.parts.iter().map(|part| tree(part.dof));
        let first = trees().min();
        [first, trees().max().filter(|last| first != Some(*last))]
    }

    /// All trees, in the order of their links.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The tree of a link.
    pub fn tree_of_link(&self, link: usize) -> usize {
        self.tree_of_link[link] as usize
    }

    /// How the surfaces of two colliders meet.
    pub fn surface(&self, a: usize, b: usize) -> &Surface {
        self.materials.surface(self.colliders[a].material, self.colliders[b].material)
    }

    /// The index of a link that still exists.
    pub fn index(&self, id: LinkId) -> Option<usize> {
        self.model.index(id).ok()
    }

    /// Where a collider is, given poses of the links.
    pub fn collider_pose(&self, workspace: &Workspace, collider: usize) -> Pose {
        let collider = &self.colliders[collider];
        match collider.link {
            Some(link) => workspace.pose(&self.model, link).compose(&collider.pose),
            None => collider.pose,
        }
    }

    /// Scripted links and their scripts.
    pub fn scripts(&self) -> &[(usize, SharedScript)] {
        &self.scripts
    }

    /// Prescribes the motion of scripted links at a time.
    pub fn run_scripts(&self, time: f64, workspace: &mut Workspace) {
        for (link, script) in &self.scripts {
            workspace.set_script(&self.model, *link, script.motion(time));
        }
    }

    pub(crate) fn find_trees(model: &Model) -> (Vec<Tree>, Vec<u32>) {
        let mut trees: Vec<Tree> = Vec::new();
        let mut tree_of_link = Vec::with_capacity(model.links().len());
        for (index, link) in model.links().iter().enumerate() {
            let dofs = link.v..link.v + link.dofs as usize;
            let positions_end = model.links().get(index + 1).map_or(model.positions(), |next| next.q);
            match trees.last_mut() {
                Some(tree) if link.parent().is_some() => {
                    tree.links.end = index + 1;
                    tree.positions.end = positions_end;
                    tree.dofs.end = dofs.end;
                    tree.is_free_body = false;
                    tree.is_fixed &= dofs.is_empty();
                }
                _ => {
                    // A free joint with springs or motors of its own is as good as any other tree.
                    let plain = AxisProperties::default();
                    let is_plain = model.properties()[dofs.clone()].iter().all(|own| *own == plain);
                    trees.push(Tree {
                        links: index..index + 1,
                        positions: link.q..positions_end,
                        is_free_body: link.joint == Joint::Free && is_plain,
                        is_fixed: dofs.is_empty(),
                        dofs,
                    });
                }
            }
            tree_of_link.push(trees.len() as u32 - 1);
        }
        (trees, tree_of_link)
    }

    /// Is a link welded to the world, over any number of links?
    pub(crate) fn stands(model: &Model, link: usize) -> bool {
        let mut way = std::iter::successors(Some(link), |&link| model.links()[link].parent());
        way.all(|link| model.links()[link].joint == Joint::Weld)
    }

    /// What the broad phase has to know of a collider.
    pub(crate) fn place_in_tree(
        model: &Model,
        trees: &[Tree],
        tree_of_link: &[u32],
        link: Option<usize>,
    ) -> Option<TreeLink> {
        let link = link?;
        let tree = tree_of_link[link];
        let first = trees[tree as usize].links.start;
        let within = |link: usize| u16::try_from(link - first).ok();
        let parent = model.links()[link].parent().filter(|&parent| !Self::stands(model, parent)).and_then(within);
        Some(TreeLink { tree: TreeId(tree), link: within(link)?, parent })
    }
}

/// Scripts alone as an environment.
impl Environment for &World {
    fn script(&mut self, _model: &Model, time: f64, workspace: &mut Workspace) {
        self.run_scripts(time, workspace);
    }
}
