//! What a creature feels: a fixed list of channels for every part, each a number of order one.

use serde::{Deserialize, Serialize};

/// One channel of a part. Vectors are along the axes of the part, mirrored for mirrored parts, so that a limb and its mirror
/// image feel alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sense {
    /// Angle of the first axis of its joint: -1 at the lower limit, 0 at rest, 1 at the upper limit.
    Angle0,
    /// Of the second axis.
    Angle1,
    /// Of the third axis.
    Angle2,
    /// Rate of the first axis, as a share of the speed at which muscles have no force, within -1 and 1.
    Rate0,
    /// Of the second axis.
    Rate1,
    /// Of the third axis.
    Rate2,
    /// 1 if it touches anything, 0 if not.
    Contact,
    /// Direction of up, component x.
    UpX,
    /// Component y.
    UpY,
    /// Component z.
    UpZ,
    /// Angular velocity in rad/s by 10, within -1 and 1; component x.
    TurnX,
    /// Component y.
    TurnY,
    /// Component z.
    TurnZ,
    /// Direction to the task's target, component x; 0 without a target.
    TargetX,
    /// Component y.
    TargetY,
    /// Component z.
    TargetZ,
    /// Distance to the target d in body lengths, as d / (1 + d); 0 without a target.
    TargetDistance,
    /// Height of its middle h above the ground in body lengths, as h / (1 + |h|).
    Height,
}

impl Sense {
    /// All channels, in the order in which a part's numbers are laid out.
    pub const ALL: [Self; 18] = [
        Self::Angle0,
        Self::Angle1,
        Self::Angle2,
        Self::Rate0,
        Self::Rate1,
        Self::Rate2,
        Self::Contact,
        Self::UpX,
        Self::UpY,
        Self::UpZ,
        Self::TurnX,
        Self::TurnY,
        Self::TurnZ,
        Self::TargetX,
        Self::TargetY,
        Self::TargetZ,
        Self::TargetDistance,
        Self::Height,
    ];

    /// How many numbers a part has.
    pub const COUNT: usize = Self::ALL.len();

    /// Its place among the numbers of a part.
    pub fn channel(self) -> usize {
        self as usize
    }
}

/// Place of a channel of a part among the numbers of the whole creature.
pub fn place(part: usize, sense: Sense) -> usize {
    part * Sense::COUNT + sense.channel()
}
