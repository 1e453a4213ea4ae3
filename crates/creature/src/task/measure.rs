//! The measures of a trial: one table for all tasks, with name, unit, availability and explanation.
//!
//! To add a measure, add a line to the table at the end of this file and set its value in `evaluation::probe`.
//! Formulas, results, `burgess tasks --measures` and the server use this table.
//!
//! All measures are relative to the state in which the muscles start, after settling. *Horizontal* means along x and y.
//! The *trunk* is the root part, represented by its middle. Paths are sums of straight segments of 0.1 s each, so that
//! vibration does not lengthen them. A trial that is stopped early is measured as if nothing happened until its end.

use super::{TargetKind, TargetSpec, Task};

/// Prefix of the names of the opponent's measures in formulas.
pub(super) const OPPONENT_PREFIX: &str = "opponent_";

/// The tasks in which a measure is available. A fitness that uses it in another task is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Availability {
    /// Every task.
    Always,
    /// Tasks of creatures: all but those with a crowd.
    WithCreature,
    /// Tasks of creatures whose fitness or `extra_measures` names the measure. In others it is 0.
    OnRequest,
    /// Tasks with a ball.
    WithBall,
    /// Tasks whose target is a list of positions.
    WithPlaces,
    /// Tasks with a contest.
    WithContest,
    /// Contests with a cube.
    WithCube,
    /// Contests with a ring.
    WithRing,
    /// Contests with a ball.
    WithContestBall,
    /// Tasks that tune a crowd.
    WithCrowd,
    /// Tasks that tune a crowd and measure in a region.
    WithCrowdRegion,
    /// Tasks that tune a crowd and count at a line.
    WithCrowdLine,
}

impl Availability {
    /// Returns the tasks in words; empty for every task of creatures.
    pub fn description(self) -> &'static str {
        match self {
            Self::Always | Self::WithCreature => "",
            Self::OnRequest => "tasks that request it",
            Self::WithBall => "tasks with a ball",
            Self::WithPlaces => "tasks with positions to reach",
            Self::WithContest => "contests",
            Self::WithCube => "contests with a cube",
            Self::WithRing => "contests with a ring",
            Self::WithContestBall => "contests with a ball",
            Self::WithCrowd => "tasks with a crowd",
            Self::WithCrowdRegion => "tasks with a crowd and its region",
            Self::WithCrowdLine => "tasks with a crowd and its line",
        }
    }

    /// Returns whether the task has what is measured.
    pub(super) fn includes(self, task: &Task) -> bool {
        let has_places = |aim: &TargetSpec| matches!(aim.at, TargetKind::Places | TargetKind::RandomPlaces);
        match self {
            Self::Always => true,
            Self::WithCreature | Self::OnRequest => task.crowd.is_none(),
            Self::WithBall => task.ball.is_some(),
            Self::WithPlaces => task.target.as_ref().is_some_and(has_places),
            Self::WithContest => task.contest.is_some(),
            Self::WithCube => task.contest.as_ref().is_some_and(|own| own.cube_side(&task.parameters).is_some()),
            Self::WithRing => task.contest.as_ref().is_some_and(|own| own.ring_radius(&task.parameters).is_some()),
            Self::WithContestBall => task.contest.is_some() && task.ball.is_some(),
            Self::WithCrowd => task.crowd.is_some(),
            Self::WithCrowdRegion => task.crowd.as_ref().is_some_and(|crowd| crowd.region.is_some()),
            Self::WithCrowdLine => task.crowd.as_ref().is_some_and(|crowd| crowd.line.is_some()),
        }
    }
}

macro_rules! measures {
    ($($variant:ident = $name:literal, $unit:literal, $availability:ident, $description:literal;)+) => {
        /// A measure of a trial.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Measure {
            $(#[doc = $description] $variant,)+
        }

        impl Measure {
            /// All measures, in the order of the table.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name used in formulas and files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns the unit; empty for plain numbers.
            pub fn unit(self) -> &'static str {
                match self {
                    $(Self::$variant => $unit,)+
                }
            }

            /// Returns in which tasks the measure is available.
            pub fn availability(self) -> Availability {
                match self {
                    $(Self::$variant => Availability::$availability,)+
                }
            }

            /// Returns the explanation.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$variant => $description,)+
                }
            }
        }
    };
}

impl Measure {
    /// Number of measures.
    pub const COUNT: usize = Self::ALL.len();

    /// Last measure that results always contain. Those after it were added later: results contain them only where they
    /// are not 0, so that the hashes of results without them stay the same.
    const LAST_CONSTANT: Self = Self::Duration;

    /// Returns whether results contain the measure even if it is 0.
    pub(crate) fn is_always_stored(self) -> bool {
        self <= Self::LAST_CONSTANT
    }

    /// Returns the measure that a name in a formula means, and whether it is that of the opponent: any measure with
    /// `opponent_` in front.
    pub fn in_formula(name: &str) -> Option<(Self, bool)> {
        let own = Self::from_name(name).map(|measure| (measure, false));
        own.or_else(|| Some((Self::from_name(name.strip_prefix(OPPONENT_PREFIX)?)?, true)))
    }

    /// Returns the measure with the given name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }
}

// The order enters the hash of an evaluation: new measures are added at the end.
measures! {
    Forward = "forward", "m", WithCreature, "Displacement of the centre of mass along x.";
    Sideways = "sideways", "m", WithCreature, "Magnitude of the displacement of the centre of mass along y.";
    Distance = "distance", "m", WithCreature, "Horizontal distance of the centre of mass from its start.";
    SpatialDistance = "spatial_distance", "m", WithCreature, "Distance of the centre of mass from its start in space.";
    Path = "path", "m", WithCreature, "Horizontal length of the path of the centre of mass.";
    SpatialPath = "spatial_path", "m", WithCreature, "Length of the path of the centre of mass in space.";
    TrunkForward = "trunk_forward", "m", WithCreature, "Displacement of the trunk along x.";
    TrunkSideways = "trunk_sideways", "m", WithCreature, "Magnitude of the displacement of the trunk along y.";
    TrunkDistance = "trunk_distance", "m", WithCreature, "Horizontal distance of the trunk from its start.";
    TrunkPath = "trunk_path", "m", WithCreature, "Horizontal length of the path of the trunk.";
    SteadyForward = "steady_forward", "m", WithCreature, "Displacement of the centre of mass along x after the transient.";
    SteadyDistance = "steady_distance", "m", WithCreature, "Horizontal distance of the centre of mass after the transient.";
    SteadySpatialDistance = "steady_spatial_distance", "m", WithCreature,
        "Distance of the centre of mass in space after the transient.";
    SteadyTrunkDistance = "steady_trunk_distance", "m", WithCreature, "Horizontal distance of the trunk after the transient.";
    LateSpeed = "late_speed", "m/s", WithCreature,
        "Horizontal distance of the centre of mass in the last quarter of the trial, divided by its duration.";
    LateSpatialSpeed = "late_spatial_speed", "m/s", WithCreature,
        "Distance of the centre of mass in space in the last quarter of the trial, divided by its duration.";
    Straightness = "straightness", "", WithCreature,
        "Distance divided by the length of the path, 0 to 1: horizontal on ground, otherwise in space.";
    MaxLowest = "max_lowest", "m", WithCreature, "Maximum height of the lowest point of the creature.";
    MeanLowest = "mean_lowest", "m", WithCreature, "Mean height of the lowest point of the creature.";
    MaxHighest = "max_highest", "m", WithCreature, "Maximum height of the highest point of the creature.";
    MeanTrunkHeight = "mean_trunk_height", "m", WithCreature, "Mean height of the trunk.";
    MaxHeight = "max_height", "m", WithCreature, "Maximum height of the centre of mass.";
    MeanHeight = "mean_height", "m", WithCreature, "Mean height of the centre of mass.";
    Rise = "rise", "m", WithCreature, "Height of the centre of mass at the end minus that at the start.";
    LowestRise = "lowest_rise", "m", WithCreature,
        "Height of the lowest point at the end minus that at the start. Standing up does not change it.";
    BallX = "ball_x", "m", WithBall, "Displacement of the ball along x.";
    BallY = "ball_y", "m", WithBall, "Displacement of the ball along y.";
    BallZ = "ball_z", "m", WithBall, "Displacement of the ball along z.";
    BallDistance = "ball_distance", "m", WithBall, "Distance of the ball from its start.";
    BallGap = "ball_gap", "m", WithBall, "Smallest gap between the creature and the ball.";
    Targets = "targets", "", WithPlaces, "Number of positions of the target that were reached.";
    TargetProgress = "target_progress", "", WithPlaces,
        "Largest progress from the last position reached to the next, 0 to 1.";
    Energy = "energy", "J", WithCreature,
        "Sum of |effort x rate| of the muscles over axes and time. The effort includes the loss with speed.";
    Work = "work", "J", WithCreature, "Net work of the muscles: the sum of effort x rate over axes and time.";
    Roughness = "roughness", "rad/s^2", WithCreature, "Root mean square of the joints' angular accelerations.";
    Smoothness = "smoothness", "", WithCreature, "1 / (1 + roughness / 100), from 0 to 1.";
    Parts = "parts", "", WithCreature, "Number of parts.";
    Axes = "axes", "", WithCreature, "Number of axes of all joints.";
    Mass = "mass", "kg", WithCreature, "Mass of the creature.";
    Length = "length", "m", WithCreature, "Body length: longest side of the bounding box in the rest pose.";
    MaxExtent = "max_extent", "m", WithCreature, "Maximum of the longest side of the bounding box along the world's axes.";
    FirstContact = "first_contact", "s", WithCreature,
        "Time of the first contact with another body after the muscles start; the trial's duration if there is none.";
    ContactShare = "contact_share", "", WithCreature, "Fraction of the time in contact with another body.";
    SelfPenetration = "self_penetration", "m", WithCreature, "Maximum depth of the creature's parts in each other.";
    CubeGap = "cube_gap", "m", WithCube, "Gap between the creature and the cube at the end.";
    LeastCubeGap = "least_cube_gap", "m", WithCube, "Smallest gap between the creature and the cube.";
    OpponentCubeGap = "opponent_cube_gap", "m", WithCube, "Gap between the opponent and the cube at the end.";
    OpponentGap = "opponent_gap", "m", WithContest, "Smallest gap between the creature and its opponent.";
    Time = "time", "s", Always,
        "Duration of the trial without settling, shorter than `duration` if it was stopped early.";
    Duration = "duration", "s", Always, "Duration of a trial that is not stopped early, without settling.";
    Side = "side", "", WithContest, "0 for the creature that starts at negative x, 1 for its opponent.";
    MeanCubeGap = "mean_cube_gap", "m", WithCube, "Mean gap between the creature and the cube.";
    MeanOpponentGap = "mean_opponent_gap", "m", WithContest, "Mean gap between the creature and its opponent.";
    CatchTime = "catch_time", "s", WithContest,
        "Time of the first touch of the two creatures; the trial's duration if there is none.";
    RingTime = "ring_time", "s", WithRing,
        "Time until the centre of mass leaves the ring; the trial's duration if it stays.";
    RingDistance = "ring_distance", "m", WithRing,
        "Horizontal distance of the centre of mass from the middle of the ring at the end.";
    BallAdvance = "ball_advance", "m", WithContestBall,
        "Displacement of the ball along x away from the creature's own side.";
    LeaveTime = "leave_time", "s", WithCrowd,
        "Time until everybody is at their goal; the trial's duration if that does not happen.";
    ArrivedShare = "arrived_share", "", WithCrowd, "Share of the people who have reached a goal, 0 to 1.";
    CrowdSpeed = "crowd_speed", "m/s", WithCrowd, "Mean speed after the transient of the people who are not at their goal.";
    CrowdDensity = "crowd_density", "1/m^2", WithCrowdRegion,
        "Mean number of people per area of the region, after the transient.";
    MaxCrowdDensity = "max_crowd_density", "1/m^2", WithCrowdRegion,
        "Maximum number of people per area of the region, after the transient.";
    CrowdFlow = "crowd_flow", "1/s", WithCrowdLine,
        "People who cross the line, in either direction, per second after the transient.";
    FootClearance = "foot_clearance", "m", OnRequest,
        "Median height to which feet are lifted between two touches of the ground.";
}
