//! Sections of a frame: the optional arrays of floats after the poses, one for each overlay that a viewer asks for. The
//! table in this file is the only description of them: the constants of `web/src/lib/protocol.generated.ts` and the
//! table in `docs/protocol.md` are generated from it.

use serde::{Serialize, Serializer};

/// One field of an item: its name and its number of floats.
pub type Field = (&'static str, usize);

macro_rules! sections {
    ($($variant:ident = $id:literal, $name:literal, [$($field:literal: $floats:literal),+], $description:literal;)+) => {
        /// The kind of a section.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub enum SectionKind {
            $(#[doc = $description] $variant = $id,)+
        }

        impl SectionKind {
            /// All kinds, in the order in which they are sent.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$variant),+];

            /// The name in commands and session descriptions.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The fields of an item, in order.
            pub fn fields(self) -> &'static [Field] {
                match self {
                    $(Self::$variant => &[$(($field, $floats)),+],)+
                }
            }

            /// The contents of an item, for the documentation.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$variant => $description,)+
                }
            }

            /// The number of floats of an item.
            pub const fn floats(self) -> usize {
                match self {
                    $(Self::$variant => 0 $(+ $floats)+,)+
                }
            }
        }
    };
}

sections! {
    Contacts = 1, "contacts", ["a": 1, "b": 1, "point": 3, "normal": 3, "force": 3, "gap": 1],
        "Contact: bodies a and b (-1: fixed in the world), point, normal from a to b, force on b in N, gap in m.";
    Closest = 2, "closest", ["a": 1, "b": 1, "point_a": 3, "point_b": 3, "feature_a": 1, "feature_b": 1],
        "Closest points of bodies a and b, and the feature of each (0 vertex, 1 edge, 2 face, 3 smooth).";
    Boxes = 3, "boxes", ["body": 1, "min": 3, "max": 3],
        "Bounding box of a collider in the broad phase: body, lowest corner, highest corner.";
    Tiles = 4, "tiles", ["corner": 3, "edge": 1, "boxes": 1],
        "Occupied tile of the spatial hash: lowest corner, edge length, number of boxes in it.";
    Groups = 5, "groups", ["body": 1, "group": 1],
        "Body and the number of its contact group.";
    Centre = 6, "centre", ["point": 3, "mass": 1],
        "Centre of mass of all moving bodies, and their mass in kg.";
    Joints = 7, "joints", ["body": 1, "kind": 1, "anchor": 3, "axis": 3],
        "Joint axis: body, kind (1 revolute, 2 prismatic), anchor, axis.";
    Activations = 8, "activations", ["output": 1],
        "Output of a node of the brain, in the order of the brain's nodes.";
    Counters = 9, "counters", ["value": 1],
        "Value of a counter, in the order of the session's `counters`.";
    Controls = 10, "controls", ["control": 1, "force": 1, "overridden": 1],
        "Control of an actuator, its force before the gear, and 1 if a viewer overrides the control (otherwise 0).";
    Figures = 11, "figures", ["body": 1, "left": 4, "right": 4],
        "Person who walks: body, then the left and the right foot: x, y, height of the sole, heading in rad.";
    Crowd = 12, "crowd", ["value": 1],
        "Value of a crowd, in the order that `CrowdEntry` describes.";
}

impl SectionKind {
    /// Finds a kind by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Finds a kind by its number in a frame.
    pub fn from_id(id: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u32 == id)
    }
}

impl Serialize for SectionKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
