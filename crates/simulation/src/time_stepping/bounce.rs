//! Impacts of surfaces that bounce, in rounds.
//!
//! In every round the pair collides that approaches fastest, and with it all pairs that are as fast, each with all of its
//! contacts that meet or rest at once. A contact that is still apart takes no part: if the impact makes it approach too
//! fast, it bounces next. Stopping it in the same impact would take energy. Loops stay closed.
//!
//! The speed after an impact is that of a body that hits the surface itself, d away, and comes back to where it is now:
//! with a the approaching acceleration of gravity,
//!
//! ```text
//!   w' = sqrt(e^2 (w^2 + 2 a d) - 2 a d)
//! ```
//!
//! so that elastic bodies neither gain nor lose energy if an impact is found a little too early or too late.

use burgess_dynamics::joint::Joint;
use glam::DVec3;

use super::group_members::GroupMembers;
use crate::constraint_solver::VelocitySolver;
use crate::contact::WorldContact;
use crate::contact_space::ContactSpace;
use crate::simulation_data::SimulationData;

/// Maximum number of rounds, per contact of the group. What still approaches then is stopped.
const MAX_ROUNDS_PER_CONTACT: usize = 8;

/// Difference of two approach speeds, relative to them, up to which their impacts are simultaneous.
const SIMULTANEOUS_SHARE: f64 = 1e-6;

/// The impacts of one group.
pub(super) struct Bounce<'a> {
    pub data: &'a SimulationData,
    pub space: &'a mut ContactSpace,
    pub solver: &'a mut VelocitySolver,
    pub members: &'a GroupMembers,
    /// Scratch: the contacts that collide in a round.
    pub colliding: &'a mut Vec<u32>,
    /// Speed below which nothing bounces, in m/s.
    pub threshold: f64,
    /// Least velocity of every contact with which its gap is not passed, in m/s.
    pub allowed: &'a [f64],
}

impl Bounce<'_> {
    /// Lets the contacts collide that bounce. Returns the number of rounds.
    pub fn run(&mut self) -> usize {
        let budget = MAX_ROUNDS_PER_CONTACT * self.members.blocks.len();
        let mut rounds = 0;
        while rounds < budget {
            let fastest = self.members.blocks.iter().filter_map(|&block| self.bounce_speed(block)).fold(0.0, f64::max);
            if fastest == 0.0 {
                break;
            }
            self.choose(fastest);
            self.solver.bounce(self.space, self.colliding, &self.members.rows);
            self.reset();
            rounds += 1;
        }
        rounds
    }

    /// Returns the approach speed of a contact that bounces; none if it does not.
    fn bounce_speed(&self, block: u32) -> Option<f64> {
        let contact = self.contact(block);
        let speed = self.speed(block);
        let bounces = contact.surface.restitution > 0.0
            && speed > self.threshold
            && self.space.normal_excess(block as usize) < 0.0;
        bounces.then_some(speed)
    }

    fn contact(&self, block: u32) -> &WorldContact {
        &self.data.detection.contacts()[block as usize]
    }

    /// Returns the speed at which a contact closes, in m/s.
    fn speed(&self, block: u32) -> f64 {
        -self.space.relative_velocity(block as usize).dot(self.contact(block).normal)
    }

    /// Collects the contacts of the pairs that are as fast as the fastest, and sets their targets.
    fn choose(&mut self, fastest: f64) {
        let mut colliding = std::mem::take(self.colliding);
        let is_fast =
            |block: u32| self.bounce_speed(block).is_some_and(|speed| speed >= (1.0 - SIMULTANEOUS_SHARE) * fastest);
        let collides =
            |pair: u32| self.members.blocks.iter().any(|&other| self.contact(other).pair == pair && is_fast(other));
        colliding.clear();
        for &block in &self.members.blocks {
            if collides(self.contact(block).pair) {
                let rests =
                    self.speed(block).abs() <= self.threshold && -self.allowed[block as usize] <= self.threshold;
                if self.bounce_speed(block).is_some() || rests {
                    colliding.push(block);
                }
            }
        }
        for &block in &colliding {
            if let Some(speed) = self.bounce_speed(block) {
                self.space.set_target(block as usize, self.speed_after(block, speed));
            }
            self.space.set_impulse(block as usize, DVec3::ZERO);
        }
        *self.colliding = colliding;
    }

    /// Lets contacts take part in the next round with what they may close by.
    fn reset(&mut self) {
        for &block in self.colliding.iter() {
            self.space.set_target(block as usize, self.allowed[block as usize]);
            self.space.set_impulse(block as usize, DVec3::ZERO);
        }
        for &row in &self.members.rows {
            self.space.set_row_impulse(row as usize, 0.0);
        }
    }

    /// The speed with which a pair separates at its present gap, after it has met at `speed` m/s a gap away.
    fn speed_after(&self, block: u32, speed: f64) -> f64 {
        let (contact, world) = (self.contact(block), &self.data.world);
        let falls = |link: Option<usize>| {
            let root = link.map(|link| world.trees()[world.tree_of_link(link)].links.start);
            root.is_some_and(|root| world.model().links()[root].joint == Joint::Free)
        };
        let share = f64::from(u8::from(falls(contact.link_b))) - f64::from(u8::from(falls(contact.link_a)));
        let approaching = -share * world.model().gravity.dot(contact.normal);
        let e = contact.surface.restitution;
        let gain = 2.0 * approaching * contact.distance;
        (e * e * (speed * speed + gain) - gain).max(0.0).sqrt()
    }
}
