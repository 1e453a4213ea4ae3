//! Runs high-level controllers and carries out their orders: motor targets and impulses.

use burgess_dynamics::ImpulseResponse;

use crate::simulation_data::SimulationData;

/// Runs the high-level controllers that are due, sets motors and applies impulses. Trees that get orders wake up.
pub(crate) fn run_controllers(data: &mut SimulationData, response: &mut ImpulseResponse) {
    if !data.controllers.are_due(data.state.time) {
        return;
    }
    data.update_kinematics();
    let SimulationData { world, state, workspace, controllers, rest, pressed_at, controls, .. } = data;
    controllers.run(world, state, workspace, pressed_at, controls);
    let (motors, impulses) = controllers.take_orders();
    for (dof, motor) in motors.drain(..) {
        if let Some(own) = state.motors.get_mut(dof) {
            *own = motor;
        }
        if let Some(tree) = world.trees().iter().position(|tree| tree.dofs.contains(&dof)) {
            rest.wake(tree);
        }
    }
    let mut orders = std::mem::take(impulses);
    if !orders.is_empty() {
        data.factor_inertias();
        for (link, impulse, point) in orders.drain(..) {
            data.rest.wake(data.world.tree_of_link(link));
            response.push(data.world.model(), &data.workspace, link, impulse, point);
        }
        response.propagate(data.world.model(), &data.workspace);
        for (v, change) in data.state.v.iter_mut().zip(response.joint_velocities()) {
            *v += change;
        }
        data.forget_velocities();
    }
    *data.controllers.take_orders().1 = orders;
}
