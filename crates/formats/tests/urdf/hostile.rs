//! Any file gives a scene or an error, quickly and with bounded memory. The run time of these tests shows whether a
//! file takes too long.

use burgess_formats::import::ImportOptions;
use burgess_formats::import_file;
use proptest::prelude::*;
use proptest::sample::Index;

use super::support::{folder, import, import_floating};

const MASS: &str = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";

#[test]
fn invalid_numbers() {
    for number in ["nan", "inf", "-inf", "1e999", "0x10", "", "1,5", "${x}"] {
        let texts = [
            format!("<robot><link name='a'><inertial><mass value='{number}'/></inertial></link></robot>"),
            format!(
                "<robot><link name='a'><inertial><mass value='1'/><inertia ixx='{number}' iyy='1' izz='1'/></inertial></link></robot>"
            ),
            format!(
                "<robot><link name='a'><collision><geometry><sphere radius='{number}'/></geometry></collision></link></robot>"
            ),
            format!(
                "<robot><link name='a'><visual><origin xyz='0 {number} 0 {number}'/><geometry><box size='1 1 1'/></geometry></visual></link></robot>"
            ),
        ];
        for text in texts {
            let error = import(&text).unwrap_err().to_string();
            assert!(error.contains("robot.urdf:1: <"), "{error}");
        }
    }
}

#[test]
fn huge_numbers() {
    for number in ["1e308", "-1.7e308", "1e200"] {
        let text = format!(
            "<robot><link name='a'>{MASS}</link><link name='b'>{MASS}</link><link name='c'>{MASS}</link>
            <joint name='j' type='continuous'><parent link='a'/><child link='b'/><origin xyz='{number} {number} 0'/></joint>
            <joint name='k' type='floating'><parent link='b'/><child link='c'/><origin xyz='{number} {number} 0'/></joint></robot>"
        );
        // The result is finite, or an error.
        if let Ok(imported) = import(&text) {
            assert!(imported.scene.to_toml().is_ok());
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
fn very_large_files_are_read_or_refused_quickly() {
    let nested = format!("<robot>{}{}</robot>", "<link name='a'>".repeat(300_000), "</link>".repeat(300_000));
    assert!(import(&nested).is_err());
    let unknown_elements: String = (0..200_000).map(|index| format!("<s{index}/>")).collect();
    let imported = import(&format!("<robot><link name='a'/>{unknown_elements}</robot>")).unwrap();
    assert!(imported.warnings.len() < 50);
    let links: String = (0..100_001).map(|index| format!("<link name='l{index}'/>")).collect();
    let error = import(&format!("<robot>{links}</robot>")).unwrap_err().to_string();
    assert!(error.contains("more than 100000 links"), "{error}");
    // A chain of welds, and a chain of massless hinges.
    for kind in ["fixed", "continuous"] {
        let mut text = format!("<robot><link name='l0'>{MASS}</link>");
        for index in 1..20_000 {
            text += &format!("<link name='l{index}'/><joint name='j{index}' type='{kind}'>");
            text += &format!("<parent link='l{}'/><child link='l{index}'/><origin xyz='0 0 1'/></joint>", index - 1);
        }
        let imported = import(&(text + "</robot>"));
        assert_eq!(imported.is_ok(), kind == "fixed");
    }
    // Spheres in one place: the number of overlapping pairs is quadratic.
    let ball = "<collision><geometry><sphere radius='1'/></geometry></collision>";
    let balls = format!("<robot><link name='a'>{}{MASS}</link></robot>", ball.repeat(50_000));
    assert_eq!(import(&balls).unwrap().scene.bodies[0].shapes.len(), 50_000);
    // Thousands of links on one base.
    let mut text = format!("<robot><link name='base'>{ball}</link>");
    for index in 0..1000 {
        text += &format!("<link name='s{index}'>{ball}</link><link name='m{index}'>{ball}{MASS}</link>");
        for (kind, name) in [("fixed", 's'), ("continuous", 'm')] {
            text += &format!("<joint name='{name}{index}' type='{kind}'><parent link='base'/>");
            text += &format!("<child link='{name}{index}'/></joint>");
        }
    }
    let error = import(&(text + "</robot>")).unwrap_err().to_string();
    assert!(error.contains("excluded pairs of connected links"), "{error}");
}

/// A file with elements of every kind.
const WHOLE: &str = "<robot name='whole'><material name='red'><color rgba='1 0 0 1'/></material>
<link name='base'><inertial><origin xyz='0 0 0.1' rpy='0 0.5 0'/><mass value='2'/><inertia ixx='0.1' iyy='0.2' izz='0.25'/></inertial>
<collision><geometry><box size='1 1 0.2'/></geometry></collision><visual><geometry><sphere radius='0.3'/></geometry><material name='red'/></visual></link>
<link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link><link name='tip'/>
<joint name='j' type='revolute'><origin xyz='1 0 0' rpy='1 2 3'/><axis xyz='0 1 0'/><parent link='base'/><child link='a'/><limit lower='-1' upper='2' effort='3' velocity='4'/></joint>
<joint name='k' type='prismatic'><parent link='a'/><child link='b'/><limit lower='0' upper='1' effort='3' velocity='4'/></joint>
<joint name='l' type='fixed'><parent link='b'/><child link='tip'/><origin xyz='0 0 1'/></joint>
<transmission name='t'><joint name='j'/><actuator name='m'/></transmission></robot>";

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Exchanges values, replaces them by extreme ones and removes names: the result is a valid scene or an error.
    #[test]
    fn shuffled_files(changes in prop::collection::vec((any::<Index>(), any::<Index>(), 0..9), 1..6)) {
        const EXTREME: [&str; 12] =
            ["-1", "0", "1e300", "1e-300", "nan", "", "base", "a", "1 2", "floating", "planar", "spherical"];
        let mut parts: Vec<&str> = WHOLE.split('\'').collect();
        for (at, from, kind) in changes {
            // Values are between quotes: every other part.
            let value = |index: &Index| 2 * index.index(parts.len() / 2) + 1;
            let (at, other) = (value(&at), value(&from));
            match kind {
                0..3 => parts.swap(at, other),
                3..5 => parts[at] = parts[other],
                5..8 => parts[at] = EXTREME[from.index(EXTREME.len())],
                _ => parts[at - 1] = "",
            }
        }
        let text = parts.join("'");
        for imported in [import(&text), import_floating(&text)] {
            match imported {
                Ok(imported) => prop_assert!(imported.scene.to_toml().is_ok()),
                Err(error) => prop_assert!(error.to_string().starts_with("robot.urdf")),
            }
        }
    }
}

#[test]
fn the_file_with_every_element_is_valid() {
    let imported = import(WHOLE).unwrap();
    assert_eq!(imported.scene.bodies.len(), 2);
    imported.scene.build(".").unwrap();
}
