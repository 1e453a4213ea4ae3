//! One tree: exactly one root, no link with two parents, no circle.

use super::robot::Robot;
use crate::import::ImportError;
use crate::xml::Element;

/// Links with the joints above them.
pub(super) struct Tree {
    /// Links, parents before children, siblings in the order of their joints.
    pub order: Vec<usize>,
    /// By link: the joint whose child it is; none for the root.
    pub joint_above: Vec<Option<usize>>,
}

pub(super) fn order(root: &Element, robot: &Robot) -> Result<Tree, ImportError> {
    let mut joint_above: Vec<Option<usize>> = vec![None; robot.links.len()];
    let mut children = vec![Vec::new(); robot.links.len()];
    for (index, joint) in robot.joints.iter().enumerate() {
        if let Some(other) = joint_above[joint.child].replace(index) {
            let (child, other) = (robot.links[joint.child].name, robot.joints[other].name);
            let why = format!(
                "'{child}' is the child of joint '{}', but of joint '{other}' already: links form a tree",
                joint.name
            );
            return Err(joint.element.conflict(why));
        }
        children[joint.parent].push(joint.child);
    }
    let mut roots = (0..robot.links.len()).filter(|&link| joint_above[link].is_none());
    let first = roots.next();
    if let (Some(first), Some(second)) = (first, roots.next()) {
        let (first, second) = (&robot.links[first], &robot.links[second]);
        let why = format!(
            "there are two roots, '{}' (line {}) and '{}': every link but one must be the child of a joint",
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
        return Err(circle(robot, &order));
    }
    if order.is_empty() {
        return Err(root.conflict("there are no links"));
    }
    Ok(Tree { order, joint_above })
}

/// Every link has one parent at most, so what the root does not reach hangs on a circle.
fn circle(robot: &Robot, reached: &[usize]) -> ImportError {
    let mut is_reached = vec![false; robot.links.len()];
    reached.iter().for_each(|&link| is_reached[link] = true);
    let lost = robot.joints.iter().find(|joint| !is_reached[joint.child]);
    match lost {
        Some(joint) => {
            let child = robot.links[joint.child].name;
            joint.element.conflict(format!("link '{child}' hangs on itself: the joints above it form a circle"))
        }
        // Not reached: a link without a joint above it is a root.
        None => robot.links[0].element.conflict("the joints form a circle"),
    }
}
