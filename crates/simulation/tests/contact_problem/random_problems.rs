use super::scenes::*;
use burgess_simulation::constraint_solver::contact_problem::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

#[test]
fn explore() {
    let mut random = Pcg64::seed_from_u64(1);
    let kinds: [(&str, Box<dyn Fn(&mut Pcg64) -> Scene>); 9] = [
        ("box", Box::new(|r| random_box(r, 0.0))),
        ("box bias", Box::new(|r| random_box(r, 0.1))),
        ("stack3 1", Box::new(|r| random_stack(r, 3, 1.0, 0.01))),
        ("stack3 1e3", Box::new(|r| random_stack(r, 3, 1e3, 0.01))),
        ("stack3 1e6", Box::new(|r| random_stack(r, 3, 1e6, 0.01))),
        ("stack6 1e6", Box::new(|r| random_stack(r, 6, 1e6, 0.01))),
        ("stack3 push", Box::new(|r| random_stack(r, 3, 1e1, 0.3))),
        ("stack3 push 1e6", Box::new(|r| random_stack(r, 3, 1e6, 0.3))),
        ("mix", Box::new(random_mixture)),
    ];
    for (name, kind) in &kinds {
        let mut solver = ContactSolver::default();
        let mut times = Vec::new();
        let (mut ipm, mut ipms) = (0, 0);
        let mut counts = [0; 5];
        let (mut unconverged, mut worst, mut fact, mut sweeps, mut maxfact) = (0, 0.0f64, 0, 0, 0);
        for _ in 0..500 {
            let problem = kind(&mut random).problem();
            let mut x = Vec::new();
            let t0 = std::time::Instant::now();
            let report = solver.solve(&problem, &mut x);
            times.push(t0.elapsed().as_nanos());
            counts[report.path as usize] += 1;
            unconverged += u32::from(!report.converged);
            fact += report.factorizations;
            maxfact = maxfact.max(report.factorizations);
            sweeps += report.sweeps;
            if report.path == Path::InteriorPoint {
                ipms += 1;
                ipm += report.factorizations;
            }
            if report.converged {
                worst = worst.max(report.residual);
            }
        }
        times.sort();
        print!(
            "us {:.1} {:.1} {:.1} ",
            times[250] as f64 / 1e3,
            times[450] as f64 / 1e3,
            times.iter().sum::<u128>() as f64 / 5e5
        );
        println!(
            "{name:16} warm/stick/newton/gs {counts:?} unconverged {unconverged} worst {worst:.1e} fact {} max {maxfact} sweeps {} ipms {ipms} mean {}",
            fact as f64 / 500.0,
            sweeps as f64 / 500.0,
            ipm as f64 / ipms as f64
        );
    }
}
