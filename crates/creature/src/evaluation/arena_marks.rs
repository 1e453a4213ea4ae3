//! What belongs to a contest in the scene of a trial: the cube, the lines on the ground and the colours of the sides.

use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use glam::DVec3;

use crate::phenotype::Body;
use crate::task::{Ground, Task};

/// Half the height of lines on the ground, in m. It is thin, but thick enough to be seen above the ground.
const LINE_HALF_HEIGHT: f64 = 0.001;
/// Length and width of goal lines, in m.
const GOAL_LINE: [f64; 2] = [2.0, 0.04];
/// Colour of lines on the ground.
const LINE_COLOR: DVec3 = DVec3::new(0.93, 0.90, 0.80);
/// Colour of the cube and of the ball of a contest, which is that of no side.
pub(super) const NEUTRAL_COLOR: DVec3 = DVec3::new(0.45, 0.65, 0.40);
/// Colours of the two sides, blue and orange, which people who cannot tell red from green can tell apart.
const SIDE_COLORS: [DVec3; 2] = [DVec3::new(0.20, 0.42, 0.75), DVec3::new(0.90, 0.48, 0.13)];
/// Share of white in the colour of a part, by its gene, so that parts of one creature can be told apart.
const WHITE_SHARES: [f64; 4] = [0.0, 0.3, 0.15, 0.45];

/// Adds the cube, if the task has one, and returns the index of its body.
pub(super) fn add_cube(task: &Task, scene: &mut SceneSpec) -> Option<usize> {
    let contest = task.contest.as_ref()?;
    let side = contest.cube_side(&task.parameters)?;
    let height = if task.arena.ground == Ground::None { 0.0 } else { 0.5 * side };
    let shape = ShapeSpec::cuboid(DVec3::splat(side)).with_density(contest.density.value(&task.parameters));
    let mut cube = BodySpec::new("cube", DVec3::Z * height, [shape]);
    cube.color = Some(NEUTRAL_COLOR);
    scene.bodies.push(cube);
    Some(scene.bodies.len() - 1)
}

/// Adds the ring and the goal lines, which nothing collides with.
pub(super) fn add_lines(task: &Task, scene: &mut SceneSpec) {
    let Some(contest) = &task.contest else { return };
    let mut add = |name: &str, place: DVec3, mut shape: ShapeSpec| {
        (shape.group, shape.mask) = (0, 0);
        let mut line = BodySpec::new(name, place, [shape]);
        (line.fixed, line.color) = (true, Some(LINE_COLOR));
        scene.bodies.push(line);
    };
    if let Some(radius) = contest.ring_radius(&task.parameters) {
        add("ring", DVec3::Z * LINE_HALF_HEIGHT, ShapeSpec::cylinder(radius, 2.0 * LINE_HALF_HEIGHT));
    }
    if let Some(distance) = contest.goal_distance(&task.parameters) {
        let [length, width] = GOAL_LINE;
        for (name, x) in [("goal", -distance), ("opponent-goal", distance)] {
            let sides = DVec3::new(width, length, 2.0 * LINE_HALF_HEIGHT);
            add(name, DVec3::new(x, 0.0, LINE_HALF_HEIGHT), ShapeSpec::cuboid(sides));
        }
    }
}

/// Colours the bodies of a creature, one for each part, by its side.
pub(super) fn color_side(side: usize, body: &Body, bodies: &mut [BodySpec]) {
    for (part, spec) in body.parts.iter().zip(bodies) {
        let white = WHITE_SHARES[part.origin % WHITE_SHARES.len()];
        spec.color = Some(SIDE_COLORS[side.min(1)].lerp(DVec3::ONE, white));
    }
}
