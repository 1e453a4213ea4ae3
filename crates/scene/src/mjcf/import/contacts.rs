//! Which geoms touch which, and with which friction.
//!
//! Two geoms touch if `contype1 & conaffinity2` or `contype2 & conaffinity1`; two shapes of a scene if each one's mask has the
//! other's group. So every distinct pair of contype and conaffinity becomes a group of its own, and its mask is the set of
//! those that it touches.
//!
//! The friction of two geoms is that of the one with the higher priority, or else the larger; it is none if neither (or the
//! one with priority) has any. So every distinct kind of surface becomes a material, and pairs that would not come out right
//! by themselves a surface.

use std::collections::{BTreeMap, BTreeSet};

use super::geom::GeomSettings;
use super::tree::Tree;
use crate::import::{ImportError, ImportFault};
use crate::spec::{MaterialSpec, SceneSpec, SurfaceSpec};

/// More kinds of surfaces are refused: every two of them may meet.
const MAX_SURFACES: usize = 256;

/// What matters of a surface: friction (as bits, to be ordered), priority, and whether there is friction at all.
type Kind = (u64, i64, bool);

fn kind(settings: &GeomSettings) -> Kind {
    (settings.friction[0].to_bits(), settings.priority, settings.condim == 1)
}

#[derive(Debug)]
pub(super) struct Contacts {
    /// Group and mask of each (contype, conaffinity).
    masks: BTreeMap<(u32, u32), (u32, u32)>,
    /// Names of materials; none for the default.
    materials: BTreeMap<Kind, Option<String>>,
}

impl Contacts {
    pub fn read(tree: &Tree, contacts_off: bool) -> Result<Self, ImportError> {
        let geoms = || tree.bodies.iter().flat_map(|body| &body.geoms).filter(|geom| geom.shape.is_some());
        let classes: BTreeSet<(u32, u32)> =
            geoms().map(|geom| (geom.settings.contype, geom.settings.conaffinity)).collect();
        let touch = |a: &(u32, u32), b: &(u32, u32)| !contacts_off && (a.0 & b.1 != 0 || b.0 & a.1 != 0);
        let lone = |class: &(u32, u32)| !classes.iter().any(|other| touch(class, other));
        let touching: Vec<_> = classes.iter().copied().filter(|class| !lone(class)).collect();
        let fault = |fault| Err(ImportError::file(&tree.bodies[0].element.file, fault));
        if touching.len() > 32 {
            return fault(ImportFault::TooMany { what: "different pairs of contype and conaffinity", limit: 32 });
        }
        let mut masks: BTreeMap<_, _> = classes.iter().map(|&class| (class, (1, 0))).collect();
        for (bit, class) in touching.iter().enumerate() {
            let others = touching.iter().enumerate().filter(|(_, other)| touch(class, other));
            let mask = others.fold(0, |mask, (other, _)| mask | 1 << other);
            masks.insert(*class, (1 << bit, mask));
        }
        // With one class that touches itself there is nothing to tell apart.
        if let [class] = touching[..]
            && classes.len() == 1
        {
            masks.insert(class, (1, u32::MAX));
        }
        let kinds: BTreeSet<Kind> = geoms().map(|geom| kind(&geom.settings)).collect();
        if kinds.len() > MAX_SURFACES {
            return fault(ImportFault::TooMany {
                what: "different surfaces (friction, priority, condim 1)",
                limit: MAX_SURFACES,
            });
        }
        let name = |kind: &Kind| (kinds.len() > 1).then(|| name_of(*kind));
        Ok(Self { masks, materials: kinds.iter().map(|kind| (*kind, name(kind))).collect() })
    }

    /// Group, mask and material of a geom.
    pub fn of(&self, settings: &GeomSettings) -> (u32, u32, Option<String>) {
        let class = (settings.contype, settings.conaffinity);
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
