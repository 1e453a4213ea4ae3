//! States, transitions and actions, and one step of an instance of a network.

use super::Guard;

/// Number of numbers that hold an instance: its state, the time in it, and the time for which it waits.
pub const INSTANCE_NUMBERS: usize = 3;

/// State number of an instance that does not run.
const STOPPED: f64 = -1.0;

/// What a network does when it enters a state.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Gives a link of the behaviour net its own weight.
    Bind(usize),
    /// Gives a link of the behaviour net the weight 0.
    Unbind(usize),
    /// Gives a link of the behaviour net a weight.
    Weigh(usize, Guard),
    /// Sets a signal.
    Signal(usize, Guard),
    /// Sends the walker to a goal.
    Send(usize),
    /// Starts another network, from its first state.
    Spawn(usize),
    /// Waits for a time (s) before any transition is taken.
    Wait(Guard),
}

/// A way to another state.
#[derive(Debug, Clone, PartialEq)]
pub struct Transition {
    /// Index of the state.
    pub to: usize,
    /// It is taken when this is not zero.
    pub guard: Guard,
}

/// A state of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// What happens when it is entered, in order.
    pub actions: Vec<Action>,
    /// Ways out of it. The first whose guard holds is taken.
    pub transitions: Vec<Transition>,
}

/// A network. Its first state is the one that it starts in.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Its name.
    pub name: String,
    /// Its states, at least one.
    pub states: Vec<State>,
    /// Whether every walker runs its own instance; otherwise there is one.
    pub of_walkers: bool,
    /// Whether it runs from the start, without being spawned.
    pub starts: bool,
}

impl Network {
    /// Sets the numbers of an instance at the start.
    pub fn start(&self, instance: &mut [f64]) {
        // The time in the state is negative until the actions of the state have run.
        let state = if self.starts { 0.0 } else { STOPPED };
        instance.copy_from_slice(&[state, -1.0, 0.0]);
    }

    /// Starts an instance anew.
    pub fn spawn(instance: &mut [f64]) {
        instance.copy_from_slice(&[0.0, -1.0, 0.0]);
    }

    /// The state of an instance, if it runs.
    pub fn state(&self, instance: &[f64]) -> Option<usize> {
        let state = instance.first().copied().unwrap_or(STOPPED);
        (state >= 0.0).then_some(state as usize).filter(|&state| state < self.states.len())
    }

    /// Advances an instance by a time (s). `variable` gives the values of variables at the beginning of the step; the
    /// first of them is the time in the state. Calls `act` with the actions of a state that is entered.
    pub fn step(
        &self,
        instance: &mut [f64],
        time: f64,
        variable: impl Fn(usize, f64) -> f64,
        stack: &mut Vec<f64>,
        mut act: impl FnMut(&Action, f64),
    ) {
        let Some(mut state) = self.state(instance) else { return };
        let [_, in_state, wait] = instance else { return };
        let mut entered = *in_state < 0.0;
        if !entered {
            *in_state += time;
            if *in_state < *wait {
                return;
            }
            let since = *in_state;
            let holds =
                |transition: &&Transition| transition.guard.evaluate(|index| variable(index, since), stack) != 0.0;
            if let Some(transition) = self.states[state].transitions.iter().find(holds) {
                state = transition.to;
                entered = true;
            }
        }
        if entered {
            (*in_state, *wait) = (0.0, 0.0);
            for action in &self.states[state].actions {
                let value = match action {
                    Action::Weigh(_, value) | Action::Signal(_, value) | Action::Wait(value) => {
                        value.evaluate(|index| variable(index, 0.0), stack)
                    }
                    _ => 0.0,
                };
                if let Action::Wait(_) = action {
                    *wait = value;
                }
                act(action, value);
            }
        }
        instance[0] = state as f64;
    }
}
