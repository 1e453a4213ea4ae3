//! The functions that a step calls do not allocate once their memory exists.

use crate::oracle::random::Random;
use burgess_dynamics::{
    ContactPoint, ImpulseResponse, Workspace, bias_efforts, collision_matrix, coupling_matrix, forward_dynamics,
    inverse_dynamics, inverse_inertia, observables, tree_observables,
};
use glam::DVec3;

#[test]
fn the_passes_allocate_nothing() {
    for seed in 0..20 {
        let case = Random::new(seed).forest(30);
        let (model, state) = (&case.model, &case.state);
        let mut workspace = Workspace::new(model);
        let mut response = ImpulseResponse::new(model);
        let mut efforts = vec![0.0; model.dofs()];
        let accelerations = vec![0.5; model.dofs()];
        let mut sum = DVec3::ZERO;
        let counted = allocation_counter::measure(|| {
            workspace.clear_forces();
            workspace.apply_force(3, DVec3::X, DVec3::Y, DVec3::Z);
            bias_efforts(model, state, &mut workspace, &mut efforts);
            inverse_dynamics(model, state, &accelerations, &mut workspace, &mut efforts);
            forward_dynamics(model, state, &efforts, &mut workspace);
            for link in 0..model.links().len() {
                let contact = ContactPoint { first: Some(link), second: Some(7), point: DVec3::ONE };
                let ground = ContactPoint { second: None, ..contact };
                sum += collision_matrix(model, &workspace, &contact) * DVec3::ONE;
                sum += coupling_matrix(model, &workspace, &contact, &ground) * DVec3::ONE;
                sum += inverse_inertia(model, &workspace, (link, DVec3::X), (5, DVec3::Y)).linear_by_force.x_axis;
                response.push(model, &workspace, link, DVec3::X, DVec3::ZERO);
                response.propagate(model, &workspace);
                sum += response.velocity_at(&workspace, 4, DVec3::ZERO).linear;
                sum += workspace.acceleration_at(model, link, DVec3::X).linear + workspace.joint_reaction(link).force;
                sum += tree_observables(model, state, &workspace, link).center_of_mass;
            }
            sum += observables(model, state, &workspace).linear_momentum;
        });
        assert_eq!(counted.count_total, 0, "seed {seed}");
        assert!(sum.is_finite());
    }
}
