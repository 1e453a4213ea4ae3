//! Construction of the contact space at one time.

use burgess_dynamics::Workspace;
use burgess_dynamics::joint::Joint;
use burgess_dynamics::spatial::{Force, Motion};
use glam::{DMat3, DVec3};

use super::side::{Column, Span, common, common_of_rows};
use super::{Block, Body, ContactSpace, Row, RowEnd, RowSide, Side};
use crate::constraint_solver::contact_problem::{ContactBlock, Law};
use crate::contact::WorldContact;
use crate::world::{Tree, World};

/// Mobility, relative to that of the two ends alone, below which a row is immovable.
const IMMOVABLE: f64 = 1e-10;
/// Mobility of a contact along its normal, relative to that of its two links alone, below which it is immovable. Two links
/// of one tree move together there, and their difference consists of rounding errors.
const IMMOVABLE_CONTACT: f64 = 1e-8;

/// The positions at which a contact space is built.
#[derive(Debug)]
pub struct Anchors<'a> {
    /// Workspace at the positions at which impulses act, after its inward pass.
    pub workspace: &'a Workspace,
    /// Anchors of the links when contacts were detected, along with which contact points move; none if contact points
    /// are already at the positions of the workspace.
    pub detected: Option<&'a [DVec3]>,
}

impl Anchors<'_> {
    /// Returns the position of the link's point that was at a contact when it was detected.
    #[inline]
    pub fn carried(&self, link: usize, point: DVec3) -> DVec3 {
        self.detected.map_or(point, |detected| point + (self.workspace.anchor(link) - detected[link]))
    }
}

/// Returns the velocity at which a contact opens at given joint velocities, in m/s.
pub(crate) fn opening_velocity(world: &World, anchors: &Anchors, contact: &WorldContact, v: &[f64]) -> f64 {
    let of = |link: Option<usize>| {
        let Some(link) = link else { return 0.0 };
        let (workspace, point) = (anchors.workspace, anchors.carried(link, contact.point));
        let tree = &world.trees()[world.tree_of_link(link)];
        if tree.is_free_body {
            let v = &v[tree.dofs.clone()];
            let swing = DVec3::from_slice(v).cross(point - workspace.anchor(link));
            return (DVec3::from_slice(&v[3..]) + swing).dot(contact.normal);
        }
        let mut velocity = carrier(world, workspace, tree.links.start, point).linear.dot(contact.normal);
        workspace.for_each_column(world.model(), link, point, |dof, motion| {
            velocity += motion.linear.dot(contact.normal) * v[dof];
        });
        velocity
    };
    of(contact.link_b) - of(contact.link_a)
}

/// Returns the motion that a scripted root gives a point of its tree while the joints do not move.
fn carrier(world: &World, workspace: &Workspace, root: usize, point: DVec3) -> Motion {
    match world.model().links()[root].joint {
        Joint::Scripted { .. } => workspace.velocity_at(root, point),
        _ => Motion::ZERO,
    }
}

impl ContactSpace {
    /// Removes all contacts and rows, and copies the velocities and the inertias of the workspace.
    pub fn begin(&mut self, world: &World, workspace: &Workspace, velocities: &[f64]) {
        self.blocks.clear();
        self.rows.clear();
        self.columns.clear();
        self.entries.clear();
        self.v.clear();
        self.v.extend_from_slice(velocities);
        self.slips.clear();
        self.slips.resize(velocities.len(), 0.0);
        self.is_displaced = false;
        self.bodies.resize(world.trees().len(), Body::default());
        for (tree, body) in world.trees().iter().zip(&mut self.bodies) {
            if tree.is_free_body {
                let inertia = workspace.rigid_inertia(world.model(), tree.links.start);
                body.dof = tree.dofs.start as u32;
                body.inverse_mass = 1.0 / inertia.mass;
                body.inverse_inertia = inertia.about_point.inverse().to_matrix();
                let v = &velocities[tree.dofs.clone()];
                body.angular = DVec3::new(v[0], v[1], v[2]);
                body.linear = DVec3::new(v[3], v[4], v[5]);
            }
        }
    }

    /// Sets the velocities of free bodies.
    pub(crate) fn take_velocities_of_bodies(&mut self, world: &World, velocities: &[f64]) {
        for (tree, body) in world.trees().iter().zip(&mut self.bodies).filter(|(tree, _)| tree.is_free_body) {
            let v = &velocities[tree.dofs.clone()];
            (body.angular, body.linear) = (DVec3::from_slice(v), DVec3::from_slice(&v[3..]));
        }
    }

    /// Writes the velocities. The workspace must be the same as when contacts and rows were added.
    pub fn store(&mut self, world: &World, workspace: &Workspace, velocities: &mut [f64]) {
        velocities.copy_from_slice(&self.v);
        for (index, tree) in world.trees().iter().enumerate() {
            if tree.is_free_body {
                let v = &mut velocities[tree.dofs.clone()];
                v[..3].copy_from_slice(&self.bodies[index].angular.to_array());
                v[3..].copy_from_slice(&self.bodies[index].linear.to_array());
            } else if self.slips[tree.dofs.clone()].iter().any(|slip| *slip != 0.0) {
                let slips = std::mem::take(&mut self.slips);
                self.add_changes(world, workspace, tree, &slips, velocities);
                self.slips = slips;
            }
        }
    }

    /// Adds the velocity changes of a tree that follow from the slips of its joints.
    pub(super) fn add_changes(
        &mut self,
        world: &World,
        workspace: &Workspace,
        tree: &Tree,
        slips: &[f64],
        velocities: &mut [f64],
    ) {
        self.changes.resize(slips.len(), 0.0);
        self.link_velocities.resize(world.model().links().len(), Motion::ZERO);
        let dofs = tree.dofs.clone();
        self.changes[dofs.clone()].copy_from_slice(&slips[dofs.clone()]);
        workspace.carry_outward(world.model(), tree.links.clone(), &mut self.changes, &mut self.link_velocities);
        velocities[dofs.clone()].iter_mut().zip(&self.changes[dofs]).for_each(|(v, change)| *v += change);
    }

    /// Adds a contact. The caller sets target and impulse. A contact along whose normal nothing can move has `k = 0`.
    pub fn add_contact(&mut self, world: &World, anchors: &Anchors, contact: &WorldContact) -> &mut Block {
        let a = self.side(world, anchors, contact.link_a, contact.point);
        let b = self.side(world, anchors, contact.link_b, contact.point);
        let alone = self.own_block(&a, &a) + self.own_block(&b, &b);
        let mut k = alone;
        if let (Side::Tree { .. }, Side::Tree { .. }) = (a, b) {
            let mixed = self.own_block(&a, &b);
            k -= mixed + mixed.transpose();
        }
        let normal = contact.normal;
        if normal.dot(k * normal) <= IMMOVABLE_CONTACT * (alone.x_axis.x + alone.y_axis.y + alone.z_axis.z) {
            k = DMat3::ZERO;
        }
        let k_inverse = ContactBlock::new(k, 0.0).k_inverse;
        let friction = contact.surface.friction;
        self.blocks.push(Block {
            a,
            b,
            normal,
            k,
            k_inverse,
            target: 0.0,
            recovery: 0.0,
            friction,
            drift: DVec3::ZERO,
            impulse: DVec3::ZERO,
        });
        self.blocks.last_mut().expect("was pushed")
    }

    /// Adds a placeholder for a contact that is not solved.
    pub fn add_idle(&mut self, contact: &WorldContact) -> &mut Block {
        let still = Side::Prescribed { velocity: DVec3::ZERO };
        let (normal, friction) = (contact.normal, contact.surface.friction);
        let (k, k_inverse) = (DMat3::ZERO, DMat3::ZERO);
        let (a, b, target, drift, impulse) = (still, still, 0.0, DVec3::ZERO, DVec3::ZERO);
        self.blocks.push(Block { a, b, normal, k, k_inverse, target, recovery: 0.0, friction, drift, impulse });
        self.blocks.last_mut().expect("was pushed")
    }

    /// Adds a row with a law. The caller sets target, softness and impulse. A row along which nothing can move has
    /// `k = 0`.
    pub fn add_row(&mut self, world: &World, workspace: &Workspace, ends: [RowEnd; 2], law: Law) -> &mut Row {
        let [(a, a_moves), (b, b_moves)] = ends.map(|end| self.row_side(world, workspace, &end));
        let apart = self.own_entry(&a, &a) + self.own_entry(&b, &b);
        let mut k = apart;
        if let (RowSide::Tree { .. }, RowSide::Tree { .. }) = (a, b) {
            k += 2.0 * self.own_entry(&a, &b);
        }
        // Two ends of one tree may cancel, and joints may not be able to move in this direction.
        let can_move = k > IMMOVABLE * apart && (a_moves || b_moves);
        let k = if can_move { k } else { 0.0 };
        self.rows.push(Row {
            a,
            b,
            law,
            k,
            softness: 0.0,
            target: 0.0,
            recovery: 0.0,
            start: None,
            rests: [0.0; 2],
            impulse: 0.0,
            slot: u32::MAX,
        });
        self.rows.last_mut().expect("was pushed")
    }

    fn side(&mut self, world: &World, anchors: &Anchors, link: Option<usize>, point: DVec3) -> Side {
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
        let model = world.model();
        let mut start = carrier(world, workspace, tree.links.start, point).linear;
        workspace.for_each_column(model, link, point, |dof, motion| start += motion.linear * self.v[dof]);
        let first = self.columns.len();
        let lever = point - workspace.anchor(link);
        let impulses = DVec3::AXES.map(|axis| Force::at(axis, lever));
        workspace.carry_inward(model, link, impulses, [[0.0; 6]; 3], |dof, z, freed| {
            self.columns.push(Column { dof: dof as u32, z: DVec3::from_array(z), freed: DVec3::from_array(freed) });
        });
        Side::Tree { link: link as u32, point, path: Span::new(first, self.columns.len()), start }
    }

    /// Returns one end of a row, and whether anything can move along it.
    fn row_side(&mut self, world: &World, workspace: &Workspace, end: &RowEnd) -> (RowSide, bool) {
        let model = world.model();
        let link = match *end {
            RowEnd::Nothing | RowEnd::Link { link: None, .. } => return (RowSide::Nothing, false),
            RowEnd::Tendon { tendon, tree } => return (self.tendon_side(world, workspace, tendon, tree), true),
            RowEnd::Link { link: Some(link), .. } | RowEnd::Joint { link, .. } => link,
        };
        let index = world.tree_of_link(link);
        let tree = &world.trees()[index];
        if let RowEnd::Link { point, angular, linear, .. } = *end {
            if tree.is_free_body {
                let angular = angular + (point - workspace.anchor(link)).cross(linear);
                return (RowSide::Body { tree: index as u32, angular, linear }, true);
            }
            if tree.is_fixed {
                let velocity = end.along(&workspace.velocity_at(link, point));
                return (RowSide::Prescribed { velocity }, false);
            }
        }
        let (mut impulse, mut efforts, mut start) = (Force::ZERO, [0.0; 6], 0.0);
        match *end {
            RowEnd::Link { point, angular, linear, .. } => {
                let lever = point - workspace.anchor(link);
                impulse = Force::new(angular + lever.cross(linear), linear);
                start = end.along(&carrier(world, workspace, tree.links.start, point));
            }
            RowEnd::Joint { dof, coefficients, .. } => {
                let own = &mut efforts[dof - model.links()[link].v..];
                own.iter_mut().zip(coefficients.to_array()).for_each(|(effort, factor)| *effort = factor);
            }
            RowEnd::Tendon { .. } | RowEnd::Nothing => {}
        }
        // Rows have unit length, so an absolute tolerance detects rounding errors.
        let mut moves = false;
        end.for_each_factor(world, workspace, |dof, factor| {
            start += factor * self.v[dof];
            moves |= factor.abs() > IMMOVABLE;
        });
        let first = self.entries.len();
        workspace.carry_inward(model, link, [impulse], [efforts], |dof, [z], [freed]| {
            self.entries.push(Column { dof: dof as u32, z, freed });
        });
        let path = Span::new(first, self.entries.len());
        (RowSide::Tree { tree: index as u32, end: *end, path, start }, moves)
    }

    /// Removes the contact that was added last.
    pub fn drop_last_contact(&mut self) {
        self.blocks.pop();
    }

    /// Removes the row that was added last.
    pub fn drop_last_row(&mut self) {
        self.rows.pop();
    }

    /// Returns `J_i M^-1 J_k^T` of two sides on the same tree.
    fn own_block(&self, i: &Side, k: &Side) -> DMat3 {
        match (*i, *k) {
            (Side::Body { tree, lever }, Side::Body { lever: other, .. }) => {
                let body = &self.bodies[tree as usize];
                // An impulse p changes the angular velocity by I^-1 (r' x p), and the other point's velocity by that x
                // r.
                let column =
                    |turn: DVec3, axis: DVec3| (body.inverse_inertia * turn).cross(lever) + axis * body.inverse_mass;
                let DVec3 { x, y, z } = other;
                DMat3::from_cols(
                    column(DVec3::new(0.0, z, -y), DVec3::X),
                    column(DVec3::new(-z, 0.0, x), DVec3::Y),
                    column(DVec3::new(y, -x, 0.0), DVec3::Z),
                )
            }
            (Side::Tree { path: i, .. }, Side::Tree { path: k, .. }) => {
                let mut sum = DMat3::ZERO;
                for (i, k) in common(i.of(&self.columns), k.of(&self.columns)) {
                    sum += DMat3::from_cols(i.z * k.freed.x, i.z * k.freed.y, i.z * k.freed.z);
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
            (RowSide::Tree { path: i, .. }, RowSide::Tree { path: k, .. }) => {
                common_of_rows(i.of(&self.entries), k.of(&self.entries)).map(|(i, k)| i.z * k.freed).sum()
            }
            _ => 0.0,
        }
    }
}
