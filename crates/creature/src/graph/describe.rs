//! Description of a graph genome in a few lines of text.

use std::fmt::Write;

use super::genome::{GraphGenome, Replication};
use super::grow::body;
use super::joint_gene::JointType;
use super::node::ShapeKind;
use crate::viability::Viability;

pub(super) fn describe(genome: &GraphGenome) -> String {
    let mut text = String::new();
    let reached = genome.reachable().iter().filter(|reached| **reached).count();
    let reflected = genome.connections.iter().filter(|connection| connection.reflect).count();
    let terminal = genome.connections.iter().filter(|connection| connection.terminal_only).count();
    let counted = match genome.replication {
        Replication::PerPath => "on each path",
        Replication::PerCreature => "in the whole creature",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "graph: {} nodes ({reached} reachable), {} connections ({reflected} reflected, {terminal} at ends only); passages are \
         counted {counted}",
        genome.nodes.len(),
        genome.connections.len(),
    );
    if genome.check().is_err() {
        return text;
    }
    let body = body(genome, &Viability::default());
    let nodes = || body.parts.iter().map(|part| &genome.nodes[part.origin]);
    let shapes = ShapeKind::ALL.map(|kind| (shape_name(kind), nodes().filter(|node| node.shape == kind).count()));
    let _ = writeln!(
        text,
        "body: {} parts ({}), {:.3} m long, {:.4} m^3, {} mirrored",
        body.parts.len(),
        list_counts(&shapes),
        body.length(),
        body.volume(),
        body.parts.iter().filter(|part| part.mirrored).count(),
    );
    let joints =
        JointType::ALL.map(|kind| (joint_name(kind), nodes().skip(1).filter(|node| node.joint.kind == kind).count()));
    let _ = writeln!(text, "joints: {} axes in all ({})", body.axes(), list_counts(&joints));
    let local: usize = nodes().map(|node| node.neurons.len()).sum();
    let _ = write!(text, "brain: {local} neurons in the parts, {} in the central brain", genome.global_neurons.len());
    text
}

fn shape_name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Box => "box",
        ShapeKind::Sphere => "sphere",
        ShapeKind::Capsule => "capsule",
        ShapeKind::Ellipsoid => "ellipsoid",
        ShapeKind::Cone => "cone",
    }
}

fn joint_name(kind: JointType) -> &'static str {
    match kind {
        JointType::Rigid => "rigid",
        JointType::Revolute => "revolute",
        JointType::Universal => "universal",
        JointType::Ball => "ball",
    }
}

/// Lists the names with a count above zero: "2 box, 3 cone".
fn list_counts(counts: &[(&str, usize)]) -> String {
    let present = counts.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{count} {name}"));
    let present: Vec<String> = present.collect();
    if present.is_empty() { "none".into() } else { present.join(", ") }
}
