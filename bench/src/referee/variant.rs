//! Settings of MuJoCo under which creatures are played.

/// Softness of contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contacts {
    /// MuJoCo's default: a time constant of 20 ms.
    Default,
    /// A time constant of this many steps, and an impedance close to 1. MuJoCo does not allow less than two steps.
    Stiff(f64),
}

/// Settings of MuJoCo.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Name in tables and JSON.
    pub name: &'static str,
    /// Number of steps into which a step of the task is divided.
    pub substeps: u32,
    /// Softness of contacts.
    pub contacts: Contacts,
    /// Ratio of friction impedance to normal impedance. MuJoCo's friction slips slowly; a larger ratio slips less.
    pub impratio: Option<f64>,
    /// Whether the parts of a creature collide with each other.
    pub self_collision: bool,
    /// Whether pyramids replace the elliptic friction cones of the export.
    pub pyramids: bool,
    /// Whether the actuators have no force limits and joints no limits.
    pub free_joints: bool,
}

const PLAIN: Variant = Variant {
    name: "",
    substeps: 1,
    contacts: Contacts::Default,
    impratio: None,
    self_collision: true,
    pyramids: false,
    free_joints: false,
};

/// The stiffest contacts that MuJoCo allows.
const STIFFEST: Contacts = Contacts::Stiff(2.0);

/// Name of the variant whose share is the result.
pub const STIFF_EIGHTH: &str = "stiff contacts, 1/8 step";

/// The variants of the table.
pub fn standard() -> Vec<Variant> {
    let stiff = Variant { contacts: STIFFEST, ..PLAIN };
    vec![
        Variant { name: "default contacts", ..PLAIN },
        Variant { name: "stiff contacts", ..stiff.clone() },
        Variant { name: "default contacts, 1/8 step", substeps: 8, ..PLAIN },
        Variant { name: STIFF_EIGHTH, substeps: 8, ..stiff },
    ]
}

/// Variants that differ from the last one in one respect, to find the reason for a loss.
pub fn reasons() -> Vec<Variant> {
    let stiff = Variant { contacts: STIFFEST, substeps: 8, ..PLAIN };
    vec![
        Variant { name: "impratio 10", impratio: Some(10.0), ..stiff.clone() },
        Variant { name: "impratio 100", impratio: Some(100.0), ..stiff.clone() },
        Variant { name: "1/32 step", substeps: 32, ..stiff.clone() },
        // Contacts whose time constant is two steps push parts off the ground in most steps. Longer ones hold them.
        Variant {
            name: "1/32 step, contacts of 10 steps",
            substeps: 32,
            contacts: Contacts::Stiff(10.0),
            ..stiff.clone()
        },
        // Closest to rigid contacts with Coulomb's friction.
        Variant {
            name: "1/128 step, contacts of 10 steps, impratio 10",
            substeps: 128,
            contacts: Contacts::Stiff(10.0),
            impratio: Some(10.0),
            ..stiff.clone()
        },
        Variant { name: "pyramidal cones", pyramids: true, ..stiff.clone() },
        Variant { name: "no self-collision", self_collision: false, ..stiff.clone() },
        Variant { name: "no joint limits", free_joints: true, ..stiff },
    ]
}
