//! Parallel transition networks (Granieri et al. 1995, section 3): automata that run beside behaviour nets, watch them
//! and change them.
//!
//! A network has states. Entering a state runs its actions. A transition is taken as soon as its guard, a formula over
//! the variables of the network, is not zero. All guards of a step see the values of the beginning of the step, so the
//! result does not depend on the order of the networks, except that the last of several that set the same signal wins.
//!
//! | file | subject |
//! |---|---|
//! | `guard` | formulas over numbered variables |
//! | `automaton` | states, transitions, actions, and one step of an instance |

mod automaton;
mod guard;

pub use automaton::{Action, INSTANCE_NUMBERS, Network, State, Transition};
pub use guard::Guard;
