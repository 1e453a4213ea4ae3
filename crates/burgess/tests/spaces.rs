//! Curved spaces on the command line.

use crate::common::{burgess, folder, path, text};

#[test]
fn spaces_are_listed_one_per_line() {
    let output = burgess(&["spaces"]);
    assert!(output.status.success());
    let text = text(&output.stdout);
    let names: Vec<_> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!((names.len(), names[0], names[12]), (13, "3-torus", "right-angled-dodecahedra"));
}

#[test]
fn spaces_are_described() {
    let output = burgess(&["spaces", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    for space in all.as_array().unwrap() {
        assert!(space["edge_error"].as_f64().unwrap() < 1e-12, "{space}");
    }
    let shown = text(&burgess(&["spaces", "lens-7-2"]).stdout);
    assert!(shown.contains("2 faces, 7 edges, 7 vertices") && shown.contains("burgess watch lens-7-2"), "{shown}");
    // Without a terminal, `watch` describes the space.
    assert_eq!(text(&burgess(&["watch", "lens-7-2"]).stdout), shown);
}

#[test]
fn bad_files_are_refused_with_line_and_reason() {
    let folder = folder("generators");
    let file = folder.join("bad.gens");
    for (content, expected) in [
        ("% Triangulation\n", "line 1: found '% Triangulation', expected '% Generators'"),
        (
            "% Generators\n1\n2 0 0 0\n0 0 1 0\n",
            "line 3: found a matrix with determinant 2.000000 + 0.000000 i, expected 1",
        ),
    ] {
        std::fs::write(&file, content).unwrap();
        let output = burgess(&["spaces", path(&file)]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    let output = burgess(&["simulate", "weeks"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("'weeks' is a curved space, not a scene"), "{}", text(&output.stderr));
}
