//! Vortex filaments with a Gaussian section: curves that carry a circulation and move with the flow that they cause.

use glam::DVec3;
use rayon::prelude::*;

/// A closed curve, or one that continues after a period, with a circulation.
///
/// The vorticity across a straight filament is `circulation / (2 pi sigma^2) exp(-r^2 / (2 sigma^2))`: the vortex of
/// Lamb and Oseen, whose core radius is `sqrt(2) sigma`.
#[derive(Debug, Clone, PartialEq)]
pub struct Filament {
    /// Nodes of the curve.
    pub nodes: Vec<DVec3>,
    /// From the last node's successor to the first node: zero for a closed curve.
    pub period: DVec3,
    /// Circulation.
    pub circulation: f64,
    /// Standard deviation of the vorticity across the filament.
    pub sigma: f64,
}

impl Filament {
    /// A circle of nodes around an axis.
    pub fn ring(centre: DVec3, axis: DVec3, radius: f64, circulation: f64, sigma: f64, nodes: usize) -> Self {
        let (first, second) = axis.normalize_or(DVec3::Z).any_orthonormal_pair();
        let node = |number: usize| {
            let angle = std::f64::consts::TAU * number as f64 / nodes as f64;
            centre + radius * (libm::cos(angle) * first + libm::sin(angle) * second)
        };
        Self { nodes: (0..nodes).map(node).collect(), period: DVec3::ZERO, circulation, sigma }
    }

    /// Place and length vector of the element around each node.
    pub fn elements(&self) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
        (0..self.nodes.len()).map(|node| (self.nodes[node], 0.5 * (self.node(node, 1) - self.node(node, -1))))
    }

    /// The node at a distance from another, continued by the period.
    fn node(&self, from: usize, distance: isize) -> DVec3 {
        let count = self.nodes.len() as isize;
        let place = from as isize + distance;
        self.nodes[place.rem_euclid(count) as usize] + place.div_euclid(count) as f64 * self.period
    }

    /// Length of the curve.
    pub fn length(&self) -> f64 {
        (0..self.nodes.len()).map(|node| (self.node(node, 1) - self.nodes[node]).length()).sum()
    }

    /// Places `count` nodes at equal distances along the curve.
    pub fn redistribute(&mut self, count: usize) {
        let lengths: Vec<f64> =
            (0..self.nodes.len()).map(|node| (self.node(node, 1) - self.nodes[node]).length()).collect();
        let total: f64 = lengths.iter().sum();
        let (mut node, mut before) = (0, 0.0);
        let mut moved = Vec::with_capacity(count);
        for number in 0..count {
            let wanted = total * number as f64 / count as f64;
            while node + 1 < lengths.len() && before + lengths[node] < wanted {
                before += lengths[node];
                node += 1;
            }
            let share = if lengths[node] > 0.0 { (wanted - before) / lengths[node] } else { 0.0 };
            moved.push(catmull_rom([-1, 0, 1, 2].map(|distance| self.node(node, distance)), share));
        }
        self.nodes = moved;
    }

    /// The mirror image of the filament behind the plane z = 0, which keeps the flow from crossing it.
    pub fn image(&self) -> Self {
        let mirror = |vector: &DVec3| DVec3::new(vector.x, vector.y, -vector.z);
        Self {
            nodes: self.nodes.iter().map(mirror).collect(),
            period: mirror(&self.period),
            circulation: -self.circulation,
            sigma: self.sigma,
        }
    }
}

/// The curve through four points at equal parameters, between the second and the third.
fn catmull_rom([a, b, c, d]: [DVec3; 4], t: f64) -> DVec3 {
    let (first, second) = (0.5 * (c - a), 0.5 * (d - b));
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * b + (t3 - 2.0 * t2 + t) * first + (3.0 * t2 - 2.0 * t3) * c + (t3 - t2) * second
}

/// Velocity that filaments cause at a place in unbounded fluid: the law of Biot and Savart for a Gaussian section.
/// Filaments with a period count once.
pub fn induced_velocity(filaments: &[Filament], place: DVec3) -> DVec3 {
    let mut velocity = DVec3::ZERO;
    for filament in filaments {
        let factor = filament.circulation / (4.0 * std::f64::consts::PI);
        for (node, element) in filament.elements() {
            let difference = place - node;
            velocity += factor * kernel(difference.length(), filament.sigma) * element.cross(difference);
        }
    }
    velocity
}

/// Share of the Gaussian's weight within a distance, divided by the cube of the distance.
fn kernel(distance: f64, sigma: f64) -> f64 {
    let ratio = distance / sigma;
    let normal = 0.797_884_560_802_865_4; // sqrt(2 / pi)
    if ratio < 1e-2 {
        // Two terms of the series; the next is below 1e-9 of the first.
        return normal * (1.0 / 3.0 - ratio * ratio / 10.0) / (sigma * sigma * sigma);
    }
    let share = libm::erf(ratio * std::f64::consts::FRAC_1_SQRT_2) - normal * ratio * libm::exp(-0.5 * ratio * ratio);
    share / (distance * distance * distance)
}

/// Moves all nodes with the flow of the filaments and an outer flow, by one step of Runge and Kutta's fourth order.
///
/// `wall` adds the images behind the plane z = 0.
pub fn advance(filaments: &mut [Filament], step: f64, wall: bool, outer: &(dyn Fn(DVec3) -> DVec3 + Sync)) {
    let start = filaments.to_vec();
    let mut sum: Vec<Vec<DVec3>> = start.iter().map(|filament| vec![DVec3::ZERO; filament.nodes.len()]).collect();
    let mut stage = start.clone();
    for (weight, next) in [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)] {
        let rates = node_velocities(&stage, wall, outer);
        for (number, rates) in rates.iter().enumerate() {
            for (node, rate) in rates.iter().enumerate() {
                sum[number][node] += weight / 6.0 * *rate;
                stage[number].nodes[node] = start[number].nodes[node] + next * step * *rate;
            }
        }
    }
    for (filament, sum) in filaments.iter_mut().zip(sum) {
        for (node, sum) in filament.nodes.iter_mut().zip(sum) {
            *node += step * sum;
        }
    }
}

fn node_velocities(filaments: &[Filament], wall: bool, outer: &(dyn Fn(DVec3) -> DVec3 + Sync)) -> Vec<Vec<DVec3>> {
    let mut all = filaments.to_vec();
    if wall {
        all.extend(filaments.iter().map(Filament::image));
    }
    // A filament with a period continues on both sides.
    let copies = filaments.iter().filter(|filament| filament.period != DVec3::ZERO);
    let shifted = copies.flat_map(|filament| {
        [-2.0, -1.0, 1.0, 2.0].map(|times| {
            let mut copy = filament.clone();
            copy.nodes.iter_mut().for_each(|node| *node += times * filament.period);
            copy
        })
    });
    let shifted: Vec<Filament> = shifted.collect();
    if wall {
        all.extend(shifted.iter().map(Filament::image));
    }
    all.extend(shifted);
    let velocity = |node: &DVec3| induced_velocity(&all, *node) + outer(*node);
    filaments.iter().map(|filament| filament.nodes.par_iter().map(velocity).collect()).collect()
}
