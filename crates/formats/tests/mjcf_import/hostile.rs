//! Malicious files are refused with a message, quickly and with little memory.

use burgess_formats::import::ImportOptions;
use burgess_formats::import_file;

use super::{Folder, import};

fn refused(folder: &Folder, content: impl AsRef<[u8]>, message: &str) {
    let error = folder.import(content).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn entities_nesting_and_encodings() {
    let folder = Folder::new("texts");
    let laughs: String = (1..10).map(|n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10))).collect();
    refused(
        &folder,
        format!("<!DOCTYPE m [<!ENTITY e0 'ha'>{laughs}]><mujoco>&e9;</mujoco>"),
        "has a document type declaration",
    );
    refused(&folder, "<!DOCTYPE m SYSTEM '/etc/passwd'><mujoco/>", "has a document type declaration");
    refused(&folder, "<mujoco>&e;</mujoco>", "is not well-formed XML");
    let deep = |count: usize| format!("<mujoco><worldbody>{}{}", "<body>".repeat(count), "</body>".repeat(count));
    refused(&folder, format!("{}</worldbody></mujoco>", deep(999_000)), "more than 500 levels of nested elements");
    refused(&folder, deep(400), "is not well-formed XML");
    // The maximum depth, on the small stack of a test thread.
    let model = folder.import(format!("{}</worldbody></mujoco>", deep(498))).unwrap();
    assert_eq!(model.scene.bodies.len(), 498);
    let utf16: Vec<u8> = "<mujoco/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(&folder, &utf16, "is UTF-16 text");
    refused(&folder, [&[0xff, 0xfe], &utf16[..]].concat(), "is UTF-16 text");
    refused(&folder, b"<mujoco model='\xe9'/>", "is not UTF-8 text");
    refused(&folder, "<mujoco><worldbody><geom size='1'", "is not well-formed XML");
    refused(&folder, "", "is not well-formed XML");
    refused(&folder, "<robot/>", "the root element is <robot>");
    assert!(folder.import("\u{feff}<?xml version='1.0' encoding='utf-8'?><mujoco/>").is_ok());
}

#[test]
fn cyclic_includes_and_includes_outside_of_the_folder() {
    let folder = Folder::new("includes");
    refused(&folder, "<mujoco><include file='model.xml'/></mujoco>", "is already part of the model");
    folder.write("a.xml", "<x><include file='b.xml'/></x>");
    folder.write("b.xml", "<x><include file='a.xml'/></x>");
    refused(&folder, "<mujoco><include file='a.xml'/></mujoco>", "is already part of the model");
    folder.write("c.xml", "<x><size/></x>");
    refused(
        &folder,
        "<mujoco><include file='c.xml'/><include file='./c.xml'/></mujoco>",
        "is already part of the model",
    );
    refused(&folder, "<mujoco><include file='/etc/passwd'/></mujoco>", "has an absolute path");
    refused(&folder, "<mujoco><include file=''/></mujoco>", "has an empty name");
    refused(&folder, "<mujoco><include file='.'/></mujoco>", "is not a regular file");
    refused(&folder, "<mujoco><include/></mujoco>", "has no attribute 'file'");
    let inner = Folder(folder.0.join("inner"));
    inner.write("c.xml", "<x/>");
    refused(&inner, "<mujoco><include file='../c.xml'/></mujoco>", "is outside the model's folder");
    refused(&inner, "<mujoco><include file='..\\c.xml'/></mujoco>", "is outside the model's folder");
    refused(&inner, "<mujoco><include file='c.xml'/></mujoco>", "has an empty root element");
    // A chain of files, each included by the one before.
    for place in 0..600 {
        inner.write(&format!("{place}.xml"), format!("<x><include file='{}.xml'/></x>", place + 1));
    }
    refused(&inner, "<mujoco><include file='0.xml'/></mujoco>", "levels of nested elements");
}

#[test]
fn files_outside_of_the_folder_are_not_read() {
    let folder = Folder::new("paths");
    folder.write("secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    let inner = Folder(folder.0.join("model"));
    let model = |dir: &str, file: &str| {
        format!(
            "<mujoco><compiler meshdir='{dir}'/><asset><mesh name='m' file='{file}'/></asset>
             <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
        )
    };
    let path = inner.write("model.xml", model("", "../secret.obj"));
    refused(&inner, model("", "../secret.obj"), "is outside the model's folder");
    refused(&inner, model("..", "secret.obj"), "is outside the model's folder");
    refused(&inner, model("/etc", "passwd"), "has an absolute path");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.0.join("secret.obj"), inner.0.join("link.obj")).unwrap();
        refused(&inner, model("", "link.obj"), "is outside the model's folder");
    }
    // It is read if the package root contains it.
    std::fs::write(&path, model("..", "secret.obj")).unwrap();
    let options = ImportOptions { package_root: Some(folder.0.clone()), ..ImportOptions::default() };
    assert_eq!(import_file(&path, &options).unwrap().scene.bodies.len(), 1);
    let error = import(&model("", "x.obj")["<mujoco>".len()..].replace("</mujoco>", "")).unwrap_err().to_string();
    assert!(error.contains("cannot be read, because the model was given as text and has no folder"), "{error}");
}

/// Small texts that would expand to large models.
#[test]
fn expansion_is_limited() {
    let folder = Folder::new("bombs");
    let nested = "<replicate count='1000'>".repeat(4) + "<geom size='1'/>" + &"</replicate>".repeat(4);
    refused(&folder, format!("<mujoco><worldbody>{nested}</worldbody></mujoco>"), "elements after replication");
    let fields = "<geom type='hfield' hfield='h'/>".repeat(2000);
    let field = "<asset><hfield name='h' nrow='1000' ncol='1000' size='1 1 1 1'/></asset>";
    refused(&folder, format!("<mujoco>{field}<worldbody>{fields}</worldbody></mujoco>"), "vertices and heights");
    let keys = "<key/>".repeat(100_000);
    let joints = "<body><joint/><geom size='1'/></body>".repeat(1000);
    let many = format!("<mujoco><worldbody>{joints}</worldbody><keyframe>{keys}</keyframe></mujoco>");
    refused(&folder, many, "numbers in keyframes");
    let frictions: String = (0..1000).map(|place| format!("<geom size='1' friction='{place}'/>")).collect();
    refused(&folder, format!("<mujoco><worldbody>{frictions}</worldbody></mujoco>"), "different surfaces");
    let classes: String = (0..20_000).map(|place| format!("<default class='{place}'/>")).collect();
    refused(&folder, format!("<mujoco><default>{classes}</default></mujoco>"), "more than 10000 classes");
    let masks: String = (0..5000).map(|place| format!("<geom size='1' contype='{place}'/>")).collect();
    refused(&folder, format!("<mujoco><worldbody>{masks}</worldbody></mujoco>"), "contype and conaffinity");
    let bodies = "<body/>".repeat(100_001);
    refused(&folder, format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>"), "more than 100000 bodies");
}

/// A model that is truncated anywhere, or has any byte changed, gives a scene or an error.
#[test]
fn broken_models_never_panic() {
    let text = std::fs::read_to_string(super::model_path("joints.xml")).unwrap();
    let options = ImportOptions::default();
    for place in (0..text.len()).step_by(7) {
        let _ = burgess_formats::mjcf::import_text(&text[..place], "m.xml", &options);
        for other in ["\"", "<", "9", "-", " ", "e"] {
            let mut changed = text.clone();
            changed.replace_range(place..place + 1, other);
            if let Ok(model) = burgess_formats::mjcf::import_text(&changed, "m.xml", &options) {
                let _ = model.scene.build(".");
            }
        }
    }
}
