//! Runs high-level controllers and carries out their orders: motor targets and impulses.

use burgess_dynamics::ImpulseResponse;

use crate::stage::Stage;

/// Runs the high-level controllers that are due, sets motors and applies impulses. Trees that get orders wake up.
pub(crate) fn run_controllers(stage: &mut Stage, response: &mut ImpulseResponse) {
    if !stage.controllers.are_due(stage.state.time) {
        return;
    }
    stage.update_kinematics();
    let Stage { world, state, workspace, controllers, rest, pairs, controls, .. } = stage;
    controllers.run(world, state, workspace, pairs, controls);
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
        stage.factor_inertias();
        for (link, impulse, point) in orders.drain(..) {
            stage.rest.wake(stage.world.tree_of_link(link));
            response.push(stage.world.model(), &stage.workspace, link, impulse, point);
        }
        response.propagate(stage.world.model(), &stage.workspace);
        for (v, change) in stage.state.v.iter_mut().zip(response.joint_velocities()) {
            *v += change;
        }
    }
    *stage.controllers.take_orders().1 = orders;
}
