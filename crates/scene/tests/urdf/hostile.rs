//! Whatever a file holds: a scene or a sentence, soon, and within bounds of memory. What takes more than its share of time
//! shows in how long these tests run.

use burgess_scene::import::{ImportOptions, import_file};

use crate::support::{folder, import_text};

const MASS: &str = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

#[test]
fn numbers_that_are_none() {
    for number in ["nan", "inf", "-inf", "1e999", "0x10", "", "1,5", "${x}"] {
        let texts = [
            format!("<robot><link name='a'><inertial><mass value='{number}'/></inertial></link></robot>"),
            format!("<robot><link name='a'><inertial><mass value='1'/><inertia ixx='{number}' iyy='1' izz='1'/></inertial></link></robot>"),
            format!("<robot><link name='a'><collision><geometry><sphere radius='{number}'/></geometry></collision></link></robot>"),
            format!("<robot><link name='a'><visual><origin xyz='0 {number} 0 {number}'/><geometry><box size='1 1 1'/></geometry></visual></link></robot>"),
        ];
        for text in texts {
            let error = import_text("numbers", &text).unwrap_err().to_string();
            assert!(error.contains("robot.urdf:1: <"), "{error}");
        }
    }
}

#[test]
fn huge_numbers_do_not_get_through() {
    for number in ["1e308", "-1.7e308", "1e200"] {
        let text = format!(
            "<robot><link name='a'>{MASS}</link><link name='b'>{MASS}</link><link name='c'>{MASS}</link>
            <joint name='j' type='continuous'><parent link='a'/><child link='b'/><origin xyz='{number} {number} 0'/></joint>
            <joint name='k' type='floating'><parent link='b'/><child link='c'/><origin xyz='{number} {number} 0'/></joint></robot>"
        );
        // Finite, or refused.
        if let Ok(made) = import_text("huge", &text) {
            assert!(made.scene.to_toml().is_ok());
        }
    }
}

#[test]
fn encodings_and_other_files() {
    let path = folder("encodings").join("robot.urdf");
    let wide: Vec<u8> = "<robot name='a'/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [&wide[..], b"\xff\xfe<\0r\0", b"<robot name='\xe4'/>", b"", b"\0\0\0\0", b"<robot>", b"\x89PNG\r\n"] {
        std::fs::write(&path, bytes).unwrap();
        let error = import_file(&path, &ImportOptions::default()).unwrap_err().to_string();
        assert!(error.contains("robot.urdf"), "{error}");
    }
}

#[test]
fn very_many_of_everything_are_read_or_refused_soon() {
    let nested = format!("<robot>{}{}</robot>", "<link name='a'>".repeat(300_000), "</link>".repeat(300_000));
    assert!(import_text("nested", &nested).is_err());
    let strangers: String = (0..200_000).map(|index| format!("<s{index}/>")).collect();
    let made = import_text("strangers", &format!("<robot><link name='a'/>{strangers}</robot>")).unwrap();
    assert!(made.warnings.len() < 50);
    let links: String = (0..100_001).map(|index| format!("<link name='l{index}'/>")).collect();
    let error = import_text("links", &format!("<robot>{links}</robot>")).unwrap_err().to_string();
    assert!(error.contains("more than 100000 links"), "{error}");
    // A chain of welds, and one of hinges without mass.
    for kind in ["fixed", "continuous"] {
        let mut text = format!("<robot><link name='l0'>{MASS}</link>");
        for index in 1..20_000 {
            text += &format!("<link name='l{index}'/><joint name='j{index}' type='{kind}'>");
            text += &format!("<parent link='l{}'/><child link='l{index}'/><origin xyz='0 0 1'/></joint>", index - 1);
        }
        let made = import_text("long", &(text + "</robot>"));
        assert_eq!(made.is_ok(), kind == "fixed");
    }
    // Balls in one place: as many pairs as the square of them.
    let ball = "<collision><geometry><sphere radius='1'/></geometry></collision>";
    let balls = format!("<robot><link name='a'>{}{MASS}</link></robot>", ball.repeat(50_000));
    assert_eq!(import_text("balls", &balls).unwrap().scene.bodies[0].shapes.len(), 50_000);
    // What hangs on a base by the thousand.
    let mut text = format!("<robot><link name='base'>{ball}</link>");
    for index in 0..1000 {
        text += &format!("<link name='s{index}'>{ball}</link><link name='m{index}'>{ball}{MASS}</link>");
        for (kind, name) in [("fixed", 's'), ("continuous", 'm')] {
            text += &format!("<joint name='{name}{index}' type='{kind}'><parent link='base'/>");
            text += &format!("<child link='{name}{index}'/></joint>");
        }
    }
    let error = import_text("pairs", &(text + "</robot>")).unwrap_err().to_string();
    assert!(error.contains("pairs of neighbours"), "{error}");
}
