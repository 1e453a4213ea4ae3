//! Mesh files: valid, invalid and malicious.

use crate::common;
use burgess_geometry::mesh_file::{MeshFileError, parse_obj, parse_stl};
use burgess_geometry::{MeshError, load_mesh};
use proptest::prelude::*;

/// Returns the error message, which must begin with the file's name.
fn refusal(result: Result<burgess_geometry::TriangleMesh, MeshFileError>, name: &str) -> String {
    let message = result.unwrap_err().to_string();
    assert!(message.starts_with(name), "{message}");
    message
}

#[test]
fn every_form_gives_the_same_solid() {
    for soup in [common::cube(), common::torus(2.0, 0.5, 12, 8)] {
        let obj = parse_obj(common::to_obj(&soup).as_bytes(), "a.obj").unwrap();
        let text = parse_stl(common::to_text_stl(&soup).as_bytes(), "a.stl").unwrap();
        let binary = parse_stl(&common::to_binary_stl(&soup), "a.stl").unwrap();
        assert_eq!(obj.triangles().len(), soup.1.len());
        assert_eq!(obj.vertices().len(), soup.0.len());
        assert_eq!(text, binary);
        assert_eq!(text.vertices().len(), soup.0.len());
        // STL stores single precision.
        assert!((text.volume() / obj.volume() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn obj_with_all_the_trimmings() {
    let cube = "# a cube\nmtllib nowhere.mtl\no cube\nv 0 0 0 1 0 0\nv 1 0 0\r\nv 0 1 0\nv 1 1 0 # corner\nv 0 0 1\nv 1 0 1\n\
                v 0 1 1\nv 1 1 1\nvt 0 0\nvn 0 0 1\ng left\nf 1/1/1 5/1/1 7/1/1 3/1/1\nusemtl red\nf 2 4 8 6\n\
                f -8//1 -7//1 -3//1 -4//1\nf 3 7 8 4 # back\ns off\nf 1 3 4 2\nf 5 6 8 7\nl 1 2\n";
    let mesh = parse_obj(cube.as_bytes(), "cube.obj").unwrap();
    assert_eq!((mesh.triangles().len(), mesh.vertices().len(), mesh.volume()), (12, 8, 1.0));
}

#[test]
fn split_and_rounded_corners_are_welded() {
    // Every face has its own corners, some of them off by single-precision rounding.
    let (vertices, triangles) = common::torus(2.0, 0.5, 12, 8);
    let mut soup = (Vec::new(), Vec::new());
    for (i, t) in triangles.iter().enumerate() {
        let first = soup.0.len() as u32;
        soup.0.extend(t.map(|v| vertices[v as usize] * (1.0 + 1e-8 * (i % 3) as f64)));
        soup.1.push([first, first + 1, first + 2]);
    }
    let mesh = parse_obj(common::to_obj(&soup).as_bytes(), "split.obj").unwrap();
    assert_eq!(mesh.vertices().len(), vertices.len());
}

#[test]
fn bad_obj_files_are_refused_with_the_line() {
    let refused = |text: &str| refusal(parse_obj(text.as_bytes(), "bad.obj"), "bad.obj");
    assert_eq!(refused(""), "bad.obj: not a solid: there are no triangles");
    assert!(refused("v 0 0 0\nv 1 nan 0\n").contains("line 2: found 'nan' as a coordinate"));
    assert!(refused("v 0 0 0\nv 1 1e999 0\n").contains("line 2"));
    assert!(refused("v 0 0\n").contains("line 1: found a vertex with fewer than 3"));
    assert!(refused("v 0 0 0\nf 1 1\n").contains("line 2: found a face with 2 corners"));
    assert!(refused("v 0 0 0\nf 1 1 2\n").contains("line 2: a face uses vertex 2"));
    for corner in ["0", "-2", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "x", "1.5", "/1"] {
        assert!(refused(&format!("v 0 0 0\nf 1 1 {corner}\n")).contains("line 2"), "{corner}");
    }
    let mut soup = common::cube();
    soup.1.remove(4);
    let message = refused(&common::to_obj(&soup));
    assert!(message.contains("open: triangle"), "{message}");
    let mut flat = common::cube();
    flat.0.iter_mut().for_each(|v| v.z = 0.0);
    assert!(matches!(parse_obj(common::to_obj(&flat).as_bytes(), "flat.obj"), Err(MeshFileError::NotSolid { .. })));
    assert!(
        refusal(parse_obj(&[0x89, b'P', b'N', b'G', 0, 1], "image.obj"), "image.obj")
            .contains("found a zero byte, expected text")
    );
    assert!(parse_obj(&common::to_binary_stl(&common::cube()), "stl.obj").is_err());
}

#[test]
fn bad_stl_files_are_refused() {
    let good = common::to_binary_stl(&common::cube());
    let refused = |bytes: &[u8]| refusal(parse_stl(bytes, "bad.stl"), "bad.stl");
    assert!(refused(&[]).contains("not an STL file"));
    assert!(refused(b"solid").contains("EOF"));
    let mut billion = good.clone();
    billion[80..84].copy_from_slice(&1_000_000_000u32.to_le_bytes());
    billion[..5].copy_from_slice(b"crazy");
    assert!(refused(&billion).contains("with 1000000000 triangles it would have 50000000084 bytes, but it has 684"));
    assert!(refused(&good[..good.len() - 7]).contains("12 triangles"));
    let mut nan = good.clone();
    nan[84 + 50 * 3 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(refused(&nan).contains("triangle 3 has a coordinate that is not finite"));
    let text = common::to_text_stl(&common::cube());
    assert!(refused(&text.as_bytes()[..text.len() / 2]).contains("triangle"));
    assert!(refused(text.replacen("vertex 1", "vertex NaN", 1).as_bytes()).contains("triangle"));
    assert!(refused(format!("{text}{text}").as_bytes()).contains("24 facets, but the first solid ends after 12"));
    assert!(refused(common::to_obj(&common::cube()).as_bytes()).contains("not an STL file"));
    assert!(parse_stl(text.replacen("solid test", "solid", 1).as_bytes(), "unnamed.stl").is_ok());
}

#[test]
fn files_are_read_by_their_extension() {
    let folder = std::env::temp_dir().join(format!("burgess-mesh-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("cube.OBJ");
    std::fs::write(&path, common::to_obj(&common::cube())).unwrap();
    assert_eq!(load_mesh(&path).unwrap().volume(), 1.0);
    let path = folder.join("cube.stl");
    std::fs::write(&path, common::to_binary_stl(&common::cube())).unwrap();
    assert_eq!(load_mesh(&path).unwrap().volume(), 1.0);
    assert!(matches!(load_mesh(folder.join("cube.ply")), Err(MeshFileError::UnknownKind { .. })));
    assert!(matches!(load_mesh(folder.join("none.obj")), Err(MeshFileError::Unreadable { .. })));
    // A sparse file that is far too long.
    let path = folder.join("long.stl");
    std::fs::File::create(&path).unwrap().set_len(burgess_geometry::mesh_file::MAX_FILE_BYTES + 1).unwrap();
    assert!(matches!(load_mesh(&path), Err(MeshFileError::TooLong { .. })));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_fault_survives_welding_with_the_number_in_the_file() {
    let mut soup = common::cube();
    soup.1.insert(0, [0, 0, 1]);
    soup.1.truncate(12);
    let Err(MeshFileError::NotSolid { source: MeshError::OpenEdge { triangle, .. }, .. }) =
        parse_obj(common::to_obj(&soup).as_bytes(), "open.obj")
    else {
        panic!("an open cube was accepted")
    };
    assert!(soup.1[triangle] != [0, 0, 1] && triangle > 0);
}

/// Returns a file with some bytes changed, removed or duplicated.
fn mutated(good: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>(), 0..5u8);
    proptest::collection::vec(edit, 1..6).prop_map(move |edits| {
        let mut bytes = good.clone();
        for (at, to, value, kind) in edits {
            if bytes.is_empty() {
                break;
            }
            let (a, b) = (at.index(bytes.len()), to.index(bytes.len()));
            match kind {
                0 => bytes[a] = value,
                1 => bytes[a] ^= 1 << (value % 8),
                2 => drop(bytes.drain(a.min(b)..a.max(b))),
                3 => {
                    let piece = bytes[a.min(b)..a.max(b)].to_vec();
                    bytes.splice(a..a, piece);
                }
                _ => bytes[a] = b"0123456789.-/e nv\n"[value as usize % 18],
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn mutated_obj_never_panics(bytes in mutated(common::to_obj(&common::torus(2.0, 0.5, 5, 4)).into_bytes())) {
        if let Ok(mesh) = parse_obj(&bytes, "m.obj") {
            prop_assert!(mesh.volume() > 0.0);
        }
    }

    #[test]
    fn mutated_text_stl_never_panics(bytes in mutated(common::to_text_stl(&common::cube()).into_bytes())) {
        if let Ok(mesh) = parse_stl(&bytes, "m.stl") {
            prop_assert!(mesh.volume() > 0.0);
        }
    }

    #[test]
    fn mutated_binary_stl_never_panics(bytes in mutated(common::to_binary_stl(&common::cube()))) {
        if let Ok(mesh) = parse_stl(&bytes, "m.stl") {
            prop_assert!(mesh.volume() > 0.0);
        }
    }
}
