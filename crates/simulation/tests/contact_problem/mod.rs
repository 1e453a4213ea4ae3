//! The dense contact problem: the laws hold, solutions match closed forms, and the fast solver agrees with the exact
//! one.

mod closed_forms;
mod one_contact;
mod random_problems;
mod scenes;
mod steadiness;
