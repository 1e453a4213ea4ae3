//! Contact filtering and friction of geoms.
//!
//! Two geoms collide if `contype1 & conaffinity2` or `contype2 & conaffinity1` is not zero; two shapes of a scene
//! collide if each one's mask contains the other's group. So every distinct pair of contype and conaffinity becomes a
//! group, and its mask is the set of groups that it collides with. Exclusions of a plane are represented by groups,
//! too, because a scene cannot exclude a body with a half-space by name.
//!
//! The friction of two geoms is that of the geom with the higher priority, or else the larger of the two; it is zero if
//! neither (or the one with priority) has friction. So every distinct kind of surface becomes a material, and a pair of
//! materials whose default combination differs from MuJoCo's becomes a surface.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::spec::{MaterialSpec, SceneSpec, SurfaceSpec};

use super::geom::GeomSettings;
use super::tree::Tree;
use crate::import::{ImportError, ImportFault};

/// Maximum number of kinds of surfaces; the number of their pairs is quadratic.
const MAX_SURFACES: usize = 256;

/// Maximum number of contact classes, including those that collide with nothing.
const MAX_CLASSES: usize = 1024;
/// Maximum number of contact classes that collide with another: a scene has 32 groups.
const MAX_COLLIDING_CLASSES: usize = 32;
const CLASSES: &str = "different pairs of contype and conaffinity";

/// A kind of surface: friction (as bits, so that it can be ordered), priority, and whether it is frictionless (condim
/// 1).
type SurfaceKind = (u64, i64, bool);

fn kind(settings: &GeomSettings) -> SurfaceKind {
    (settings.friction[0].to_bits(), settings.priority, settings.condim == 1)
}

/// A contact class: geoms of the same class collide with the same geoms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    contype: u32,
    conaffinity: u32,
    /// Index of the body if it has a plane that others are excluded from.
    plane: Option<usize>,
    /// Bodies with planes that the class is excluded from.
    excluded_planes: BTreeSet<usize>,
}

impl Class {
    fn collides(&self, other: &Self) -> bool {
        let excluded = |a: &Self, b: &Self| a.plane.is_some_and(|plane| b.excluded_planes.contains(&plane));
        (self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0)
            && !excluded(self, other)
            && !excluded(other, self)
    }
}

#[derive(Debug)]
pub(super) struct Contacts {
    /// Group and mask of each class.
    masks: BTreeMap<Class, (u32, u32)>,
    /// For each body, the bodies with planes that it is excluded from.
    excluded_planes: BTreeMap<usize, BTreeSet<usize>>,
    /// Bodies with planes that others are excluded from.
    planes: BTreeSet<usize>,
    /// Name of the material of each surface kind; `None` for the default material.
    materials: BTreeMap<SurfaceKind, Option<String>>,
}

impl Contacts {
    /// Computes groups, masks and materials; `exclusions` are pairs of body indices.
    pub fn read(tree: &Tree, exclusions: &[[usize; 2]], contacts_off: bool) -> Result<Self, ImportError> {
        let mut contacts = Self {
            masks: BTreeMap::new(),
            excluded_planes: BTreeMap::new(),
            planes: BTreeSet::new(),
            materials: BTreeMap::new(),
        };
        for [plane, other] in exclusions.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
            if tree.bodies[plane].has_plane {
                contacts.planes.insert(plane);
                contacts.excluded_planes.entry(other).or_default().insert(plane);
            }
        }
        let geoms = || {
            let of_bodies = tree
                .bodies
                .iter()
                .enumerate()
                .flat_map(|(index, body)| body.geoms.iter().map(move |geom| (index, geom)));
            of_bodies.filter(|(_, geom)| geom.shape.is_some())
        };
        let classes: BTreeSet<Class> = geoms().map(|(body, geom)| contacts.class(body, &geom.settings)).collect();
        let fault = |fault| Err(ImportError::file(&tree.bodies[0].element.file, fault));
        if classes.len() > MAX_CLASSES {
            return fault(ImportFault::TooMany { what: CLASSES, limit: MAX_CLASSES });
        }
        let collide = |a: &Class, b: &Class| !contacts_off && a.collides(b);
        let colliding: Vec<&Class> =
            classes.iter().filter(|class| classes.iter().any(|other| collide(class, other))).collect();
        if colliding.len() > MAX_COLLIDING_CLASSES {
            return fault(ImportFault::TooMany { what: CLASSES, limit: MAX_COLLIDING_CLASSES });
        }
        contacts.masks = classes.iter().map(|class| (class.clone(), (1, 0))).collect();
        for (bit, class) in colliding.iter().enumerate() {
            let others = colliding.iter().enumerate().filter(|(_, other)| collide(class, other));
            let mask = others.fold(0, |mask, (other, _)| mask | 1 << other);
            contacts.masks.insert((*class).clone(), (1 << bit, mask));
        }
        // A single class that collides with itself needs no mask.
        if let ([class], 1) = (&colliding[..], classes.len()) {
            contacts.masks.insert((*class).clone(), (1, u32::MAX));
        }
        let kinds: BTreeSet<SurfaceKind> = geoms().map(|(_, geom)| kind(&geom.settings)).collect();
        if kinds.len() > MAX_SURFACES {
            return fault(ImportFault::TooMany {
                what: "different surfaces (friction, priority, condim 1)",
                limit: MAX_SURFACES,
            });
        }
        let name = |kind: &SurfaceKind| (kinds.len() > 1).then(|| material_name(*kind));
        contacts.materials = kinds.iter().map(|kind| (*kind, name(kind))).collect();
        Ok(contacts)
    }

    fn class(&self, body: usize, settings: &GeomSettings) -> Class {
        let excluded_planes = self.excluded_planes.get(&body).cloned().unwrap_or_default();
        let plane = self.planes.contains(&body).then_some(body);
        Class { contype: settings.contype, conaffinity: settings.conaffinity, plane, excluded_planes }
    }

    /// Returns group, mask and material of a geom.
    pub fn of(&self, body: usize, settings: &GeomSettings) -> (u32, u32, Option<String>) {
        let class = self.class(body, settings);
        let (group, mask) = self.masks.get(&class).copied().unwrap_or((1, 0));
        (group, mask, self.materials.get(&kind(settings)).cloned().flatten())
    }

    pub fn add_materials(&self, scene: &mut SceneSpec) {
        for (&kind, name) in &self.materials {
            let name = name.clone().unwrap_or_else(|| "default".to_string());
            scene.materials.insert(name, MaterialSpec::new(own_friction(kind), 0.0));
        }
        let kinds: Vec<(&SurfaceKind, &Option<String>)> = self.materials.iter().collect();
        for (place, (a, name_a)) in kinds.iter().enumerate() {
            for (b, name_b) in &kinds[place + 1..] {
                let friction = friction_between(**a, **b);
                let combined = (own_friction(**a) * own_friction(**b)).sqrt();
                if let (Some(a), Some(b), true) = (name_a, name_b, friction != combined) {
                    scene.surfaces.push(SurfaceSpec {
                        between: [a.clone(), b.clone()],
                        friction,
                        restitution: 0.0,
                        tangential_restitution: 0.0,
                    });
                }
            }
        }
    }
}

fn own_friction((friction, _, smooth): SurfaceKind) -> f64 {
    if smooth { 0.0 } else { f64::from_bits(friction) }
}

fn friction_between(a: SurfaceKind, b: SurfaceKind) -> f64 {
    match a.1.cmp(&b.1) {
        std::cmp::Ordering::Greater => own_friction(a),
        std::cmp::Ordering::Less => own_friction(b),
        std::cmp::Ordering::Equal if a.2 && b.2 => 0.0,
        std::cmp::Ordering::Equal => f64::from_bits(a.0).max(f64::from_bits(b.0)),
    }
}

fn material_name((friction, priority, smooth): SurfaceKind) -> String {
    let mut name = format!("friction {}", f64::from_bits(friction));
    if smooth {
        name.push_str(" among others");
    }
    if priority != 0 {
        name.push_str(&format!(", priority {priority}"));
    }
    name
}
