//! Sites: those of the scene, and those that constraints and sensors need.

use std::collections::BTreeMap;

use burgess_geometry::Pose;
use burgess_scene::spec::SceneSpec;

use super::tree::Tree;
use crate::export::Names;
use crate::xml::XmlWriter;

struct Site {
    name: String,
    pose: Pose,
    /// Radius of an invisible sphere for a touch sensor, in m.
    radius: Option<f64>,
}

/// All sites.
pub(super) struct Sites<'a> {
    names: Names,
    in_world: Vec<Site>,
    on_bodies: Vec<Vec<Site>>,
    exported_names: BTreeMap<&'a str, String>,
}

impl<'a> Sites<'a> {
    pub fn new(scene: &'a SceneSpec, tree: &Tree) -> Self {
        let on_bodies = scene.bodies.iter().map(|_| Vec::new()).collect();
        let mut all =
            Self { names: Names::default(), in_world: Vec::new(), on_bodies, exported_names: BTreeMap::new() };
        for site in &scene.sites {
            let body = site.body.as_deref().and_then(|name| tree.index(name));
            let name = all.add(body, site.pose(), &site.name, None);
            all.exported_names.insert(&site.name, name);
        }
        all
    }

    /// Returns the exported name of a site of the scene.
    pub fn name(&self, spec_name: &str) -> Option<&str> {
        self.exported_names.get(spec_name).map(String::as_str)
    }

    /// Returns the name of a site at a pose on a body or the world, and adds the site if it is new.
    pub fn at(&mut self, body: Option<usize>, pose: Pose, requested: &str) -> String {
        let existing = self.list(body).iter().find(|site| site.pose == pose && site.radius.is_none());
        match existing.map(|site| site.name.clone()) {
            Some(name) => name,
            None => self.add(body, pose, requested, None),
        }
    }

    /// Returns the name of a spherical site at the origin of a body; radius in m. An existing site with the requested
    /// name is reused, because a scene that was imported from an export already has it.
    pub fn sphere_on(&mut self, body: usize, radius: f64, requested: &str) -> String {
        let existing =
            self.on_bodies[body].iter_mut().find(|site| site.name == requested && site.pose == Pose::IDENTITY);
        match existing {
            Some(site) => {
                site.radius = Some(radius);
                site.name.clone()
            }
            None => self.add(Some(body), Pose::IDENTITY, requested, Some(radius)),
        }
    }

    pub fn write(&self, xml: &mut XmlWriter, body: Option<usize>) {
        let list = body.map_or(&self.in_world, |body| &self.on_bodies[body]);
        let mut by_name: Vec<&Site> = list.iter().collect();
        by_name.sort_by(|a, b| a.name.cmp(&b.name));
        for site in by_name {
            xml.open("site").attribute("name", &site.name);
            xml.vector_unless_zero("pos", site.pose.translation);
            xml.quaternion_unless_identity("quat", site.pose.rotation);
            if let Some(radius) = site.radius {
                xml.number("size", radius).numbers("rgba", [0.0; 4]);
            }
            xml.close();
        }
    }

    fn add(&mut self, body: Option<usize>, pose: Pose, requested: &str, radius: Option<f64>) -> String {
        let name = self.names.unique(requested);
        self.list(body).push(Site { name: name.clone(), pose, radius });
        name
    }

    fn list(&mut self, body: Option<usize>) -> &mut Vec<Site> {
        match body {
            Some(body) => &mut self.on_bodies[body],
            None => &mut self.in_world,
        }
    }
}
