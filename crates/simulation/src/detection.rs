//! The collision detection component (Erleben 2002, section 2.2): four modules in a row. The broad phase finds pairs of
//! boxes, the narrow phase the closest points of their shapes, contact determination the points of contact, contact
//! analysis the groups that have to be solved together.

use burgess_collision::broad_phase::{
    BroadPhase, BroadPhaseError, Exhaustive, HashingOptions, HierarchicalHashing, Proxy, ProxyId, TileView, TreeId,
};
use burgess_collision::contact_analysis::ContactGroups;
use burgess_collision::contact_determination::{
    ContactDetermination, FullManifold, PartContact, PartScratch, determine_parts,
};
use burgess_collision::narrow_phase::{NarrowScratch, NearParts, PairTable, gap_beyond, near_parts};
use burgess_dynamics::Workspace;
use burgess_geometry::{Aabb, Pose};
use glam::DVec3;

use crate::contact::{KeptContact, KeptContacts, PairRecord, WorldContact};
use crate::world::World;

mod pair_filter;
mod passing;
mod placing;
mod selective;

use pair_filter::PairFilter;
use placing::ColliderMotion;
pub use selective::Nearness;
use selective::is_convex;

/// Number of colliders up to which the exhaustive broad phase is the fastest.
const MAX_EXHAUSTIVE: usize = 64;

/// Pairs that have moved against each other by less than this share of the margin keep their contacts.
const STILL_SHARE: f64 = 1e-3;

/// Time and distance ahead in which contacts are detected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lookahead {
    /// Gaps that the relative motion can close in this time (s) are contacts.
    pub interval: f64,
    /// Gaps up to this are contacts in any case, in m.
    pub margin: f64,
}

/// Broad phase, narrow phase, contact determination and contact analysis of one world. Besides the choice of modules it
/// holds scratch only; the caller keeps the data of pairs.
pub struct CollisionDetection {
    broad_phase: Box<dyn BroadPhase>,
    /// Replaces the broad phase where there are few colliders.
    pair_filter: Option<PairFilter>,
    /// Proxy of each collider in the broad phase.
    proxies: Vec<ProxyId>,
    determination: Box<dyn ContactDetermination + Send + Sync>,
    /// Whether contacts are a function of the poses alone, so that pairs that stand still can keep theirs.
    keeps_contacts: bool,
    link_poses: Vec<Pose>,
    anchors: Vec<DVec3>,
    /// Whether each collider has been placed in this detection.
    is_placed: Vec<bool>,
    poses: Vec<Pose>,
    motions: Vec<ColliderMotion>,
    /// Radius of each collider about its origin.
    radii: Vec<f64>,
    /// By collider: its margin, in m.
    margins: Vec<f64>,
    scratch: NarrowScratch,
    near: Vec<NearParts>,
    part_contacts: Vec<PartContact>,
    part_scratch: PartScratch,
    /// The margin with which the fixed colliders have been entered in the broad phase.
    placed: Option<f64>,
    lookahead: Lookahead,
    contacts: Vec<WorldContact>,
    groups: ContactGroups,
    movable: Vec<bool>,
    contact_trees: Vec<(u32, u32)>,
    constraint_trees: Vec<(u32, u32)>,
}

impl std::fmt::Debug for CollisionDetection {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("CollisionDetection").field("contacts", &self.contacts.len()).finish_non_exhaustive()
    }
}

impl CollisionDetection {
    /// Creates the default modules: exhaustive search or hierarchical hashing, full manifolds.
    pub fn new(world: &World) -> Result<Self, BroadPhaseError> {
        let broad_phase: Box<dyn BroadPhase> = if world.colliders().len() <= MAX_EXHAUSTIVE {
            Box::<Exhaustive>::default()
        } else {
            Box::new(HierarchicalHashing::new(HashingOptions::default()))
        };
        let mut detection = Self::with_modules(world, broad_phase, Box::new(FullManifold::new(0.0)))?;
        detection.keeps_contacts = true;
        if world.colliders().len() <= MAX_EXHAUSTIVE {
            detection.pair_filter = Some(PairFilter::new(world, &*detection.broad_phase, &detection.proxies));
        }
        Ok(detection)
    }

    /// Creates a detection with the given modules. The broad phase must be empty.
    pub fn with_modules(
        world: &World,
        mut broad_phase: Box<dyn BroadPhase>,
        determination: Box<dyn ContactDetermination + Send + Sync>,
    ) -> Result<Self, BroadPhaseError> {
        let mut proxies = Vec::with_capacity(world.colliders.len());
        for collider in &world.colliders {
            let is_fixed =
                |link: usize| world.trees[world.tree_of_link(link)].is_fixed || World::stands(&world.model, link);
            let fixed = collider.link.is_none_or(is_fixed);
            // A place outside of everything until the first update.
            let aabb = Aabb::from_center(DVec3::ZERO, DVec3::ZERO);
            proxies.push(broad_phase.insert(Proxy { aabb, fixed, filter: collider.filter })?);
        }
        if !world.self_colliding {
            for tree in 0..world.trees.len() {
                broad_phase.proxies_mut().set_self_collision(TreeId(tree as u32), false);
            }
        }
        for (a, b) in &world.exclusions {
            for &first in &proxies[a.clone()] {
                for &second in &proxies[b.clone()] {
                    broad_phase.proxies_mut().exclude(first, second)?;
                }
            }
        }
        let tree = |link: Option<usize>| link.map_or(world.trees.len() as u32, |link| world.tree_of_link[link]);
        let movable = world.trees.iter().map(|tree| !tree.is_fixed).chain([false]).collect();
        let tied = world.constraints.iter().map(|c| (tree(c.a.link), tree(c.b.link)));
        let spanned = world.tendons.iter().filter_map(|tendon| match world.trees_of_tendon(tendon) {
            [Some(a), Some(b)] => Some((a as u32, b as u32)),
            _ => None,
        });
        let constraint_trees = tied.chain(spanned).collect();
        Ok(Self {
            broad_phase,
            pair_filter: None,
            proxies,
            anchors: vec![DVec3::ZERO; world.model.links().len()],
            is_placed: Vec::with_capacity(world.colliders.len()),
            determination,
            keeps_contacts: false,
            link_poses: vec![Pose::IDENTITY; world.model.links().len()],
            poses: vec![Pose::IDENTITY; world.colliders.len()],
            motions: vec![ColliderMotion::default(); world.colliders.len()],
            radii: world.colliders.iter().map(|collider| collider.shape.bounding_radius(DVec3::ZERO)).collect(),
            margins: world.colliders.iter().map(|collider| collider.margin).collect(),
            scratch: NarrowScratch::default(),
            near: Vec::new(),
            part_contacts: Vec::new(),
            part_scratch: PartScratch::default(),
            placed: None,
            lookahead: Lookahead { interval: 0.0, margin: 0.0 },
            contacts: Vec::new(),
            groups: ContactGroups::default(),
            movable,
            contact_trees: Vec::new(),
            constraint_trees,
        })
    }

    /// Replaces the contact determination.
    pub fn with_determination(mut self, determination: Box<dyn ContactDetermination + Send + Sync>) -> Self {
        (self.determination, self.keeps_contacts) = (determination, false);
        self
    }

    /// Finds all contacts at the positions and velocities of the workspace.
    pub fn detect(
        &mut self,
        world: &World,
        workspace: &Workspace,
        lookahead: Lookahead,
        pairs: &mut PairTable<PairRecord>,
    ) {
        self.lookahead = lookahead;
        match self.pair_filter.take() {
            Some(mut pair_filter) => {
                pairs.synchronise(pair_filter.find(world, workspace, lookahead));
                self.place_members(world, workspace, pairs.pairs());
                self.pair_filter = Some(pair_filter);
            }
            None => {
                self.place(world, workspace);
                self.find_pairs(world, lookahead);
                pairs.synchronise(self.broad_phase.pairs());
            }
        }
        self.find_contacts(world, lookahead, pairs);
        if lookahead.interval > 0.0 {
            self.drop_passing(world, workspace);
        }
        self.find_groups(world);
    }

    /// Lookahead of the last detection.
    pub fn lookahead(&self) -> Lookahead {
        self.lookahead
    }

    /// The contacts of the last detection, pair by pair.
    pub fn contacts(&self) -> &[WorldContact] {
        &self.contacts
    }

    /// The contact groups of the last detection, by trees, contacts and constraints.
    pub fn groups(&self) -> &ContactGroups {
        &self.groups
    }

    /// The tiles of the last detection, for display; none if the broad phase has no hash table.
    pub fn tiles(&self) -> Option<Vec<TileView>> {
        if self.pair_filter.is_some() { None } else { self.broad_phase.tiles() }
    }

    /// Poses of the links. Without constraints, only poses of links that came near something are up to date.
    pub fn link_poses(&self) -> &[Pose] {
        &self.link_poses
    }

    /// Positions of the links' anchors.
    pub fn anchors(&self) -> &[DVec3] {
        &self.anchors
    }

    /// Poses of the colliders that came near others.
    pub fn collider_poses(&self) -> &[Pose] {
        &self.poses
    }

    /// Broad phase, with boxes that contain everything a collider can reach.
    fn find_pairs(&mut self, world: &World, lookahead: Lookahead) {
        let Self { broad_phase, poses, motions, proxies: names, .. } = self;
        let proxies = broad_phase.proxies_mut();
        for (index, collider) in world.colliders.iter().enumerate() {
            if collider.link.is_none() && self.placed == Some(lookahead.margin) {
                continue;
            }
            let reach = 0.5 * lookahead.margin + motions[index].turning * lookahead.interval + collider.margin;
            let aabb = collider.shape.aabb(&poses[index]);
            let ahead = motions[index].linear * lookahead.interval;
            let swept = Aabb::new(aabb.min + ahead.min(DVec3::ZERO), aabb.max + ahead.max(DVec3::ZERO));
            // A box with a NaN is refused: the step that made it has been reported.
            let _ = proxies.set_box(names[index], swept.inflated(reach));
        }
        self.placed = Some(lookahead.margin);
        broad_phase.update();
    }

    /// Narrow phase and contact determination, for pairs that have moved against each other.
    fn find_contacts(&mut self, world: &World, lookahead: Lookahead, pairs: &mut PairTable<PairRecord>) {
        self.contacts.clear();
        for (index, (pair, record)) in pairs.iter_mut().enumerate() {
            let (a, b) = (pair.a.index(), pair.b.index());
            let (motion_a, motion_b) = (&self.motions[a], &self.motions[b]);
            let speed = (motion_b.linear - motion_a.linear).length() + motion_a.turning + motion_b.turning;
            let margin = lookahead.margin + speed * lookahead.interval + self.held_apart(a, b);
            let b_in_a = self.poses[a].inverse().compose(&self.poses[b]);
            // Contacts are on both: within b's radius of its origin, and within a's of a's.
            let reach = self.radii[b].min(b_in_a.translation.length() + self.radii[a]);
            let tolerance = STILL_SHARE * lookahead.margin;
            if !(self.keeps_contacts && record.kept.hold(&b_in_a, margin, reach, tolerance)) {
                // A little more than needed, so that a slight gain of speed does not void it.
                let margin = margin + 0.5 * lookahead.margin;
                if !(self.keeps_contacts && self.is_clear(world, (a, b), margin, record)) {
                    self.determine(world, (a, b), margin, record);
                }
                record.kept.b_in_a = Some(b_in_a);
            }
            self.carry(world, (a, b), index, &record.kept);
        }
    }

    /// Returns whether a pair without contacts is farther apart than a margin. Then a lower bound of its distance is
    /// stored, and the pair is skipped until it has moved by as much.
    fn is_clear(&mut self, world: &World, (a, b): (usize, usize), margin: f64, record: &mut PairRecord) -> bool {
        let are_convex = is_convex(world, a) && is_convex(world, b);
        if !record.kept.contacts.is_empty() || !are_convex {
            return false;
        }
        let (shape_a, shape_b) = (&*world.colliders[a].shape, &*world.colliders[b].shape);
        let cache = &mut record.cache;
        let gap = gap_beyond(shape_a, &self.poses[a], shape_b, &self.poses[b], margin, cache, &mut self.scratch);
        if let Some(gap) = gap {
            record.kept.margin = gap;
        }
        gap.is_some()
    }

    /// Sum of the margins of two colliders, in m.
    fn held_apart(&self, a: usize, b: usize) -> f64 {
        self.margins[a] + self.margins[b]
    }

    /// Determines the contacts of a pair and stores them in the frames of the colliders.
    fn determine(&mut self, world: &World, (a, b): (usize, usize), margin: f64, record: &mut PairRecord) {
        let (shape_a, shape_b) = (&*world.colliders[a].shape, &*world.colliders[b].shape);
        let (pose_a, pose_b) = (&self.poses[a], &self.poses[b]);
        let PairRecord { cache, memory, kept, .. } = record;
        near_parts(shape_a, pose_a, shape_b, pose_b, margin, cache, &mut self.scratch, &mut self.near);
        self.determination.set_margin(margin);
        let found = &mut self.part_contacts;
        let determination = &mut *self.determination;
        determine_parts(determination, (shape_a, shape_b), &self.near, memory, &mut self.part_scratch, found);
        kept.margin = margin;
        kept.contacts.clear();
        kept.contacts.extend(found.iter().map(|found| KeptContact {
            id: found.id(),
            point_a: pose_a.inverse_transform_point(found.contact.point_a),
            point_b: pose_b.inverse_transform_point(found.contact.point_b),
            normal: pose_a.inverse_transform_vector(found.contact.normal),
        }));
    }

    /// Adds kept contacts at the present poses of the colliders.
    fn carry(&mut self, world: &World, (a, b): (usize, usize), pair: usize, kept: &KeptContacts) {
        if kept.contacts.is_empty() {
            return;
        }
        let (pose_a, pose_b) = (&self.poses[a], &self.poses[b]);
        let (link_a, link_b) = (world.colliders[a].link, world.colliders[b].link);
        let surface = *world.surface(a, b);
        let held_apart = self.held_apart(a, b);
        self.contacts.extend(kept.contacts.iter().map(|kept| {
            let point_a = pose_a.transform_point(kept.point_a);
            let point_b = pose_b.transform_point(kept.point_b);
            let normal = pose_a.transform_vector(kept.normal);
            WorldContact {
                collider_a: a as u32,
                collider_b: b as u32,
                link_a,
                link_b,
                pair: pair as u32,
                id: kept.id,
                point: 0.5 * (point_a + point_b),
                normal,
                distance: (point_b - point_a).dot(normal) - held_apart,
                surface,
            }
        }));
    }

    /// Contact analysis.
    fn find_groups(&mut self, world: &World) {
        let no_tree = world.trees.len() as u32;
        let tree = |link: Option<usize>| link.map_or(no_tree, |link| world.tree_of_link[link]);
        self.contact_trees.clear();
        self.contact_trees.extend(self.contacts.iter().map(|c| (tree(c.link_a), tree(c.link_b))));
        // All trees exist.
        let found = self.groups.find(&self.movable, &self.contact_trees, &self.constraint_trees);
        debug_assert!(found.is_ok());
    }
}
