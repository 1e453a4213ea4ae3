//! Filling the contact space at one moment.

use burgess_dynamics::joint::Joint;
use burgess_dynamics::spatial::{Force, Motion};
use burgess_dynamics::{ImpulseResponse, Workspace};
use glam::{DMat3, DVec3};

use super::{Block, Body, ContactSpace, Row, RowSide, Side};
use crate::constraint_solver::contact_problem::{ContactBlock, Law};
use crate::contact::WorldContact;
use crate::world::World;

/// What moves less than this share of what it could does not move.
const IMMOVABLE: f64 = 1e-10;

/// The moment at which a contact space is filled.
#[derive(Debug)]
pub struct Anchors<'a> {
    /// At the positions at which impulses act, its last pass inward.
    pub workspace: &'a Workspace,
    /// Where the links' anchors were when contacts were found: contact points are carried along with them.
    pub detected: &'a [DVec3],
}

impl Anchors<'_> {
    /// The point of a link that was at a contact when it was found.
    #[inline]
    pub fn carried(&self, link: usize, point: DVec3) -> DVec3 {
        point + (self.workspace.anchor(link) - self.detected[link])
    }
}

/// One end of a row, as a caller describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowEnd {
    /// A force along `linear` at `point`, and a moment along `angular`, on a link; none for the world.
    Link {
        /// The link.
        link: Option<usize>,
        /// In the world.
        point: DVec3,
        /// Direction of the moment.
        angular: DVec3,
        /// Direction of the force.
        linear: DVec3,
    },
    /// Efforts along up to three degrees of freedom of a joint.
    Joint {
        /// The link whose joint it is.
        link: usize,
        /// The first degree of freedom.
        dof: usize,
        /// What multiplies each; zeros beyond the joint's last.
        coefficients: DVec3,
    },
    /// Not there.
    Nothing,
}

/// The motion that a scripted root gives a point of its tree while the joints are still.
fn carrier(world: &World, workspace: &Workspace, root: usize, point: DVec3) -> Motion {
    match world.model().links()[root].joint {
        Joint::Scripted { .. } => workspace.velocity_at(root, point),
        _ => Motion::ZERO,
    }
}

impl ContactSpace {
    /// Forgets all contacts and rows, takes over velocities and the inertias of the workspace.
    pub fn begin(&mut self, world: &World, workspace: &Workspace, velocities: &[f64]) {
        self.blocks.clear();
        self.rows.clear();
        self.columns.clear();
        self.entries.clear();
        self.v.clear();
        self.v.extend_from_slice(velocities);
        self.bodies.resize(world.trees().len(), Body::default());
        for (tree, body) in world.trees().iter().zip(&mut self.bodies) {
            if tree.is_free_body {
                let inertia = workspace.rigid_inertia(world.model(), tree.links.start);
                body.inverse_mass = 1.0 / inertia.mass;
                body.inverse_inertia = inertia.about_point.inverse().to_matrix();
            }
        }
        self.load(world, velocities);
    }

    /// Replaces the velocities, keeps everything else.
    pub fn load(&mut self, world: &World, velocities: &[f64]) {
        self.v.copy_from_slice(velocities);
        for (tree, body) in world.trees().iter().zip(&mut self.bodies) {
            if tree.is_free_body {
                let v = &velocities[tree.dofs.clone()];
                body.angular = DVec3::new(v[0], v[1], v[2]);
                body.linear = DVec3::new(v[3], v[4], v[5]);
            }
        }
    }

    /// Writes the velocities out.
    pub fn store(&mut self, world: &World, velocities: &mut [f64]) {
        for (tree, body) in world.trees().iter().zip(&self.bodies) {
            if tree.is_free_body {
                let v = &mut self.v[tree.dofs.clone()];
                v[..3].copy_from_slice(&body.angular.to_array());
                v[3..].copy_from_slice(&body.linear.to_array());
            }
        }
        velocities.copy_from_slice(&self.v);
    }

    /// Adds a contact. Target, friction and impulse are the caller's to set.
    pub fn add_contact(
        &mut self,
        world: &World,
        anchors: &Anchors,
        response: &mut ImpulseResponse,
        contact: &WorldContact,
    ) -> &mut Block {
        let a = self.side(world, anchors, response, contact.link_a, contact.point);
        let b = self.side(world, anchors, response, contact.link_b, contact.point);
        let mut k = self.own_block(&a, &a) + self.own_block(&b, &b);
        if let (Side::Tree { start: first, .. }, Side::Tree { start: second, .. }) = (a, b)
            && first == second
        {
            let mixed = self.own_block(&a, &b);
            k -= mixed + mixed.transpose();
        }
        let k_inverse = ContactBlock::new(k, 0.0).k_inverse;
        let friction = contact.surface.friction;
        let normal = contact.normal;
        self.blocks.push(Block { a, b, normal, k, k_inverse, target: 0.0, friction, impulse: DVec3::ZERO });
        self.blocks.last_mut().expect("was pushed")
    }

    /// Adds a row with a law; target, softness and impulse are the caller's to set. A row along which nothing can move has
    /// `k = 0`.
    pub fn add_row(
        &mut self,
        world: &World,
        workspace: &Workspace,
        response: &mut ImpulseResponse,
        ends: [RowEnd; 2],
        law: Law,
    ) -> &mut Row {
        let [a, b] = ends.map(|end| self.row_side(world, workspace, response, &end));
        let apart = self.own_entry(&a, &a) + self.own_entry(&b, &b);
        let mut k = apart;
        if let (RowSide::Tree { start: first, .. }, RowSide::Tree { start: second, .. }) = (a, b)
            && first == second
        {
            k += self.own_entry(&a, &b) + self.own_entry(&b, &a);
        }
        // Two ends of one tree may cancel, and joints may not move this way at all.
        let can_move = k > IMMOVABLE * apart && (self.can_move(&a) || self.can_move(&b));
        let k = if can_move { k } else { 0.0 };
        self.rows.push(Row { a, b, law, k, softness: 0.0, target: 0.0, start: None, impulse: 0.0, slot: u32::MAX });
        self.rows.last_mut().expect("was pushed")
    }

    fn side(
        &mut self,
        world: &World,
        anchors: &Anchors,
        response: &mut ImpulseResponse,
        link: Option<usize>,
        point: DVec3,
    ) -> Side {
        let Some(link) = link else { return Side::Prescribed { velocity: DVec3::ZERO } };
        let workspace = anchors.workspace;
        let point = anchors.carried(link, point);
        let index = world.tree_of_link(link);
        let tree = &world.trees()[index];
        if tree.is_free_body {
            return Side::Body { tree: index as u32, lever: point - workspace.anchor(link) };
        }
        if tree.is_fixed {
            return Side::Prescribed { velocity: workspace.velocity_at(link, point).linear };
        }
        let (columns, start, dofs) = (self.columns.len(), tree.dofs.start, tree.dofs.len());
        self.columns.resize(columns + 2 * dofs, DVec3::ZERO);
        let (j, m_inverse_j) = self.columns[columns..].split_at_mut(dofs);
        workspace.for_each_column(world.model(), link, point, |dof, motion| j[dof - start] = motion.linear);
        for axis in 0..3 {
            response.push(world.model(), workspace, link, DVec3::AXES[axis], point);
            response.propagate(world.model(), workspace);
            let changes = &response.joint_velocities()[tree.dofs.clone()];
            for (column, change) in m_inverse_j.iter_mut().zip(changes) {
                column[axis] = *change;
            }
        }
        let carried = carrier(world, workspace, tree.links.start, point).linear;
        Side::Tree { start: start as u32, dofs: dofs as u32, columns: columns as u32, carried }
    }

    fn row_side(
        &mut self,
        world: &World,
        workspace: &Workspace,
        response: &mut ImpulseResponse,
        end: &RowEnd,
    ) -> RowSide {
        let model = world.model();
        let link = match *end {
            RowEnd::Nothing | RowEnd::Link { link: None, .. } => return RowSide::Nothing,
            RowEnd::Link { link: Some(link), .. } | RowEnd::Joint { link, .. } => link,
        };
        let index = world.tree_of_link(link);
        let tree = &world.trees()[index];
        if let RowEnd::Link { point, angular, linear, .. } = *end {
            if tree.is_free_body {
                let lever = point - workspace.anchor(link);
                return RowSide::Body { tree: index as u32, angular: angular + lever.cross(linear), linear };
            }
            if tree.is_fixed {
                let velocity = workspace.velocity_at(link, point);
                return RowSide::Prescribed { velocity: velocity.angular.dot(angular) + velocity.linear.dot(linear) };
            }
        }
        let (entries, start, dofs) = (self.entries.len(), tree.dofs.start, tree.dofs.len());
        self.entries.resize(entries + 2 * dofs, 0.0);
        let (j, m_inverse_j) = self.entries[entries..].split_at_mut(dofs);
        match *end {
            RowEnd::Link { point, angular, linear, .. } => {
                workspace.for_each_column(model, link, point, |dof, motion| {
                    j[dof - start] = motion.angular.dot(angular) + motion.linear.dot(linear);
                });
                response.push(model, workspace, link, linear, point);
                response.twist(model, link, angular);
            }
            RowEnd::Joint { dof, coefficients, .. } => {
                let own = coefficients.to_array();
                for (k, &coefficient) in own.iter().enumerate().filter(|(_, coefficient)| **coefficient != 0.0) {
                    j[dof + k - start] = coefficient;
                    response.drive(model, dof + k, coefficient);
                }
            }
            RowEnd::Nothing => {}
        }
        response.propagate(model, workspace);
        m_inverse_j.copy_from_slice(&response.joint_velocities()[tree.dofs.clone()]);
        let carried = match *end {
            RowEnd::Link { point, angular, linear, .. } => {
                carrier(world, workspace, tree.links.start, point).dot(&Force::new(angular, linear))
            }
            RowEnd::Joint { .. } | RowEnd::Nothing => 0.0,
        };
        RowSide::Tree { start: start as u32, dofs: dofs as u32, entries: entries as u32, carried }
    }

    /// Does anything move along a row's end? Rows are of unit length, so what is left of rounding shows.
    fn can_move(&self, side: &RowSide) -> bool {
        match *side {
            RowSide::Nothing | RowSide::Prescribed { .. } => false,
            RowSide::Body { .. } => true,
            RowSide::Tree { dofs, entries, .. } => {
                let j = &self.entries[entries as usize..][..dofs as usize];
                j.iter().any(|j| j.abs() > IMMOVABLE)
            }
        }
    }

    /// Takes the last row back.
    pub(crate) fn drop_last_row(&mut self) {
        self.rows.pop();
    }

    /// `J_i M^-1 J_k^T` of two sides on the same tree.
    fn own_block(&self, i: &Side, k: &Side) -> DMat3 {
        match (*i, *k) {
            (Side::Body { tree, lever }, Side::Body { lever: other, .. }) => {
                let body = &self.bodies[tree as usize];
                // An impulse p turns the body by I^-1 (r' x p), which moves the other point by that times r.
                let column =
                    |turn: DVec3, axis: DVec3| (body.inverse_inertia * turn).cross(lever) + axis * body.inverse_mass;
                let DVec3 { x, y, z } = other;
                DMat3::from_cols(
                    column(DVec3::new(0.0, z, -y), DVec3::X),
                    column(DVec3::new(-z, 0.0, x), DVec3::Y),
                    column(DVec3::new(y, -x, 0.0), DVec3::Z),
                )
            }
            (Side::Tree { dofs, columns: i, .. }, Side::Tree { columns: k, .. }) => {
                let j = &self.columns[i as usize..][..dofs as usize];
                let response = &self.columns[(k + dofs) as usize..][..dofs as usize];
                let mut sum = DMat3::ZERO;
                for (j, r) in j.iter().zip(response) {
                    sum += DMat3::from_cols(*j * r.x, *j * r.y, *j * r.z);
                }
                sum
            }
            _ => DMat3::ZERO,
        }
    }

    pub(super) fn own_entry(&self, i: &RowSide, k: &RowSide) -> f64 {
        match (*i, *k) {
            (RowSide::Body { tree, angular, linear }, RowSide::Body { angular: other, linear: along, .. }) => {
                let body = &self.bodies[tree as usize];
                angular.dot(body.inverse_inertia * other) + linear.dot(along) * body.inverse_mass
            }
            (RowSide::Tree { dofs, entries: i, .. }, RowSide::Tree { entries: k, .. }) => {
                let j = &self.entries[i as usize..][..dofs as usize];
                let response = &self.entries[(k + dofs) as usize..][..dofs as usize];
                j.iter().zip(response).map(|(j, r)| j * r).sum()
            }
            _ => 0.0,
        }
    }
}
