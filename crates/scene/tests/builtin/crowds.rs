//! The scenes `evacuation` and `crossing`.

use burgess_agents::crowd::{Activity, WALKER_NUMBERS, Walker};
use burgess_scene::spec::{ControllerSpec, CrowdSpec};
use burgess_simulation::Simulation;
use glam::DVec2;

use super::run::Run;

/// Distance that nobody falls below: twice the radius of a body that squeezes past others, in m.
const LEAST_DISTANCE: f64 = 0.28;
/// Deviation of a body from the path of its walker, in m. Positions move by the mean of two velocities, so a change of
/// velocity by 2 m/s leaves an error of half a step of it, 17 mm, for one step.
const TRACKING: f64 = 0.025;

fn crowd(run: &Run) -> CrowdSpec {
    let found = run.spec.controllers.iter().find_map(|controller| match controller {
        ControllerSpec::Crowd(crowd) => Some((**crowd).clone()),
        _ => None,
    });
    found.expect("a crowd")
}

/// The walkers in the memory of the crowd, which is the only controller with one.
fn walkers(simulation: &Simulation, count: usize) -> Vec<Walker> {
    let memory = simulation.data().controllers.memory().high_level;
    let numbers = |index: usize| &memory[1 + index * WALKER_NUMBERS..][..WALKER_NUMBERS];
    (0..count).map(|index| Walker::from_numbers(numbers(index).try_into().unwrap())).collect()
}

fn signal(simulation: &Simulation, walkers: usize, index: usize) -> f64 {
    simulation.data().controllers.memory().high_level[1 + walkers * WALKER_NUMBERS + index]
}

fn least_distance(places: &[DVec2]) -> f64 {
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut least = f64::INFINITY;
    for (index, place) in sorted.iter().enumerate() {
        for other in sorted[index + 1..].iter().take_while(|other| other.x - place.x < 1.0) {
            least = least.min(place.distance(*other));
        }
    }
    least
}

fn places(run: &Run, names: &[String]) -> Vec<DVec2> {
    names.iter().map(|name| run.position(name).truncate()).collect()
}

/// Bodies follow their walkers, nobody touches anybody, and the hall is empty in time.
#[test]
fn the_hall_is_left() {
    let mut run = Run::start("evacuation");
    let people = run.names("person");
    let (mut deviation, mut nearest) = (0.0_f64, f64::INFINITY);
    run.watch(100.0, |run| {
        let places = places(run, &people);
        nearest = nearest.min(least_distance(&places));
        let walkers = walkers(&run.simulation, people.len());
        let off = walkers.iter().zip(&places).map(|(walker, place)| walker.gait.root().distance(*place));
        deviation = off.fold(deviation, f64::max);
    });
    assert!(deviation < TRACKING, "{deviation} m");
    assert!(nearest > LEAST_DISTANCE - 2.0 * TRACKING, "{nearest} m");
    let inside = places(&run, &people).iter().filter(|place| place.x.abs() < 10.0 && place.y.abs() < 7.0).count();
    assert!(inside == 0, "{inside} people are still inside");
}

/// What a run of the crossing shows.
struct Observed {
    on_red: usize,
    nearest: f64,
    nearest_car: f64,
    longest_wait: f64,
    crossings: usize,
    car_way: f64,
}

fn observe_crossing(seconds: f64) -> Observed {
    let mut run = Run::start("crossing");
    let (people, cars) = (run.names("person"), run.names("car"));
    let crowd = crowd(&run);
    let in_gate =
        |place: DVec2| crowd.gates.iter().any(|gate| place.cmpge(gate.min).all() && place.cmple(gate.max).all());
    let mut before = places(&run, &people);
    let mut standing = vec![0.0_f64; people.len()];
    let mut last_cars = places(&run, &cars);
    let mut found = Observed {
        on_red: 0,
        nearest: f64::INFINITY,
        nearest_car: f64::INFINITY,
        longest_wait: 0.0,
        crossings: 0,
        car_way: 0.0,
    };
    let step = run.spec.simulation.step;
    let mut steps = before.clone();
    run.watch(seconds, |run| {
        let green = signal(&run.simulation, people.len(), 0) != 0.0;
        let now = places(run, &people);
        let walkers = walkers(&run.simulation, people.len());
        for index in 0..people.len() {
            let gait = &walkers[index].gait;
            let begun = gait.root_to() != steps[index];
            steps[index] = gait.root_to();
            let enters = begun && in_gate(gait.root_to()) && !in_gate(gait.root_from());
            found.crossings += usize::from(enters);
            found.on_red += usize::from(enters && !green);
            let moves = now[index].distance(before[index]) > 1e-4;
            let has_reason = matches!(walkers[index].activity, Activity::AtGate | Activity::Arrived);
            standing[index] = if moves || has_reason { 0.0 } else { standing[index] + step };
            found.longest_wait = found.longest_wait.max(standing[index]);
        }
        found.nearest = found.nearest.min(least_distance(&now));
        let cars_now = places(run, &cars);
        for (car, name) in cars.iter().enumerate() {
            let pose = run.pose(name);
            for place in &now {
                let local = pose.inverse_transform_point(place.extend(0.0)).truncate();
                let outside = (local.abs() - DVec2::new(2.0, 0.9)).max(DVec2::ZERO).length();
                found.nearest_car = found.nearest_car.min(outside);
            }
            found.car_way += cars_now[car].distance(last_cars[car]);
        }
        last_cars = cars_now;
        before = now;
    });
    found
}

fn check_crossing(found: &Observed, seconds: f64) {
    let Observed { on_red, nearest, nearest_car, longest_wait, crossings, car_way } = found;
    println!(
        "{seconds} s: {crossings} crossings, {on_red} on red, nearest {nearest:.3} m, nearest to a car \
         {nearest_car:.3} m, longest wait {longest_wait:.1} s, cars {car_way:.0} m"
    );
    assert_eq!(*on_red, 0);
    assert!(*nearest > LEAST_DISTANCE - 2.0 * TRACKING, "{nearest} m");
    assert!(*nearest_car > 0.14, "{nearest_car} m");
    assert!(*longest_wait < 60.0, "{longest_wait} s");
    assert!(*crossings as f64 > 0.1 * seconds && *car_way > 2.0 * seconds, "{crossings} crossings, {car_way} m");
}

/// Nobody crosses on red, nobody is touched, nobody stands for long without a reason.
#[test]
fn people_cross_on_green() {
    check_crossing(&observe_crossing(120.0), 120.0);
}

/// The same for half an hour.
#[test]
#[ignore = "takes minutes"]
fn people_cross_on_green_for_half_an_hour() {
    check_crossing(&observe_crossing(1800.0), 1800.0);
}

/// The same hash on every run and after a restore.
#[test]
fn crowds_go_on_from_snapshots() {
    for name in ["evacuation", "crossing"] {
        let mut original = Run::start(name);
        let mut other = Run::start(name);
        original.until(3.0);
        let snapshot = original.simulation.snapshot();
        original.until(6.0);
        other.simulation.restore(&snapshot).unwrap();
        other.until(6.0);
        assert_eq!(original.simulation.state_hash(), other.simulation.state_hash(), "{name}: after a restore");
        let mut again = Run::start(name);
        again.until(6.0);
        assert_eq!(original.simulation.state_hash(), again.simulation.state_hash(), "{name}: again");
    }
}
