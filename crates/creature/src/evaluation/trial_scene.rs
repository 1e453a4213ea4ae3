//! The scene of a trial: ground, objects and creatures at their starting positions.

use burgess_geometry::Pose;
use burgess_scene::spec::{BodySpec, FluidSpec, MaterialSpec, QuadraticFluid, SceneSpec, ShapeSpec};
use glam::{DQuat, DVec3};

use super::arena_marks;
use super::conditions::Conditions;
use super::terrain::Terrain;
use crate::controller::Target;
use crate::develop::{Developed, Placement, develop};
use crate::phenotype::{Body, Phenotype};
use crate::random::Random;
use crate::task::{Amount, Ball, BallFrom, Ground, TargetKind, Task};

/// Maximum speed at which overlapping parts are separated, in m/s.
const RECOVERY_SPEED: f64 = 0.2;

/// A scene, and the indices that are needed to observe it.
#[derive(Debug, Clone)]
pub(super) struct TrialScene {
    pub scene: SceneSpec,
    /// Creatures, in the order in which they were given.
    pub creatures: Vec<Developed>,
    /// Index of the ball's body.
    pub ball: Option<usize>,
    /// Index of the cube's body.
    pub cube: Option<usize>,
    /// Target of the senses of each creature.
    pub targets: Vec<Target>,
}

/// Half a turn about the vertical, exactly.
const HALF_TURN: DQuat = DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0);

/// Returns the bounding box of a body at a rotation about its root, in m.
fn bounds(body: &Body, rotation: DQuat) -> [DVec3; 2] {
    let root = Pose::new(rotation, DVec3::ZERO);
    let boxes = body.parts.iter().map(|part| part.shape.bounds(&root.compose(&part.pose)));
    boxes.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], [least, most]| [low.min(least), high.max(most)])
}

impl TrialScene {
    /// Creates the scene of one or two creatures in the arena of a task.
    pub fn new(task: &Task, phenotypes: &[&Phenotype], conditions: &Conditions) -> Self {
        let mut scene = SceneSpec::new(&task.name, &task.description);
        scene.duration = task.settle + task.duration;
        scene.gravity = conditions.gravity;
        scene.self_collision = task.physiology.self_collision;
        scene.simulation.step = task.step;
        // Joints may bring parts together that are not attached to each other. Entangled parts are refused after
        // settling.
        scene.simulation.allow_overlap = true;
        // Slowly, so that nothing is gained by parts pushing each other apart.
        scene.simulation.time_stepping.recovery_speed = Some(RECOVERY_SPEED);
        scene.simulation.max_speed = Some(task.limits.speed);
        scene.simulation.max_penetration_share = Some(task.limits.penetration);
        let material = MaterialSpec::new(conditions.friction, conditions.restitution);
        scene.materials.insert("default".to_string(), material);
        scene.fluid = task.arena.water.as_ref().map(|water| {
            FluidSpec::Quadratic(QuadraticFluid {
                density: water.density.value(&task.parameters),
                coefficient: water.drag.value(&task.parameters),
                current: DVec3::ZERO,
            })
        });
        let terrain = Terrain::new(task, &mut Random::new(conditions.terrain));
        let roots: Vec<Pose> = phenotypes
            .iter()
            .enumerate()
            .map(|(index, one)| root(task, &one.body, index, conditions, &terrain))
            .collect();
        let placed = roots.first().zip(phenotypes.first());
        let front = placed.map_or(0.0, |(root, one)| root.translation.x + bounds(&one.body, root.rotation)[1].x);
        let start = roots.first().map_or(DVec3::ZERO, |root| root.translation);
        terrain.build(task, front, &mut scene);
        let ball = task.ball.as_ref().map(|ball| add_ball(ball, task, start, front, conditions, &mut scene));
        let cube = arena_marks::add_cube(task, &mut scene);
        arena_marks::add_lines(task, &mut scene);
        let mut creatures = Vec::with_capacity(phenotypes.len());
        for (index, (one, root)) in phenotypes.iter().zip(&roots).enumerate() {
            let prefix = if index == 0 { String::new() } else { "opponent-".to_string() };
            let placement = Placement { prefix, root: *root, root_is_fixed: task.start.root_is_fixed, material: None };
            let developed = develop(&one.body, &task.physiology, &placement, &mut scene);
            if phenotypes.len() > 1 {
                arena_marks::color_side(index, &one.body, &mut scene.bodies[developed.first_body..]);
            }
            creatures.push(developed);
        }
        let targets = (0..creatures.len()).map(|index| {
            let opponent = creatures.get(1 - index.min(1)).filter(|_| creatures.len() > 1).map(|one| one.first_body);
            target(task, roots[index].translation, [ball, cube, opponent], conditions)
        });
        let targets = targets.collect();
        Self { scene, creatures, ball, cube, targets }
    }
}

/// Returns the starting pose of a creature's root.
fn root(task: &Task, body: &Body, index: usize, conditions: &Conditions, terrain: &Terrain) -> Pose {
    let about = if index == 0 { DQuat::IDENTITY } else { HALF_TURN };
    let rotation = about * conditions.rotation;
    let [low, high] = bounds(body, rotation);
    let mut place = DVec3::ZERO;
    if let Some(contest) = &task.contest {
        let distance = contest.distance.value(&task.parameters) + (high.z - low.z);
        place.x = if index == 0 { -distance - high.x } else { distance - low.x };
    }
    if task.arena.ground != Ground::None {
        let ground = terrain.highest((place + low).truncate(), (place + high).truncate());
        place.z = ground + conditions.gap - low.z;
    }
    Pose::new(rotation, place)
}

fn add_ball(
    ball: &Ball,
    task: &Task,
    start: DVec3,
    front: f64,
    conditions: &Conditions,
    scene: &mut SceneSpec,
) -> usize {
    let value = |amount: &Amount| amount.value(&task.parameters);
    let radius = value(&ball.radius);
    let mut place = Amount::vector(&ball.position, &task.parameters) + conditions.ball_offset;
    place += match ball.from {
        BallFrom::Root => start,
        BallFrom::Front => DVec3::new(front + radius, start.y, start.z),
        BallFrom::Middle => DVec3::ZERO,
    };
    if task.arena.ground != Ground::None {
        place.z += radius - if ball.from == BallFrom::Middle { 0.0 } else { start.z };
    }
    let shape = ShapeSpec::sphere(radius).with_density(value(&ball.density));
    let mut body = BodySpec::new("ball", place, [shape]);
    body.color = task.contest.as_ref().map(|_| arena_marks::NEUTRAL_COLOR);
    scene.bodies.push(body);
    scene.bodies.len() - 1
}

/// Returns the target of a creature that starts at a position. The bodies are the ball, the cube and the opponent's root.
fn target(task: &Task, start: DVec3, [ball, cube, opponent]: [Option<usize>; 3], conditions: &Conditions) -> Target {
    let Some(aim) = &task.target else { return Target::None };
    let body = |index: Option<usize>| index.map_or(Target::None, Target::Body);
    match aim.at {
        TargetKind::Ball => body(ball),
        TargetKind::Cube => body(cube),
        TargetKind::Opponent => body(opponent),
        TargetKind::Places | TargetKind::RandomPlaces => Target::Places {
            places: conditions.places.iter().map(|place| start + *place).collect(),
            radius: aim.radius,
            flat: task.arena.ground != Ground::None,
        },
    }
}
