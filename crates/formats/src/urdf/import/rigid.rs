//! Rigid groups: links that fixed joints hold together. Within a group every link with an inertia is a body; those without
//! one (points of mass, too) are frames of the body nearest above them, or else of the first body of the group, its *main*
//! body, which also carries the joint that the group hangs on.

use burgess_geometry::Pose;

use super::super::WORLD;
use super::Notes;
use super::joint::Motion;
use super::link::Link;
use super::robot::Robot;
use super::tree::Tree;

/// Links that do not move against each other.
pub(super) struct Group {
    /// The link that all others of it hang on; its frame is the group's.
    pub root: usize,
    /// The joint above; none for the group of the root.
    pub joint: Option<usize>,
    /// All its links, parents before children.
    pub links: Vec<usize>,
    /// Part of the world.
    pub is_fixed: bool,
    /// The link whose body carries the joint; none for a group without mass, or one that is fixed.
    pub main: Option<usize>,
    /// How many groups hang on it by axes, and how many float off it.
    pub hanging: usize,
    pub floating: usize,
    /// The group's frame in the world when all joints are at zero.
    pub start: Pose,
}

/// All of them, parents before children.
pub(super) struct Groups {
    pub list: Vec<Group>,
    /// By link: its group.
    pub of_link: Vec<usize>,
    /// By link: its frame in that of the group.
    pub frame: Vec<Pose>,
    /// By link: the link whose body it is part of; none for the world's, and for groups without mass.
    pub owner: Vec<Option<usize>>,
    /// By link: those that are part of its body, itself included.
    pub members: Vec<Vec<usize>>,
}

impl Groups {
    /// A link's frame in the coordinates of the body that it is part of; of the world if it is part of none.
    pub fn in_owner(&self, link: usize) -> Pose {
        match self.owner[link] {
            Some(owner) if owner == link => Pose::IDENTITY,
            Some(owner) => self.frame[owner].inverse().compose(&self.frame[link]),
            None => self.start(link),
        }
    }

    /// A link's frame in the world when all joints are at zero.
    pub fn start(&self, link: usize) -> Pose {
        self.list[self.of_link[link]].start.compose(&self.frame[link])
    }
}

pub(super) fn groups(robot: &Robot, tree: &Tree, floats: bool, notes: &mut Notes) -> Groups {
    let links = robot.links.len();
    let mut groups = Groups {
        list: Vec::new(),
        of_link: vec![0; links],
        frame: vec![Pose::IDENTITY; links],
        owner: vec![None; links],
        members: vec![Vec::new(); links],
    };
    for &link in &tree.order {
        let joint = tree.joint_above[link];
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
                    let above = &mut groups.list[groups.of_link[joint.parent]];
                    let count = match joint.motion {
                        Motion::Floating => &mut above.floating,
                        _ => &mut above.hanging,
                    };
                    *count += 1;
                }
                groups.of_link[link] = groups.list.len();
                let is_fixed = joint.is_none() && stands(&robot.links[link], floats, notes);
                let links = vec![link];
                let (main, hanging, floating) = (None, 0, 0);
                groups.list.push(Group { root: link, joint, links, is_fixed, main, hanging, floating, start });
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
            let above = tree.joint_above[link].filter(|_| link != group.root).map(|joint| robot.joints[joint].parent);
            owner[link] = if is_body(link) { Some(link) } else { above.and_then(|above| owner[above]).or(group.main) };
            if let Some(owner) = owner[link] {
                members[owner].push(link);
            }
        }
    }
    groups
}

/// Does the root stand in the world?
fn stands(root: &Link, floats: bool, notes: &mut Notes) -> bool {
    let is_world = root.name == WORLD && root.mass.is_none() && root.shapes.is_empty();
    if floats && is_world {
        notes.add("a floating base: the root is an empty link called 'world', which stands", root.element);
    }
    !floats || is_world
}

/// Is a link that stands in the world worth a body of its own?
fn is_body_of_world(link: &Link, is_root: bool) -> bool {
    link.mass.is_some() || !link.shapes.is_empty() || (is_root && link.name != WORLD)
}
