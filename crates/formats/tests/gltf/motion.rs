//! Compares the exported motion with the recording.

use burgess_formats::gltf::Container;
use burgess_geometry::Pose;
use burgess_scene::builtin;
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use glam::{DQuat, DVec3, Mat4, Quat, Vec3};
use proptest::prelude::*;

use super::imported::Imported;
use super::recorded::{frames, glb, one_of_each, recording, simulated, try_export, tumbling};

/// Returns translation and rotation of a node at a key frame.
fn at_key(imported: &Imported, name: &str, key: usize) -> (Vec3, Quat) {
    let node = imported.node(name);
    let tracks = imported.tracks(&node);
    let (translation, rotation, _) = node.transform().decomposed();
    let translation = tracks.translations.map_or(translation, |list| list[key]);
    let rotation = tracks.rotations.map_or(rotation, |list| list[key]);
    (Vec3::from_array(translation), Quat::from_array(rotation))
}

#[test]
fn poses_are_those_of_the_recording() {
    for name in ["skeleton-on-stairs", "marble-machine", "car-track"] {
        let scene = builtin::find(name).unwrap().spec();
        let mut recording = simulated(&scene, 9, 4);
        let imported = Imported::new(&glb(&mut recording).bytes);
        let bodies = recording.header().bodies.clone();
        for (key, frame) in frames(&mut recording).iter().enumerate() {
            for (body, pose) in bodies.iter().zip(&frame.poses) {
                let (translation, rotation) = at_key(&imported, body, key);
                // Positions of recordings have single precision; unit quaternions are rounded to it.
                assert_eq!(translation.as_dvec3(), pose.translation, "{body}, frame {key}");
                let apart = rotation.as_dquat().dot(pose.rotation).abs();
                assert!((apart - 1.0).abs() < 2e-7, "{body}, frame {key}: {apart}");
                let tracks = imported.tracks(&imported.node(body));
                if let Some(&time) = tracks.times.get(key) {
                    assert!((f64::from(time) - frame.time).abs() < 1e-7);
                }
            }
        }
    }
}

#[test]
fn tracks_share_their_times_and_resting_bodies_have_none() {
    let mut scene = SceneSpec::new("rest", "One moves, one turns, one does nothing.");
    for name in ["mover", "turner", "sleeper"] {
        scene.bodies.push(BodySpec::new(name, DVec3::ZERO, [ShapeSpec::sphere(0.1)]));
    }
    scene.bodies.push(BodySpec::fixed("ground", DVec3::ZERO, [ShapeSpec::half_space()]));
    let turned = Pose::new(DQuat::from_rotation_x(0.5), DVec3::ZERO);
    let frames = [
        (2.0, vec![Pose::IDENTITY; 3]),
        (2.5, vec![Pose::from_translation(DVec3::X), turned, Pose::IDENTITY]),
        (3.0, vec![Pose::IDENTITY; 3]),
    ];
    let made = glb(&mut recording(&scene, &["mover", "turner", "sleeper"], &frames));
    assert_eq!((made.bodies, made.moving, made.key_frames, made.seconds), (4, 2, 3, 1.0));
    let imported = Imported::new(&made.bytes);
    let paths = ["mover", "turner", "sleeper", "ground"].map(|name| {
        let tracks = imported.tracks(&imported.node(name));
        (tracks.translations.is_some(), tracks.rotations.is_some())
    });
    assert_eq!(paths, [(true, false), (false, true), (false, false), (false, false)]);
    assert_eq!(imported.tracks(&imported.node("mover")).times, [0.0, 0.5, 1.0]);
    let animation = imported.gltf.animations().next().unwrap();
    let inputs: Vec<usize> = animation.samplers().map(|sampler| sampler.input().index()).collect();
    assert!(inputs.iter().all(|&input| input == inputs[0]));
    assert_eq!(imported.gltf.animations().count(), 1);
}

#[test]
fn no_animation_without_motion() {
    let mut scene = SceneSpec::new("still", "A ball rests.");
    scene.bodies.push(BodySpec::new("ball", DVec3::ZERO, [ShapeSpec::sphere(0.1)]));
    let place = Pose::from_translation(DVec3::new(1.0, 2.0, 3.0));
    let made = glb(&mut recording(&scene, &["ball"], &[(0.0, vec![place]), (1.0, vec![place])]));
    let imported = Imported::new(&made.bytes);
    assert_eq!((imported.gltf.animations().count(), made.moving), (0, 0));
    assert_eq!(imported.node("ball").transform().decomposed().0, [1.0, 2.0, 3.0]);
}

#[test]
fn y_is_up() {
    let scene = one_of_each();
    let imported = Imported::new(&glb(&mut tumbling(&scene, 2)).bytes);
    let roots: Vec<_> = imported.gltf.scenes().next().unwrap().nodes().collect();
    assert_eq!(roots.len(), 1);
    let turn = Mat4::from_cols_array_2d(&roots[0].transform().matrix());
    for (from, to) in [(Vec3::X, Vec3::X), (Vec3::Y, -Vec3::Z), (Vec3::Z, Vec3::Y)] {
        assert!((turn.transform_vector3(from) - to).length() < 1e-6);
    }
    assert_eq!(roots[0].children().count(), scene.bodies.len() + 1);
}

#[test]
fn reduced_frames_are_evenly_spaced_and_keep_the_last() {
    let mut recording = tumbling(&one_of_each(), 12);
    let mut times = |rate| {
        let made = try_export(&mut recording, Container::Binary, rate).unwrap();
        let imported = Imported::new(&made.bytes);
        let times = imported.tracks(&imported.node("body 0")).times;
        assert_eq!((times.len(), f64::from(times[times.len() - 1])), (made.key_frames, made.seconds));
        times
    };
    // Frames come every 0.125 s, up to 1.375 s.
    assert_eq!(times(Some(4.0)), [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.375]);
    assert_eq!(times(Some(3.0)), [0.0, 0.375, 0.75, 1.0, 1.375]);
    assert_eq!(times(Some(0.01)), [0.0, 1.375]);
    assert_eq!(times(Some(8.0)), times(None));
    assert_eq!(times(Some(1e300)), times(None));
}

#[test]
fn the_overview_camera_shows_all_moving_bodies() {
    for name in ["dominoes", "pendulum", "car-track"] {
        let scene = builtin::find(name).unwrap().spec();
        let mut recording = simulated(&scene, 5, 20);
        let imported = Imported::new(&glb(&mut recording).bytes);
        let node = imported.node("everything that moves");
        let eye = Mat4::from_cols_array_2d(&node.transform().matrix()).inverse();
        let camera = node.camera().unwrap();
        let gltf::camera::Projection::Perspective(lens) = camera.projection() else { panic!() };
        let slope = libm::tan(0.5 * f64::from(lens.yfov()));
        for frame in frames(&mut recording) {
            for pose in &frame.poses {
                let seen = eye.transform_point3(pose.translation.as_vec3()).as_dvec3();
                assert!(-seen.z > lens.znear().into() && -seen.z < lens.zfar().unwrap().into(), "{name}: {seen}");
                assert!(seen.x.abs().max(seen.y.abs()) < -seen.z * slope, "{name}: {seen}");
            }
        }
    }
}

#[test]
fn following_cameras_do_not_rotate() {
    let scene = builtin::find("car-track").unwrap().spec();
    let imported = Imported::new(&glb(&mut simulated(&scene, 5, 20)).bytes);
    let (mount, car) = (imported.node("along with chassis"), imported.node("chassis"));
    let (along, own) = (imported.tracks(&mount), imported.tracks(&car));
    assert!(own.translations.is_some() && along.translations == own.translations && along.rotations.is_none());
    assert_eq!(mount.children().next().unwrap().name(), Some("car"));
    let start = scene.bodies.iter().find(|body| body.name == "chassis").unwrap().position;
    let camera = scene.display.cameras.iter().find(|camera| camera.name == "car").unwrap();
    let offset = Vec3::from_array(imported.node("car").transform().decomposed().0).as_dvec3();
    assert!((offset - (camera.position - start)).length() < 1e-5, "{offset}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Arbitrary orientations, repeated times and arbitrary names.
    #[test]
    fn any_recording_can_be_exported(
        steps in prop::collection::vec((0.0..0.2f64, prop::array::uniform4(-1.0..1.0f64), -1e4..1e4f64), 1..20),
        name in "\\PC{1,12}",
        rate in prop::option::of(0.1..100.0f64),
    ) {
        let mut scene = SceneSpec::new(&name, "");
        scene.bodies.push(BodySpec::new(&name, DVec3::ZERO, [ShapeSpec::sphere(0.1)]));
        prop_assume!(scene.to_toml().is_ok_and(|text| SceneSpec::from_toml(&text, "").is_ok()));
        let mut time = 0.0;
        let frames: Vec<_> = steps.iter().map(|&(pause, rotation, x)| {
            // Some frames have the time of the previous frame.
            time += if pause < 0.05 { 0.0 } else { pause };
            let rotation = DQuat::from_array(rotation);
            let rotation = if rotation.length() > 0.01 { rotation.normalize() } else { DQuat::IDENTITY };
            (time, vec![Pose::new(rotation, x * DVec3::X)])
        }).collect();
        let mut recording = recording(&scene, &[&name], &frames);
        let made = try_export(&mut recording, Container::Binary, rate).unwrap();
        let imported = Imported::new(&made.bytes);
        let node = imported.gltf.nodes().nth(1).unwrap();
        prop_assert_eq!(node.name(), Some(&name[..]));
        let tracks = imported.tracks(&node);
        prop_assert!(tracks.times.windows(2).all(|pair| pair[0] < pair[1]));
        for pair in tracks.rotations.unwrap_or_default().windows(2) {
            let [a, b] = [pair[0], pair[1]].map(Quat::from_array);
            prop_assert!(a.dot(b) >= 0.0, "{a} and {b} are far apart");
            prop_assert!((a.length() - 1.0).abs() < 1e-6);
        }
    }
}
