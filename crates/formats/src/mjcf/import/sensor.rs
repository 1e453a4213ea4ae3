//! `<sensor>` and the sites that they are at. Sensors of kinds that a scene does not have are left out with a word.

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
    let mut known = Known { actuators, made_sites: BTreeSet::new() };
    let mut names = BTreeSet::new();
    for element in root.children("sensor").flat_map(|section| &section.children) {
        let given = element.text("name").filter(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("sensor{}", names.len()), str::to_string);
        if !names.insert(name.clone()) {
            return Err(element.fault(ImportFault::Duplicate { what: "sensor", name }));
        }
        if let Some(kind) = measured(element, tree, &mut known, warnings)? {
            if element.number("cutoff")?.is_some_and(|cutoff| cutoff > 0.0) {
                warnings.add("cutoffs of sensors", element);
            }
            if element.number("delay")?.is_some_and(|delay| delay > 0.0) {
                warnings.add("sensors with a delay", element);
            }
            scene.sensors.push(SensorSpec { kind, name });
        }
    }
    for body in known.made_sites {
        let site = Site { body, pose: Pose::IDENTITY };
        scene.sites.push(site_spec(frame_of(&tree.bodies[body].name), &site, tree));
    }
    Ok(())
}

/// What sensors may refer to besides the tree.
struct Known {
    actuators: BTreeSet<String>,
    /// Bodies whose own frames are measured.
    made_sites: BTreeSet<usize>,
}

fn frame_of(body: &str) -> String {
    format!("frame of {body}")
}

/// Sites of bodies that stand in the world are in the world.
fn site_spec(name: String, site: &Site, tree: &Tree) -> SiteSpec {
    let body = &tree.bodies[site.body];
    let (owner, pose) =
        if body.is_static { (None, body.world_pose.compose(&site.pose)) } else { (Some(body.name.clone()), site.pose) };
    SiteSpec { name, body: owner, position: pose.translation, orientation: Orientation::from_quaternion(pose.rotation) }
}

fn measured(
    element: &Element,
    tree: &Tree,
    known: &mut Known,
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
        let what = if ball { "a ball joint" } else { "a hinge or a slide" };
        if !fits {
            return Err(element.conflict(format!("measures {what}, which this joint is not")));
        }
        Ok((OfJoint { joint: tree.bodies[body].name.clone(), axis: place }, &tree.bodies[body].joints[place]))
    };
    let kind = &*element.name;
    Ok(Some(match kind {
        "jointpos" => {
            let (of, joint) = of_joint(false)?;
            if joint.reference != 0.0 {
                warnings.add("positions measured from `ref`; they are measured from where the model is drawn", element);
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
            warnings.add("touch within a site; it is measured on the whole body", element);
            Measured::Touch(OfBody { body: body.name.clone() })
        }
        "subtreecom" => {
            let body = tree.body(element, "body")?;
            if body == 0 {
                warnings.add("the centre of mass of everything", element);
                return Ok(None);
            }
            Measured::CenterOfMass(OfBody { body: tree.bodies[body].name.clone() })
        }
        "actuatorfrc" => {
            let actuator = element.required("actuator")?.to_string();
            if !known.actuators.contains(&actuator) {
                warnings.add("sensors on what was left out", element);
                return Ok(None);
            }
            Measured::ActuatorForce(OfActuator { actuator })
        }
        "framepos" | "framequat" | "framelinvel" | "frameangvel" => {
            let Some(site) = framed(element, tree, known, warnings)? else { return Ok(None) };
            match kind {
                "framepos" => Measured::SitePosition(site),
                "framequat" => Measured::SiteOrientation(site),
                "framelinvel" => Measured::SiteVelocity(site),
                _ => Measured::SiteAngularVelocity(site),
            }
        }
        other => {
            warnings.add(&format!("sensors of the kind {other}"), element);
            return Ok(None);
        }
    }))
}

/// The site of a frame that is measured in the world; that of a body's own frame is made.
fn framed(
    element: &Element,
    tree: &Tree,
    known: &mut Known,
    warnings: &mut Warnings,
) -> Result<Option<OfSite>, ImportError> {
    let kinds = ["body", "xbody", "geom", "site", "camera"];
    let kind = element.keyword("objtype", &kinds)?;
    if element.text("refname").is_some() {
        warnings.add("frames measured in other frames", element);
        return Ok(None);
    }
    match kind {
        Some("site") => {
            tree.site(element, "objname")?;
            Ok(Some(OfSite { site: element.required("objname")?.to_string() }))
        }
        Some("xbody") => {
            let body = tree.body(element, "objname")?;
            known.made_sites.insert(body);
            Ok(Some(OfSite { site: frame_of(&tree.bodies[body].name) }))
        }
        _ => {
            warnings.add("frames of inertias, geoms and cameras as what is measured", element);
            Ok(None)
        }
    }
}
