//! Motion between impulses: gravity, motors, springs and controllers act, contacts do not. For paradigms in which all
//! contacts are collisions (Fontijne 2000, section 3.8; Erleben 2002, section 3.3).
//! Dry friction in joints is an impulse of at most `friction h` against the velocity at the end of the step.
//! Constraints that close loops are rows of the same solve, so a collision that violates one is corrected in the next
//! motion, and so are soft limits. Hard joint limits are left to the collision solver.

use std::fmt::Debug;

use burgess_dynamics::Link;
use burgess_dynamics::integrators::{Integrator, SemiImplicitMidpoint, advance_positions};
use burgess_geometry::Pose;
use burgess_simulation::constraint_solver::contact_problem::Law;
use burgess_simulation::constraint_solver::{RowContext, VelocitySolver, add_constraints, add_soft_limit};
use burgess_simulation::contact_space::{ContactSpace, RowEnd};
use burgess_simulation::modules::{MotionSolver, Moved};
use burgess_simulation::{Failure, SimulationData};
use glam::{DMat3, DVec3};

/// Maximum rotation of a link in a sub-step, in rad: beyond it integrators add energy, most of all to thin bodies.
const MAX_TURN: f64 = 0.1;
/// Maximum number of sub-steps.
const MAX_SUBSTEPS: f64 = 1000.0;
/// Maximum speed at which the error of a constraint is corrected, in m/s.
const RECOVERY_SPEED: f64 = 1.0;

/// Any integrator, without contact forces.
#[derive(Debug)]
pub struct FreeMotion<I = SemiImplicitMidpoint> {
    integrator: I,
    bonds: Bonds,
    /// By link.
    is_ball: Vec<bool>,
}

impl FreeMotion {
    /// Creates a motion solver with the default integrator.
    pub fn new(data: &SimulationData) -> Self {
        Self::with_integrator(data, SemiImplicitMidpoint::new(data.world.model()))
    }
}

impl<I: Integrator + Debug + Send> FreeMotion<I> {
    /// Creates a motion solver with another integrator, for example [`Rk4`](burgess_dynamics::integrators::Rk4).
    pub fn with_integrator(data: &SimulationData, integrator: I) -> Self {
        Self { integrator, bonds: Bonds::default(), is_ball: find_balls(data) }
    }
}

impl<I: Integrator + Debug + Send> MotionSolver for FreeMotion<I> {
    fn integrate_positions(&mut self, data: &mut SimulationData, step: f64) -> Result<Moved, Failure> {
        let workspace = &data.workspace;
        let spin = |link: usize| workspace.velocity_at(link, workspace.anchor(link)).angular.length();
        let others = (0..self.is_ball.len()).filter(|&link| !self.is_ball[link]);
        let spin = others.map(spin).fold(0.0, f64::max);
        let pieces = (spin * step / MAX_TURN).ceil().clamp(1.0, MAX_SUBSTEPS);
        for _ in 0..pieces as usize {
            let (model, state, mut acting, workspace) = data.for_motion();
            self.integrator.step(model, state, &mut acting, workspace, step / pieces).map_err(Failure::Motion)?;
            self.bonds.hold(data, step / pieces);
        }
        Ok(Moved::Fully)
    }
}

/// Free bodies with equal principal moments: their spin needs no integration.
fn find_balls(data: &SimulationData) -> Vec<bool> {
    let world = &data.world;
    let is_ball = |(index, link): (usize, &Link)| {
        let inertia = link.inertia.about_point.to_matrix();
        let mean = (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z) / 3.0;
        let isotropic = inertia.abs_diff_eq(DMat3::from_diagonal(DVec3::splat(mean)), 1e-9 * mean);
        isotropic && world.trees()[world.tree_of_link(index)].is_free_body
    };
    world.model().links().iter().enumerate().map(is_ball).collect()
}

/// Adds dry friction and soft limits of all joints, and all constraints.
#[derive(Debug, Default)]
struct Bonds {
    space: ContactSpace,
    solver: VelocitySolver,
    rows: Vec<u32>,
    changes: Vec<f64>,
    link_poses: Vec<Pose>,
}

impl Bonds {
    fn hold(&mut self, data: &mut SimulationData, step: f64) {
        let smooth = (data.world.model().properties().iter())
            .all(|properties| properties.friction == 0.0 && properties.limit_spring.is_none());
        if smooth && data.world.constraints().is_empty() && data.world.tendons().is_empty() {
            return;
        }
        data.factor_inertias();
        let Self { space, solver, rows, changes, link_poses } = self;
        space.begin(&data.world, &data.workspace, &data.state.v);
        let model = data.world.model();
        link_poses.clear();
        link_poses.extend((0..model.links().len()).map(|link| data.workspace.pose(model, link)));
        let context = RowContext {
            world: &data.world,
            workspace: &data.workspace,
            q: &data.state.q,
            v: &data.state.v,
            step,
            link_poses,
            start_velocities: &data.state.v,
            weight: None,
            memory: None,
            recovery_speed: RECOVERY_SPEED,
            push: 0.0,
        };
        for (index, link) in model.links().iter().enumerate() {
            for axis in 0..link.dofs as usize {
                let properties = &model.properties()[link.v + axis];
                if properties.friction > 0.0 {
                    let end = RowEnd::Joint { link: index, dof: link.v + axis, coefficients: DVec3::X };
                    let law = Law::Bounded { limit: properties.friction * step };
                    space.add_row(&data.world, &data.workspace, [end, RowEnd::Nothing], law);
                }
                if let Some(spring) = &properties.limit_spring {
                    add_soft_limit(&context, space, spring, index, axis);
                }
            }
        }
        add_constraints(&context, space);
        rows.clear();
        rows.extend(0..space.rows().len() as u32);
        solver.solve(space, &[], rows);
        changes.clear();
        changes.extend_from_slice(&data.state.v);
        space.store(&data.world, &data.workspace, &mut data.state.v);
        for (change, v) in changes.iter_mut().zip(&data.state.v) {
            *change = v - *change;
        }
        // A force throughout the step changes positions by half of its effect on the final velocity.
        advance_positions(data.world.model(), &mut data.state.q, changes, 0.5 * step);
    }
}
