//! Steps do not allocate.

use crate::motion_support::{Joints, random_tree};
use burgess_dynamics::integrators::{
    ImplicitMidpoint, Integrator, Rk4, Rk4Adaptive, SemiImplicitEuler, SemiImplicitMidpoint, Tolerance,
};
use burgess_dynamics::{Drag, DragLaw, Workspace};
use glam::DVec3;

#[test]
fn steps_allocate_nothing() {
    let (model, mut state) = random_tree(3, 8, Joints::Mixed, true, DVec3::ZERO, 1.0);
    let mut workspace = Workspace::new(&model);
    let mut drag = Drag::new(DragLaw::Linear { coefficient: 1.0 });
    drag.add_box(0, DVec3::ZERO, DVec3::splat(0.2));
    let mut integrators: [Box<dyn Integrator>; 5] = [
        Box::new(SemiImplicitMidpoint::new(&model)),
        Box::new(SemiImplicitEuler::new(&model)),
        Box::new(Rk4::new(&model)),
        Box::new(Rk4Adaptive::new(&model, Tolerance::default())),
        Box::new(ImplicitMidpoint::new(&model)),
    ];
    let count = allocation_counter::measure(|| {
        for integrator in &mut integrators {
            for _ in 0..10 {
                integrator.step(&model, &mut state, &mut drag, &mut workspace, 1.0 / 240.0).unwrap();
            }
        }
    });
    assert_eq!(count.count_total, 0);
}
