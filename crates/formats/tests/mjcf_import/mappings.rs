//! How the elements of a model are mapped to a scene.

use std::f64::consts::PI;

use burgess_formats::import::ImportOptions;
use burgess_formats::import_file;
use burgess_formats::mjcf;
use burgess_scene::spec::{
    FluidSpec, JointKind, LengthTie, LightSpec, Measured, Orientation, SpringTie, StackAxisSpec, TieKind,
};
use glam::{DQuat, DVec3};

use super::{Folder, import, world};

#[test]
fn static_bodies_become_fixed_and_their_children_attach_to_the_world() {
    let model = world(
        "<geom type='plane' size='1 1 1'/><body name='wall' pos='1 0 0'><geom size='0.1'/><body pos='0 0 1'><geom size='0.2'/>
         <body name='arm' pos='0 1 0'><joint/><geom size='0.3'/><body name='hand' pos='0 0 0.5'><geom size='0.4'/>
         </body></body></body></body>",
    );
    let names: Vec<_> = model.scene.bodies.iter().map(|body| (body.name.as_str(), body.fixed)).collect();
    assert_eq!(names, [("world", true), ("wall", true), ("body2", true), ("arm", false), ("hand", false)]);
    assert_eq!(model.scene.bodies[2].position, DVec3::new(1.0, 0.0, 1.0));
    let arm = model.scene.bodies[3].joint.as_ref().unwrap();
    assert_eq!((arm.parent.as_deref(), arm.in_parent.position), (None, DVec3::new(1.0, 1.0, 1.0)));
    let hand = model.scene.bodies[4].joint.as_ref().unwrap();
    assert_eq!(hand.parent.as_deref(), Some("arm"));
    assert!(matches!(hand.kind, JointKind::Weld(_)));
}

#[test]
fn generated_names_are_unique() {
    let model = world("<body/><body name='body1'/><body name='body2'/><body/>");
    let names: Vec<_> = model.scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["body1_", "body1", "body2", "body4"]);
}

/// Point masses and massless frames are allowed if they are fixed to a body with inertia.
#[test]
fn bodies_without_inertia_may_be_fixed_to_others() {
    let model = world(
        "<body name='a'><joint/><geom size='0.1' mass='1'/><body name='b'/><body name='c' pos='1 0 0'>
         <inertial pos='0 0 0' mass='2' diaginertia='0 0 0'/></body></body>",
    );
    let built = model.scene.build(".").unwrap();
    let link = &built.world.model().links()[0];
    assert!((link.inertia.mass - 3.0).abs() < 1e-11, "{}", link.inertia.mass);
}

#[test]
fn several_joints_of_a_body_are_one_stack() {
    let model = world(
        "<body pos='0 0 1'><joint type='slide' axis='2 0 0' range='-1 1'/><joint axis='0 1 0' pos='0 0 0.5' range='-90 0' ref='-45'
         springref='-30' stiffness='2' damping='3' frictionloss='4' armature='5'/><geom size='1'/></body>",
    );
    let JointKind::Stack(stack) = &model.scene.bodies[0].joint.as_ref().unwrap().kind else { panic!() };
    let [StackAxisSpec::Slide(slide), StackAxisSpec::Hinge(hinge)] = &stack.axes[..] else { panic!() };
    assert_eq!((slide.axis, slide.limit), (DVec3::X, Some([-1.0, 1.0])));
    let [low, high] = hinge.limit.unwrap();
    assert!((low + PI / 4.0).abs() < 1e-15 && (high - PI / 4.0).abs() < 1e-15);
    assert!((hinge.rest - PI / 12.0).abs() < 1e-15);
    assert_eq!(hinge.anchor, DVec3::new(0.0, 0.0, 0.5));
    assert_eq!((hinge.stiffness, hinge.damping, hinge.friction, hinge.armature), (2.0, 3.0, 4.0, 5.0));
}

#[test]
fn free_joints_ignore_defaults_and_can_be_damped() {
    let defaults = "<default><joint damping='2' armature='3'/></default>";
    let model = import(&format!("{defaults}<worldbody><body><freejoint/><geom size='1'/></body></worldbody>")).unwrap();
    assert_eq!(model.scene.bodies[0].joint, None);
    let damped = "<worldbody><body><joint type='free' armature='0'/><geom size='1'/></body></worldbody>";
    let model = import(&format!("{defaults}{damped}")).unwrap();
    let Some(JointKind::Free(free)) = model.scene.bodies[0].joint.as_ref().map(|joint| &joint.kind) else { panic!() };
    assert_eq!((free.linear_damping, free.angular_damping), (2.0, 2.0));
    assert_eq!(model.warnings, []);
}

#[test]
fn options_and_flags() {
    let body = "<worldbody><geom type='plane' size='1 1 1'/><body><joint name='j' range='0 1' stiffness='1' damping='2' frictionloss='3'/>
         <geom size='1'/></body></worldbody><actuator><motor joint='j' ctrlrange='-1 1'/></actuator>";
    let set = "<option timestep='0.01' gravity='0 0 -1' density='1000' viscosity='0.5' wind='1 2 3' integrator='RK4'/>";
    let scene = import(&format!("{set}{body}")).unwrap().scene;
    assert_eq!((scene.simulation.step, scene.gravity), (0.01, DVec3::NEG_Z));
    let Some(FluidSpec::InertiaBox(fluid)) = &scene.fluid else { panic!() };
    assert_eq!((fluid.density, fluid.viscosity, fluid.current), (1000.0, 0.5, DVec3::new(1.0, 2.0, 3.0)));
    let off = "<option density='1'><flag gravity='disable' contact='disable' spring='disable' damper='disable' \
               frictionloss='disable' limit='disable' clampctrl='disable' actuation='disable'/></option>";
    let scene = import(&format!("{off}{body}")).unwrap().scene;
    assert_eq!((scene.gravity, &scene.fluid), (DVec3::ZERO, &None));
    let JointKind::Revolute(axis) = &scene.bodies[1].joint.as_ref().unwrap().kind else { panic!() };
    assert_eq!((axis.limit, axis.stiffness, axis.damping, axis.friction), (None, 0.0, 0.0, 0.0));
    assert!(scene.bodies.iter().flat_map(|body| &body.shapes).all(|shape| shape.mask == 0));
    assert_eq!((scene.actuators[0].control_range, scene.actuators[0].gain), (None, 0.0));
}

/// In the reference configuration: arms of 1 m, the second at (1, 0, 0).
const TWO_ARMS: &str = "<worldbody><body name='a'><joint name='a' axis='0 1 0' ref='30' springref='60'/><geom size='0.1'/>
    <body name='b' pos='1 0 0' euler='0 0 90'><joint name='b' axis='0 1 0'/><geom size='0.1'/><site name='s' pos='0 0 0.5'/></body>
    </body><body name='c' pos='0 0 3'><freejoint/><geom size='0.1'/><site name='t' pos='0.1 0 0'/></body><site name='w' pos='7 0 0'/>
    </worldbody>";

#[test]
fn connects_and_welds_use_the_reference_configuration() {
    let model = import(&format!(
        "{TWO_ARMS}<equality><connect body1='b' anchor='0 2 0'/><connect body1='b' body2='c' anchor='0 0 0'/>
         <connect site1='s' site2='t'/><weld body1='c' body2='b' anchor='0 1 0'/>
         <weld body1='c' relpose='1 2 3 0 0 0 2' anchor='4 5 6'/><weld site1='w' site2='t'/><connect body1='b' anchor='0 0 0' active='false'/>
         </equality>"
    ))
    .unwrap();
    let ties = &model.scene.constraints;
    assert_eq!(ties.len(), 6);
    let at = |place: usize, second: bool| if second { &ties[place].b } else { &ties[place].a };
    let close = |a: DVec3, b: [f64; 3]| assert!((a - DVec3::from_array(b)).length() < 1e-14, "{a}");
    assert!(matches!(ties[0].kind, TieKind::Pin(_)) && matches!(ties[3].kind, TieKind::Weld(_)));
    assert_eq!((at(0, false).body.as_deref(), at(0, true).body.as_deref()), (Some("b"), None));
    close(at(0, true).position, [-1.0, 0.0, 0.0]);
    close(at(1, true).position, [1.0, 0.0, -3.0]);
    close(at(2, false).position, [0.0, 0.0, 0.5]);
    close(at(3, false).position, [0.0, 0.0, -3.0]);
    close(at(3, true).position, [0.0, 1.0, 0.0]);
    let turn = at(3, false).orientation.rotation().unwrap();
    assert!(turn.angle_between(DQuat::from_rotation_z(PI / 2.0)) < 1e-7);
    close(at(4, false).position, [1.0, 2.0, 3.0]);
    close(at(4, true).position, [4.0, 5.0, 6.0]);
    assert_eq!(at(4, false).orientation, Orientation::Quaternion([0.0, 0.0, 1.0, 0.0]));
    assert_eq!((at(5, false).body.as_deref(), at(5, false).position), (None, DVec3::new(7.0, 0.0, 0.0)));
}

#[test]
fn lengths_of_tendons_are_shifted_by_references() {
    let joints = "<joint joint='a' coef='2'/><joint joint='b' coef='-1'/>";
    let model = import(&format!(
        "{TWO_ARMS}<tendon><fixed name='f'>{joints}</fixed><fixed stiffness='3' damping='4'>{joints}</fixed>
         <fixed stiffness='3' springlength='0.5 1.5'>{joints}</fixed></tendon>"
    ))
    .unwrap();
    assert_eq!(model.warnings, []);
    let [idle, auto, band] = &model.scene.tendons[..] else { panic!() };
    assert_eq!((idle.name.as_str(), idle.stiffness, idle.rest), ("f", 0.0, [0.0; 2]));
    assert_eq!((auto.joints[1].joint.as_str(), auto.joints[1].coefficient), ("b", -1.0));
    assert_eq!((auto.stiffness, auto.damping), (3.0, 4.0));
    // The relaxed position of the first joint is 30 degrees from the reference configuration.
    assert!(auto.rest.iter().all(|rest| (rest - 2.0 * PI / 6.0).abs() < 1e-15));
    assert!((band.rest[0] - (0.5 - PI / 3.0)).abs() < 1e-15 && (band.rest[1] - (1.5 - PI / 3.0)).abs() < 1e-15);
}

#[test]
fn supported_sensors() {
    let model = import(&format!(
        "{TWO_ARMS}<actuator><motor name='m' joint='b'/></actuator><sensor><jointpos joint='b'/><jointvel name='v' joint='b'/>
         <velocimeter site='s'/><gyro site='s'/><actuatorfrc actuator='m'/><framepos objtype='site' objname='s'/>
         <framequat objtype='xbody' objname='b'/><framelinvel objtype='xbody' objname='b'/><frameangvel objtype='site' objname='w'/>
         <subtreecom body='a'/></sensor>"
    ))
    .unwrap();
    assert_eq!(model.warnings, []);
    let kinds: Vec<_> = model.scene.sensors.iter().map(|sensor| (&sensor.kind, sensor.name.as_str())).collect();
    assert!(matches!(kinds[0], (Measured::JointPosition(of), "sensor0") if of.joint == "b" && of.axis == 0));
    assert!(matches!(kinds[1], (Measured::JointVelocity(_), "v")));
    assert!(matches!(kinds[6], (Measured::SiteOrientation(of), _) if of.site == "frame of b"));
    assert!(matches!(kinds[9], (Measured::CenterOfMass(of), _) if of.body == "a"));
    let names: Vec<_> = model.scene.sites.iter().map(|site| (site.name.as_str(), site.body.as_deref())).collect();
    assert_eq!(names, [("s", Some("b")), ("t", Some("c")), ("w", None), ("frame of b", Some("b"))]);
    model.scene.build(".").unwrap();
}

#[test]
fn keyframes_start_a_scene() {
    let text = format!(
        "<mujoco>{TWO_ARMS}<actuator><motor name='m' joint='b'/></actuator><keyframe><key name='start' qpos='1' ctrl='0.5'/>
         <key name='other' qvel='0 2'/></keyframe></mujoco>"
    );
    let folder = Folder::new("keyframes");
    let path = folder.write("m.xml", &text);
    let start = |options: &ImportOptions| {
        let scene = import_file(&path, options).unwrap().scene;
        let position = |body: usize| match &scene.bodies[body].joint.as_ref().unwrap().kind {
            JointKind::Revolute(axis) => (axis.position, axis.velocity),
            _ => panic!(),
        };
        (position(0), position(1), scene.actuators[0].control)
    };
    let reference = PI / 6.0;
    assert_eq!(start(&ImportOptions::default()), ((1.0 - reference, 0.0), (0.0, 0.0), 0.5));
    let other = ImportOptions { keyframe: Some("other".to_string()), ..ImportOptions::default() };
    assert_eq!(start(&other), ((0.0, 0.0), (0.0, 2.0), 0.0));
    let typo = ImportOptions { keyframe: Some("othe".to_string()), ..ImportOptions::default() };
    let error = import_file(&path, &typo).unwrap_err().to_string();
    assert!(error.ends_with("m.xml: there is no keyframe called 'othe'; did you mean 'other'?"), "{error}");
}

#[test]
fn states_of_other_models_are_refused() {
    let model = import(TWO_ARMS).unwrap();
    let built = model.scene.build(".").unwrap();
    let map = &model.states;
    assert_eq!((map.positions(), map.velocities()), (9, 8));
    let error = map.to_state(built.world.model(), &[0.0; 8], &[0.0; 8]).unwrap_err();
    assert_eq!(error.to_string(), "qpos has 8 numbers; expected 9");
    let other = world("<body name='a'><joint/><geom size='1'/></body>").scene.build(".").unwrap();
    let error = map.to_state(other.world.model(), &[0.0; 9], &[0.0; 8]).unwrap_err();
    assert_eq!(error.to_string(), "the world has no moving link called 'b'");
}

#[test]
fn unsupported_actuators_keep_their_index() {
    let model = import(&format!(
        "{TWO_ARMS}<actuator><motor name='m' joint='b'/><muscle name='x' joint='a'/><motor joint='a'/></actuator>"
    ))
    .unwrap();
    let order: Vec<_> = model.states.actuators().iter().map(|name| name.as_deref()).collect();
    assert_eq!(order, [Some("m"), None, Some("actuator2")]);
}

#[test]
fn included_files_are_part_of_the_model() {
    let folder = Folder::new("include");
    folder.write(
        "parts/body.xml",
        "<anything><body name='b'><joint/><geom size='1'/></body><include file='parts/more.xml'/></anything>",
    );
    folder.write("parts/more.xml", "<x><geom size='2'/></x>");
    let model = folder.import("<mujoco><worldbody><include file='parts/body.xml'/></worldbody></mujoco>").unwrap();
    let names: Vec<_> = model.scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["world", "b"]);
    assert_eq!(model.scene.name, "model");
}

#[test]
fn colours_cameras_and_lights() {
    let model = import(
        "<asset><material name='red' rgba='1 0 0 1'/></asset><default><geom material='red'/></default><worldbody>
         <geom size='1'/><geom size='1' rgba='0 0.5 2 1'/><light directional='true' dir='0 0 -2' diffuse='0.5 0.25 0.5'/>
         <light pos='1 2 3'/><light active='false'/><camera name='front' pos='3 0 1' xyaxes='0 1 0 0 0 1' fovy='30'/>
         <body name='b' pos='0 0 1'><freejoint/><geom size='1'/><camera pos='0 -3 0' mode='targetbody' target='b'/></body></worldbody>",
    )
    .unwrap();
    let shapes = &model.scene.bodies[0].shapes;
    assert_eq!((shapes[0].color, shapes[1].color), (Some(DVec3::X), Some(DVec3::new(0.0, 0.5, 1.0))));
    let display = &model.scene.display;
    assert!(matches!(&display.lights[0], LightSpec::Directional(light) if light.intensity == 0.5));
    assert!(matches!(&display.lights[1], LightSpec::Point(light) if light.position == DVec3::new(1.0, 2.0, 3.0)));
    assert!(matches!(&display.lights[2..], [LightSpec::Ambient(_)]));
    let [front, follower] = &display.cameras[..] else { panic!() };
    assert_eq!((front.name.as_str(), front.follow.as_deref(), front.field_of_view_degrees), ("front", None, 30.0));
    assert!((front.target - DVec3::new(2.0, 0.0, 1.0)).length() < 1e-15);
    assert_eq!((follower.follow.as_deref(), follower.target), (Some("b"), DVec3::Z));
}

#[test]
fn joint_ranges() {
    let range = |joint: &str| {
        let model = world(&format!("<body><joint {joint}/><geom size='1'/></body>"));
        match &model.scene.bodies[0].joint.as_ref().unwrap().kind {
            JointKind::Revolute(axis) | JointKind::Prismatic(axis) => axis.limit,
            JointKind::Spherical(ball) => ball.limit.map(|angle| [0.0, angle]),
            _ => panic!(),
        }
    };
    assert_eq!(range("type='slide' range='1 0'"), None);
    assert_eq!(range("type='slide' range='0 1' limited='false'"), None);
    // The limit acts a margin before the end of the range, or at its centre if the margins overlap.
    assert_eq!(range("type='slide' range='0 1' margin='0.25'"), Some([0.25, 0.75]));
    assert_eq!(range("type='slide' range='0 1' margin='1'"), Some([0.5, 0.5]));
    assert_eq!(range("type='ball' range='0 180'"), Some([0.0, PI]));
    let strict = mjcf::import_text(
        "<mujoco><compiler autolimits='false'/><worldbody><body><joint range='0 1'/><geom size='1'/></body></worldbody></mujoco>",
        "m.xml",
        &ImportOptions::default(),
    );
    let error = strict.unwrap_err().to_string();
    assert!(error.contains("<joint>: has a range, but autolimits is false"), "{error}");
}

#[test]
fn straight_tendons_become_springs_ropes_and_distances() {
    let model = import(
        "<worldbody><site name='a' pos='0 0 2'/><body name='b'><freejoint/><geom size='0.1'/><site name='c' pos='0 0 0.5'/></body>
         </worldbody><tendon>
         <spatial name='rest' stiffness='3' damping='4'><site site='a'/><site site='c'/></spatial>
         <spatial name='both' stiffness='3' springlength='0.25' range='0 5'><site site='a'/><site site='c'/></spatial>
         <spatial name='rod'><site site='a'/><site site='c'/></spatial></tendon>
         <equality><tendon tendon1='rod' polycoef='-0.5'/></equality>",
    );
    let model = model.unwrap();
    assert_eq!(model.warnings, []);
    let kinds: Vec<&TieKind> = model.scene.constraints.iter().map(|tie| &tie.kind).collect();
    let spring = |length, damping| TieKind::Spring(SpringTie { length, stiffness: 3.0, damping });
    let rope = TieKind::Rope(LengthTie { length: 5.0 });
    let rod = TieKind::Distance(LengthTie { length: 1.0 });
    assert_eq!(kinds, [&spring(1.5, 4.0), &rope, &spring(0.25, 0.0), &rod]);
    let tie = &model.scene.constraints[0];
    assert_eq!((tie.a.body.as_deref(), tie.a.position), (None, DVec3::new(0.0, 0.0, 2.0)));
    assert_eq!((tie.b.body.as_deref(), tie.b.position), (Some("b"), DVec3::new(0.0, 0.0, 0.5)));
}
