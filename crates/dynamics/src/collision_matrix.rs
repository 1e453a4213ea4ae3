//! The inverse inertia at contacts and between pairs of links (Fontijne 2000, eq. 3.53; Arnold 1997, eq. 2.19), in time
//! linear in the length of the paths to the roots.
//!
//! Impulses P on some links (columns) are carried inward as in [`impulse`](crate::ImpulseResponse). Every joint on the
//! path yields by `z = S^T P` and takes the energy `z^T D^-1 z`. These are all the terms:
//!
//! ```text
//!   J M^-1 J'^T = sum over the joints on both ways of  z^T D^-1 z'      (a free root: P^T I^-1 P')
//! ```
//!
//! since `M^-1` is a product of one factor that carries inward, the inertias D, and the first factor's transpose. No
//! outward pass is needed, and the sum is symmetric and positive semi-definite by construction.

use glam::{DMat3, DVec3};

use crate::impulse::pass_inward;
use crate::joint::Joint;
use crate::model::{Link, WORLD};
use crate::spatial::{FactoredInertia, Force, InverseInertia};
use crate::state::read_vector;
use crate::{Model, Workspace};

/// The point where two links touch, of one tree or of two. `None` stands for the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// The link that receives the impulse.
    pub first: Option<usize>,
    /// The link that receives the opposite impulse.
    pub second: Option<usize>,
    /// Position in the world, in m.
    pub point: DVec3,
}

/// Returns the collision matrix K (in 1/kg) of a contact: an impulse p on the first link and -p on the second change
/// the velocity of the first relative to the second by K p. K is symmetric and positive semi-definite; it is singular
/// where the links have too few degrees of freedom. The last pass over the workspace must have been inward
/// ([`articulated_inertias`](crate::articulated_inertias), or forward dynamics).
///
/// ```
/// use burgess_dynamics::{
///     ContactPoint, JointSpec, LinkSpec, ModelBuilder, State, Workspace, collision_matrix, forward_dynamics,
/// };
/// use glam::{DMat3, DVec3};
///
/// // A ball of 2 kg, hit at its centre.
/// let mut builder = ModelBuilder::new();
/// builder.add_link(None, JointSpec::free(), LinkSpec::new("ball", 2.0, DVec3::ZERO, DMat3::IDENTITY));
/// let model = builder.build().unwrap();
/// let mut workspace = Workspace::new(&model);
/// forward_dynamics(&model, &State::new(&model), &[0.0; 6], &mut workspace);
/// let contact = ContactPoint { first: Some(0), second: None, point: DVec3::ZERO };
/// assert_eq!(collision_matrix(&model, &workspace, &contact), DMat3::from_diagonal(DVec3::splat(0.5)));
/// ```
pub fn collision_matrix(model: &Model, workspace: &Workspace, contact: &ContactPoint) -> DMat3 {
    let mut front = Front::contact(workspace, contact);
    let mut sum = [[0.0; 3]; 3];
    while let Some(index) = front.outermost() {
        let link = &model.links[index];
        let slips = front.pass(link, workspace, index);
        add_terms(link, workspace, &slips, &slips, &mut sum);
    }
    // The matrix is symmetric except for rounding in a free root's solve; make it exactly symmetric.
    let k = DMat3::from_cols_array_2d(&sum);
    (k + k.transpose()) * 0.5
}

/// Returns the change of relative velocity at the contact `at` by a unit impulse at the contact `by`, in 1/kg. With the
/// contacts exchanged it is the transpose; for a contact and itself it is the collision matrix.
pub fn coupling_matrix(model: &Model, workspace: &Workspace, at: &ContactPoint, by: &ContactPoint) -> DMat3 {
    let rows = cross_terms(model, workspace, Front::contact(workspace, at), Front::contact(workspace, by));
    DMat3::from_cols_array_2d(&rows).transpose()
}

/// Returns the inverse inertia between two links: the change of velocity of the first about a point (of the world) by
/// impulses on the second about another point. With the two exchanged it is the transpose.
pub fn inverse_inertia(
    model: &Model,
    workspace: &Workspace,
    (moved, moved_point): (usize, DVec3),
    (hit, hit_point): (usize, DVec3),
) -> InverseInertia {
    let moved = Front::link(workspace, moved, moved_point);
    let hit = Front::link(workspace, hit, hit_point);
    InverseInertia::from_rows(&cross_terms(model, workspace, moved, hit))
}

/// Impulses carried towards the root, about the anchor of the current link.
struct Chain<const C: usize> {
    link: Option<usize>,
    impulses: [Force; C],
}

/// The impulses of one contact: at most two chains, which merge where the links' paths do.
struct Front<const C: usize>([Chain<C>; 2]);

impl Front<3> {
    fn contact(workspace: &Workspace, contact: &ContactPoint) -> Self {
        let chain = |link: Option<usize>, sign: f64| {
            let lever = link.map_or(DVec3::ZERO, |link| contact.point - workspace.links[link].origin);
            Chain { link, impulses: DVec3::AXES.map(|axis| Force::at(axis * sign, lever)) }
        };
        Self([chain(contact.first, 1.0), chain(contact.second, -1.0)])
    }
}

impl Front<6> {
    fn link(workspace: &Workspace, link: usize, point: DVec3) -> Self {
        let lever = point - workspace.links[link].origin;
        let [x, y, z] = DVec3::AXES;
        let moments = [x, y, z].map(|axis| Force::new(axis, DVec3::ZERO));
        let forces = [x, y, z].map(|axis| Force::at(axis, lever));
        let impulses = [moments[0], moments[1], moments[2], forces[0], forces[1], forces[2]];
        Self([Chain { link: Some(link), impulses }, Chain { link: None, impulses: [Force::ZERO; 6] }])
    }
}

impl<const C: usize> Front<C> {
    /// Returns the link farthest from its root: parents have smaller indices than children.
    #[inline]
    fn outermost(&self) -> Option<usize> {
        self.0[0].link.max(self.0[1].link)
    }

    /// Carries the impulses on this link over its joint to its parent. Returns how the joint yields.
    #[inline]
    fn pass(&mut self, link: &Link, workspace: &Workspace, index: usize) -> [[f64; 6]; C] {
        let [first, second] = &mut self.0;
        if first.link == second.link {
            for (impulse, other) in first.impulses.iter_mut().zip(&second.impulses) {
                *impulse += *other;
            }
            second.link = None;
        }
        let chain = if first.link == Some(index) { first } else { second };
        let mut slips = [[0.0; 6]; C];
        pass_inward(link, workspace, &mut chain.impulses, &mut slips);
        chain.link = link.parent();
        if link.parent != WORLD {
            for impulse in &mut chain.impulses {
                *impulse = impulse.shifted_back(workspace.links[index].offset);
            }
        }
        slips
    }
}

/// Returns the terms between two fronts. Rows: velocities at the first; columns: impulses of the second.
fn cross_terms<const C: usize>(
    model: &Model,
    workspace: &Workspace,
    mut felt: Front<C>,
    mut by: Front<C>,
) -> [[f64; C]; C] {
    let mut sum = [[0.0; C]; C];
    // Once one has passed its root, there are no common joints left.
    while let (Some(here), Some(there)) = (felt.outermost(), by.outermost()) {
        let index = here.max(there);
        let link = &model.links[index];
        match here.cmp(&there) {
            std::cmp::Ordering::Greater => {
                felt.pass(link, workspace, index);
            }
            std::cmp::Ordering::Less => {
                by.pass(link, workspace, index);
            }
            std::cmp::Ordering::Equal => {
                let rows = felt.pass(link, workspace, index);
                let columns = by.pass(link, workspace, index);
                add_terms(link, workspace, &rows, &columns, &mut sum);
            }
        }
    }
    sum
}

/// Adds `z^T D^-1 z'` of one joint.
#[inline(always)]
fn add_terms<const C: usize>(
    link: &Link,
    workspace: &Workspace,
    rows: &[[f64; 6]; C],
    columns: &[[f64; 6]; C],
    sum: &mut [[f64; C]; C],
) {
    let block = &workspace.blocks[link.block..];
    match link.joint {
        Joint::Weld | Joint::Scripted { .. } => {}
        Joint::Revolute | Joint::Prismatic => {
            for (sum, row) in sum.iter_mut().zip(rows) {
                let weighted = row[0] * block[0];
                for (sum, column) in sum.iter_mut().zip(columns) {
                    *sum += weighted * column[0];
                }
            }
        }
        Joint::Free => {
            let inertia = FactoredInertia::read_from(block);
            for (j, column) in columns.iter().enumerate() {
                let moved = inertia.solve(&Force::new(read_vector(column), read_vector(&column[3..])));
                for (sum, row) in sum.iter_mut().zip(rows) {
                    sum[j] += moved.dot(&Force::new(read_vector(row), read_vector(&row[3..])));
                }
            }
        }
        Joint::Spherical | Joint::Stack { .. } => {
            for (sum, row) in sum.iter_mut().zip(rows) {
                for (sum, column) in sum.iter_mut().zip(columns) {
                    // Unused entries are zero.
                    for k in 0..6 {
                        *sum += row[k] * column[k];
                    }
                }
            }
        }
    }
}
