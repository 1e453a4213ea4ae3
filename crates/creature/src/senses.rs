//! Senses: a fixed list of channels for every part, each a number of order one.

use serde::{Deserialize, Serialize};

/// A sense channel of a part. Vectors are in the frame of the part, mirrored for mirrored parts, so that a limb and its
/// mirror image sense the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sense {
    /// Angle of the first axis of the part's joint: -1 at the lower limit, 0 at rest, 1 at the upper limit.
    Angle0,
    /// Angle of the second axis.
    Angle1,
    /// Angle of the third axis.
    Angle2,
    /// Rate of the first axis, as a fraction of the speed at which muscles have no force, clamped to -1 ... 1.
    Rate0,
    /// Rate of the second axis.
    Rate1,
    /// Rate of the third axis.
    Rate2,
    /// 1 if the part has touched anything since the last update of the brain, else 0.
    Contact,
    /// The upward direction, component x.
    UpX,
    /// The upward direction, component y.
    UpY,
    /// The upward direction, component z.
    UpZ,
    /// Angular velocity in rad/s divided by 10, clamped to -1 ... 1; component x.
    TurnX,
    /// Angular velocity, component y.
    TurnY,
    /// Angular velocity, component z.
    TurnZ,
    /// Direction to the target of the task, component x; 0 without a target.
    TargetX,
    /// Direction to the target, component y.
    TargetY,
    /// Direction to the target, component z.
    TargetZ,
    /// d / (1 + d), where d is the distance to the target in body lengths; 0 without a target.
    TargetDistance,
    /// h / (1 + |h|), where h is the height of the part's middle above the ground in body lengths.
    Height,
}

impl Sense {
    /// All channels, in the order in which the values of a part are stored.
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

    /// Number of channels of a part.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns whether the value changes its sign in the mirror image (y to -y) of a part.
    pub fn is_lateral(self) -> bool {
        matches!(self, Self::UpY | Self::TargetY | Self::TurnX | Self::TurnZ)
    }

    /// Returns the index of the channel among the values of a part.
    pub fn channel(self) -> usize {
        self as usize
    }
}

/// Returns the index of a channel of a part among the sense values of the whole creature.
pub fn sense_index(part: usize, sense: Sense) -> usize {
    part * Sense::COUNT + sense.channel()
}
