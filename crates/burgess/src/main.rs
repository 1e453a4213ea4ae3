//! The command line of Burgess.
fn main() {}
