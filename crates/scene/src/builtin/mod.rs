//! Built-in scenes, one file each. A scene is a function that makes its [`SceneSpec`], so that it can be inspected,
//! changed and written as TOML like any other.

mod ball_off_table;
mod ball_over_ramp;
mod benchmark;
mod billiards;
mod bouncing_balls;
mod bowling;
mod brick_wall;
mod car_into_wall;
mod car_track;
mod coin_toss;
mod crossing;
mod demolition_chain;
mod dominoes;
mod evacuation;
mod flock;
mod inclined_plane;
mod marble_machine;
mod part_feeder;
mod parts;
mod pendulum;
mod pendulums;
mod pistons;
mod quadruped;
mod skeleton_on_stairs;
mod sliding_cubes;
mod spinning_cube;
mod stack;
mod stacks;

use burgess_files::distance_if_close;

use crate::spec::SceneSpec;

pub use parts::looks::{camera_at, scale};
pub use parts::people::person;
pub use parts::{ground, studio_scene};

/// A built-in scene.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Name on the command line; the same as the scene's.
    pub name: &'static str,
    /// One-sentence description; the same as the scene's.
    pub description: &'static str,
    make: fn(&str, &str) -> SceneSpec,
}

impl Builtin {
    /// Builds the spec of the scene.
    pub fn spec(&self) -> SceneSpec {
        (self.make)(self.name, self.description)
    }
}

/// All built-in scenes, sorted by name.
const ALL: &[Builtin] = &[
    Builtin {
        name: "ball-off-table",
        description: "A fast ball rolls off a table and falls from its very edge; by analytical forces with update = \"lazy\" \
                      instead of \"eager\", a little later.",
        make: ball_off_table::scene,
    },
    Builtin {
        name: "ball-over-ramp",
        description: "A ball bounces, runs up a ramp, leaves it, bounces again and rolls away.",
        make: ball_over_ramp::scene,
    },
    Builtin { name: "billiards", description: "A cue ball breaks a rack of fifteen.", make: billiards::scene },
    Builtin {
        name: "bouncing",
        description: "A benchmark: 49 elastic balls bounce for ever.",
        make: benchmark::bouncing,
    },
    Builtin {
        name: "bouncing-balls",
        description: "Seven balls with restitutions from 0 to 1 bounce.",
        make: bouncing_balls::scene,
    },
    Builtin { name: "bowling", description: "A bowling ball rolls into ten pins.", make: bowling::scene },
    Builtin { name: "brick-wall", description: "A wall of 34 loose bricks stands.", make: brick_wall::scene },
    Builtin {
        name: "car-into-wall",
        description: "A car drives down a slope into a wall of 34 blocks.",
        make: car_into_wall::scene,
    },
    Builtin {
        name: "car-track",
        description: "A car drives over two obstacles and through a looping.",
        make: car_track::scene,
    },
    Builtin { name: "coin-toss", description: "Eighteen coins fall on a table.", make: coin_toss::scene },
    Builtin {
        name: "crossing",
        description: "Hurried and elderly people cross two streets at traffic lights, and cars stop for them.",
        make: crossing::scene,
    },
    Builtin {
        name: "demolition-chain",
        description: "A steel ball on a chain swings into a wall of 34 blocks.",
        make: demolition_chain::one_wall,
    },
    Builtin {
        name: "demolition-chain-two-walls",
        description: "A steel ball on a chain swings into two walls, one behind the other.",
        make: demolition_chain::two_walls,
    },
    Builtin {
        name: "dominoes",
        description: "A track of 150 dominoes: tunnel, stairs, bend, tower, diving board and slide.",
        make: dominoes::scene,
    },
    Builtin {
        name: "elastic-six-cubed",
        description: "A benchmark: a heap of 216 elastic balls falls and never rests.",
        make: benchmark::elastic_six_cubed,
    },
    Builtin {
        name: "evacuation",
        description: "Two hundred people leave a hall by two doors, later by four.",
        make: evacuation::scene,
    },
    Builtin {
        name: "flock",
        description: "Two hundred birds fly round three towers, hunted by a falcon.",
        make: flock::scene,
    },
    Builtin {
        name: "inclined-plane",
        description: "A block slides down a gentle slope and comes to rest.",
        make: inclined_plane::scene,
    },
    Builtin {
        name: "marble-machine",
        description: "A marble runs down over ridges, gearwheels and trapdoors.",
        make: marble_machine::scene,
    },
    Builtin {
        name: "part-feeder",
        description: "A vibrating track moves small parts uphill.",
        make: part_feeder::scene,
    },
    Builtin { name: "pendulum", description: "A pendulum of two rods swings from a hinge.", make: pendulum::scene },
    Builtin {
        name: "pendulums",
        description: "A pendulum that swings far, one of two rods and one that goes round.",
        make: pendulums::scene,
    },
    Builtin {
        name: "pistons",
        description: "A crank drives a piston, and another a four-bar linkage.",
        make: pistons::scene,
    },
    Builtin {
        name: "quadruped-energy",
        description: "A benchmark: a slack robot is thrown up and keeps its energy.",
        make: quadruped::energy,
    },
    Builtin {
        name: "quadruped-momentum",
        description: "A benchmark: a ball hits a floating robot, and momentum is kept.",
        make: quadruped::momentum,
    },
    Builtin {
        name: "quadruped-standing",
        description: "A benchmark: a robot stands by its servos.",
        make: quadruped::standing,
    },
    Builtin {
        name: "rolling",
        description: "A benchmark: 25 balls roll on a board that is pushed.",
        make: benchmark::rolling,
    },
    Builtin {
        name: "six-cubed",
        description: "A benchmark: a heap of 216 balls falls apart without friction.",
        make: benchmark::six_cubed,
    },
    Builtin {
        name: "skeleton-on-stairs",
        description: "A skeleton of sixteen links tumbles down stairs.",
        make: skeleton_on_stairs::scene,
    },
    Builtin {
        name: "sliding-cubes",
        description: "Seven cubes with more and more friction on a slope: the last one stays.",
        make: sliding_cubes::scene,
    },
    Builtin {
        name: "spinning-cube",
        description: "A cube lies on the ground for a minute and does not turn.",
        make: spinning_cube::scene,
    },
    Builtin { name: "stack", description: "Ten boxes stand on each other.", make: stack::scene },
    Builtin {
        name: "stacks",
        description: "A tower, a pyramid, drums and a heavy block on light ones stand still.",
        make: stacks::scene,
    },
];

/// Returns all built-in scenes, sorted by name.
pub fn all() -> &'static [Builtin] {
    ALL
}

/// Returns the scene with a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    ALL.iter().find(|builtin| builtin.name == name)
}

/// Returns the names that are similar to a word, the closest first.
pub fn close_names<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // Part of a name is not a typing error, but users often remember only a part.
    let part = |name: &str| ((word.len() > 2 && name.contains(word)) || word.starts_with(name)).then_some(0);
    let near = names.into_iter().filter_map(|name| Some((part(name).or_else(|| distance_if_close(word, name))?, name)));
    let mut near: Vec<_> = near.collect();
    near.sort_unstable();
    near.into_iter().map(|(_, name)| name).collect()
}
