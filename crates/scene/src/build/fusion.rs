//! Bodies that are welded together. A body on a weld joint has no motion of its own: it is part of the link of its
//! nearest ancestor that has one (its *carrier*), or of the world. That is faster than links without degrees of
//! freedom, and parts of one link never touch.

use std::collections::BTreeMap;

use burgess_geometry::Pose;

use crate::spec::{BodySpec, JointKind, JointSpec, SceneSpec};

/// The carrier of each body.
#[derive(Debug)]
pub(super) struct Fusion {
    /// For each body, its carrier and its frame in the carrier's.
    place: Vec<(usize, Pose)>,
    /// For each carrier, itself and the bodies that it carries, in the order of the scene. Empty for others.
    members: Vec<Vec<usize>>,
}

impl Fusion {
    /// Finds the carriers in a scene whose names exist and whose parents form no cycle.
    pub fn new(scene: &SceneSpec, index_by_name: &BTreeMap<&str, usize>) -> Self {
        let mut place: Vec<Option<(usize, Pose)>> = vec![None; scene.bodies.len()];
        let mut chain = Vec::new();
        for index in 0..scene.bodies.len() {
            let mut here = index;
            let (carrier, mut pose) = loop {
                if let Some(known) = place[here] {
                    break known;
                }
                match welded_to(&scene.bodies[here]) {
                    Some((parent, joint)) => {
                        chain.push((here, joint));
                        here = index_by_name[parent];
                    }
                    None => break *place[here].insert((here, Pose::IDENTITY)),
                }
            };
            while let Some((body, joint)) = chain.pop() {
                pose = pose.compose(&weld_pose(joint));
                place[body] = Some((carrier, pose));
            }
        }
        let place: Vec<(usize, Pose)> = place.into_iter().flatten().collect();
        let mut members = vec![Vec::new(); place.len()];
        for (index, &(carrier, _)) in place.iter().enumerate() {
            if carrier == index {
                members[carrier].insert(0, index);
            } else {
                members[carrier].push(index);
            }
        }
        Self { place, members }
    }

    /// The body whose link this one is a part of; often itself.
    pub fn carrier(&self, body: usize) -> usize {
        self.place[body].0
    }

    /// A body's frame in that of its carrier.
    pub fn in_carrier(&self, body: usize) -> Pose {
        self.place[body].1
    }

    /// A carrier and all that it carries.
    pub fn members(&self, carrier: usize) -> &[usize] {
        &self.members[carrier]
    }
}

/// The parent that a body is welded to, if it is a body.
fn welded_to(body: &BodySpec) -> Option<(&str, &JointSpec)> {
    let joint = body.joint.as_ref().filter(|joint| matches!(joint.kind, JointKind::Weld(_)))?;
    Some((joint.parent.as_deref()?, joint))
}

/// The frame of a welded body in that of its parent.
fn weld_pose(joint: &JointSpec) -> Pose {
    joint.in_parent.pose().compose(&joint.in_child.pose().inverse())
}

/// Where a carrier stands if it is a part of the world: fixed, or welded to it.
pub(super) fn standing_pose(carrier: &BodySpec) -> Option<Pose> {
    match &carrier.joint {
        _ if carrier.fixed => Some(carrier.pose()),
        Some(joint) if matches!(joint.kind, JointKind::Weld(_)) => Some(weld_pose(joint)),
        _ => None,
    }
}
