//! The energy of loops and of trees that whirl.
//!
//! The step conserves energy to second order. Where a loop snaps taut or folds, and where the end of a chain cracks like a
//! whip, velocities change by their own size within a step, and that is not enough. For these trees alone the energy at
//! the end of the step is computed. It should be that of the start plus the work along the mean velocity m of efforts Q,
//! contacts, limits and springs; loops do none:
//!
//! ```text
//!   E' = E + h m . Q + sum of p . J m
//! ```
//!
//! The time control divides a step in which the difference is large. What remains is taken from the velocities by a factor,
//! which tears no loop. Trees that float freely keep their momenta: the factor applies to the motion relative to that of
//! all of them together as a rigid body. Groups on which forces from outside act, such as drag, are left as they are.

use burgess_dynamics::integrators::advance_positions;
use burgess_dynamics::joint::Joint;
use burgess_dynamics::{Observables, State, Workspace, tree_observables, update_kinematics};
use glam::{DMat3, DVec3};

use crate::constraint_solver::contact_problem::Law;
use crate::contact_space::ContactSpace;
use crate::simulation_data::SimulationData;
use crate::world::World;

/// Turn of a link in a step above which its tree whirls, in rad.
const WHIRLING_TURN: f64 = 0.03;
/// Maximum share of the kinetic energy that is taken, and that is added, in a step.
const MAX_TAKEN_SHARE: f64 = 0.99;
const MAX_ADDED_SHARE: f64 = 1.0;
/// Maximum share that is added in slow groups: at rest there is nothing to restore.
const MAX_SLOW_SHARE: f64 = 0.2;
/// A group is slow if its kinetic energy is below that of a fall over one step times this factor.
const SLOW_FACTOR: f64 = 10.0;

/// Finds and corrects the energy. It contains scratch memory.
#[derive(Debug, Clone, Default)]
pub(super) struct EnergyBalance {
    /// State and workspace at the start and at the end of a step.
    ends: Option<[(State, Workspace); 2]>,
    /// Trees that are corrected together: groups one after the other.
    trees: Vec<u32>,
    groups: Vec<Group>,
    /// Group of each tree.
    group_of: Vec<Option<u32>>,
}

/// Trees that are corrected together.
#[derive(Debug, Clone, Copy)]
struct Group {
    first: u32,
    end: u32,
    /// Energy that they should have at the end of the step, in J.
    expected: f64,
    /// Whether only impulses between its trees act.
    floats: bool,
}

impl EnergyBalance {
    /// Finds what the energy at the end of the step should be, given the impulses of the space. Returns the largest error
    /// of a group, relative to its kinetic energy.
    pub fn assess(&mut self, data: &SimulationData, space: &ContactSpace, step: f64) -> f64 {
        self.find_groups(data, space, step);
        if self.groups.is_empty() {
            return 0.0;
        }
        self.add_work(data, space, step);
        self.place(data, step);
        let Self { ends: Some([start, end]), trees, groups, .. } = self else { return 0.0 };
        let mut most = 0.0_f64;
        for group in groups {
            let trees = &trees[group.first as usize..group.end as usize];
            group.expected += totals(data, trees, start).energy();
            let whole = totals(data, trees, end);
            let error = (whole.energy() - group.expected).abs();
            if whole.kinetic_energy > SLOW_FACTOR * fall_energy(data, &whole, step) {
                most = most.max(error / whole.kinetic_energy);
            }
        }
        most
    }

    /// Corrects the velocities of the state, which is at the end of the step.
    pub fn correct(&mut self, data: &mut SimulationData, step: f64) {
        let Self { ends: Some([_, end]), groups, .. } = self else { return };
        if groups.is_empty() {
            return;
        }
        end.0.q.copy_from_slice(&data.state.q);
        end.0.v.copy_from_slice(&data.state.v);
        data.world.run_scripts(data.state.time, &mut end.1);
        update_kinematics(data.world.model(), &end.0, &mut end.1);
        for index in 0..self.groups.len() {
            self.correct_group(data, self.groups[index], step);
        }
    }

    /// Finds the trees of loops, and those that whirl.
    fn find_groups(&mut self, data: &SimulationData, space: &ContactSpace, step: f64) {
        self.trees.clear();
        self.groups.clear();
        self.group_of.clear();
        self.group_of.resize(data.world.trees().len(), None);
        let is_loop = |law: Law, softness: f64| law == Law::Bilateral && softness == 0.0;
        let detected = data.detection.groups();
        for row in space.rows().iter().filter(|row| is_loop(row.law, row.softness)) {
            let Some(tree) = space.tree_of_row(row) else { continue };
            if self.group_of[tree as usize].is_none() {
                match detected.group_of_body(tree) {
                    Some(group) => self.add_group(detected.group(group).bodies, data),
                    None => self.add_group(&[tree], data),
                }
            }
        }
        for (tree, own) in data.world.trees().iter().enumerate() {
            let turns = || own.dofs.clone().any(|dof| data.end_velocities[dof].abs() * step > WHIRLING_TURN);
            let presses = |&contact: &u32| space.blocks()[contact as usize].impulse != DVec3::ZERO;
            let touches = |group: usize| detected.group(group).contacts.iter().any(presses);
            let is_alone =
                || self.group_of[tree].is_none() && !detected.group_of_body(tree as u32).is_some_and(touches);
            if own.links.len() > 1 && is_alone() && turns() {
                self.add_group(&[tree as u32], data);
            }
        }
    }

    fn add_group(&mut self, trees: &[u32], data: &SimulationData) {
        // The work of forces from outside, such as drag, is not known here.
        let links = || trees.iter().flat_map(|tree| data.world.trees()[*tree as usize].links.clone());
        if links().any(|link| data.workspace.external_force(link) != (DVec3::ZERO, DVec3::ZERO)) {
            return;
        }
        let first = self.trees.len() as u32;
        let index = self.groups.len() as u32;
        for &tree in trees {
            self.group_of[tree as usize] = Some(index);
            self.trees.push(tree);
        }
        let model = data.world.model();
        let is_free = |tree: &u32| {
            let root = data.world.trees()[*tree as usize].links.start;
            model.links()[root].joint == Joint::Free
        };
        let floats = trees.iter().all(is_free);
        self.groups.push(Group { first, end: self.trees.len() as u32, expected: 0.0, floats });
    }

    /// Adds the work of efforts, contacts and rows to the groups.
    fn add_work(&mut self, data: &SimulationData, space: &ContactSpace, step: f64) {
        let mean = |dof: usize| 0.5 * (data.state.v[dof] + data.end_velocities[dof]);
        for (tree, own) in data.world.trees().iter().enumerate() {
            if let Some(group) = self.group_of[tree] {
                let work = own.dofs.clone().map(|dof| mean(dof) * data.joint_efforts[dof]).sum::<f64>();
                self.groups[group as usize].expected += step * work;
            }
        }
        let tree = |link: Option<usize>| link.map(|link| data.world.tree_of_link(link));
        for (index, contact) in data.detection.contacts().iter().enumerate() {
            let block = &space.blocks()[index];
            let end = space.relative_velocity(index) - block.drift;
            let work = 0.5 * block.impulse.dot(data.contact_motions[index].velocity + end);
            let trees = [tree(contact.link_a), tree(contact.link_b)];
            if let Some(group) = trees.iter().flatten().find_map(|tree| self.group_of[*tree]) {
                let group = &mut self.groups[group as usize];
                group.expected += work;
                group.floats &= block.impulse == DVec3::ZERO || trees.iter().all(Option::is_some);
            }
        }
        for (index, row) in space.rows().iter().enumerate() {
            let Some(group) = space.tree_of_row(row).and_then(|tree| self.group_of[tree as usize]) else { continue };
            let group = &mut self.groups[group as usize];
            if row.law != Law::Bilateral || row.softness > 0.0 {
                let start = space.row_velocity_at(&data.world, &data.workspace, index, &data.state.v);
                group.expected += 0.5 * row.impulse * (start + space.row_velocity(index));
            }
            group.floats &= space.is_between_trees(row);
        }
    }

    /// Brings the scratch states to the start and the end of the step.
    fn place(&mut self, data: &SimulationData, step: f64) {
        let model = data.world.model();
        let own = || (data.state.clone(), data.workspace.clone());
        let [start, end] = self.ends.get_or_insert_with(|| [own(), own()]);
        start.0.q.copy_from_slice(&data.start_positions);
        start.0.v.copy_from_slice(&data.state.v);
        end.0.q.copy_from_slice(&data.state.q);
        end.0.v.copy_from_slice(&data.end_velocities);
        advance_positions(model, &mut end.0.q, &data.end_velocities, 0.5 * step);
        for ((state, workspace), time) in [(start, -0.5), (end, 0.5)] {
            data.world.run_scripts(data.state.time + time * step, workspace);
            update_kinematics(model, state, workspace);
        }
    }

    /// Corrects one group.
    fn correct_group(&self, data: &mut SimulationData, group: Group, step: f64) {
        let Some([_, end]) = &self.ends else { return };
        let trees = &self.trees[group.first as usize..group.end as usize];
        let world = data.world.clone();
        let whole = totals(data, trees, end);
        let excess = whole.energy() - group.expected;
        let rigid =
            group.floats.then(|| RigidMotion::new(&whole, inertia(&world, trees, &end.1, whole.center_of_mass)));
        let free = whole.kinetic_energy - rigid.as_ref().map_or(0.0, |rigid| rigid.energy);
        let is_slow = free <= SLOW_FACTOR * fall_energy(data, &whole, step);
        let max_added = if is_slow { MAX_SLOW_SHARE } else { MAX_ADDED_SHARE };
        if free <= 0.0 || !excess.is_finite() || excess < -max_added * free {
            return;
        }
        let share = (excess / free).min(MAX_TAKEN_SHARE);
        let factor = (1.0 - share).sqrt();
        for &tree in trees {
            let tree = &world.trees()[tree as usize];
            let v = &mut data.state.v[tree.dofs.clone()];
            v.iter_mut().for_each(|v| *v *= factor);
            if let Some(rigid) = &rigid {
                let spin = rigid.spin * (1.0 - factor);
                let arm = end.1.anchor(tree.links.start) - whole.center_of_mass;
                let velocity = (rigid.velocity + rigid.spin.cross(arm)) * (1.0 - factor);
                for k in 0..3 {
                    v[k] += spin[k];
                    v[k + 3] += velocity[k];
                }
            }
        }
    }
}

/// Returns the totals of trees.
fn totals(data: &SimulationData, trees: &[u32], (state, workspace): &(State, Workspace)) -> Observables {
    let root = |tree: &u32| data.world.trees()[*tree as usize].links.start;
    let of = |tree: &u32| tree_observables(data.world.model(), state, workspace, root(tree));
    trees.iter().map(of).fold(Observables::default(), |sum, tree| add(&sum, &tree))
}

/// Returns the kinetic energy of a fall over one step, in J.
fn fall_energy(data: &SimulationData, whole: &Observables, step: f64) -> f64 {
    0.5 * whole.mass * data.world.model().gravity.length_squared() * step * step
}

/// Returns the inertia of trees with all joints locked, about a point.
fn inertia(world: &World, trees: &[u32], workspace: &Workspace, about: DVec3) -> DMat3 {
    let outer = |r: DVec3| DMat3::from_cols(r * r.x, r * r.y, r * r.z);
    let parallel = |r: DVec3| DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r);
    let of = |link: usize| {
        let inertia = workspace.rigid_inertia(world.model(), link);
        let moved = inertia.center + workspace.anchor(link) - about;
        inertia.about_point.to_matrix() + (parallel(moved) - parallel(inertia.center)) * inertia.mass
    };
    trees
        .iter()
        .flat_map(|tree| world.trees()[*tree as usize].links.clone())
        .fold(DMat3::ZERO, |sum, link| sum + of(link))
}

/// The motion of trees as one rigid body.
struct RigidMotion {
    velocity: DVec3,
    spin: DVec3,
    energy: f64,
}

impl RigidMotion {
    fn new(whole: &Observables, inertia: DMat3) -> Self {
        let (velocity, spin) = (whole.linear_momentum / whole.mass, inertia.inverse() * whole.angular_momentum);
        let energy = 0.5 * (velocity.dot(whole.linear_momentum) + spin.dot(whole.angular_momentum));
        Self { velocity, spin, energy }
    }
}

/// Adds the totals of two sets of links.
fn add(a: &Observables, b: &Observables) -> Observables {
    let mass = a.mass + b.mass;
    let center_of_mass = (a.center_of_mass * a.mass + b.center_of_mass * b.mass) / mass;
    let moment =
        |of: &Observables| of.angular_momentum + (of.center_of_mass - center_of_mass).cross(of.linear_momentum);
    Observables {
        mass,
        center_of_mass,
        linear_momentum: a.linear_momentum + b.linear_momentum,
        angular_momentum: moment(a) + moment(b),
        kinetic_energy: a.kinetic_energy + b.kinetic_energy,
        potential_energy: a.potential_energy + b.potential_energy,
    }
}
