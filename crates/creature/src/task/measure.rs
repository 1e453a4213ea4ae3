//! What is measured in a trial: one list for all tasks, by name. Formulas speak of these.
//!
//! Everything is counted from where the creature is when its muscles wake, after settling. 'Along the ground' means x and y;
//! in water there is no ground, and the spatial measures serve. The *trunk* is the root part, its place that of the part's
//! middle. Paths are sums of straight ways of 0.1 s each, so that trembling is no way. A trial that is stopped early
//! because nothing happens is measured as if nothing happened until its end.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! measures {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $unit:literal;)+) => {
        /// Something that is measured.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Measure {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Measure {
            /// All of them, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// As in formulas and files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Its unit; empty for plain numbers.
            pub fn unit(self) -> &'static str {
                match self {
                    $(Self::$variant => $unit,)+
                }
            }

            /// What it is, in a sentence.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

measures! {
    /// Way of the centre of mass along x.
    Forward = "forward", "m";
    /// Way of the centre of mass along y, either way.
    Sideways = "sideways", "m";
    /// Straight distance that the centre of mass went along the ground.
    Distance = "distance", "m";
    /// The same in space.
    SpatialDistance = "spatial_distance", "m";
    /// Length of the centre of mass' path along the ground.
    Path = "path", "m";
    /// The same in space.
    SpatialPath = "spatial_path", "m";
    /// Way of the trunk along x.
    TrunkForward = "trunk_forward", "m";
    /// Way of the trunk along y, either way.
    TrunkSideways = "trunk_sideways", "m";
    /// Straight distance that the trunk went along the ground.
    TrunkDistance = "trunk_distance", "m";
    /// Length of the trunk's path along the ground.
    TrunkPath = "trunk_path", "m";
    /// Way of the centre of mass along x after the task's transient.
    SteadyForward = "steady_forward", "m";
    /// Straight distance of the centre of mass along the ground after the transient.
    SteadyDistance = "steady_distance", "m";
    /// The same in space.
    SteadySpatialDistance = "steady_spatial_distance", "m";
    /// Straight distance of the trunk along the ground after the transient.
    SteadyTrunkDistance = "steady_trunk_distance", "m";
    /// Straight distance of the centre of mass along the ground in the last quarter of the trial, by its time.
    LateSpeed = "late_speed", "m/s";
    /// The same in space.
    LateSpatialSpeed = "late_spatial_speed", "m/s";
    /// Distance along the ground by path along the ground, 0 to 1.
    Straightness = "straightness", "";
    /// Height of the lowest point of the creature at its highest.
    MaxLowest = "max_lowest", "m";
    /// Mean height of the lowest point.
    MeanLowest = "mean_lowest", "m";
    /// Height of the highest point of the creature at its highest.
    MaxHighest = "max_highest", "m";
    /// Mean height of the trunk.
    MeanTrunkHeight = "mean_trunk_height", "m";
    /// Greatest height of the centre of mass.
    MaxHeight = "max_height", "m";
    /// Mean height of the centre of mass.
    MeanHeight = "mean_height", "m";
    /// How much higher the centre of mass is at the end than at the start.
    Rise = "rise", "m";
    /// How much higher the lowest point is at the end than at the start: nobody climbs by standing up.
    LowestRise = "lowest_rise", "m";
    /// Way of the ball along x.
    BallX = "ball_x", "m";
    /// Way of the ball along y.
    BallY = "ball_y", "m";
    /// Way of the ball along z.
    BallZ = "ball_z", "m";
    /// Straight distance that the ball moved.
    BallDistance = "ball_distance", "m";
    /// Smallest gap between the creature and the ball.
    BallGap = "ball_gap", "m";
    /// Places of the target that were reached.
    Targets = "targets", "";
    /// Share of the way to the next place, at the nearest: from 0 where the last was reached to 1.
    TargetProgress = "target_progress", "";
    /// What the muscles turned over: the sum of |effort x rate| over axes and time, with the effort that is left at that speed.
    Energy = "energy", "J";
    /// What the muscles put in, less what they took out: the sum of effort x rate over axes and time.
    Work = "work", "J";
    /// Root of the mean square of the joints' angular accelerations.
    Roughness = "roughness", "rad/s^2";
    /// 1 / (1 + roughness / 100): from 0 to 1.
    Smoothness = "smoothness", "";
    /// Number of parts.
    Parts = "parts", "";
    /// Number of axes of all joints.
    Axes = "axes", "";
    /// Of the whole creature.
    Mass = "mass", "kg";
    /// Longest side of the box around it in the rest pose: its body length.
    Length = "length", "m";
    /// Longest side of the box along the world's axes around it, at its longest.
    MaxExtent = "max_extent", "m";
    /// When it first touched anything but itself after the muscles woke; the trial's duration if never.
    FirstContact = "first_contact", "s";
    /// Share of the time in which it touched anything but itself.
    ContactShare = "contact_share", "";
    /// Deepest that parts of it were in each other.
    SelfPenetration = "self_penetration", "m";
    /// Gap between the creature and the cube at the end.
    CubeGap = "cube_gap", "m";
    /// Smallest gap between the creature and the cube.
    LeastCubeGap = "least_cube_gap", "m";
    /// Gap between the opponent and the cube at the end; where it starts if there is no opponent.
    OpponentCubeGap = "opponent_cube_gap", "m";
    /// Smallest gap between the creature and its opponent.
    OpponentGap = "opponent_gap", "m";
    /// How long the trial took, without settling and without what was cut off.
    Time = "time", "s";
    /// How long a trial takes if it is not stopped, without settling.
    Duration = "duration", "s";
}

impl Measure {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// By its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }
}

/// A number for every [`Measure`], all of them finite; 0 where a task has nothing of the kind.
#[derive(Clone, Copy, PartialEq)]
pub struct Measures([f64; Measure::COUNT]);

impl Default for Measures {
    fn default() -> Self {
        Self([0.0; Measure::COUNT])
    }
}

impl Index<Measure> for Measures {
    type Output = f64;

    fn index(&self, measure: Measure) -> &f64 {
        &self.0[measure as usize]
    }
}

impl IndexMut<Measure> for Measures {
    fn index_mut(&mut self, measure: Measure) -> &mut f64 {
        &mut self.0[measure as usize]
    }
}

impl Measures {
    /// By name.
    pub fn get(&self, name: &str) -> Option<f64> {
        Measure::from_name(name).map(|measure| self[measure])
    }

    /// All numbers, in the order of [`Measure::ALL`].
    pub fn values(&self) -> &[f64; Measure::COUNT] {
        &self.0
    }

    /// All of them with their measures.
    pub fn iter(&self) -> impl Iterator<Item = (Measure, f64)> {
        Measure::ALL.into_iter().zip(self.0)
    }

    /// The mean of each over several.
    pub fn mean<'a>(all: impl ExactSizeIterator<Item = &'a Self>) -> Self {
        let share = 1.0 / all.len().max(1) as f64;
        let mut mean = Self::default();
        for measures in all {
            mean.0.iter_mut().zip(measures.0).for_each(|(sum, value)| *sum += share * value);
        }
        mean
    }
}

impl fmt::Debug for Measures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(measure, value)| (measure.name(), value))).finish()
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Measure::COUNT))?;
        for (measure, value) in self.iter() {
            map.serialize_entry(measure.name(), &value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Measures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Measures;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a table of measures")
            }

            /// Measures that are not there are 0, so that results of older versions can be read.
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Measures, A::Error> {
                let mut measures = Measures::default();
                while let Some((name, value)) = map.next_entry::<String, f64>()? {
                    let measure = Measure::from_name(&name)
                        .ok_or_else(|| A::Error::custom(format!("there is no measure called '{name}'")))?;
                    measures[measure] = value;
                }
                Ok(measures)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}
