//! Scratch: random bodies in a bin.
use burgess_dynamics::{AxisProperties, JointSpec};
use burgess_geometry::shape::*;
use burgess_geometry::{Polyhedron, Pose, Shape};
use burgess_simulation::{ColliderSpec, Material, Paradigm, WorldBuilder};
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
fn main() {
    let seed: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let seconds: f64 = std::env::args().nth(3).unwrap().parse().unwrap();
    let e: f64 = std::env::args().nth(4).map_or(0.0, |s| s.parse().unwrap());
    let mut r = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let mut b = WorldBuilder::new();
    b.default_material(Material { restitution: e, friction: 0.5, ..Material::default() });
    b.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)));
    let w = 2.8;
    b.self_collision(false);
    for (p, ax) in [(DVec3::X, DVec3::Y), (-DVec3::X, -DVec3::Y), (DVec3::Y, -DVec3::X), (-DVec3::Y, DVec3::X)] {
        // half spaces facing inwards
        let q = DQuat::from_rotation_arc(DVec3::Z, -p);
        let _ = ax;
        b.fixed(ColliderSpec::new(Shape::HalfSpace(HalfSpace)).at(Pose::new(q, p * w)));
    }
    let shape = |r: &mut rand_pcg::Pcg64Mcg| -> Shape {
        let mut s = || r.random_range(0.05..0.25);
        let k = (s() * 1000.0) as usize % 8;
        match k {
            0 => Shape::Sphere(Sphere::new(s()).unwrap()),
            1 => Shape::Cuboid(Cuboid::new(DVec3::new(s(), s(), s())).unwrap()),
            2 => Shape::Capsule(Capsule::new(s(), s()).unwrap()),
            3 => Shape::Cylinder(Cylinder::new(s(), s()).unwrap()),
            4 => Shape::Cone(Cone::new(s(), s()).unwrap()),
            5 => Shape::Ellipsoid(Ellipsoid::new(DVec3::new(s(), s(), s())).unwrap()),
            6 => Shape::Frustum(Frustum::new(s(), s() * 0.5, s()).unwrap()),
            _ => {
                let pts: Vec<DVec3> = (0..12).map(|_| DVec3::new(s() - 0.15, s() - 0.15, s() - 0.15) * 2.0).collect();
                Shape::Polyhedron(std::sync::Arc::new(Polyhedron::hull(&pts).unwrap()))
            }
        }
    };
    let mut k = 0;
    while k < n {
        let place = Pose::new(
            DQuat::from_scaled_axis(DVec3::new(0.0, 0.0, r.random_range(-2.0..2.0))),
            DVec3::new(r.random_range(-0.5..0.5), r.random_range(-0.5..0.5), 0.6 + 0.65 * k as f64),
        );
        let s0 = shape(&mut r);
        let root = b.body(&format!("b{k}"), place, [ColliderSpec::new(s0)]).unwrap();
        k += 1;
        if k % 4 == 0 {
            let mut parent = root;
            for _ in 0..3 {
                let s1 = shape(&mut r);
                let j = match r.random_range(0..3) {
                    0 => JointSpec::revolute(DVec3::X).with(AxisProperties {
                        limit: Some((-0.5, 0.5)),
                        friction: 0.1,
                        ..Default::default()
                    }),
                    1 => JointSpec::spherical().with(AxisProperties { limit: Some((0.0, 0.8)), ..Default::default() }),
                    _ => JointSpec::universal(DVec3::X, DVec3::Y).with(AxisProperties {
                        stiffness: 5.0,
                        damping: 0.5,
                        ..Default::default()
                    }),
                };
                parent = b
                    .link(
                        &format!("l{k}"),
                        Some(parent),
                        j.in_parent(Pose::from_translation(DVec3::X * 0.25))
                            .in_child(Pose::from_translation(-DVec3::X * 0.25)),
                        None,
                        [ColliderSpec::new(s1)],
                    )
                    .unwrap();
            }
        }
    }
    let (world, state) = b.build().unwrap();
    let mut s = Paradigm::TimeStepping.simulate(world, state, 1.0 / 240.0).unwrap();
    let t = std::time::Instant::now();
    let e0 = s.energy();
    let (mut deepest, mut sweeps, mut residual, mut contacts, mut slow) = (0.0_f64, 0, 0.0_f64, 0, 0.0_f64);
    let mut next = 0.0;
    let mut last = e0;
    let mut kes0 = vec![0.0; s.world().trees().len()];
    let mut v0 = s.state().v.clone();
    while s.state().time < seconds {
        let t1 = std::time::Instant::now();
        if let Err(e) = s.step() {
            println!("{e}");
            break;
        }
        let en = s.energy();
        let kes: Vec<f64> = (0..s.world().trees().len())
            .map(|t| {
                let st = s.stage();
                burgess_dynamics::tree_observables(
                    st.world.model(),
                    &st.state,
                    &st.workspace,
                    st.world.trees()[t].links.start,
                )
                .kinetic_energy
            })
            .collect();
        if en > last + 50.0 {
            let worst =
                kes.iter().zip(&kes0).map(|(a, b)| a - b).enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            let tree = &s.world().trees()[worst.0];
            println!(
                "tree {:?} {} KE {} from {}: v {:?} before {:?}",
                tree.links,
                s.world().model().name(tree.links.start),
                kes[worst.0],
                kes0[worst.0],
                &s.state().v[tree.dofs.clone()],
                &v0[tree.dofs.clone()]
            );
            println!("JUMP at {} from {last} to {en} {:?}", s.state().time, s.statistics());
        }
        last = en;
        kes0 = kes;
        v0 = s.state().v.clone();
        slow = slow.max(t1.elapsed().as_secs_f64());
        deepest = deepest.max(s.statistics().penetration);
        sweeps += s.statistics().solver.sweeps;
        residual = residual.max(s.statistics().solver.residual);
        contacts += s.statistics().contacts;
        if s.state().time >= next {
            next += seconds / 10.0;
            let e = s.energy();
            println!(
                "t {:.2} energy {e:.3} deepest {deepest:.2e} residual {residual:.1e} sweeps {sweeps} contacts {} slowest {:.1} ms",
                s.state().time,
                s.statistics().contacts,
                slow * 1e3
            );
            (deepest, sweeps, residual, slow) = (0.0, 0, 0.0, 0.0);
        }
    }
    println!(
        "{} trees, e0 {e0:.2}, {:.1} us/step, contacts {:.0}",
        s.world().trees().len(),
        t.elapsed().as_secs_f64() * 1e6 / s.steps() as f64,
        contacts as f64 / s.steps() as f64
    );
}
