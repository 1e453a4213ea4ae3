//! The routes of curved spaces.

use serde_json::Value;

use crate::client::{get, options, start};

/// Two short translations, which are not discrete together.
const NOT_DISCRETE: &str = "% Generators\n2\n1.1 0.45825756949558 0 0\n0.45825756949558 1.1 0 0\n0 0 1 0\n0 0 0 1\n\n\
                            1.1 0 0.45825756949558 0\n0 1 0 0\n0.45825756949558 0 1.1 0\n0 0 0 1\n";

fn count(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

#[test]
fn spaces_are_listed_with_generator_files() {
    let options = options();
    std::fs::create_dir_all(&options.runs).expect("a folder");
    std::fs::write(options.runs.join("mine.gens"), NOT_DISCRETE).expect("a file");
    let server = start(options);
    let list = get(server.address(), "/api/spaces").json();
    let names: Vec<_> = list.as_array().expect("a list").iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!((names.len(), names[0], names[13]), (14, "3-torus", "mine.gens"));
    let refused = get(server.address(), "/api/spaces/mine.gens");
    assert_eq!(refused.status, 400);
    assert!(refused.error().starts_with("mine.gens, line ") && refused.error().contains("discrete"), "{refused:?}");
}

#[test]
fn a_space_has_its_domain_and_copies() {
    let server = start(options());
    let space = get(server.address(), "/api/spaces/weeks?copies=100").json();
    assert!((space["volume"].as_f64().unwrap() - 0.942_707_362_776_927_7).abs() < 1e-12);
    assert_eq!((count(&space["faces"]), count(&space["edges"]), count(&space["vertices"])), (18, 42, 26));
    assert_eq!((count(&space["copies"]), count(&space["layers"]), count(&space["sheets"])), (1600, 100, 100));
    let sphere = get(server.address(), "/api/spaces/3-sphere").json();
    assert_eq!((count(&sphere["faces"]), count(&sphere["layers"])), (0, 1));
    assert!(sphere["in_radius"].is_number());
    let lens = get(server.address(), "/api/spaces/lens-7-2").json();
    assert_eq!((&lens["group_order"], &lens["name"]), (&7.into(), &"lens-7-2".into()));
}

#[test]
fn spaces_are_deformed_moved_and_covered() {
    let server = start(options());
    let volume =
        |query: &str| get(server.address(), &format!("/api/spaces/{query}")).json()["volume"].as_f64().unwrap();
    assert!((volume("3-torus?width=2&x_of_depth=0.3") - 2.0).abs() < 1e-12);
    assert!((volume("seifert-weber?base=0.2,0.1,0") - volume("seifert-weber")).abs() < 1e-9);
    let cover = get(server.address(), "/api/spaces/3-torus?sheets=2&cover=3&layers=1").json();
    assert_eq!((&cover["covers"], count(&cover["sheets"])), (&7.into(), 7));
    assert!(cover["sheets"].as_array().unwrap().iter().any(|sheet| sheet == 1));
}

#[test]
fn bad_requests_are_refused() {
    let server = start(options());
    for (query, status, expected) in [
        ("klein", 404, "there is no space 'klein'"),
        ("..%2Fsecret.gens", 400, "the path contains a separator"),
        ("weeks?copies=1000000", 400, "copies: found '1000000', expected a whole number up to 6000"),
        ("weeks?base=1,2", 400, "base: found '1,2', expected three numbers: x,y,z"),
        ("weeks?base=9,0,0", 400, "base must be from 0 to 3, found 9"),
        ("weeks?width=2", 400, "weeks has no parameter 'width'; expected none"),
        ("3-torus?width=x", 400, "width: found 'x', expected a number"),
        ("lens?p=6&q=2", 400, "the numbers of a lens space must have no common divisor, found 6 and 2"),
    ] {
        let answer = get(server.address(), &format!("/api/spaces/{query}"));
        assert_eq!(answer.status, status, "{query}: {answer:?}");
        assert!(answer.error().contains(expected), "{query}: {answer:?}");
    }
}
