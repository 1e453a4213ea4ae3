//! Neurons compute their functions, depend on elapsed time, and stay within bounds for any input.

use std::f64::consts::TAU;

use burgess_creature::Random;
use burgess_creature::brain::{
    DELAY_TIME, DIFFERENCE_TIME, Function, Input, LEAK_TIME, MAX_OCTAVES, Network, Neuron, SIGNAL_LIMIT,
    SMOOTHING_TIME, Source,
};

const RATE: f64 = 60.0;

/// A neuron with three sense inputs, and its memory.
struct Probe {
    network: Network,
    memory: Vec<f64>,
    period: f64,
}

impl Probe {
    fn new(function: Function, rate: f64) -> Self {
        let input = |index| Input { source: Source::Sense(index), weight: 1.0 };
        let neuron = Neuron { function, inputs: [input(0), input(1), input(2)] };
        let network = Network { neurons: vec![neuron], ..Network::default() };
        let mut memory = vec![f64::NAN; network.memory()];
        network.initial(&mut memory);
        Self { network, memory, period: 1.0 / rate }
    }

    fn feed(&mut self, senses: [f64; 3]) -> f64 {
        self.network.update(&mut self.memory, &senses, self.period, &mut []);
        self.memory[0]
    }
}

/// The expected output of a function without states; `None` for those with states and for the constant.
fn expected(function: Function, [a, b, c]: [f64; 3]) -> Option<f64> {
    let truth = |yes| if yes { 1.0 } else { 0.0 };
    let value = match function {
        Function::Sum => a + b + c,
        Function::Subtract => a - b,
        Function::Product => a * b,
        Function::Divide => {
            if b == 0.0 {
                0.0
            } else {
                a / b
            }
        }
        Function::LessThan => truth(a < b),
        Function::Invert => -a,
        Function::SumThreshold => truth(a + b > c),
        Function::GreaterThan => truth(a > b),
        Function::SignOf => truth(a > 0.0) - truth(a < 0.0),
        Function::Min => a.min(b),
        Function::Max => a.max(b),
        Function::Abs => a.abs(),
        Function::If => {
            if a > 0.0 {
                b
            } else {
                c
            }
        }
        Function::Interpolate => {
            let share = a.clamp(0.0, 1.0);
            (1.0 - share) * b + share * c
        }
        Function::Sin => libm::sin(a),
        Function::Cos => libm::cos(a),
        Function::Atan => libm::atan(a),
        Function::Log => libm::log(a.abs()),
        Function::Exp => libm::exp(a),
        Function::Sigmoid => 0.5 + 0.5 * libm::tanh(0.5 * a),
        _ => return None,
    };
    Some(value.clamp(-SIGNAL_LIMIT, SIGNAL_LIMIT))
}

#[test]
fn functions_without_memory_follow_their_definitions() {
    let mut random = Random::new(1);
    let corners = [-10.0, -1.0, -0.5, 0.0, 0.5, 1.0, 10.0];
    for function in Function::ALL {
        let mut probe = Probe::new(function, RATE);
        for case in 0..2000 {
            let number = |random: &mut Random| {
                if case % 2 == 0 { *random.choice(&corners).unwrap() } else { random.between(-3.0, 3.0) }
            };
            let senses = [number(&mut random), number(&mut random), number(&mut random)];
            let found = probe.feed(senses);
            if let Some(expected) = expected(function, senses) {
                // Only the order of a few roundings differs, at numbers up to ten.
                assert!((found - expected).abs() < 1e-13, "{function:?} of {senses:?}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn inputs_beyond_those_it_uses_change_nothing() {
    let mut random = Random::new(2);
    for function in Function::ALL {
        let (mut one, mut other) = (Probe::new(function, RATE), Probe::new(function, RATE));
        for _ in 0..100 {
            let mut senses = [(); 3].map(|()| random.between(-2.0, 2.0));
            let first = one.feed(senses);
            senses[function.inputs()..].fill_with(|| random.between(-2.0, 2.0));
            assert_eq!(first, other.feed(senses), "{function:?}");
        }
    }
}

#[test]
fn names_are_those_of_files() {
    for (index, function) in Function::ALL.into_iter().enumerate() {
        assert_eq!(serde_json::to_string(&function).unwrap(), format!("\"{}\"", function.name()));
        assert_eq!(function as usize, index);
    }
}

#[test]
fn a_constant_is_the_weight_of_its_first_input() {
    for source in [Source::Nothing, Source::One, Source::Neuron(0), Source::Sense(0)] {
        let mut inputs = [Input::NOTHING; 3];
        inputs[0] = Input { source, weight: 0.7 };
        let neuron = Neuron { function: Function::Constant, inputs };
        let network = Network { neurons: vec![neuron], ..Network::default() };
        let mut memory = [0.0; 2];
        network.update(&mut memory, &[5.0], 0.1, &mut []);
        assert_eq!(memory[0], 0.7);
    }
}

#[test]
fn filters_follow_their_equations_at_every_rate() {
    let end = 1.5;
    for rate in [25.0, 60.0, 240.0] {
        let steps = (end * rate) as usize;
        let run = |function, signal: &dyn Fn(f64) -> f64| {
            let mut probe = Probe::new(function, rate);
            (1..=steps).map(|step| probe.feed([signal(step as f64 / rate), 0.0, 0.0])).last().unwrap()
        };
        let time = steps as f64 / rate;
        // The closed forms for a step of the input at time zero; rounding of some hundred updates.
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
        close(run(Function::Smooth, &|_| 2.0), 2.0 * (1.0 - libm::exp(-time / SMOOTHING_TIME)));
        close(run(Function::Integrate, &|_| 0.3), 0.3 * LEAK_TIME * (1.0 - libm::exp(-time / LEAK_TIME)));
        // A ramp: after fifteen time constants the start is forgotten to one part in three million.
        let slope = run(Function::Differentiate, &|time| 3.0 * time);
        assert!((slope - 3.0 * DIFFERENCE_TIME).abs() < 1e-6, "{slope}");
        // Steps of the delay line are stamped up to one period late.
        let delayed = run(Function::Delay, &|time| time);
        assert!((delayed - (time - DELAY_TIME)).abs() < 1.0 / rate + 1e-9, "{delayed} at {rate} Hz");
    }
}

#[test]
fn a_delay_is_silent_first_and_then_the_same_signal() {
    let mut probe = Probe::new(Function::Delay, RATE);
    let outputs: Vec<f64> = (0..60).map(|_| probe.feed([1.0, 0.0, 0.0])).collect();
    let rise = outputs.iter().position(|&output| output > 0.5).unwrap() as f64 / RATE;
    assert_eq!(outputs[0], 0.0);
    assert!((rise - DELAY_TIME).abs() < 0.05, "{rise}");
    assert_eq!(outputs.last(), Some(&1.0));
}

#[test]
fn a_memory_keeps_its_value() {
    let mut probe = Probe::new(Function::Memory, RATE);
    let cases = [([1.0, 0.0], 0.0), ([2.0, 1.0], 2.0), ([3.0, 0.0], 2.0), ([4.0, -1.0], 2.0), ([5.0, 0.1], 5.0)];
    for ([a, b], expected) in cases {
        assert_eq!(probe.feed([a, b, 0.0]), expected);
    }
}

#[test]
fn oscillators_keep_time_by_the_clock() {
    for (octaves, frequency) in [(0.0, 1.0), (1.0, 2.0), (-1.0, 0.5), (9.0, libm::exp2(MAX_OCTAVES))] {
        for rate in [25.0, 60.0, 240.0] {
            let (mut wave, mut saw) =
                (Probe::new(Function::OscillateWave, rate), Probe::new(Function::OscillateSaw, rate));
            for step in 0..200 {
                let phase = frequency * step as f64 / rate + 0.3;
                let found = wave.feed([octaves, 0.3, 0.0]);
                // The phase is summed up over 200 updates.
                assert!((found - libm::sin(TAU * phase)).abs() < 1e-11, "{found}");
                let turn = phase - libm::floor(phase);
                let gap = (saw.feed([octaves, 0.3, 0.0]) - (2.0 * turn - 1.0)).abs();
                // At the edge the two may be on different sides.
                assert!(!(1e-11..=2.0 - 1e-11).contains(&gap), "{gap}");
            }
        }
    }
}

#[test]
fn beats_keep_the_rhythm_and_their_relative_phases() {
    for (rhythm, rate) in [(0.7, 25.0), (2.0, 60.0), (2.5, 240.0)] {
        let (mut beat, mut double) = (Probe::new(Function::Beat, rate), Probe::new(Function::DoubleBeat, rate));
        (beat.network.rhythm, double.network.rhythm) = (rhythm, rhythm);
        for step in 0..200 {
            let phase = rhythm * step as f64 / rate;
            // The phase is summed up over 200 updates.
            let gap = beat.feed([0.1, 0.25, -0.05]) - libm::sin(TAU * (phase + 0.3));
            let double_gap = double.feed([0.1, 0.25, -0.05]) - libm::sin(TAU * (2.0 * phase + 0.3));
            assert!(gap.abs() < 1e-11 && double_gap.abs() < 1e-11, "{gap} {double_gap}");
        }
    }
}

#[test]
fn all_neurons_read_the_outputs_of_the_update_before() {
    // A ring of three neurons passes a pulse on, one neuron per update, whatever their order in the list.
    let pass = |from| {
        let mut inputs = [Input::NOTHING; 3];
        inputs[0] = Input { source: Source::Neuron(from), weight: 1.0 };
        Neuron { function: Function::Sum, inputs }
    };
    let network = Network {
        neurons: vec![pass(2), pass(0), pass(1)],
        effectors: vec![Input { source: Source::Neuron(1), weight: 5.0 }],
        rhythm: 1.0,
    };
    let mut memory = vec![0.0; network.memory()];
    memory[0] = 1.0;
    let mut driven = Vec::new();
    for _ in 0..6 {
        let mut outputs = [7.0; 2];
        network.update(&mut memory, &[], 0.1, &mut outputs);
        assert_eq!(outputs[1], 0.0);
        driven.push(outputs[0]);
    }
    assert_eq!(driven, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
}

/// Any number that a file or an invalid sense could hold.
fn hostile(random: &mut Random) -> f64 {
    let odd =
        [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1e-160];
    match random.below(4) {
        0 => *random.choice(&odd).unwrap(),
        1 => f64::from_bits(random.word()),
        _ => random.normal(3.0),
    }
}

#[test]
fn a_million_updates_with_hostile_numbers_stay_within_bounds() {
    let mut random = Random::new(3);
    let (mut senses, mut outputs) = ([0.0; 12], [0.0; 6]);
    let mut updates = 0;
    while updates < 1_000_000 {
        let count = random.below(40);
        let input = |random: &mut Random| Input {
            source: match random.below(4) {
                0 => Source::Nothing,
                1 => Source::One,
                2 => Source::Neuron(random.below(count + 2)),
                _ => Source::Sense(random.below(14)),
            },
            weight: hostile(random),
        };
        let neurons = (0..count).map(|_| Neuron {
            function: *random.choice(&Function::ALL).unwrap(),
            inputs: [(); 3].map(|()| input(&mut random)),
        });
        let neurons = neurons.collect();
        let network =
            Network { neurons, effectors: [(); 5].map(|()| input(&mut random)).to_vec(), rhythm: hostile(&mut random) };
        let mut memory = vec![0.0; network.memory()];
        memory.fill_with(|| hostile(&mut random));
        let period = if random.chance(0.1) { hostile(&mut random) } else { random.magnitude(1e-3, 0.1) };
        for _ in 0..20 {
            senses.fill_with(|| hostile(&mut random));
            network.update(&mut memory, &senses, period, &mut outputs);
            assert!(outputs.iter().all(|output| output.abs() <= 1.0), "{outputs:?}");
            assert!(memory[..2 * count].iter().all(|output| output.abs() <= SIGNAL_LIMIT), "{memory:?}");
            updates += count;
        }
        // After so many updates every old number has left the delay lines, unless the period is tiny.
        assert!(
            period < 0.02 || period.is_nan() || memory.iter().all(|state| state.abs() <= SIGNAL_LIMIT),
            "{memory:?}"
        );
    }
}
