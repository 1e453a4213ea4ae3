//! The zoo: built-in creatures that were evolved, the best of runs.
//!
//! To add one, write its creature file to `zoo/NAME.json` (`burgess export RUN --to json -o NAME.json`) and add a line to
//! the table.

use crate::genome::Family;

/// A champion in the zoo.
pub(crate) struct Champion {
    pub name: &'static str,
    pub description: &'static str,
    pub family: Family,
    pub task: &'static str,
    /// Its creature file.
    pub text: &'static str,
}

macro_rules! zoo {
    ($($name:literal, $family:ident, $task:literal, $description:literal;)*) => {
        /// All champions.
        pub(crate) const ALL: &[Champion] = &[$(
            Champion {
                name: $name,
                description: $description,
                family: Family::$family,
                task: $task,
                text: include_str!(concat!("zoo/", $name, ".json")),
            },
        )*];
    };
}

// A line has the name, the family, the task and a description in one sentence.
zoo! {
    "beads", Graph, "walk", "Two chains of balls that step with balls at their sides.";
    "bramble", Graph, "walk", "Twenty-four cones and boxes that walk on their tips.";
    "caterpillar", Graph, "walk", "A chain of six balls that throws itself forward.";
    "sprinter", Legged, "walk", "Runs 25 times its length in ten seconds on four legs.";
    "tumbler", Graph, "walk", "Three balls that roll over each other.";
    "finback", Graph, "swim", "Three balls in a row that beat with pointed fins.";
    "manta", Graph, "swim", "A ball that flaps four broad ellipsoids.";
    "oarsman", Graph, "swim", "A short spine that rows with many oars.";
    "paddler", Graph, "swim", "Two balls, each with a paddle.";
    "leaper", Legged, "jump-up", "Throws itself up with six legs and comes down in the same place.";
    "seeker", Legged, "follow", "Walks on six legs from one place to the next.";
    "grappler", Legged, "contest", "Runs to the cube and grips it with its legs.";
}
