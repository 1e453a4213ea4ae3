//! The constant part of a simulation: the model of the links, their shapes and materials, constraints between them.

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
    /// Pose of the shape in the link's own coordinates, or in the world.
    pub pose: Pose,
    /// Its surface.
    pub material: MaterialId,
    /// Filter of the colliders that it may touch.
    pub filter: Filter,
    /// Radius about the link's anchor that the shape stays within; infinite for half-spaces.
    pub reach: f64,
    /// Distance at which others are held from its surface, in m.
    pub margin: f64,
}

/// Links that are connected by joints. A free body is a tree of one link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Its links.
    pub links: Range<usize>,
    /// Its positions in `q`.
    pub positions: Range<usize>,
    /// Its degrees of freedom in `v`.
    pub dofs: Range<usize>,
    /// Whether it is one link that moves freely.
    pub is_free_body: bool,
    /// Whether it has no degrees of freedom, so that no impulse moves it.
    pub is_fixed: bool,
}

/// Everything that is constant in a simulation, checked by a [`WorldBuilder`](crate::WorldBuilder). Simulations can
/// share one.
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
    /// Colliders that do not touch each other, besides those of a link and its parent.
    pub(crate) exclusions: Vec<(Range<usize>, Range<usize>)>,
    /// Whether the links of one tree touch each other.
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

    /// Indices of the trees that a tendon acts on, at most two.
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

    /// The combined surface properties of two colliders.
    pub fn surface(&self, a: usize, b: usize) -> &Surface {
        self.materials.surface(self.colliders[a].material, self.colliders[b].material)
    }

    /// The index of a link that still exists.
    pub fn index(&self, id: LinkId) -> Option<usize> {
        self.model.index(id).ok()
    }

    /// Pose of a collider, given the poses of the links.
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
                    // A free joint with springs or motors of its own is treated as any other tree.
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

    /// Returns whether a link is welded to the world, over any number of links.
    pub(crate) fn stands(model: &Model, link: usize) -> bool {
        let mut way = std::iter::successors(Some(link), |&link| model.links()[link].parent());
        way.all(|link| model.links()[link].joint == Joint::Weld)
    }

    /// The place of a collider in its tree, for the filters of the broad phase.
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
