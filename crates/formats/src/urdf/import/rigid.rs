//! Rigid groups: links that are connected by fixed joints. Within a group every link with inertia is a body. Links
//! without inertia, including point masses, are frames of the nearest ancestor body, or else of the *main* body, which
//! is the first body of the group and has the joint to the parent group.

use burgess_geometry::Pose;

use super::super::WORLD;
use super::UrdfWarnings;
use super::joint::Motion;
use super::link::Link;
use super::robot::Robot;
use super::tree::Tree;

/// A group of links without relative motion.
pub(super) struct Group {
    /// Root link; its frame is the frame of the group.
    pub root: usize,
    /// Joint to the parent group; `None` for the root group.
    pub joint: Option<usize>,
    /// Links of the group, parents before children.
    pub links: Vec<usize>,
    /// The group is part of the world.
    pub is_fixed: bool,
    /// The link whose body has the joint; `None` for a group that is massless or fixed.
    pub main: Option<usize>,
    /// Number of child groups on joints with axes.
    pub attached: usize,
    /// Number of child groups on floating joints.
    pub floating: usize,
    /// Frame of the group in the world with all joint positions at zero.
    pub start: Pose,
}

/// All groups, parents before children.
pub(super) struct Groups {
    pub list: Vec<Group>,
    /// Group of each link.
    pub of_link: Vec<usize>,
    /// Frame of each link in its group.
    pub frame: Vec<Pose>,
    /// For each link, the link whose body it is part of; `None` for the world and for massless groups.
    pub owner: Vec<Option<usize>>,
    /// For each link, the links that are part of its body, including itself.
    pub members: Vec<Vec<usize>>,
}

impl Groups {
    /// Returns the frame of a link in the body that it is part of, or else in the world.
    pub fn in_owner(&self, link: usize) -> Pose {
        match self.owner[link] {
            Some(owner) if owner == link => Pose::IDENTITY,
            Some(owner) => self.frame[owner].inverse().compose(&self.frame[link]),
            None => self.start(link),
        }
    }

    /// Returns the frame of a link in the world with all joint positions at zero.
    pub fn start(&self, link: usize) -> Pose {
        self.list[self.of_link[link]].start.compose(&self.frame[link])
    }
}

pub(super) fn groups(robot: &Robot, tree: &Tree, floating_base: bool, warnings: &mut UrdfWarnings) -> Groups {
    let links = robot.links.len();
    let mut groups = Groups {
        list: Vec::new(),
        of_link: vec![0; links],
        frame: vec![Pose::IDENTITY; links],
        owner: vec![None; links],
        members: vec![Vec::new(); links],
    };
    for &link in &tree.order {
        let joint = tree.parent_joint[link];
        match joint.map(|joint| &robot.joints[joint]) {
            Some(joint) if matches!(joint.motion, Motion::Fixed) => {
                let group = groups.of_link[joint.parent];
                groups.of_link[link] = group;
                groups.frame[link] = groups.frame[joint.parent].compose(&joint.origin);
                groups.list[group].links.push(link);
            }
            moving => {
                let start = moving.map_or(Pose::IDENTITY, |joint| groups.start(joint.parent).compose(&joint.origin));
                if let Some(joint) = moving {
                    let parent = &mut groups.list[groups.of_link[joint.parent]];
                    let count = match joint.motion {
                        Motion::Floating => &mut parent.floating,
                        _ => &mut parent.attached,
                    };
                    *count += 1;
                }
                groups.of_link[link] = groups.list.len();
                let is_fixed = joint.is_none() && is_fixed_root(&robot.links[link], floating_base, warnings);
                let links = vec![link];
                let (main, attached, floating) = (None, 0, 0);
                groups.list.push(Group { root: link, joint, links, is_fixed, main, attached, floating, start });
            }
        }
    }
    let Groups { list, owner, members, .. } = &mut groups;
    for group in list {
        let is_body = |link: usize| match group.is_fixed {
            true => is_body_of_world(&robot.links[link], link == group.root),
            false => robot.links[link].has_inertia(),
        };
        let first = group.links.iter().copied().find(|&link| is_body(link));
        group.main = first.filter(|_| !group.is_fixed);
        for &link in &group.links {
            let parent = tree.parent_joint[link].filter(|_| link != group.root).map(|joint| robot.joints[joint].parent);
            owner[link] =
                if is_body(link) { Some(link) } else { parent.and_then(|parent| owner[parent]).or(group.main) };
            if let Some(owner) = owner[link] {
                members[owner].push(link);
            }
        }
    }
    groups
}

/// Returns whether the root is fixed.
fn is_fixed_root(root: &Link, floating_base: bool, warnings: &mut UrdfWarnings) -> bool {
    let is_world = root.name == WORLD && root.mass.is_none() && root.shapes.is_empty();
    if floating_base && is_world {
        warnings.add("a floating base of an empty root link called 'world'; the root stays fixed", root.element);
    }
    !floating_base || is_world
}

/// Returns whether a link of the fixed group becomes a body.
fn is_body_of_world(link: &Link, is_root: bool) -> bool {
    link.mass.is_some() || !link.shapes.is_empty() || (is_root && link.name != WORLD)
}
