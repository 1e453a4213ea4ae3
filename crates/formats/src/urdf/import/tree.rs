//! Checks that the links form one tree: exactly one root, no link with two parents, no cycle.

use super::robot::Robot;
use crate::import::ImportError;
use crate::xml::Element;

/// The tree of links.
pub(super) struct Tree {
    /// Link indices, parents before children, siblings in the order of their joints.
    pub order: Vec<usize>,
    /// For each link, the joint to its parent; `None` for the root.
    pub parent_joint: Vec<Option<usize>>,
}

pub(super) fn order(root: &Element, robot: &Robot) -> Result<Tree, ImportError> {
    let mut parent_joint: Vec<Option<usize>> = vec![None; robot.links.len()];
    let mut children = vec![Vec::new(); robot.links.len()];
    for (index, joint) in robot.joints.iter().enumerate() {
        if let Some(other) = parent_joint[joint.child].replace(index) {
            let (child, other) = (robot.links[joint.child].name, robot.joints[other].name);
            let why = format!(
                "link '{child}' is the child of joint '{}' and of joint '{other}'; expected one parent",
                joint.name
            );
            return Err(joint.element.conflict(why));
        }
        children[joint.parent].push(joint.child);
    }
    let mut roots = (0..robot.links.len()).filter(|&link| parent_joint[link].is_none());
    let first = roots.next();
    if let (Some(first), Some(second)) = (first, roots.next()) {
        let (first, second) = (&robot.links[first], &robot.links[second]);
        let why = format!(
            "there are two root links, '{}' (line {}) and '{}'; all links except one must be the child of a joint",
            first.name, first.element.line, second.name
        );
        return Err(second.element.conflict(why));
    }
    let mut order: Vec<usize> = first.into_iter().collect();
    let mut next = 0;
    while let Some(&link) = order.get(next) {
        order.extend(&children[link]);
        next += 1;
    }
    if order.len() < robot.links.len() {
        return Err(cycle_error(robot, &order));
    }
    if order.is_empty() {
        return Err(root.conflict("has no links"));
    }
    Ok(Tree { order, parent_joint })
}

/// Creates the error for a cycle. Every link has at most one parent, so links that the root does not reach are below a
/// cycle.
fn cycle_error(robot: &Robot, reached: &[usize]) -> ImportError {
    let mut is_reached = vec![false; robot.links.len()];
    reached.iter().for_each(|&link| is_reached[link] = true);
    let unreached = robot.joints.iter().find(|joint| !is_reached[joint.child]);
    match unreached {
        Some(joint) => {
            let child = robot.links[joint.child].name;
            joint.element.conflict(format!("the joints above link '{child}' form a cycle"))
        }
        // Unreachable: a link without a parent joint is a root.
        None => robot.links[0].element.conflict("the joints form a cycle"),
    }
}
