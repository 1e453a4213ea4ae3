//! The two forms of a file, and errors.

use std::io::Cursor;
use std::path::Path;

use base64::Engine;
use burgess_formats::gltf::Container;
use burgess_geometry::Pose;
use burgess_scene::recording::{RecordingHeader, RecordingReader, RecordingWriter};
use burgess_scene::spec::{BodySpec, SceneSpec, ShapeSpec};
use glam::{DQuat, DVec3};

use super::imported::Imported;
use super::recorded::{Recording, glb, one_of_each, recording, try_export, tumbling};

#[test]
fn the_extension_selects_the_form() {
    for (name, form) in [
        ("a.glb", Some(Container::Binary)),
        ("b/a.x.GLTF", Some(Container::Text)),
        ("a.obj", None),
        ("glb", None),
        ("", None),
    ] {
        assert_eq!(Container::of(Path::new(name)), form, "{name}");
    }
}

#[test]
fn both_forms_have_the_same_contents() {
    let mut recording = tumbling(&one_of_each(), 5);
    let binary = glb(&mut recording);
    let text = try_export(&mut recording, Container::Text, None).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&text.bytes).unwrap();
    let uri = json["buffers"][0].as_object_mut().unwrap().remove("uri").unwrap();
    let coded = uri.as_str().unwrap().strip_prefix("data:application/octet-stream;base64,").unwrap();
    let buffer = base64::engine::general_purpose::STANDARD.decode(coded).unwrap();
    let imported = Imported::new(&binary.bytes);
    assert_eq!(imported.gltf.blob.as_ref().unwrap(), &buffer);
    let length = u32::from_le_bytes(binary.bytes[12..16].try_into().unwrap()) as usize;
    assert_eq!(json, serde_json::from_slice::<serde_json::Value>(&binary.bytes[20..20 + length]).unwrap());
    assert!(json["asset"]["generator"].as_str().unwrap().starts_with("Burgess "));
    assert_eq!(json["asset"]["version"], "2.0");
}

#[test]
fn buffer_views_are_aligned_and_have_targets() {
    let imported = Imported::new(&glb(&mut tumbling(&one_of_each(), 5)).bytes);
    let views: Vec<_> = imported.gltf.views().collect();
    let mut end = 0;
    for view in &views {
        assert!(view.offset() % 4 == 0 && view.offset() >= end && view.offset() < end + 4);
        end = view.offset() + view.length();
    }
    use gltf::buffer::Target::{ArrayBuffer, ElementArrayBuffer};
    let targets: Vec<_> = views.iter().map(|view| view.target()).collect();
    assert_eq!(targets, [Some(ArrayBuffer), Some(ArrayBuffer), Some(ElementArrayBuffer), None, None, None]);
    for accessor in imported.gltf.accessors() {
        assert_eq!(accessor.offset() % accessor.data_type().size(), 0);
    }
}

#[test]
fn export_is_deterministic() {
    let scene = one_of_each();
    assert_eq!(glb(&mut tumbling(&scene, 5)), glb(&mut tumbling(&scene, 5)));
}

fn export_error(recording: &mut Recording, rate: Option<f64>) -> String {
    try_export(recording, Container::Binary, rate).unwrap_err().to_string()
}

#[test]
fn invalid_recordings_are_refused() {
    let mut scene = SceneSpec::new("ball", "");
    scene.bodies.push(BodySpec::new("ball", DVec3::ZERO, [ShapeSpec::sphere(0.1)]));
    let frames = [(0.0, vec![Pose::IDENTITY])];
    let other = export_error(&mut recording(&scene, &["bull"], &frames), None);
    assert!(other.contains("only one of them has a moving body called 'bull'"), "{other}");
    let missing = export_error(&mut recording(&scene, &[], &[(0.0, vec![])]), None);
    assert!(missing.contains("called 'ball'"), "{missing}");
    let none = export_error(&mut recording(&scene, &["ball"], &[]), None);
    assert_eq!(none, "the recording has no frames");
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = export_error(&mut recording(&scene, &["ball"], &frames), Some(rate));
        assert!(error.starts_with("the frame rate must be a positive number of frames per second"), "{error}");
    }
    let of_text = |text: &str| {
        let header = RecordingHeader { scene: text.to_string(), ..Default::default() };
        let bytes = RecordingWriter::new(Vec::new(), header).unwrap().finish().unwrap();
        export_error(&mut RecordingReader::new(Cursor::new(bytes)).unwrap(), None)
    };
    assert!(of_text("").contains("contains no scene"));
    let slip = of_text("gravty = 3");
    assert!(slip.contains("scene.toml:1: gravty: unknown field"), "{slip}");
    let mesh = of_text("[[bodies]]\nname='x'\nfixed=true\nshapes=[{type='mesh', file='/etc/x.obj'}]");
    assert!(mesh.contains("body 'x', shape 1: its mesh is not in the scene, but in the file"), "{mesh}");
    let huge = of_text("[[bodies]]\nname='x'\nfixed=true\nshapes=[{type='sphere', radius=1e200}]");
    assert!(huge.contains("too large for single precision"), "{huge}");
}

/// The error comes before memory is allocated: 700 bodies at 7000 times need 28 bytes each.
#[test]
fn files_that_are_too_large_are_refused() {
    let mut scene = SceneSpec::new("long", "");
    let names: Vec<String> = (0..700).map(|index| format!("ball {index}")).collect();
    for name in &names {
        scene.bodies.push(BodySpec::new(name, DVec3::ZERO, [ShapeSpec::sphere(0.1)]));
    }
    let header = RecordingHeader { bodies: names, scene: scene.to_toml().unwrap(), ..Default::default() };
    let mut writer = RecordingWriter::new(Vec::new(), header).unwrap();
    for frame in 0..7000 {
        let turned = DQuat::from_rotation_z(0.1 * f64::from(frame % 5));
        let pose = Pose::new(turned, DVec3::X * f64::from(frame % 7));
        writer.frame(f64::from(frame) / 64.0, &[pose; 700], &[]).unwrap();
    }
    let mut recording = RecordingReader::new(Cursor::new(writer.finish().unwrap())).unwrap();
    assert_eq!(
        try_export(&mut recording, Container::Text, None).unwrap_err().to_string(),
        "the file would contain 130 MiB of shapes and motion; the maximum for a .gltf file is 128 MiB (512 MiB in a .glb \
         file); use fewer frames per second"
    );
    assert_eq!(try_export(&mut recording, Container::Text, Some(1.0)).unwrap().key_frames, 111);
}
