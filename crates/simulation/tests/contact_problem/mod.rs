//! The dense contact problem: laws hold, closed forms come out, the fast solver agrees with the slow one.

mod closed_forms;
mod one_contact;
mod random_problems;
mod scenes;
mod steadiness;
