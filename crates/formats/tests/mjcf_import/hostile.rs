//! Files that somebody made to do harm: refused with a sentence, at once and in little memory.

use burgess_formats::import::ImportOptions;
use burgess_formats::import_file;

use super::{Folder, import};

fn refused(folder: &Folder, content: impl AsRef<[u8]>, sentence: &str) {
    let error = folder.import(content).unwrap_err().to_string();
    assert!(error.contains(sentence), "{error}");
}

#[test]
fn entities_and_nesting_and_what_is_no_text() {
    let folder = Folder::new("texts");
    let laughs: String = (1..10).map(|n| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n - 1).repeat(10))).collect();
    refused(&folder, format!("<!DOCTYPE m [<!ENTITY e0 'ha'>{laughs}]><mujoco>&e9;</mujoco>"), "has a document type");
    refused(&folder, "<!DOCTYPE m SYSTEM '/etc/passwd'><mujoco/>", "has a document type");
    refused(&folder, "<mujoco>&e;</mujoco>", "is no XML");
    let deep = |count: usize| format!("<mujoco><worldbody>{}{}", "<body>".repeat(count), "</body>".repeat(count));
    refused(&folder, format!("{}</worldbody></mujoco>", deep(999_000)), "more than 500 elements within each other");
    refused(&folder, deep(400), "is no XML");
    // As deep as may be, on the small stack of a test's thread.
    let model = folder.import(format!("{}</worldbody></mujoco>", deep(498))).unwrap();
    assert_eq!(model.scene.bodies.len(), 498);
    let utf16: Vec<u8> = "<mujoco/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused(&folder, &utf16, "is UTF-16 text");
    refused(&folder, [&[0xff, 0xfe], &utf16[..]].concat(), "is UTF-16 text");
    refused(&folder, b"<mujoco model='\xe9'/>", "is not UTF-8 text");
    refused(&folder, "<mujoco><worldbody><geom size='1'", "is no XML");
    refused(&folder, "", "is no XML");
    refused(&folder, "<robot/>", "begins with <robot>");
    assert!(folder.import("\u{feff}<?xml version='1.0' encoding='utf-8'?><mujoco/>").is_ok());
}

#[test]
fn includes_that_include_themselves_or_climb_out() {
    let folder = Folder::new("includes");
    refused(&folder, "<mujoco><include file='model.xml'/></mujoco>", "is already in the model");
    folder.write("a.xml", "<x><include file='b.xml'/></x>");
    folder.write("b.xml", "<x><include file='a.xml'/></x>");
    refused(&folder, "<mujoco><include file='a.xml'/></mujoco>", "is already in the model");
    folder.write("c.xml", "<x><size/></x>");
    refused(&folder, "<mujoco><include file='c.xml'/><include file='./c.xml'/></mujoco>", "is already in the model");
    refused(&folder, "<mujoco><include file='/etc/passwd'/></mujoco>", "has an absolute path");
    refused(&folder, "<mujoco><include file=''/></mujoco>", "has no name");
    refused(&folder, "<mujoco><include file='.'/></mujoco>", "is no file");
    refused(&folder, "<mujoco><include/></mujoco>", "has no attribute 'file'");
    let inner = Folder(folder.0.join("inner"));
    inner.write("c.xml", "<x/>");
    refused(&inner, "<mujoco><include file='../c.xml'/></mujoco>", "leads out of the model's folder");
    refused(&inner, "<mujoco><include file='..\\c.xml'/></mujoco>", "leads out of the model's folder");
    refused(&inner, "<mujoco><include file='c.xml'/></mujoco>", "has nothing within its outermost element");
    // A chain of files, each within the other.
    for place in 0..600 {
        inner.write(&format!("{place}.xml"), format!("<x><include file='{}.xml'/></x>", place + 1));
    }
    refused(&inner, "<mujoco><include file='0.xml'/></mujoco>", "elements within each other");
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
    refused(&inner, model("", "../secret.obj"), "leads out of the model's folder");
    refused(&inner, model("..", "secret.obj"), "leads out of the model's folder");
    refused(&inner, model("/etc", "passwd"), "has an absolute path");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.0.join("secret.obj"), inner.0.join("link.obj")).unwrap();
        refused(&inner, model("", "link.obj"), "leads out of the model's folder");
    }
    // Unless the package around it is named.
    std::fs::write(&path, model("..", "secret.obj")).unwrap();
    let options = ImportOptions { package_root: Some(folder.0.clone()), ..ImportOptions::default() };
    assert_eq!(import_file(&path, &options).unwrap().scene.bodies.len(), 1);
    let error = import(&model("", "x.obj")["<mujoco>".len()..].replace("</mujoco>", "")).unwrap_err().to_string();
    assert!(error.contains("cannot be read, because the model is not in a folder"), "{error}");
}

/// Small texts that ask for a lot.
#[test]
fn bombs() {
    let folder = Folder::new("bombs");
    let nested = "<replicate count='1000'>".repeat(4) + "<geom size='1'/>" + &"</replicate>".repeat(4);
    refused(&folder, format!("<mujoco><worldbody>{nested}</worldbody></mujoco>"), "elements after copying");
    let fields = "<geom type='hfield' hfield='h'/>".repeat(2000);
    let field = "<asset><hfield name='h' nrow='1000' ncol='1000' size='1 1 1 1'/></asset>";
    refused(&folder, format!("<mujoco>{field}<worldbody>{fields}</worldbody></mujoco>"), "corners and heights");
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

/// A model cut off anywhere, or with any byte changed, is a scene or an error.
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
