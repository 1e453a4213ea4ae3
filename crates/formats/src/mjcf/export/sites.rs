//! Places by name: those of the scene, and those that ties and sensors need.

use std::collections::BTreeMap;

use burgess_geometry::Pose;
use burgess_scene::spec::SceneSpec;

use super::tree::Tree;
use crate::export::Names;
use crate::xml::XmlWriter;

struct Site {
    name: String,
    pose: Pose,
    /// Of an invisible ball that catches touches, in m.
    radius: Option<f64>,
}

/// All sites.
pub(super) struct Sites<'a> {
    names: Names,
    in_world: Vec<Site>,
    on_bodies: Vec<Vec<Site>>,
    given: BTreeMap<&'a str, String>,
}

impl<'a> Sites<'a> {
    pub fn new(scene: &'a SceneSpec, tree: &Tree) -> Self {
        let on_bodies = scene.bodies.iter().map(|_| Vec::new()).collect();
        let mut all = Self { names: Names::default(), in_world: Vec::new(), on_bodies, given: BTreeMap::new() };
        for site in &scene.sites {
            let body = site.body.as_deref().and_then(|name| tree.index(name));
            let name = all.add(body, site.pose(), &site.name, None);
            all.given.insert(&site.name, name);
        }
        all
    }

    /// What a site of the scene is called.
    pub fn name(&self, spec_name: &str) -> Option<&str> {
        self.given.get(spec_name).map(String::as_str)
    }

    /// The name of a site at a place of a body or the world, a new one if there is none.
    pub fn at(&mut self, body: Option<usize>, pose: Pose, wanted: &str) -> String {
        let there = self.list(body).iter().find(|site| site.pose == pose && site.radius.is_none());
        match there.map(|site| site.name.clone()) {
            Some(name) => name,
            None => self.add(body, pose, wanted, None),
        }
    }

    /// The name of a site that is a ball around the origin of a body; radius in m. A site of that name that is there already
    /// is taken for it: a scene that came from here has one.
    pub fn around(&mut self, body: usize, radius: f64, wanted: &str) -> String {
        let there = self.on_bodies[body].iter_mut().find(|site| site.name == wanted && site.pose == Pose::IDENTITY);
        match there {
            Some(site) => {
                site.radius = Some(radius);
                site.name.clone()
            }
            None => self.add(Some(body), Pose::IDENTITY, wanted, Some(radius)),
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

    fn add(&mut self, body: Option<usize>, pose: Pose, wanted: &str, radius: Option<f64>) -> String {
        let name = self.names.give(wanted);
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
