//! Which geoms touch which, and with which friction.
//!
//! Two geoms touch if `contype1 & conaffinity2` or `contype2 & conaffinity1`; two shapes of a scene if each one's mask has the
//! other's group. So every distinct pair of contype and conaffinity becomes a group of its own, and its mask is the set of
//! those that it touches. Bodies that are excluded from touching a plane are told apart by groups, too: in a scene a body
//! with a half-space cannot be excluded by name.
//!
//! The friction of two geoms is that of the one with the higher priority, or else the larger; it is none if neither (or the
//! one with priority) has any. So every distinct kind of surface becomes a material, and pairs that would not come out right
//! by themselves a surface.

use std::collections::{BTreeMap, BTreeSet};

use burgess_scene::spec::{MaterialSpec, SceneSpec, SurfaceSpec};

use super::geom::GeomSettings;
use super::tree::Tree;
use crate::import::{ImportError, ImportFault};

/// More kinds of surfaces are refused: every two of them may meet.
const MAX_SURFACES: usize = 256;

/// More ways to touch, or not to, are refused; only 32 may touch anything.
const MAX_CLASSES: usize = 1024;
const WHAT_CLASSES: &str = "different pairs of contype and conaffinity";

/// What matters of a surface: friction (as bits, to be ordered), priority, and whether there is friction at all.
type Kind = (u64, i64, bool);

fn kind(settings: &GeomSettings) -> Kind {
    (settings.friction[0].to_bits(), settings.priority, settings.condim == 1)
}

/// What matters for who touches whom.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    contype: u32,
    conaffinity: u32,
    /// The body, if it is one with a plane that others are excluded from.
    plane: Option<usize>,
    /// Bodies with planes that it is excluded from.
    avoids: BTreeSet<usize>,
}

impl Class {
    fn touches(&self, other: &Self) -> bool {
        let excluded = |a: &Self, b: &Self| a.plane.is_some_and(|plane| b.avoids.contains(&plane));
        (self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0)
            && !excluded(self, other)
            && !excluded(other, self)
    }
}

#[derive(Debug)]
pub(super) struct Contacts {
    /// Group and mask of each class.
    masks: BTreeMap<Class, (u32, u32)>,
    /// By body: the bodies with planes that it is excluded from.
    avoids: BTreeMap<usize, BTreeSet<usize>>,
    /// Bodies with planes that others are excluded from.
    planes: BTreeSet<usize>,
    /// Names of materials; none for the default.
    materials: BTreeMap<Kind, Option<String>>,
}

impl Contacts {
    /// `exclusions` are pairs of bodies.
    pub fn read(tree: &Tree, exclusions: &[[usize; 2]], contacts_off: bool) -> Result<Self, ImportError> {
        let mut contacts = Self {
            masks: BTreeMap::new(),
            avoids: BTreeMap::new(),
            planes: BTreeSet::new(),
            materials: BTreeMap::new(),
        };
        for [plane, other] in exclusions.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
            if tree.bodies[plane].has_plane {
                contacts.planes.insert(plane);
                contacts.avoids.entry(other).or_default().insert(plane);
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
            return fault(ImportFault::TooMany { what: WHAT_CLASSES, limit: MAX_CLASSES });
        }
        let touch = |a: &Class, b: &Class| !contacts_off && a.touches(b);
        let touching: Vec<&Class> =
            classes.iter().filter(|class| classes.iter().any(|other| touch(class, other))).collect();
        if touching.len() > 32 {
            return fault(ImportFault::TooMany { what: WHAT_CLASSES, limit: 32 });
        }
        contacts.masks = classes.iter().map(|class| (class.clone(), (1, 0))).collect();
        for (bit, class) in touching.iter().enumerate() {
            let others = touching.iter().enumerate().filter(|(_, other)| touch(class, other));
            let mask = others.fold(0, |mask, (other, _)| mask | 1 << other);
            contacts.masks.insert((*class).clone(), (1 << bit, mask));
        }
        // With one class that touches itself there is nothing to tell apart.
        if let ([class], 1) = (&touching[..], classes.len()) {
            contacts.masks.insert((*class).clone(), (1, u32::MAX));
        }
        let kinds: BTreeSet<Kind> = geoms().map(|(_, geom)| kind(&geom.settings)).collect();
        if kinds.len() > MAX_SURFACES {
            return fault(ImportFault::TooMany {
                what: "different surfaces (friction, priority, condim 1)",
                limit: MAX_SURFACES,
            });
        }
        let name = |kind: &Kind| (kinds.len() > 1).then(|| name_of(*kind));
        contacts.materials = kinds.iter().map(|kind| (*kind, name(kind))).collect();
        Ok(contacts)
    }

    fn class(&self, body: usize, settings: &GeomSettings) -> Class {
        let avoids = self.avoids.get(&body).cloned().unwrap_or_default();
        let plane = self.planes.contains(&body).then_some(body);
        Class { contype: settings.contype, conaffinity: settings.conaffinity, plane, avoids }
    }

    /// Group, mask and material of a geom of a body.
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
        let kinds: Vec<(&Kind, &Option<String>)> = self.materials.iter().collect();
        for (place, (a, name_a)) in kinds.iter().enumerate() {
            for (b, name_b) in &kinds[place + 1..] {
                let friction = friction_between(**a, **b);
                let by_themselves = (own_friction(**a) * own_friction(**b)).sqrt();
                if let (Some(a), Some(b), true) = (name_a, name_b, friction != by_themselves) {
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

fn own_friction((friction, _, smooth): Kind) -> f64 {
    if smooth { 0.0 } else { f64::from_bits(friction) }
}

fn friction_between(a: Kind, b: Kind) -> f64 {
    match a.1.cmp(&b.1) {
        std::cmp::Ordering::Greater => own_friction(a),
        std::cmp::Ordering::Less => own_friction(b),
        std::cmp::Ordering::Equal if a.2 && b.2 => 0.0,
        std::cmp::Ordering::Equal => f64::from_bits(a.0).max(f64::from_bits(b.0)),
    }
}

fn name_of((friction, priority, smooth): Kind) -> String {
    let mut name = format!("friction {}", f64::from_bits(friction));
    if smooth {
        name.push_str(" among others");
    }
    if priority != 0 {
        name.push_str(&format!(", priority {priority}"));
    }
    name
}
