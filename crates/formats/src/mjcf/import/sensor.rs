//! `<sensor>`: sensors and their sites. Unsupported kinds are omitted with a warning.

use burgess_files::NameFault;
use std::collections::BTreeSet;

use burgess_geometry::Pose;
use burgess_scene::spec::{
    Measured, OfActuator, OfBody, OfJoint, OfSite, Orientation, SceneSpec, SensorSpec, SiteSpec,
};

use super::joint::Kind;
use super::tree::{Site, Tree};
use crate::import::{ImportError, ImportFault, Warnings};
use crate::xml::Element;

/// Adds the sites and sensors of a model to a scene.
pub(super) fn add(
    root: &Element,
    tree: &Tree,
    scene: &mut SceneSpec,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    for (name, site) in &tree.sites {
        scene.sites.push(site_spec(name.clone(), site, tree));
    }
    let actuators = scene.actuators.iter().map(|actuator| actuator.name.clone()).collect();
    let mut targets = SensorTargets { actuators, body_sites: BTreeSet::new() };
    let mut names = BTreeSet::new();
    for element in root.children("sensor").flat_map(|section| &section.children) {
        let given = element.text("name").filter(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("sensor{}", names.len()), str::to_string);
        if !names.insert(name.clone()) {
            return Err(element.fault(ImportFault::Name(NameFault::Duplicate { what: "sensor", name })));
        }
        if let Some(kind) = measured(element, tree, &mut targets, warnings)? {
            if element.number("cutoff")?.is_some_and(|cutoff| cutoff > 0.0) {
                warnings.add("cutoffs of sensors (cutoff)", element);
            }
            if element.number("delay")?.is_some_and(|delay| delay > 0.0) {
                warnings.add("delays of sensors (delay)", element);
            }
            scene.sensors.push(SensorSpec { kind, name });
        }
    }
    for body in targets.body_sites {
        let site = Site { body, pose: Pose::IDENTITY };
        scene.sites.push(site_spec(body_site_name(&tree.bodies[body].name), &site, tree));
    }
    Ok(())
}

/// Elements outside the tree that sensors refer to.
struct SensorTargets {
    actuators: BTreeSet<String>,
    /// Bodies that need a site at their origin because a sensor measures their frame.
    body_sites: BTreeSet<usize>,
}

fn body_site_name(body: &str) -> String {
    format!("frame of {body}")
}

/// Converts a site. Sites of static bodies become sites of the world.
fn site_spec(name: String, site: &Site, tree: &Tree) -> SiteSpec {
    let body = &tree.bodies[site.body];
    let (owner, pose) =
        if body.is_static { (None, body.world_pose.compose(&site.pose)) } else { (Some(body.name.clone()), site.pose) };
    SiteSpec { name, body: owner, position: pose.translation, orientation: Orientation::from_quaternion(pose.rotation) }
}

fn measured(
    element: &Element,
    tree: &Tree,
    targets: &mut SensorTargets,
    warnings: &mut Warnings,
) -> Result<Option<Measured>, ImportError> {
    let at_site = || {
        tree.site(element, "site")?;
        Ok(OfSite { site: element.required("site")?.to_string() })
    };
    let of_joint = |ball: bool| {
        let (body, place) = tree.joint(element, "joint")?;
        let kind = tree.bodies[body].joints[place].kind;
        let fits = if ball { kind == Kind::Ball } else { matches!(kind, Kind::Hinge | Kind::Slide) };
        let what = if ball { "a ball joint" } else { "a hinge or slide joint" };
        if !fits {
            return Err(element.conflict(format!("refers to a joint of another type; expected {what}")));
        }
        Ok((OfJoint { joint: tree.bodies[body].name.clone(), axis: place }, &tree.bodies[body].joints[place]))
    };
    let kind = &*element.name;
    Ok(Some(match kind {
        "jointpos" => {
            let (of, joint) = of_joint(false)?;
            if joint.reference != 0.0 {
                warnings.add(
                    "joint positions relative to `ref` (jointpos); they are relative to the reference configuration",
                    element,
                );
            }
            Measured::JointPosition(of)
        }
        "jointvel" => Measured::JointVelocity(of_joint(false)?.0),
        "ballquat" => Measured::JointPosition(of_joint(true)?.0),
        "ballangvel" => Measured::JointVelocity(of_joint(true)?.0),
        "velocimeter" => Measured::Velocimeter(at_site()?),
        "gyro" => Measured::Gyro(at_site()?),
        "touch" => {
            let body = &tree.bodies[tree.site(element, "site")?.body];
            warnings.add("touch sensors limited to a site (touch); they measure the whole body", element);
            Measured::Touch(OfBody { body: body.name.clone() })
        }
        "subtreecom" => {
            let body = tree.body(element, "body")?;
            if body == 0 {
                warnings.add("the centre of mass of the whole model (subtreecom of the world)", element);
                return Ok(None);
            }
            Measured::CenterOfMass(OfBody { body: tree.bodies[body].name.clone() })
        }
        "actuatorfrc" => {
            let actuator = element.required("actuator")?.to_string();
            if !targets.actuators.contains(&actuator) {
                warnings.add("sensors on omitted actuators", element);
                return Ok(None);
            }
            Measured::ActuatorForce(OfActuator { actuator })
        }
        "framepos" | "framequat" | "framelinvel" | "frameangvel" => {
            let Some(site) = frame_site(element, tree, targets, warnings)? else { return Ok(None) };
            match kind {
                "framepos" => Measured::SitePosition(site),
                "framequat" => Measured::SiteOrientation(site),
                "framelinvel" => Measured::SiteVelocity(site),
                _ => Measured::SiteAngularVelocity(site),
            }
        }
        other => {
            warnings.add(&format!("sensors of kind '{other}'"), element);
            return Ok(None);
        }
    }))
}

/// Returns the site of a frame sensor; for the frame of a body, requests a site at its origin.
fn frame_site(
    element: &Element,
    tree: &Tree,
    targets: &mut SensorTargets,
    warnings: &mut Warnings,
) -> Result<Option<OfSite>, ImportError> {
    let kinds = ["body", "xbody", "geom", "site", "camera"];
    let kind = element.keyword("objtype", &kinds)?;
    if element.text("refname").is_some() {
        warnings.add("frame sensors relative to another frame (refname)", element);
        return Ok(None);
    }
    match kind {
        Some("site") => {
            tree.site(element, "objname")?;
            Ok(Some(OfSite { site: element.required("objname")?.to_string() }))
        }
        Some("xbody") => {
            let body = tree.body(element, "objname")?;
            targets.body_sites.insert(body);
            Ok(Some(OfSite { site: body_site_name(&tree.bodies[body].name) }))
        }
        _ => {
            warnings.add("frame sensors on inertial frames, geoms and cameras", element);
            Ok(None)
        }
    }
}
