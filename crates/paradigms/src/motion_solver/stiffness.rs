//! The rates of springs, dampers and motors of joints, which an explicit integrator has to resolve.
//!
//! With M the inertia and D and K the damping and stiffness of each axis, motions oscillate and decay at rates s that
//! solve `det(s^2 M + s D + K) = 0`, and none of them is faster than
//!
//! ```text
//!   |s| <= max(d, sqrt(k))          d, k: the largest eigenvalues of M^-1 D and M^-1 K
//! ```
//! since with d and k of its own mode each motion oscillates at `sqrt(k)`, or decays at less than d. The eigenvalues
//! are those of the symmetric `D^1/2 M^-1 D^1/2`, so they exceed neither its largest column sum nor its Frobenius norm.
//! Soft limits count as soon as the step may reach them: light feet on strong legs hit them hard. Tendons, springs
//! between bodies and controllers are not included.

use burgess_dynamics::{ImpulseResponse, Model, Motor};
use burgess_simulation::SimulationData;
use burgess_simulation::constraint_solver::{explicit_damping, limit_gap, opening_velocity};
use burgess_simulation::contact_space::RowEnd;

/// Distance below which limits are reached by any motion, in rad or m.
const NEAR_LIMIT: f64 = 1e-3;

/// Computes the rates; otherwise it holds only scratch memory.
#[derive(Debug, Clone)]
pub(super) struct Stiffness {
    response: ImpulseResponse,
    /// By degree of freedom, in N m s/rad or N s/m.
    damping: Vec<f64>,
    /// By degree of freedom, in N m/rad or N/m.
    stiffness: Vec<f64>,
}

/// Bounds on the largest eigenvalue of a symmetric matrix `D^1/2 M^-1 D^1/2`.
#[derive(Debug, Clone, Copy, Default)]
struct Bound {
    largest_column: f64,
    squares: f64,
}

impl Bound {
    /// Adds a column of M^-1, with the weight of its own axis and those of all.
    fn add_column(&mut self, column: &[f64], own: f64, weights: &[f64]) {
        let mut sum = 0.0;
        for (entry, weight) in column.iter().zip(weights) {
            let entry = entry * (own * weight).sqrt();
            sum += entry.abs();
            self.squares += entry * entry;
        }
        self.largest_column = self.largest_column.max(sum);
    }

    fn value(&self) -> f64 {
        self.largest_column.min(self.squares.sqrt())
    }
}

impl Stiffness {
    pub fn new(model: &Model) -> Self {
        Self {
            response: ImpulseResponse::new(model),
            damping: vec![0.0; model.dofs()],
            stiffness: vec![0.0; model.dofs()],
        }
    }

    /// Returns an upper bound on the fastest rate (1/s) of joint forces in the remaining time (s) of a step of `step`
    /// s. Zero if there are none.
    pub fn rate(&mut self, data: &mut SimulationData, left: f64, step: f64, with_limits: bool) -> f64 {
        let model = data.world.model();
        let has_limits = with_limits && model.properties().iter().any(|own| own.limit_spring.is_some());
        if !self.collect_drives(model, &data.state.motors) && !has_limits {
            return 0.0;
        }
        data.accelerate();
        if has_limits {
            self.add_limits(data, left, step);
        }
        let (world, workspace) = (&data.world, &data.workspace);
        let Self { response, damping, stiffness } = self;
        let mut fastest = 0.0_f64;
        for tree in world.trees() {
            let (mut damps, mut pulls) = (Bound::default(), Bound::default());
            for dof in tree.dofs.clone().filter(|&dof| damping[dof] > 0.0 || stiffness[dof] > 0.0) {
                response.drive(world.model(), dof, 1.0);
                response.propagate(world.model(), workspace);
                let column = &response.joint_velocities()[tree.dofs.clone()];
                damps.add_column(column, damping[dof], &damping[tree.dofs.clone()]);
                pulls.add_column(column, stiffness[dof], &stiffness[tree.dofs.clone()]);
            }
            fastest = fastest.max(damps.value()).max(pulls.value().sqrt());
        }
        fastest
    }

    /// Computes damping and stiffness of each axis, whatever its position. Returns false if there are none.
    fn collect_drives(&mut self, model: &Model, motors: &[Motor]) -> bool {
        let mut any = false;
        for (dof, own) in model.properties().iter().enumerate() {
            let (damping, stiffness) = match motors[dof] {
                Motor::None | Motor::Effort(_) => (0.0, 0.0),
                Motor::Velocity { gain, .. } => (gain, 0.0),
                Motor::Position { stiffness, damping, .. } => (damping, stiffness),
            };
            self.damping[dof] = own.damping + damping;
            self.stiffness[dof] = own.stiffness + stiffness;
            any |= self.damping[dof] > 0.0 || self.stiffness[dof] > 0.0;
        }
        any
    }

    /// Adds limits that the present velocities and accelerations may reach.
    fn add_limits(&mut self, data: &SimulationData, left: f64, step: f64) {
        let model = data.world.model();
        let (q, v, a) = (&data.state.q, &data.state.v, data.workspace.joint_acceleration());
        for (index, link) in model.links().iter().enumerate() {
            for axis in 0..link.dofs as usize {
                let Some(spring) = &model.properties()[link.v + axis].limit_spring else { continue };
                let Some((gap, end)) = limit_gap(model, q, index, axis) else { continue };
                let RowEnd::Joint { dof, coefficients, .. } = end else { continue };
                let [speed, change] = [v, a].map(|of| opening_velocity(&end, of).abs());
                if gap > (left * (2.0 * speed + left * change)).max(NEAR_LIMIT) {
                    continue;
                }
                // A ball joint reaches its limit about some axis between its own.
                let axes = coefficients.to_array().into_iter().enumerate().filter(|(_, along)| *along != 0.0);
                axes.clone().for_each(|(axis, along)| self.response.drive(model, dof + axis, along));
                self.response.propagate(model, &data.workspace);
                let inverse_inertia = opening_velocity(&end, self.response.joint_velocities());
                for (axis, _) in axes {
                    self.damping[dof + axis] += explicit_damping(spring, inverse_inertia, step);
                    self.stiffness[dof + axis] += spring.stiffness;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use burgess_dynamics::{AxisProperties, JointSpec, LimitSpring, mass_matrix};
    use burgess_geometry::shape::Capsule;
    use burgess_geometry::{Pose, Shape};
    use glam::DVec3;

    use super::*;
    use burgess_simulation::{ColliderSpec, WorldBuilder};

    const STEP: f64 = 1.0 / 240.0;

    /// Three hanging rods in a row, each lighter than the one before, with the same properties at each hinge.
    fn arm(properties: AxisProperties) -> SimulationData {
        let mut builder = WorldBuilder::new();
        let mut parent = None;
        for (name, length) in [("upper", 0.4), ("lower", 0.2), ("hand", 0.1)] {
            let rod = ColliderSpec::new(Shape::Capsule(Capsule::new(0.1 * length, 0.4 * length).unwrap()));
            let rod = ColliderSpec { mask: 0, ..rod }.at(Pose::from_translation(DVec3::Z * -0.5 * length));
            let place = if parent.is_some() { DVec3::Z * -2.0 * length } else { DVec3::ZERO };
            let joint = JointSpec::revolute(DVec3::Y).in_parent(Pose::from_translation(place)).with(properties);
            parent = Some(builder.link(name, parent, joint, None, [rod]).unwrap());
        }
        let (world, state) = builder.build().unwrap();
        SimulationData::new(world, state).unwrap()
    }

    fn rate(data: &mut SimulationData) -> f64 {
        Stiffness::new(data.world.model()).rate(data, STEP, STEP, true)
    }

    /// Returns the largest eigenvalue of M^-1: the maximum of `x x / x M x` over many directions.
    fn largest_inverse_inertia(data: &mut SimulationData) -> f64 {
        data.update_kinematics();
        let inertia = mass_matrix(data.world.model(), &data.workspace);
        let angles = (0..200).map(|k| f64::from(k) * std::f64::consts::PI / 200.0);
        let directions = angles.clone().flat_map(|a| angles.clone().map(move |b| (a, b)));
        let quotient = |(a, b): (f64, f64)| {
            let x = [libm::sin(a) * libm::cos(b), libm::sin(a) * libm::sin(b), libm::cos(a)];
            let mut product = [0.0; 3];
            inertia.multiply(&x, &mut product);
            1.0 / x.iter().zip(product).map(|(x, y)| x * y).sum::<f64>()
        };
        directions.map(quotient).fold(0.0, f64::max)
    }

    #[test]
    fn the_rates_of_dampers_and_springs_are_bounded_closely() {
        let largest = largest_inverse_inertia(&mut arm(AxisProperties::default()));
        let damped = rate(&mut arm(AxisProperties { damping: 3.0, ..AxisProperties::default() }));
        assert!((3.0 * largest..6.0 * largest).contains(&damped), "{damped}, at least {}", 3.0 * largest);
        let swinging = rate(&mut arm(AxisProperties { stiffness: 50.0, ..AxisProperties::default() }));
        let least = (50.0 * largest).sqrt();
        assert!((least..1.5 * least).contains(&swinging), "{swinging}, at least {least}");
        assert_eq!(rate(&mut arm(AxisProperties::default())), 0.0);
    }

    #[test]
    fn limits_count_when_they_are_near_and_stop_within_a_step() {
        let limit_spring = Some(LimitSpring { stiffness: 1.0, damping: 1e6 });
        let limited =
            |limit: f64| arm(AxisProperties { limit: Some((-limit, 1.0)), limit_spring, ..AxisProperties::default() });
        assert_eq!(rate(&mut limited(1.0)), 0.0);
        let near = rate(&mut limited(1e-4)) * STEP;
        assert!((1.0..4.0).contains(&near), "{near}");
    }
}
