//! The documentation of the routes matches the routes.

use std::collections::BTreeSet;

use crate::client::{ask, get, options, start};
use burgess_server::api;
use yaml_rust2::{Yaml, YamlLoader};

const METHODS: [&str; 3] = ["get", "post", "delete"];

fn documented() -> (Yaml, BTreeSet<(String, String)>) {
    let text = include_str!("../openapi.yaml");
    let document = YamlLoader::load_from_str(text).expect("YAML").remove(0);
    let mut found = BTreeSet::new();
    for (path, item) in document["paths"].as_hash().expect("paths") {
        for method in METHODS.iter().filter(|method| !item[**method].is_badvalue()) {
            let path = path.as_str().expect("a path").to_string();
            found.insert((method.to_uppercase(), path));
        }
    }
    (document, found)
}

fn served() -> BTreeSet<(String, String)> {
    let routes = api::routes();
    routes.list().iter().map(|(method, path)| (method.to_string(), (*path).to_string())).collect()
}

#[test]
fn documented_and_served_routes_are_the_same() {
    let (_, documented) = documented();
    assert_eq!(documented, served());
}

#[test]
fn each_documented_route_answers() {
    let server = start(options());
    for (method, path) in documented().1 {
        let filled = path.replace("{id}", "7").replace("{run}", "walk-1").replace("{name}", "nothing");
        let answer = ask(server.address(), &method, &filled, &[], b"");
        let unknown = answer.status == 404 && answer.error().starts_with("there is no /api");
        assert!(!unknown && answer.status != 405 && answer.status < 500, "{method} {path}: {answer:?}");
    }
    let undocumented = get(server.address(), "/api/something");
    assert!(undocumented.error().starts_with("there is no /api"), "the text that the check above compares");
}

#[test]
fn the_document_is_served_and_its_references_resolve() {
    let server = start(options());
    let answer = get(server.address(), "/api/openapi.yaml");
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/yaml")));
    let (document, _) = documented();
    assert_eq!(document["openapi"].as_str(), Some("3.1.0"));
    assert_eq!(document["info"]["version"].as_str(), Some(env!("CARGO_PKG_VERSION")));
    let text = String::from_utf8(answer.body).expect("text");
    let references = text.split("$ref: \"#/").skip(1).filter_map(|rest| rest.split('"').next());
    for reference in references {
        let target = reference.split('/').fold(&document, |part, name| &part[name]);
        assert!(!target.is_badvalue(), "{reference}");
    }
}
