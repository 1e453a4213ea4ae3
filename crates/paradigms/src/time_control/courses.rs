//! What is promised about the motion of links until the next impulse, and whether the promise was kept.
//!
//! A free body on which nothing acts but gravity is on a parabola, and its angular speed stays below `|L| / I_min`, L
//! being its angular momentum (Mirtich and Canny 1995, section 3.3): nothing to check.
//!
//! Trees of links are driven by motors and springs, and pull at each other. With s = sqrt(2 T) the length of the
//! velocities in the metric of the mass matrix, `ds/dt` is at most the length of the applied forces in its inverse; by
//! Gauss's principle joints only ever shorten that, so the links may be taken apart: gravity contributes `g sqrt(M)`,
//! an effort f on a hinge between links with moments I and I' `f sqrt(1/I + 1/I')`. A link of mass m then accelerates
//! by no more than the sum over sqrt(m), apart from what its velocity does by turning, `2 w v`. Efforts and moments
//! change on the way, so this *growth* is an estimate: after every sub-step the velocities of all links are compared
//! with what was promised. If they changed by more, the sub-step is undone, the growth doubled, and a shorter one made
//! (Fontijne 2000, section 3.8.2). The same is done for free bodies under controllers, and for scripted ones.

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, Motor, joint_efforts};
use burgess_simulation::{SimulationData, World};
use glam::{DMat3, DVec3};

use super::impact_bound::Course;

/// Rounding of velocities, in m/s.
const ROUNDING: f64 = 1e-9;

/// The promises of all trees.
#[derive(Debug, Clone, Default)]
pub(super) struct Courses {
    /// By tree: a free body that nothing acts on but gravity?
    ballistic: Vec<bool>,
    /// By tree, in m/s^2.
    growth: Vec<f64>,
    /// By link: the smallest moment of inertia about its anchor, in kg m^2.
    least_inertia: Vec<f64>,
    /// By link: how far its colliders reach from its anchor, in m.
    reach: Vec<f64>,
    /// By link: velocity at the anchor before the sub-step.
    before: Vec<Motion>,
    efforts: Vec<f64>,
}

impl Courses {
    /// Makes promises for a step from the state of the workspace.
    pub fn begin(&mut self, data: &SimulationData) {
        let SimulationData { world, state, .. } = data;
        if self.reach.len() != world.model().links().len() {
            self.measure(world);
        }
        self.ballistic.clear();
        self.ballistic.extend(world.trees().iter().map(|tree| {
            let properties = &world.model().properties()[tree.dofs.clone()];
            let has_motors = state.motors[tree.dofs.clone()].iter().any(|motor| *motor != Motor::None);
            tree.is_free_body && !data.controllers.has_low_level() && !has_motors && properties.iter().all(acts_not)
        }));
        self.growth.clear();
        self.growth.resize(world.trees().len(), 0.0);
        self.efforts.resize(world.model().dofs(), 0.0);
        if self.ballistic.iter().any(|ballistic| !ballistic) {
            joint_efforts(world.model(), &state.motors, &state.q, &state.v, &mut self.efforts);
            (0..world.trees().len()).for_each(|tree| self.renew(data, tree));
        }
    }

    /// Makes the promise of a tree anew, after an impulse; never a smaller growth than before, which others rely on.
    pub fn renew(&mut self, data: &SimulationData, tree: usize) {
        if !self.ballistic[tree] {
            let estimate = if data.world.trees()[tree].is_fixed {
                self.growth_of_script(data, tree)
            } else {
                self.growth_of_tree(data, tree)
            };
            self.growth[tree] = self.growth[tree].max(estimate);
        }
    }

    /// How a collider's link may move.
    pub fn course(&self, data: &SimulationData, link: Option<usize>) -> Course {
        let Some(link) = link else { return Course::STILL };
        let (world, workspace) = (&data.world, &data.workspace);
        let tree = world.tree_of_link(link);
        let anchor = workspace.anchor(link);
        let Motion { angular, linear: velocity } = workspace.velocity_at(link, anchor);
        let growth = self.growth[tree];
        if !self.ballistic[tree] {
            return Course { anchor, velocity, acceleration: DVec3::ZERO, growth, turning: angular.length() };
        }
        let momentum = workspace.rigid_inertia(world.model(), link).about_point.to_matrix() * angular;
        let turning = momentum.length() / self.least_inertia[link];
        Course { anchor, velocity, acceleration: world.model().gravity, growth, turning }
    }

    /// Remembers the velocities before a sub-step.
    pub fn note(&mut self, data: &SimulationData) {
        self.before.clear();
        let velocity = |link| data.workspace.velocity_at(link, data.workspace.anchor(link));
        self.before.extend((0..self.reach.len()).map(velocity));
    }

    /// After a sub-step of `step` s: did all trees move as promised? The growth of those that did not is raised.
    pub fn kept(&mut self, data: &SimulationData, step: f64) -> bool {
        let mut kept = true;
        for (index, tree) in data.world.trees().iter().enumerate() {
            if self.ballistic[index] {
                continue;
            }
            let mut worst = 0.0_f64;
            for link in tree.links.clone() {
                let now = data.workspace.velocity_at(link, data.workspace.anchor(link));
                let before = self.before[link];
                let turning = (now.angular - before.angular).length() * self.reach[link];
                worst = worst.max((now.linear - before.linear).length()).max(turning);
            }
            if worst > self.growth[index] * step + ROUNDING {
                self.growth[index] = (2.0 * self.growth[index]).max(1.5 * worst / step);
                kept = false;
            }
        }
        kept
    }

    fn measure(&mut self, world: &World) {
        let links = world.model().links();
        self.least_inertia = links.iter().map(|l| smallest_eigenvalue(&l.inertia.about_point.to_matrix())).collect();
        self.reach = vec![0.0; links.len()];
        for collider in world.colliders() {
            if let Some(link) = collider.link {
                self.reach[link] = self.reach[link].max(collider.reach);
            }
        }
    }

    fn growth_of_tree(&self, data: &SimulationData, tree: usize) -> f64 {
        let model = data.world.model();
        let tree = &data.world.trees()[tree];
        let links = &model.links()[tree.links.clone()];
        let mass: f64 = links.iter().map(|link| link.inertia.mass).sum();
        let lightest = links.iter().map(|link| link.inertia.mass).fold(f64::INFINITY, f64::min);
        // A rod's moment about its middle stands for any link's.
        let inertia = |link: usize| model.links()[link].inertia.mass * self.reach[link] * self.reach[link] / 12.0;
        let mut force = model.gravity.length() * mass.sqrt();
        for (index, link) in tree.links.clone().zip(links) {
            let own = 1.0 / inertia(index).max(1e-12);
            let give = own + link.parent().map_or(0.0, |parent| 1.0 / inertia(parent).max(1e-12));
            for effort in &self.efforts[link.v..link.v + link.dofs as usize] {
                force += effort.abs() * give.sqrt();
            }
        }
        let (mut fastest, mut spin) = (0.0_f64, 0.0_f64);
        for link in tree.links.clone() {
            let Motion { angular, linear } = data.workspace.velocity_at(link, data.workspace.anchor(link));
            spin = spin.max(angular.length());
            fastest = fastest.max(linear.length() + angular.length() * self.reach[link]);
        }
        force / lightest.max(1e-12).sqrt() + 2.0 * spin * fastest
    }

    fn growth_of_script(&self, data: &SimulationData, tree: usize) -> f64 {
        let links = data.world.trees()[tree].links.clone();
        let script = data.world.scripts().iter().find(|(link, _)| links.contains(link));
        script.map_or(0.0, |(link, script)| {
            let motion = script.motion(data.state.time);
            let reach = self.reach[*link];
            let spin = motion.velocity.angular.length();
            let acceleration = motion.acceleration.linear.length() + motion.acceleration.angular.length() * reach;
            1.5 * acceleration + 0.5 * spin * (spin * reach + motion.velocity.linear.length())
        })
    }
}

/// Returns whether no spring, damper or friction acts on an axis.
fn acts_not(axis: &AxisProperties) -> bool {
    axis.stiffness == 0.0 && axis.damping == 0.0 && axis.friction == 0.0
}

/// Of a symmetric matrix with positive eigenvalues: the trigonometric solution of its characteristic equation.
fn smallest_eigenvalue(m: &DMat3) -> f64 {
    let mean = (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0;
    let deviation = *m - DMat3::from_diagonal(DVec3::splat(mean));
    let squares = deviation.to_cols_array().iter().map(|x| x * x).sum::<f64>();
    let size = (squares / 6.0).sqrt();
    if size <= 1e-12 * mean {
        return mean;
    }
    let angle = libm::acos((0.5 * (deviation * (1.0 / size)).determinant()).clamp(-1.0, 1.0)) / 3.0;
    mean + 2.0 * size * libm::cos(angle + 2.0 * std::f64::consts::FRAC_PI_3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_eigenvalues_of_turned_diagonals() {
        let turn = DMat3::from_quat(glam::DQuat::from_scaled_axis(DVec3::new(0.3, -1.2, 0.7)));
        for diagonal in [DVec3::new(3.0, 1.0, 2.0), DVec3::new(1.0, 1.0, 5.0), DVec3::splat(2.0)] {
            let m = turn * DMat3::from_diagonal(diagonal) * turn.transpose();
            assert!((smallest_eigenvalue(&m) - diagonal.min_element()).abs() < 1e-7);
        }
    }
}
