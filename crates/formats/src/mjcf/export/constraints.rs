//! Constraints between bodies, which become equality constraints of sites and spatial tendons between sites.
//!
//! | scene | MJCF |
//! |---|---|
//! | pin, weld | `connect`, `weld` of two sites |
//! | hinge | two `connect`s of points of the axis |
//! | spring, rope | a spatial tendon with a spring or with a limit |
//! | distance | a spatial tendon of constant length |
//! | slide | not supported |

use burgess_geometry::Pose;
use burgess_scene::spec::{AnchorSpec, ControllerSpec, SceneSpec, SpringTie, TieKind};
use glam::DVec3;

use super::sites::Sites;
use super::tree::Tree;
use crate::export::Names;
use crate::export::Warnings;
use crate::xml::XmlWriter;

/// Distance between the two connected points of a hinge, in m.
const HINGE_LENGTH: f64 = 0.1;

enum Equality {
    Connect([String; 2]),
    Weld([String; 2]),
    /// A fixed length of a tendon, as the difference from its length in the reference configuration, in m.
    Length {
        tendon: String,
        offset: f64,
    },
}

/// A straight tendon between two sites.
pub(super) struct Line {
    pub name: String,
    pub sites: [String; 2],
    /// Minimum and maximum length, in m.
    pub range: Option<[f64; 2]>,
    pub spring: Option<SpringTie>,
}

/// The exported constraints.
pub(super) struct Constraints {
    pub lines: Vec<Line>,
    /// Exported names of the scene's tendons.
    pub tendon_names: Vec<String>,
    equalities: Vec<Equality>,
}

struct Planner<'a, 'b> {
    tree: &'a Tree<'b>,
    sites: &'a mut Sites<'b>,
    names: Names,
    constraints: Constraints,
}

pub(super) fn plan<'b>(
    scene: &SceneSpec,
    tree: &Tree<'b>,
    sites: &mut Sites<'b>,
    warnings: &mut Warnings,
) -> Constraints {
    let mut names = Names::default();
    let tendon_names = scene.tendons.iter().map(|tendon| names.unique(&tendon.name)).collect();
    let constraints = Constraints { lines: Vec::new(), tendon_names, equalities: Vec::new() };
    let mut planner = Planner { tree, sites, names, constraints };
    for (number, constraint) in scene.constraints.iter().enumerate() {
        let ends = [&constraint.a, &constraint.b];
        let name = format!("tie_{number}");
        match &constraint.kind {
            TieKind::Pin(_) => planner.connect(ends, &name, DVec3::ZERO),
            TieKind::Hinge(_) => {
                planner.connect(ends, &name, DVec3::ZERO);
                planner.connect(ends, &format!("{name}_axis"), DVec3::Z * HINGE_LENGTH);
            }
            TieKind::Weld(_) => {
                let sites = planner.ends(ends, &name, DVec3::ZERO);
                planner.constraints.equalities.push(Equality::Weld(sites));
            }
            // The direction of a tendon of length zero is undefined.
            TieKind::Distance(constraint) | TieKind::Rope(constraint) if constraint.length == 0.0 => {
                planner.connect(ends, &name, DVec3::ZERO);
            }
            TieKind::Rope(constraint) => planner.line(ends, &name, Some([0.0, constraint.length]), None),
            TieKind::Distance(constraint) => {
                planner.line(ends, &name, None, None);
                let reference = planner.distance(ends);
                if let Some(line) = planner.constraints.lines.last() {
                    let length = Equality::Length { tendon: line.name.clone(), offset: constraint.length - reference };
                    planner.constraints.equalities.push(length);
                }
            }
            TieKind::Spring(spring) => planner.line(ends, &name, None, Some(*spring)),
            TieKind::Slide(_) => {
                let on = |anchor: &AnchorSpec| anchor.body.clone().unwrap_or_else(|| "world".to_string());
                let kind = "slide constraints are not supported by MuJoCo and are omitted";
                warnings.add_named(kind, &format!("{}' to '{}", on(&constraint.a), on(&constraint.b)));
            }
        }
    }
    for (number, controller) in scene.controllers.iter().enumerate() {
        if let ControllerSpec::Spring(spring) = controller
            && spring.when == Default::default()
        {
            let constraint = SpringTie { length: spring.length, stiffness: spring.stiffness, damping: spring.damping };
            planner.line([&spring.a, &spring.b], &format!("spring_{number}"), None, Some(constraint));
        }
    }
    planner.constraints
}

impl Planner<'_, '_> {
    fn connect(&mut self, ends: [&AnchorSpec; 2], name: &str, offset: DVec3) {
        let sites = self.ends(ends, name, offset);
        self.constraints.equalities.push(Equality::Connect(sites));
    }

    fn line(&mut self, ends: [&AnchorSpec; 2], name: &str, range: Option<[f64; 2]>, spring: Option<SpringTie>) {
        let sites = self.ends(ends, name, DVec3::ZERO);
        let name = self.names.unique(&format!("line_{}", self.constraints.lines.len()));
        self.constraints.lines.push(Line { name, sites, range, spring });
    }

    /// Returns the sites of both anchors, moved by an offset in the anchor frames.
    fn ends(&mut self, ends: [&AnchorSpec; 2], name: &str, offset: DVec3) -> [String; 2] {
        let mut place = |anchor: &AnchorSpec, side| {
            let body = anchor.body.as_deref().and_then(|name| self.tree.index(name));
            let pose = anchor.pose();
            let pose = Pose::new(pose.rotation, pose.transform_point(offset));
            self.sites.at(body, pose, &format!("{name}_{side}"))
        };
        [place(ends[0], "a"), place(ends[1], "b")]
    }

    /// Returns the distance between two anchors in the reference configuration, in m.
    fn distance(&self, ends: [&AnchorSpec; 2]) -> f64 {
        let [a, b] = ends.map(|anchor| {
            let body = anchor.body.as_deref().and_then(|name| self.tree.body(name));
            body.map_or(anchor.position, |body| body.world_pose.transform_point(anchor.position))
        });
        a.distance(b)
    }
}

impl Constraints {
    pub fn write_equalities(&self, xml: &mut XmlWriter) {
        if self.equalities.is_empty() {
            return;
        }
        xml.open("equality");
        for equality in &self.equalities {
            match equality {
                Equality::Connect([a, b]) => xml.open("connect").attribute("site1", a).attribute("site2", b),
                Equality::Weld([a, b]) => xml.open("weld").attribute("site1", a).attribute("site2", b),
                Equality::Length { tendon, offset } => {
                    xml.open("tendon").attribute("tendon1", tendon).numbers("polycoef", [*offset, 0.0, 0.0, 0.0, 0.0])
                }
            };
            xml.close();
        }
        xml.close();
    }
}
