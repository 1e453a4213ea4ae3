//! Small audits.

use burgess_audit::families::{FAMILIES, NAMED};
use burgess_audit::{Plan, Report, Subject, table};
use burgess_paradigms::Paradigm;

fn plan(seconds: f64) -> Plan {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Plan { seed: 1, seconds, steps: vec![1.0 / 240.0, 1e-3], references: false, paradigm: None, threads }
}

fn audit(plan: &Plan, worlds: u64, families: &[&str]) -> Vec<Report> {
    let subjects = Subject::drawn(worlds, |family| families.contains(&family.name));
    assert_eq!(subjects.len() as u64, worlds, "unknown family");
    plan.examine_all(&subjects, || ()).unwrap()
}

fn drawn(family: &str, index: u64) -> Subject {
    Subject::Drawn(FAMILIES.iter().position(|own| own.name == family).unwrap(), index)
}

fn assert_no_failure(plan: &Plan, reports: &[Report]) {
    let failures = table::failures(reports, plan.seed);
    assert!(failures.is_empty(), "{}\n{failures}", table::by_family(reports, &plan.steps));
}

/// Families whose worlds obey their laws.
const SOUND: [&str; 12] = [
    "rolling",
    "tops",
    "loops",
    "chains",
    "motors",
    "trees",
    "heaps",
    "polyhedra",
    "sliding",
    "creatures",
    "discs",
    "hops",
];

/// The audit itself: 100 worlds of 5 s obey their laws.
#[test]
fn random_worlds_obey_their_laws() {
    let plan = plan(5.0);
    assert_no_failure(&plan, &audit(&plan, 100, &SOUND));
}

/// The known courses are those that the simulator approaches with short steps: at 0.1 ms it is within 2 %, also where it
/// makes impacts at the ends of steps.
#[test]
fn known_courses_are_limits() {
    let plan = Plan { seed: 0, steps: vec![1e-4], ..plan(1.0) };
    for report in audit(&plan, 24, &["footfalls", "springs"]) {
        let error = report.runs[0].motion.unwrap();
        assert!(error < 0.02, "{error} {report:?}");
    }
}

/// Two elastic bodies before a wall have the known numbers of collisions: digits of pi.
#[test]
fn collisions_before_a_wall_are_counted() {
    let plan = Plan { seed: 0, steps: vec![0.01], ..plan(0.01) };
    let reports = audit(&plan, 100, &["impacts"]);
    for (ratio, count) in [(1, 3), (100, 31), (10_000, 314)] {
        let found = reports.iter().filter(|report| report.what.contains(&format!("masses 1 : {ratio} and")));
        let all_agree = found.clone().all(|report| report.what.ends_with(&format!(" {count} collisions")));
        assert!(all_agree && found.count() > 0, "ratio {ratio}");
    }
}

/// Worlds with a limited time end then.
#[test]
fn worlds_end_with_what_is_known() {
    let plan = Plan { seed: 0, steps: vec![1.0 / 240.0], ..plan(60.0) };
    let report = plan.examine(drawn("impacts", 2)).unwrap();
    assert!(report.what.contains("mirror images"), "{report:?}");
    assert!(report.runs[0].violations.iter().all(|violation| violation.time < 1.01), "{report:?}");
}

/// Bodies that are struck on an edge turn by more than half a radian in a step, and do not dive into others.
#[test]
fn heaps_of_struck_bodies_obey_their_laws() {
    let plan = Plan { seed: 5, steps: vec![1.0 / 240.0], ..plan(2.0) };
    assert_no_failure(&plan, &audit(&plan, 40, &["heaps"]));
}

/// A contact that moves over the flat side of a stone by a sixth of its length in a step does not leave the ground.
#[test]
#[ignore = "loses or gains 7 % of the energy that it exchanges in 10 s"]
fn rattleback_keeps_its_energy() {
    let plan = Plan { steps: vec![1.0 / 240.0], ..plan(10.0) };
    let named = NAMED.iter().position(|named| named.name == "rattleback").unwrap();
    assert_no_failure(&plan, &[plan.examine(Subject::Named(named)).unwrap()]);
}

/// The corners of a polyhedron that spins are accelerated more than by gravity before they land. They bounce without
/// losing energy: 3.4 % were lost in these 13 s when they were slowed in the step before they land.
#[test]
fn spinning_polyhedra_bounce_without_loss() {
    let plan = Plan { seed: 15, steps: vec![1e-3], ..plan(13.0) };
    assert_no_failure(&plan, &[plan.examine(drawn("polyhedra", 7)).unwrap()]);
}

/// The links of a chain that hops speed up by more than a quarter in the step before they bounce, and keep their energy:
/// this chain lost 1.6 % when they were slowed.
#[test]
fn chains_bounce_without_loss() {
    let plan = Plan { steps: vec![1.0 / 240.0], ..plan(2.0) };
    assert_no_failure(&plan, &[plan.examine(drawn("hops", 1)).unwrap()]);
}

/// A top that slips keeps to the exact motion (2 % at 1/240 s, 0.5 % at 1 ms). The slip turns with the top; friction that
/// opposed the slip at the end of the step instead of the mean slip was wrong by 4.8 % and 1.2 % of the way.
#[test]
fn slipping_tops_follow_the_exact_motion() {
    let plan = Plan { seed: 2026, references: true, ..plan(10.0) };
    assert_no_failure(&plan, &[plan.examine(drawn("tops", 27)).unwrap()]);
}

/// Discs that wobble on their rim keep their energy and do not sink. The contact runs around the rim many times faster
/// than the disc turns, with four times the acceleration of gravity; 13 of these 20 discs lost up to all their energy
/// when that was not followed.
#[test]
fn wobbling_discs_keep_their_energy() {
    let plan = plan(5.0);
    assert_no_failure(&plan, &audit(&plan, 20, &["discs"]));
}

/// A disc whose contact runs around its rim by a fifth of a radian in a step neither gains energy nor falls over: it gained
/// 7 % in 20 s when steps were not divided by the speed of the contact.
#[test]
fn fast_wobbling_discs_keep_their_energy() {
    let plan = Plan { seed: 2, steps: vec![1.0 / 240.0], ..plan(20.0) };
    assert_no_failure(&plan, &[plan.examine(drawn("discs", 22)).unwrap()]);
}

/// A paradigm that does not simulate a world does not end the audit.
#[test]
fn refused_worlds_are_reported() {
    let plan = Plan { paradigm: Some(Paradigm::Hybrid), steps: vec![1e-3], ..plan(0.1) };
    let reports = audit(&plan, 3, &["loops"]);
    assert!(reports.iter().any(|report| report.runs[0].refused.is_some()), "{reports:?}");
}

/// Legs that sink slowly against their dampers are no violation: the energy falls by what the dampers dissipate. Bodies
/// that creep without losing energy are: see `violations_are_found`.
#[test]
fn creatures_may_sink_slowly() {
    let plan = plan(15.0);
    assert_no_failure(&plan, &audit(&plan, 12, &["creatures"]));
}

#[test]
fn tumbling_polyhedra_obey_their_laws() {
    let plan = plan(5.0);
    assert_no_failure(&plan, &audit(&plan, 30, &["polyhedra"]));
}

#[test]
fn sliding_bodies_obey_their_laws() {
    let plan = plan(5.0);
    assert_no_failure(&plan, &audit(&plan, 30, &["sliding"]));
}

/// The laws hold in the exact motion: the analytical paradigm with short steps obeys them.
#[test]
fn worlds_of_rolling_bodies_and_loops_are_conservative() {
    let plan = Plan { steps: vec![1e-3], paradigm: Some(Paradigm::Analytical), ..plan(3.0) };
    assert_no_failure(&plan, &audit(&plan, 24, &["rolling", "tops", "loops"]));
}

/// The same seed draws the same worlds, and the number of threads does not change what is found.
#[test]
fn audit_is_deterministic() {
    let families = FAMILIES.map(|family| family.name);
    let (one, two) = (Plan { threads: 1, ..plan(0.2) }, Plan { threads: 2, ..plan(0.2) });
    let text = |plan| format!("{:?}", audit(plan, 20, &families));
    assert_eq!(text(&one), text(&two));
}

/// A violated law is found: the springs and dampers of the penalty paradigm take energy from a ball that rocks.
#[test]
fn violations_are_found() {
    let plan = Plan { paradigm: Some(Paradigm::Penalty), steps: vec![1.0 / 240.0], ..plan(2.0) };
    let named = NAMED.iter().position(|named| named.name == "off-centre-ball").unwrap();
    let report = plan.examine(Subject::Named(named)).unwrap();
    assert!(report.failed(), "{report:?}");
}
