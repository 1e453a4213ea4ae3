use burgess_audit::families;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (seed, family, index, rate, seconds) = (
        a[1].parse::<u64>().unwrap(),
        &a[2],
        a[3].parse::<u64>().unwrap(),
        a[4].parse::<f64>().unwrap(),
        a[5].parse::<f64>().unwrap(),
    );
    let n: usize = a.get(6).and_then(|n| n.parse().ok()).unwrap_or(20);
    let case = if let Some(f) = families::FAMILIES.iter().find(|f| f.name == family) {
        (f.draw)(&mut burgess_audit::random::Random::new(seed, f.name, index)).unwrap()
    } else {
        (families::NAMED.iter().find(|n| n.name == family).unwrap().make)().unwrap()
    };
    println!("{}", case.what);
    let mut sim = burgess_simulation::Simulation::new(case.world, case.state, 1.0 / rate).unwrap();
    let steps = (seconds * rate) as usize;
    let e0 = sim.energy();
    let (mut subs, mut err) = (0, 0f64);
    for k in 0..=steps {
        if k % (steps / n).max(1) == 0 {
            let o = sim.observables();
            let e = sim.energy();
            let st = *sim.statistics();
            println!(
                "{:.3} E {:+.5} T {:.3e} com {:.5} contacts {} depth {:.1e} subs {} err {:.1e} direct {} swept {} sweeps {} res {:.1e} v {:.3?}",
                sim.state().time,
                e - e0,
                o.kinetic_energy,
                o.center_of_mass,
                st.contacts,
                st.penetration,
                subs,
                err,
                st.solver.direct,
                st.solver.swept,
                st.solver.sweeps,
                st.solver.residual,
                &sim.state().v[..sim.state().v.len().min(8)]
            );
            subs = 0;
            err = 0.0;
        }
        sim.step().unwrap();
        subs += sim.statistics().sub_steps;
        err = err.max(sim.statistics().energy_error);
    }
}
