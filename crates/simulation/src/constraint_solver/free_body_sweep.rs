//! Block Gauss-Seidel over a group of free bodies: the loop that takes most of the time of large piles.
//!
//! The method is that for any group (see [`VelocitySolver`](super::VelocitySolver)), with its data in contiguous
//! memory: contacts in the order of the sweep, bodies with their velocities and inertias.

use glam::{DMat3, DVec3};

use super::contact_problem::ContactBlock;
use crate::contact_space::{Block, Body, ContactSpace, Side, contact_frame};

/// Index of the sliding data of a contact that has not slid yet.
const NEVER_SLID: u32 = u32::MAX;

/// The data of a contact that a sweep reads and writes.
#[derive(Debug, Clone, Copy)]
struct Contact {
    a: u32,
    b: u32,
    lever_a: DVec3,
    lever_b: DVec3,
    normal: DVec3,
    k_inverse: DMat3,
    impulse: DVec3,
    target: f64,
    drift: DVec3,
    friction: f64,
    slide: u32,
}

/// The block of a contact that has slid, in the frame of the contact.
#[derive(Debug, Clone, Copy)]
struct Sliding {
    frame: DMat3,
    block: ContactBlock,
}

/// A group of free bodies. Buffers are reused.
#[derive(Debug, Clone, Default)]
pub(crate) struct FreeBodySweep {
    bodies: Vec<Body>,
    contacts: Vec<Contact>,
    sliding: Vec<Sliding>,
    before: Vec<DVec3>,
    direction: Vec<DVec3>,
    /// Squared change in the last sweep, as a kinetic energy.
    norm: f64,
    /// Index in `bodies` of each tree.
    places: Vec<u32>,
}

impl FreeBodySweep {
    /// Copies a group from the contact space. Returns false if it contains an articulated tree.
    pub fn load(&mut self, space: &ContactSpace, blocks: &[u32]) -> bool {
        let on_tree = |side: &Side| matches!(side, Side::Tree { .. });
        if blocks.iter().map(|&index| &space.blocks()[index as usize]).any(|b| on_tree(&b.a) || on_tree(&b.b)) {
            return false;
        }
        self.bodies.clear();
        self.contacts.clear();
        self.sliding.clear();
        self.places.resize(space.bodies.len(), u32::MAX);
        for &index in blocks {
            let Block { a, b, normal, k_inverse, target, drift, friction, impulse, .. } =
                space.blocks()[index as usize];
            let (a, lever_a) = self.place(space, &a);
            let (b, lever_b) = self.place(space, &b);
            let slide = NEVER_SLID;
            self.contacts.push(Contact {
                a,
                b,
                lever_a,
                lever_b,
                normal,
                k_inverse,
                impulse,
                target,
                drift,
                friction,
                slide,
            });
        }
        self.direction.clear();
        self.direction.resize(blocks.len(), DVec3::ZERO);
        self.norm = 0.0;
        true
    }

    /// Writes velocities and impulses to the contact space.
    pub fn store(&mut self, space: &mut ContactSpace, blocks: &[u32]) {
        for (contact, &index) in self.contacts.iter().zip(blocks) {
            let block = &mut space.blocks[index as usize];
            block.impulse = contact.impulse;
            for (side, body) in [(block.a, contact.a), (block.b, contact.b)] {
                if let Side::Body { tree, .. } = side {
                    space.bodies[tree as usize] = self.bodies[body as usize];
                    self.places[tree as usize] = u32::MAX;
                }
            }
        }
    }

    fn place(&mut self, space: &ContactSpace, side: &Side) -> (u32, DVec3) {
        match *side {
            Side::Body { tree, lever } => {
                if self.places[tree as usize] == u32::MAX {
                    self.places[tree as usize] = self.bodies.len() as u32;
                    self.bodies.push(space.bodies[tree as usize]);
                }
                (self.places[tree as usize], lever)
            }
            Side::Prescribed { velocity } => {
                self.bodies.push(Body { linear: velocity, ..Body::default() });
                (self.bodies.len() as u32 - 1, DVec3::ZERO)
            }
            Side::Tree { .. } => (0, DVec3::ZERO),
        }
    }

    /// Returns the fastest relative velocity, in m/s.
    pub fn fastest(&self) -> f64 {
        let speeds = self.contacts.iter().map(|contact| self.relative_velocity(contact).length_squared());
        speeds.fold(0.0, f64::max).sqrt()
    }

    /// Solves every contact once. Returns the largest change of a velocity, in m/s.
    pub fn sweep(&mut self) -> f64 {
        self.before.clear();
        self.before.extend(self.contacts.iter().map(|contact| contact.impulse));
        let mut most = 0.0;
        for index in 0..self.contacts.len() {
            most = self.solve(index).max(most);
        }
        most.sqrt()
    }

    /// Extrapolates the impulses along the conjugate direction.
    pub fn extrapolate(&mut self) {
        let mut norm = 0.0;
        for (before, contact) in self.before.iter_mut().zip(&self.contacts) {
            *before = contact.impulse - *before;
            // An impulse squared over a mass is an energy; any mass of the contact that is invariant to rotation
            // serves.
            let k = &contact.k_inverse;
            let mass = k.x_axis.x + k.y_axis.y + k.z_axis.z;
            norm += before.length_squared() / mass.max(f64::MIN_POSITIVE);
        }
        let keep = if self.norm > 0.0 && norm <= self.norm { norm / self.norm } else { 0.0 };
        self.norm = norm;
        for index in 0..self.contacts.len() {
            let carried = self.direction[index] * keep;
            self.direction[index] = carried + self.before[index];
            if carried != DVec3::ZERO {
                self.apply(index, carried);
                self.contacts[index].impulse += carried;
            }
        }
    }

    #[inline]
    fn relative_velocity(&self, contact: &Contact) -> DVec3 {
        let (a, b) = (&self.bodies[contact.a as usize], &self.bodies[contact.b as usize]);
        (b.linear + b.angular.cross(contact.lever_b)) - (a.linear + a.angular.cross(contact.lever_a)) + contact.drift
    }

    #[inline]
    fn apply(&mut self, index: usize, impulse: DVec3) {
        let Contact { a, b, lever_a, lever_b, .. } = self.contacts[index];
        let body = &mut self.bodies[a as usize];
        body.linear -= impulse * body.inverse_mass;
        body.angular -= body.inverse_inertia * lever_a.cross(impulse);
        let body = &mut self.bodies[b as usize];
        body.linear += impulse * body.inverse_mass;
        body.angular += body.inverse_inertia * lever_b.cross(impulse);
    }

    /// Solves one contact with all others fixed. Returns the square of the excess velocity that it removes.
    #[inline]
    fn solve(&mut self, index: usize) -> f64 {
        let contact = &self.contacts[index];
        let excess = self.relative_velocity(contact) - contact.normal * contact.target;
        let stick = contact.impulse - contact.k_inverse * excess;
        let along = stick.dot(contact.normal);
        let bound = contact.friction * along;
        if along >= 0.0 && stick.length_squared() - along * along <= bound * bound && contact.friction > 0.0 {
            let change = stick - contact.impulse;
            self.contacts[index].impulse = stick;
            self.apply(index, change);
            return excess.length_squared();
        }
        if contact.impulse == DVec3::ZERO && excess.dot(contact.normal) >= 0.0 {
            return 0.0;
        }
        self.slide(index, excess)
    }

    #[inline(never)]
    fn slide(&mut self, index: usize, excess: DVec3) -> f64 {
        let contact = self.contacts[index];
        if contact.slide == NEVER_SLID {
            self.contacts[index].slide = self.sliding.len() as u32;
            let frame = contact_frame(contact.normal);
            let k = frame.transpose() * self.own_block(&contact) * frame;
            self.sliding.push(Sliding { frame, block: ContactBlock::new(k, contact.friction) });
        }
        let Sliding { frame, block } = &self.sliding[self.contacts[index].slide as usize];
        let to_frame = frame.transpose();
        let now = to_frame * contact.impulse;
        let found = block.solve(to_frame * excess - block.k * now);
        let response = (block.k * (found - now)).length_squared();
        let impulse = *frame * found;
        self.apply(index, impulse - contact.impulse);
        self.contacts[index].impulse = impulse;
        response
    }

    fn own_block(&self, contact: &Contact) -> DMat3 {
        let cross = |r: DVec3| DMat3::from_cols(DVec3::X.cross(r), DVec3::Y.cross(r), DVec3::Z.cross(r));
        let of = |body: &Body, lever: DVec3| {
            let turning = cross(lever) * body.inverse_inertia * cross(lever).transpose();
            DMat3::from_diagonal(DVec3::splat(body.inverse_mass)) + turning
        };
        of(&self.bodies[contact.a as usize], contact.lever_a) + of(&self.bodies[contact.b as usize], contact.lever_b)
    }
}
