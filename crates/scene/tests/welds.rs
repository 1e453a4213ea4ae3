//! Bodies that are welded to each other form one link, and can still be referred to by their own names.

use burgess_collision::narrow_phase::PairTable;
use burgess_dynamics::{Workspace, update_kinematics};
use burgess_scene::recording::RecordedBodies;
use burgess_scene::{BuiltScene, RunningScene};
use burgess_simulation::{CollisionDetection, Lookahead};
use glam::{DQuat, DVec3};

use crate::support::{GROUND, refusal, run, scene};

fn built(text: &str) -> BuiltScene {
    scene(text).build(".").unwrap_or_else(|error| panic!("{error}"))
}

fn place(running: &mut RunningScene, body: usize) -> (DVec3, DQuat) {
    running.simulation.data_mut().update_kinematics();
    let pose = running.body_pose(body).unwrap();
    (pose.translation, pose.rotation)
}

/// A hammer of three bodies and two welds with different frames: the handle of 2 kg at the origin, 5 kg above it.
fn hammer() -> String {
    let start = "position = [0, 0, 1]\nangular_velocity = [1, 2, 3]\n";
    format!(
        "{GROUND}[[bodies]]\nname = 'tip'\nshapes = [{{ type = 'sphere', radius = 0.1 }}]\nmass = 1e-9\n\
         joint = {{ type = 'weld', parent = 'head', in_parent = {{ position = [0, 0.3, 0] }} }}\n\
         [[bodies]]\nname = 'handle'\n{start}shapes = [{{ type = 'box', size = [0.1, 0.1, 0.6] }}]\nmass = 2\ninertia = [0.3, 0.3, 0.1]\n\
         [[bodies]]\nname = 'head'\nmass = 5\ninertia = [0.2, 0.1, 0.1]\n\
         shapes = [{{ type = 'box', size = [0.15, 0.4, 0.15] }}]\n\
         joint = {{ type = 'weld', parent = 'handle', in_parent = {{ position = [0, 0, 0.4], orientation = {{ euler_degrees = [0, 0, -90] }} }} }}\n"
    )
}

#[test]
fn masses_of_welded_bodies_add_up_by_the_parallel_axis_theorem() {
    let built = built(&hammer());
    let links = built.world.model().links();
    assert_eq!(links.len(), 1);
    let all = links[0].inertia;
    assert!((all.mass - 7.0).abs() < 1e-8);
    let center = links[0].frame.transform_point(all.center);
    assert!((center - DVec3::Z * (5.0 * 0.4 / 7.0)).length() < 1e-9, "{center}");
    // The head's axes are rotated: its 0.2 is about the handle's y axis. Add reduced mass times distance squared.
    let moment = (2.0 * 5.0 / 7.0) * 0.4 * 0.4;
    let own = [1, 2, 3].map(|body| built.bodies[body].mass.unwrap().mass);
    assert_eq!(own, [1e-9, 2.0, 5.0]);
    let observed = {
        let mut workspace = Workspace::new(built.world.model());
        update_kinematics(built.world.model(), &built.state, &mut workspace);
        burgess_dynamics::observables(built.world.model(), &built.state, &workspace)
    };
    // Kinetic energy of the rotation (1, 2, 3) and of the centre of mass, whose velocity follows from the handle's.
    let spin = DVec3::new(1.0, 2.0, 3.0);
    let rotation = 0.5 * ((0.4 + moment) + (0.5 + moment) * 4.0 + 0.2 * 9.0);
    let velocity = spin.cross(DVec3::Z * (2.0 / 7.0));
    let expected = rotation + 0.5 * 7.0 * velocity.length_squared();
    assert!((observed.kinetic_energy - expected).abs() < 1e-7, "{} {expected}", observed.kinetic_energy);
}

#[test]
fn welded_bodies_move_like_a_single_body() {
    // The same shapes, order and mass, as one body and as two.
    let one = "[[bodies]]\nname = 'all'\nposition = [0, 0, 1]\nangular_velocity = [1, 2, 3]\nshapes = [\
               { type = 'box', size = [0.2, 0.3, 0.4] }, { type = 'sphere', radius = 0.15, position = [0.1, 0.2, 0.3] }]\n";
    let two = "[[bodies]]\nname = 'main'\nposition = [0, 0, 1]\nangular_velocity = [1, 2, 3]\n\
               shapes = [{ type = 'box', size = [0.2, 0.3, 0.4] }]\n\
               [[bodies]]\nname = 'knob'\nshapes = [{ type = 'sphere', radius = 0.15 }]\n\
               joint = { type = 'weld', parent = 'main', in_parent = { position = [0.1, 0.2, 0.3] } }\n";
    let spun = |text: &str| run(&format!("{GROUND}{text}"));
    let (mut one, mut two) = (spun(one), spun(two));
    // The centre of mass of the one piece starts at rest, that of the box does in the other.
    let v = one.simulation.state().v.clone();
    two.simulation.data_mut().state.v.copy_from_slice(&v);
    for _ in 0..240 {
        one.simulation.step().unwrap();
        two.simulation.step().unwrap();
        let (a, b) = (place(&mut one, 1), place(&mut two, 1));
        // Masses differ by rounding only, which a second of tumbling on the ground amplifies little.
        assert!((a.0 - b.0).length() < 1e-9 && (a.1 - b.1).length() < 1e-9, "{a:?} {b:?}");
    }
    let knob = place(&mut two, 2);
    let main = place(&mut two, 1);
    assert!((knob.0 - (main.0 + main.1 * DVec3::new(0.1, 0.2, 0.3))).length() < 1e-15);
}

#[test]
fn joints_constraints_and_forces_act_at_the_welded_body() {
    let arm = "[[bodies]]\nname = 'post'\nfixed = true\nposition = [0, 0, 2]\n\
               [[bodies]]\nname = 'bracket'\nshapes = [{ type = 'box', size = [0.1, 0.1, 0.1] }]\n\
               joint = { type = 'weld', parent = 'post', in_parent = { position = [1, 0, 0], orientation = { euler_degrees = [0, 0, 90] } } }\n\
               [[bodies]]\nname = 'arm'\nmass = 1\ninertia = [1, 1, 1]\n\
               joint = { type = 'revolute', parent = 'bracket', axis = [1, 0, 0], in_parent = { position = [0.5, 0, 0] } }\n\
               [[bodies]]\nname = 'hand'\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n\
               joint = { type = 'weld', parent = 'arm', in_parent = { position = [0, 2, 0] } }\n";
    let built = built(arm);
    let model = built.world.model();
    // The post is the parent of a joint through the bracket; the hand is welded to the arm.
    assert_eq!((0..2).map(|link| model.name(link)).collect::<Vec<_>>(), ["post", "arm"]);
    assert_eq!(model.links().len(), 2);
    let mut workspace = Workspace::new(model);
    update_kinematics(model, &built.state, &mut workspace);
    let at = |body: usize| built.bodies[body].frame(&built.world, &workspace).translation;
    assert!((at(2) - DVec3::new(1.0, 0.5, 2.0)).length() < 1e-15);
    assert!((at(3) - DVec3::new(-1.0, 0.5, 2.0)).length() < 1e-15);

    // A force on the hand, along its own axes, at its own centre of mass: a torque of 2 m times 3 N about the hinge.
    let force = "gravity = [0, 0, 0]\n[[controllers]]\ntype = 'constant_force'\nbody = 'hand'\nforce = [0, 0, 3]\nframe = 'body'\n";
    let mut pushed = run(&format!("{force}{arm}"));
    pushed.simulation.step().unwrap();
    let inertia = 1.0 + 0.1 + 2.0 * 4.0;
    let expected = 6.0 / inertia * pushed.simulation.step_length();
    assert!((pushed.simulation.state().v[0] / expected - 1.0).abs() < 1e-6, "{}", pushed.simulation.state().v[0]);

    // An acceleration field acts on each body's own mass at its own position.
    let field =
        "gravity = [0, 0, 0]\n[[controllers]]\ntype = 'force_field'\nbodies = ['hand']\nacceleration = [0, 0, 3]\n";
    let mut blown = run(&format!("{field}{arm}"));
    blown.simulation.step().unwrap();
    assert!((blown.simulation.state().v[0] / (2.0 * expected) - 1.0).abs() < 1e-6);

    // A rope whose length is the distance from the hand to the world is taut, not slack by a metre.
    let tied = format!(
        "{arm}[[constraints]]\ntype = 'distance'\nlength = 1\na = {{ body = 'hand' }}\nb = {{ position = [-1, 0.5, 3] }}\n"
    );
    let mut held = run(&tied);
    held.simulation.run(0.5).unwrap();
    assert!((place(&mut held, 3).0 - DVec3::new(-1.0, 0.5, 2.0)).length() < 1e-3);
}

#[test]
fn a_body_welded_to_the_world_or_to_a_fixed_body_is_fixed() {
    let text = "[[bodies]]\nname = 'wall'\nfixed = true\nposition = [1, 0, 0]\nshapes = [{ type = 'box', size = [1, 1, 1] }]\n\
                [[bodies]]\nname = 'shelf'\nshapes = [{ type = 'box', size = [1, 1, 1] }]\njoint = { type = 'weld', parent = 'wall', in_parent = { position = [0, 0, 1] } }\n\
                [[bodies]]\nname = 'mast'\nshapes = [{ type = 'box', size = [1, 1, 1] }]\njoint = { type = 'weld', in_parent = { position = [5, 0, 0] }, in_child = { position = [0, 0, -1] } }\n\
                [[bodies]]\nname = 'mark'\njoint = { type = 'weld', parent = 'mast', in_parent = { position = [0, 0, 2] } }\n";
    let built = built(text);
    assert!(built.world.model().links().is_empty());
    let at = built.bodies.iter().map(|body| (body.link, body.pose.translation.to_array()));
    let expected = [[1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [5.0, 0.0, 1.0], [5.0, 0.0, 3.0]].map(|at| (None, at));
    assert_eq!(at.collect::<Vec<_>>(), expected);
    assert_eq!(built.world.colliders()[1].pose.translation, DVec3::new(1.0, 0.0, 1.0));
    // Recordings contain bodies that are not declared fixed, by name.
    let recorded = RecordedBodies::new(&scene(text), &built.bodies).header(60.0, String::new());
    assert_eq!(recorded.bodies, ["shelf", "mast", "mark"]);
    let push = "[[controllers]]\ntype = 'constant_force'\nbody = 'shelf'\nforce = [1, 0, 0]\n";
    assert!(refusal(&format!("{text}{push}")).contains("'shelf' is fixed or scripted, or welded to what is"));
    let tie = "[[constraints]]\ntype = 'pin'\na = { body = 'shelf' }\nb = { body = 'mast' }\n";
    assert!(refusal(&format!("{text}{tie}")).contains("must be on a body that forces can move"));
}

#[test]
fn constraints_within_one_link_are_refused() {
    let tie = "[[constraints]]\ntype = 'pin'\na = { body = 'tip' }\nb = { body = 'handle' }\n";
    assert!(refusal(&format!("{}{tie}", hammer())).contains("welded to each other"));
}

#[test]
fn a_body_without_mass_may_be_welded_to_one_with_mass_but_not_move_alone() {
    let frame = "[[bodies]]\nname = 'frame'\njoint = { type = 'weld', parent = 'ball', in_parent = { position = [0, 0, 1] } }\n";
    let ball = "[[bodies]]\nname = 'ball'\nshapes = [{ type = 'sphere', radius = 0.1 }]\n";
    let fused = built(&format!("{frame}{ball}"));
    assert_eq!(fused.bodies[0].mass, None);
    assert_eq!(fused.link_index(0), Some(0));
    // The welded body may have all of the mass.
    let hollow = "[[bodies]]\nname = 'root'\n[[bodies]]\nname = 'ball'\nshapes = [{ type = 'sphere', radius = 0.1 }]\njoint = { type = 'weld', parent = 'root' }\n";
    assert_eq!(built(hollow).bodies[0].mass, None);
    assert!(refusal("[[bodies]]\nname = 'root'\n").contains("moves but has no shape"));
}

/// Names of the bodies that touch at the start.
fn touching(text: &str) -> Vec<[String; 2]> {
    let (spec, built) = (scene(text), built(text));
    let mut detection = CollisionDetection::new(&built.world).unwrap();
    let mut workspace = Workspace::new(built.world.model());
    update_kinematics(built.world.model(), &built.state, &mut workspace);
    detection.detect(&built.world, &workspace, Lookahead { interval: 0.0, margin: 1e-6 }, &mut PairTable::default());
    let name = |collider: u32| {
        let owner = built.bodies.iter().position(|body| body.colliders.contains(&(collider as usize)));
        spec.bodies[owner.unwrap()].name.clone()
    };
    let mut pairs: Vec<_> = detection.contacts().iter().map(|c| [name(c.collider_a), name(c.collider_b)]).collect();
    pairs.dedup();
    pairs
}

#[test]
fn a_link_collides_with_its_parent_only_if_the_parent_is_fixed() {
    let ball = "shapes = [{ type = 'sphere', radius = 1 }]";
    let chain = |root: &str| {
        format!(
            "[[bodies]]\nname = 'root'\n{root}{ball}\n\
             [[bodies]]\nname = 'plate'\n{ball}\njoint = {{ type = 'weld', parent = 'root' }}\n\
             [[bodies]]\nname = 'arm'\n{ball}\njoint = {{ type = 'revolute', parent = 'plate', axis = [1, 0, 0] }}\n\
             [[bodies]]\nname = 'hand'\n{ball}\njoint = {{ type = 'weld', parent = 'arm' }}\n\
             [[bodies]]\nname = 'finger'\n{ball}\njoint = {{ type = 'revolute', parent = 'hand', axis = [1, 0, 0] }}\n"
        )
    };
    let names = |pairs: &[[&str; 2]]| pairs.iter().map(|pair| pair.map(str::to_string)).collect::<Vec<_>>();
    // Three links: only the first and the last are not adjacent.
    let moving = touching(&chain(""));
    assert_eq!(moving, names(&[["root", "finger"], ["plate", "finger"]]));
    // The stand collides with everything except fixed bodies.
    let wall = format!("[[bodies]]\nname = 'wall'\nfixed = true\n{ball}\n");
    let standing = touching(&(chain("fixed = true\n") + &wall));
    let expected = [
        ["root", "arm"],
        ["root", "hand"],
        ["root", "finger"],
        ["plate", "arm"],
        ["plate", "hand"],
        ["plate", "finger"],
        ["arm", "wall"],
        ["hand", "wall"],
        ["finger", "wall"],
    ];
    assert_eq!(standing, names(&expected));
    // An exclusion applies to two bodies, not to the bodies welded to them.
    let excluded = touching(&format!("exclusions = [['root', 'finger']]\n{}", chain("")));
    assert_eq!(excluded, names(&[["plate", "finger"]]));
}

#[test]
fn recordings_contain_welded_bodies_by_name() {
    let text = &hammer();
    let (spec, mut running) = (scene(text), run(text));
    running.simulation.run(0.1).unwrap();
    running.simulation.data_mut().update_kinematics();
    let recorded = RecordedBodies::new(&spec, &running.bodies);
    assert_eq!(recorded.header(60.0, String::new()).bodies, ["tip", "handle", "head"]);
    let (mut poses, data) = (Vec::new(), running.simulation.data());
    recorded.poses(&data.world, &data.workspace, &mut poses);
    assert_eq!(poses, [1, 2, 3].map(|body| running.body_pose(body).unwrap()));
    let expected = poses[1].transform_point(DVec3::new(0.3, 0.0, 0.4));
    assert!((poses[0].translation - expected).length() < 1e-15);
}
