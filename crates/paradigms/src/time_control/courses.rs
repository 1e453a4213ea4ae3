//! Bounds on the motion of links until the next impulse, and checks that they hold.
//! A free body under gravity alone follows a parabola, and its angular speed stays below `|L| / I_min`, with L its
//! angular momentum (Mirtich and Canny 1995, section 3.3): no check is needed.
//! Trees of links are driven by motors and springs, and their links interact. With s = sqrt(2 T) the length of the
//! velocities in the metric of the mass matrix, `ds/dt` is at most the length of the applied forces in its inverse. By
//! Gauss's principle joints can only shorten that, so the links may be treated separately: gravity contributes `g
//! sqrt(M)`, an effort f on a hinge between links with moments I and I' `f sqrt(1/I + 1/I')`. A link of mass m then
//! accelerates by no more than the sum over sqrt(m), except for the rotation of its velocity, `2 w v`. Efforts and
//! moments change during a step, so this *growth* is an estimate: after every sub-step the velocities of all links are
//! compared with the bounds. If they changed by more, the sub-step is undone, the growth is doubled, and a shorter one
//! is made (Fontijne 2000, section 3.8.2). The same is done for free bodies under controllers, and for scripted ones.

use burgess_dynamics::spatial::Motion;
use burgess_dynamics::{AxisProperties, Motor, joint_efforts};
use burgess_simulation::{SimulationData, World};
use glam::{DMat3, DVec3};

use super::impact_bound::Course;

/// Rounding of velocities, in m/s.
const ROUNDING_TOLERANCE: f64 = 1e-9;

/// The motion bounds of all trees.
#[derive(Debug, Clone, Default)]
pub(super) struct Courses {
    /// For each tree, whether it is a free body under gravity alone.
    ballistic: Vec<bool>,
    /// Growth of each tree, in m/s^2.
    growth: Vec<f64>,
    /// Smallest moment of inertia of each link about its anchor, in kg m^2.
    least_inertia: Vec<f64>,
    /// Largest distance of the colliders of each link from its anchor, in m.
    reach: Vec<f64>,
    /// Velocity of each link at its anchor before the sub-step.
    before: Vec<Motion>,
    efforts: Vec<f64>,
}

impl Courses {
    /// Computes the bounds for a step from the state of the workspace.
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

    /// Renews the bound of a tree after an impulse. The growth never decreases, because others rely on it.
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

    /// Returns the motion bound of a collider's link.
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

    /// Stores the velocities before a sub-step.
    pub fn note(&mut self, data: &SimulationData) {
        self.before.clear();
        let velocity = |link| data.workspace.velocity_at(link, data.workspace.anchor(link));
        self.before.extend((0..self.reach.len()).map(velocity));
    }

    /// Checks after a sub-step of `step` s whether all trees kept their bounds. The growth of those that did not is
    /// raised.
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
            if worst > self.growth[index] * step + ROUNDING_TOLERANCE {
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
        // The moment of a rod about its centre is used for any link.
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

/// Returns the smallest eigenvalue of a symmetric positive definite matrix, by the trigonometric solution of its
/// characteristic equation.
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
