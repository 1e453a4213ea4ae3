//! Motion between impulses: gravity, motors, springs and controllers act, contacts do not. For paradigms whose contacts
//! are all collisions (Fontijne 2000, section 3.8; Erleben 2002, section 3.3).
//!
//! Dry friction in joints is an impulse of at most `friction h` against the velocity at the end of the step;
//! constraints that close loops are rows of the same solve, so that a collision that tears one is answered in the next
//! piece of motion, and so are limits that springs hold. Hard joint limits are left to the collision solver.

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

/// A step is cut into pieces in which no link turns farther than this, in rad: beyond it integrators feed energy, most
/// of all to thin bodies.
const TURN: f64 = 0.1;
/// But not in more pieces than this.
const MOST_PIECES: f64 = 1000.0;
/// The fastest that the error of a constraint is taken back, in m/s.
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
    /// With the usual integrator.
    pub fn new(data: &SimulationData) -> Self {
        Self::with_integrator(data, SemiImplicitMidpoint::new(data.world.model()))
    }
}

impl<I: Integrator + Debug + Send> FreeMotion<I> {
    /// With an integrator of choice, [`Rk4`](burgess_dynamics::integrators::Rk4) say.
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
        let pieces = (spin * step / TURN).ceil().clamp(1.0, MOST_PIECES);
        for _ in 0..pieces as usize {
            let (model, state, mut acting, workspace) = data.for_motion();
            self.integrator.step(model, state, &mut acting, workspace, step / pieces).map_err(Failure::Motion)?;
            self.bonds.hold(data, step / pieces);
        }
        Ok(Moved::Fully)
    }
}

/// Free bodies to which all axes are the same: however they spin, there is nothing to integrate.
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

/// Dry friction and soft limits of all joints, and all constraints.
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
        // A force all through the step changes positions by half of what it does to the last velocity.
        advance_positions(data.world.model(), &mut data.state.q, changes, 0.5 * step);
    }
}
