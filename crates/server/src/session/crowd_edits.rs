//! Edits of crowds: people are sent somewhere, ways are blocked, gates are opened and closed, people join and hurry.

use burgess_agents::crowd::{FREE_SPEED, Obstacle, Walker};
use burgess_formula::Formula;
use burgess_scene::spec::{
    BodySpec, ControllerSpec, CrowdSpec, GoalSpec, JointKind, SceneSpec, ShapeSpec, StackAxisSpec,
};
use glam::{DVec2, DVec3};

use super::current_world::CurrentWorld;
use super::edit::{Edit, short};

/// Half the side of the goal of a person that is sent to a place, in m.
const GOAL_HALF: f64 = 0.4;
/// Size of a block, in m.
const BLOCK: DVec3 = DVec3::new(1.0, 1.0, 0.8);
/// Maximum number of blocks, and of people who joined.
const MAX_ADDED: usize = 200;
/// Minimum and maximum speed of a person on a free way, in m/s.
const SPEEDS: [f64; 2] = [0.2, 4.0];
/// Room that a person needs, in m: its radius, and a little more.
const ROOM: f64 = 0.2;
/// Red, green and blue of a block, from 0 to 1.
const BLOCK_COLOR: DVec3 = DVec3::new(0.93, 0.62, 0.16);

/// Maximum number of people of a crowd who are sent to places of their own. Each place takes a floor field.
const MAX_GUIDED: usize = 64;
/// How the names of their goals begin.
const GOAL_OF: &str = "goal of ";

/// Applies an edit of a crowd to a scene.
pub fn apply_crowd_edit(scene: &mut SceneSpec, edit: &Edit) -> Result<(), String> {
    match edit {
        Edit::Guide { person, to } => {
            let (_, crowd) = crowd_where(scene, |crowd| crowd.bodies.contains(person))
                .ok_or_else(|| format!("'{}' is no person of a crowd", short(person)))?;
            let to = DVec2::from_array(*to);
            let (min, max) = (to - DVec2::splat(GOAL_HALF), to + DVec2::splat(GOAL_HALF));
            let goal = GoalSpec { name: goal_of(person), min, max, pauses: true };
            let guided = crowd.goals.iter().filter(|known| known.name.starts_with(GOAL_OF)).count();
            match crowd.goals.iter_mut().find(|known| known.name == goal.name) {
                Some(known) => *known = goal,
                None if guided >= MAX_GUIDED => {
                    return Err(format!("{MAX_GUIDED} people were sent to places, the maximum"));
                }
                None => crowd.goals.push(goal),
            }
        }
        Edit::Block { at } => {
            let name = added_name(scene, "block-")?;
            let crowd = crowd_at(scene, at)?;
            crowd.obstacles.push(name.clone());
            let shape = ShapeSpec::cuboid(BLOCK).colored(BLOCK_COLOR);
            scene.bodies.push(BodySpec::fixed(name, DVec2::from_array(*at).extend(0.5 * BLOCK.z), [shape]));
        }
        Edit::Gate { gate, open } => {
            let (_, crowd) = crowd_where(scene, |crowd| crowd.gates.iter().any(|known| known.name == *gate))
                .ok_or_else(|| format!("there is no gate '{}'", short(gate)))?;
            for known in crowd.gates.iter_mut().filter(|known| known.name == *gate) {
                known.open = Formula::parse(if *open { "1" } else { "0" }).ok();
            }
        }
        Edit::Join { at } => {
            let name = added_name(scene, "joined-")?;
            let crowd = crowd_at(scene, at)?;
            // It looks, walks and wants as one of those who were there.
            let count = crowd.bodies.len();
            let like = count % (count - added(crowd.bodies.iter(), "joined-")).max(1);
            let model = crowd.bodies.get(like).ok_or("nobody walks in this crowd")?.clone();
            push_like(&mut crowd.walk_to, count, like);
            push_like(&mut crowd.speeds, count, like);
            crowd.bodies.push(name.clone());
            let mut body = scene.body_index(&model).map(|index| scene.bodies[index].clone()).unwrap_or_default();
            body.name = name;
            place(&mut body, at);
            scene.bodies.push(body);
        }
        Edit::Hurry { factor } => {
            let mut found = false;
            for crowd in crowds(scene) {
                if crowd.speeds.is_empty() {
                    crowd.speeds.push(FREE_SPEED);
                }
                let [least, most] = SPEEDS;
                crowd.speeds.iter_mut().for_each(|speed| *speed = (*speed * factor).clamp(least, most));
                found = true;
            }
            if !found {
                return Err("nobody walks in this world".to_string());
            }
        }
        _ => {}
    }
    Ok(())
}

/// Makes the walkers of a world follow an edit, after they have continued from the world before.
pub fn continue_crowd(current: &mut CurrentWorld, edit: &Edit) {
    match edit {
        Edit::Guide { person, .. } => {
            let Some((index, crowd)) = crowd_where(&mut current.scene, |crowd| crowd.bodies.contains(person)) else {
                return;
            };
            let walker = crowd.bodies.iter().position(|name| name == person);
            let goal = crowd.goals.iter().position(|goal| goal.name == goal_of(person));
            let Some(goal) = goal else { return };
            let send = |index: usize, own: &mut Walker| {
                if Some(index) == walker {
                    own.send_to(goal);
                }
            };
            current.running.change_walkers(index, send);
        }
        Edit::Hurry { .. } => {
            let all: Vec<Vec<f64>> = current.running.crowds().map(|(crowd, _)| crowd.plan().speeds.clone()).collect();
            for (crowd, speeds) in all.iter().enumerate() {
                current.running.change_walkers(crowd, |index, walker| walker.speed = speeds[index]);
            }
        }
        _ => {}
    }
}

/// Refuses a goal where nobody can stand, and a block or a person where there is no room. `now` has the edit.
pub fn refuse_crowd_edit(before: &CurrentWorld, now: &CurrentWorld, edit: &Edit) -> Result<(), String> {
    let walkers = || {
        let mut places = Vec::new();
        before.running.visit_walkers(|_, walker| places.extend(walker.position()));
        places
    };
    let is_open = |world: &CurrentWorld, place: DVec2| {
        world.running.crowds().any(|(crowd, _)| crowd.plan().floor.clearance(place) >= ROOM)
    };
    match edit {
        Edit::Guide { to, .. } if !is_open(now, DVec2::from_array(*to)) => {
            Err("nobody can stand there: choose a place on the floor, away from obstacles".to_string())
        }
        Edit::Block { at } => {
            let (at, half) = (DVec2::from_array(*at), 0.5 * BLOCK.truncate());
            let block = Obstacle::Rectangle { min: at - half, max: at + half };
            let is_taken = walkers().into_iter().any(|place| block.distance(place) < ROOM);
            if is_taken { Err("somebody stands there: choose another place for the block".to_string()) } else { Ok(()) }
        }
        Edit::Join { at } => {
            let at = DVec2::from_array(*at);
            let is_taken = walkers().into_iter().any(|place| place.distance(at) < 2.0 * ROOM);
            if is_taken || !is_open(before, at) {
                return Err("there is no room for another person: choose another place".to_string());
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn goal_of(person: &str) -> String {
    format!("{GOAL_OF}{person}")
}

fn crowds(scene: &mut SceneSpec) -> impl Iterator<Item = &mut CrowdSpec> {
    scene.controllers.iter_mut().filter_map(|controller| match controller {
        ControllerSpec::Crowd(crowd) => Some(&mut **crowd),
        _ => None,
    })
}

/// The first crowd for which a condition holds, and its index.
fn crowd_where(scene: &mut SceneSpec, holds: impl Fn(&CrowdSpec) -> bool) -> Option<(usize, &mut CrowdSpec)> {
    crowds(scene).enumerate().find(|(_, crowd)| holds(crowd))
}

/// The crowd on whose floor a place is.
fn crowd_at<'a>(scene: &'a mut SceneSpec, at: &[f64; 2]) -> Result<&'a mut CrowdSpec, String> {
    let at = DVec2::from_array(*at);
    let is_on = |crowd: &CrowdSpec| at.cmpge(crowd.floor.min).all() && at.cmple(crowd.floor.max).all();
    crowd_where(scene, is_on)
        .map(|(_, crowd)| crowd)
        .ok_or_else(|| "nobody walks there: choose a place on the floor of a crowd".to_string())
}

fn added<'a>(names: impl Iterator<Item = &'a String>, prefix: &str) -> usize {
    names.filter(|name| name.starts_with(prefix)).count()
}

/// The name of the next body with a prefix.
fn added_name(scene: &SceneSpec, prefix: &str) -> Result<String, String> {
    let count = added(scene.bodies.iter().map(|body| &body.name), prefix);
    if count >= MAX_ADDED {
        return Err(format!("there are {MAX_ADDED} of them, the maximum"));
    }
    let mut number = count + 1;
    while scene.body_index(&format!("{prefix}{number}")).is_some() {
        number += 1;
    }
    Ok(format!("{prefix}{number}"))
}

/// Adds the value of another one to a list with one value for each. A list with one value for all stays as it is.
fn push_like<T: Clone>(list: &mut Vec<T>, count: usize, like: usize) {
    if count > 1
        && list.len() == count
        && let Some(value) = list.get(like).cloned()
    {
        list.push(value);
    }
}

/// Sets the place where a body on a floor starts.
fn place(body: &mut BodySpec, at: &[f64; 2]) {
    let Some(JointKind::Stack(stack)) = body.joint.as_mut().map(|joint| &mut joint.kind) else { return };
    for (axis, place) in stack.axes.iter_mut().zip(at) {
        if let StackAxisSpec::Slide(axis) = axis {
            axis.position = *place;
        }
    }
}
