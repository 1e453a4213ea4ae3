//! A reader of URDF, written from its specification and independent of the importer. It panics where a program that
//! follows the specification may refuse a file.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

/// A file that follows the specification.
pub struct Robot {
    pub name: String,
    pub links: Vec<Link>,
}

pub struct Link {
    pub name: String,
    pub mass: f64,
    pub visuals: usize,
    pub collisions: usize,
}

/// Reads a file and checks that it follows the specification.
pub fn read(xml: &str) -> Robot {
    let document = Document::parse(xml).unwrap();
    let robot = document.root_element();
    assert_eq!(robot.tag_name().name(), "robot");
    let links: Vec<Link> = children(robot, "link").map(read_link).collect();
    let names: BTreeSet<&str> = links.iter().map(|link| link.name.as_str()).collect();
    assert_eq!(names.len(), links.len(), "two links have the same name");
    let joints: Vec<[&str; 2]> = children(robot, "joint").map(read_joint).collect();
    let joint_names: BTreeSet<&str> = children(robot, "joint").map(|joint| text(joint, "name")).collect();
    assert_eq!(joint_names.len(), joints.len(), "two joints have the same name");
    check_tree(&names, &joints);
    Robot { name: text(robot, "name").to_string(), links }
}

/// All links hang on one root, each by one joint.
fn check_tree(names: &BTreeSet<&str>, joints: &[[&str; 2]]) {
    assert!(joints.iter().flatten().all(|name| names.contains(name)), "a joint names a link that is missing");
    let moved: BTreeSet<&str> = joints.iter().map(|[_, child]| *child).collect();
    assert_eq!(moved.len(), joints.len(), "a link hangs on two joints");
    assert_eq!(names.len(), joints.len() + 1, "the links are not one tree");
    let mut reached: BTreeSet<&str> = names.difference(&moved).copied().collect();
    for _ in joints {
        let next: Vec<_> = joints.iter().filter(|[parent, _]| reached.contains(parent)).collect();
        reached.extend(next.iter().map(|[_, child]| child));
    }
    assert_eq!(&reached, names, "links form a loop");
}

fn read_link<'a>(link: Node<'a, 'a>) -> Link {
    let mass = only(link, "inertial").map_or(0.0, |inertial| {
        check_origin(inertial);
        let inertia = only(inertial, "inertia").unwrap();
        for name in ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"] {
            number(inertia, name);
        }
        number(only(inertial, "mass").unwrap(), "value")
    });
    for shape in children(link, "visual").chain(children(link, "collision")) {
        check_origin(shape);
        check_geometry(only(shape, "geometry").unwrap());
    }
    let count = |name| children(link, name).count();
    Link { name: text(link, "name").to_string(), mass, visuals: count("visual"), collisions: count("collision") }
}

fn check_geometry<'a>(geometry: Node<'a, 'a>) {
    let shapes: Vec<Node> = geometry.children().filter(Node::is_element).collect();
    assert_eq!(shapes.len(), 1, "a geometry has one shape");
    let shape = shapes[0];
    let sizes = match shape.tag_name().name() {
        "box" => numbers::<3>(shape, "size").to_vec(),
        "cylinder" => vec![number(shape, "radius"), number(shape, "length")],
        "sphere" => vec![number(shape, "radius")],
        "mesh" => {
            assert!(!text(shape, "filename").is_empty());
            Vec::new()
        }
        other => panic!("there is no shape '{other}'"),
    };
    assert!(sizes.iter().all(|&size| size > 0.0), "{sizes:?}");
}

/// Checks a joint and returns the names of its parent and child.
fn read_joint<'a>(joint: Node<'a, 'a>) -> [&'a str; 2] {
    check_origin(joint);
    let kind = text(joint, "type");
    assert!(["revolute", "continuous", "prismatic", "fixed", "floating", "planar"].contains(&kind), "{kind}");
    if let Some(axis) = only(joint, "axis") {
        let length = numbers::<3>(axis, "xyz").map(|part| part * part).iter().sum::<f64>();
        // Rounded to the nearest number in each coordinate.
        assert!((length - 1.0).abs() < 1e-14, "the axis has the squared length {length}");
    }
    if ["revolute", "prismatic"].contains(&kind) {
        let limit = only(joint, "limit").unwrap();
        assert!(number(limit, "effort") >= 0.0 && number(limit, "velocity") >= 0.0);
        assert!(number(limit, "lower") <= number(limit, "upper"));
    }
    ["parent", "child"].map(|end| text(only(joint, end).unwrap(), "link"))
}

fn check_origin<'a>(element: Node<'a, 'a>) {
    if let Some(origin) = only(element, "origin") {
        for name in ["xyz", "rpy"].into_iter().filter(|name| origin.has_attribute(*name)) {
            numbers::<3>(origin, name);
        }
    }
}

fn children<'a>(element: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    element.children().filter(move |child| child.has_tag_name(name))
}

/// The child of a name, of which there must not be two.
fn only<'a>(element: Node<'a, 'a>, name: &'static str) -> Option<Node<'a, 'a>> {
    let mut found = children(element, name);
    let first = found.next();
    assert!(found.next().is_none(), "{name} is there twice");
    first
}

fn text<'a>(element: Node<'a, 'a>, name: &str) -> &'a str {
    element.attribute(name).unwrap_or_else(|| panic!("{} has no {name}", element.tag_name().name()))
}

fn number<'a>(element: Node<'a, 'a>, name: &str) -> f64 {
    numbers::<1>(element, name)[0]
}

fn numbers<const N: usize>(element: Node, name: &str) -> [f64; N] {
    let list: Vec<f64> =
        element.attribute(name).unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!(list.iter().all(|value| value.is_finite()), "{name}: {list:?}");
    list.try_into().unwrap()
}
