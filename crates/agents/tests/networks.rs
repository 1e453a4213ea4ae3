//! Transition networks.

use burgess_agents::network::{Action, Guard, INSTANCE_NUMBERS, Network, State, Transition};
use burgess_formula::Formula;

const VARIABLES: [&str; 2] = ["state_time", "level"];

fn guard(text: &str) -> Guard {
    Guard::bind(&Formula::parse(text).unwrap(), &VARIABLES).unwrap()
}

fn state(name: &str, actions: Vec<Action>, to: usize, condition: &str) -> State {
    let transitions = vec![Transition { to, guard: guard(condition) }];
    State { name: name.to_string(), actions, transitions }
}

/// A light: its states last as long as their guards say, and their actions run once when they are entered.
#[test]
fn lights_cycle() {
    let light = |value: &str| vec![Action::Signal(0, guard(value))];
    let states = vec![
        state("green", light("1"), 1, "state_time >= 2"),
        state("amber", light("0.5"), 2, "state_time >= 0.5"),
        state("red", light("0"), 0, "state_time >= 3"),
    ];
    let network = Network { name: "light".to_string(), states, of_walkers: false, starts: true };
    let mut instance = [0.0; INSTANCE_NUMBERS];
    network.start(&mut instance);
    // Times that binary numbers have exactly.
    let step = 0.125;
    let (mut signal, mut entered, mut stack) = (f64::NAN, 0, Vec::new());
    let mut seen = Vec::new();
    for _ in 0..(11.0 / step) as usize {
        let variable = |index: usize, in_state: f64| if index == 0 { in_state } else { 0.0 };
        network.step(&mut instance, step, variable, &mut stack, |action, value| {
            assert!(matches!(action, Action::Signal(0, _)));
            signal = value;
            entered += 1;
        });
        seen.push(signal);
    }
    let of = |value: f64| seen.iter().filter(|seen| **seen == value).count() as f64 * step;
    assert_eq!([of(1.0), of(0.5), of(0.0)], [4.0, 1.0, 6.0]);
    assert_eq!(entered, 6);
}

/// A wait holds back transitions; a spawned network starts in its first state.
#[test]
fn waits_and_spawns() {
    let states = vec![state("wait", vec![Action::Wait(guard("1 + level"))], 1, "1"), state("end", Vec::new(), 1, "0")];
    let network = Network { name: "waiter".to_string(), states, of_walkers: true, starts: false };
    let mut instance = [0.0; INSTANCE_NUMBERS];
    network.start(&mut instance);
    assert_eq!(network.state(&instance), None);
    let run = |instance: &mut [f64; INSTANCE_NUMBERS]| {
        network.step(instance, 0.5, |index, time| if index == 0 { time } else { 0.5 }, &mut Vec::new(), |_, _| {});
        network.state(instance)
    };
    assert_eq!(run(&mut instance), None);
    Network::spawn(&mut instance);
    let states: Vec<_> = (0..5).map(|_| run(&mut instance)).collect();
    assert_eq!(states, [Some(0), Some(0), Some(0), Some(1), Some(1)]);
}

/// Unknown names in guards are refused, with the closest known one.
#[test]
fn guards_know_their_names() {
    let error = Guard::bind(&Formula::parse("levle > 1").unwrap(), &VARIABLES).unwrap_err();
    assert_eq!(error.to_string(), "column 1: unknown name 'levle'; did you mean 'level'?");
}
