//! Settings of each paradigm in a scene file, such as `[simulation.impulse]`. A table is used by its own paradigm only;
//! omitted fields have the simulator's defaults.

use std::sync::Arc;

use burgess_paradigms::collision_solver::{ChatterjeeRuina, CollisionLaw, Incremental, Newton};
use burgess_paradigms::constraint_solver::{AnalyticalSettings, ForceMethod, PenaltySettings, PenaltySpring};
use burgess_paradigms::{ContactPoints, HybridSettings, ImpulseOrder, ImpulseSettings, UpdateStrategy};
use burgess_simulation::TimeSteppingSettings;
use serde::{Deserialize, Serialize};

/// Collision law.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LawSpec {
    /// Restitution of velocities, with Coulomb friction.
    Newton,
    /// Normal and tangential restitution.
    ChatterjeeRuina,
    /// Integrated through the collision, with restitution of impulses.
    Poisson,
    /// Integrated through the collision, with restitution of energy.
    Stronge,
}

impl LawSpec {
    /// Returns the law for the simulator.
    pub fn law(self) -> Arc<dyn CollisionLaw> {
        match self {
            Self::Newton => Arc::new(Newton),
            Self::ChatterjeeRuina => Arc::new(ChatterjeeRuina),
            Self::Poisson => Arc::new(Incremental::POISSON),
            Self::Stronge => Arc::new(Incremental::STRONGE),
        }
    }
}

/// Defines a serializable copy of an enum of the simulator.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident for $target:ident { $($(#[$doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$doc])* $variant),*
        }

        impl From<$name> for $target {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$variant => Self::$variant),*
                }
            }
        }
    };
}

words! {
    /// See [`ImpulseOrder`].
    OrderSpec for ImpulseOrder {
        /// Resolves one collision after the other.
        Sequential,
        /// Resolves all collisions of a contact group at once.
        Simultaneous,
    }
}

words! {
    /// See [`ContactPoints`].
    PointsSpec for ContactPoints {
        /// Only the closest points.
        Closest,
        /// The closest points and those that were closest recently.
        Tracked,
        /// The whole contact region.
        Region,
    }
}

words! {
    /// See [`ForceMethod`].
    MethodSpec for ForceMethod {
        /// Lemke's algorithm, exact.
        Lemke,
        /// Gauss-Seidel sweeps.
        GaussSeidel,
        /// Arnold's method, contact by contact.
        Arnold,
    }
}

words! {
    /// See [`UpdateStrategy`].
    UpdateSpec for UpdateStrategy {
        /// Updates contacts and forces at every stage of a step.
        Eager,
        /// Updates forces at every stage, contacts once per step.
        PartlyLazy,
        /// Updates both once per step.
        Lazy,
    }
}

fn set<T>(setting: &mut T, given: Option<impl Into<T>>) {
    if let Some(given) = given {
        *setting = given.into();
    }
}

/// `[simulation.impulse]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImpulseTable {
    /// Whether collisions are resolved one after the other (default) or at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderSpec>,
    /// Collision law; default: Chatterjee and Ruina's. Not for simultaneous impulses, which use Newton's restitution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<LawSpec>,
    /// Points of two bodies that collide; default: tracked points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<PointsSpec>,
    /// Thickness of the collision envelope as a fraction of the size of the smallest body; default 0.01.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon_share: Option<f64>,
    /// Restitution of slow contacts that touch; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_restitution: Option<f64>,
    /// Maximum number of sub-steps in one step; default 100,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
}

impl ImpulseTable {
    /// Returns the settings for the simulator.
    pub fn settings(&self) -> ImpulseSettings {
        let mut settings = ImpulseSettings::default();
        set(&mut settings.order, self.order);
        set(&mut settings.law, self.law.map(LawSpec::law));
        set(&mut settings.points, self.points);
        set(&mut settings.epsilon_share, self.epsilon_share);
        set(&mut settings.max_restitution, self.max_restitution);
        set(&mut settings.budget, self.budget.map(|budget| budget as usize));
        settings
    }
}

/// `[simulation.analytical]`, and `[simulation.hybrid.forces]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyticalTable {
    /// How forces are computed; default: Lemke's algorithm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodSpec>,
    /// What is updated at each stage of a step; default: everything (eager).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<UpdateSpec>,
    /// Maximum number of contacts in a group for Lemke's algorithm; larger groups are solved by sweeps. Default 24.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_exact: Option<u32>,
    /// Gaps up to this are contacts, in m; default 0.001.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_tolerance: Option<f64>,
    /// Bodies that penetrate deeper than this in a step have collided, in m; default 0.001.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penetration_tolerance: Option<f64>,
    /// Fraction of an error that one step corrects, from 0 to 1; default 0.2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<f64>,
    /// Slip slower than the speed gained by gravity in a step times this counts as none; default 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest_share: Option<f64>,
    /// Whether accelerations include the terms of rolling surfaces; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolling_terms: Option<bool>,
}

impl AnalyticalTable {
    /// Returns the settings for the simulator.
    pub fn settings(&self) -> (AnalyticalSettings, UpdateStrategy) {
        let (mut settings, mut strategy) = (AnalyticalSettings::default(), UpdateStrategy::default());
        set(&mut settings.method, self.method);
        set(&mut strategy, self.update);
        set(&mut settings.most_exact, self.most_exact.map(|most| most as usize));
        set(&mut settings.contact_tolerance, self.contact_tolerance);
        set(&mut settings.penetration_tolerance, self.penetration_tolerance);
        set(&mut settings.feedback, self.feedback);
        set(&mut settings.rest_share, self.rest_share);
        set(&mut settings.rolling_terms, self.rolling_terms);
        (settings, strategy)
    }
}

/// `[simulation.penalty]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PenaltyTable {
    /// Stiffness of all contacts, in N/m; by default as stiff as the step and the masses allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Damping of contacts with a given stiffness, in N s/m; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Maximum number of sweeps over all contacts; default 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sweeps: Option<u32>,
    /// Sweeping ends when no velocity changes by more than this, in m/s; default 1e-10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Maximum speed at which constraint errors are corrected, in m/s; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_speed: Option<f64>,
}

impl PenaltyTable {
    /// Returns the settings for the simulator.
    pub fn settings(&self) -> PenaltySettings {
        let mut settings = PenaltySettings::default();
        if let Some(stiffness) = self.stiffness {
            settings.spring = PenaltySpring::Given { stiffness, damping: self.damping.unwrap_or(0.0) };
        }
        set(&mut settings.sweeps, self.sweeps);
        set(&mut settings.tolerance, self.tolerance);
        set(&mut settings.recovery_speed, self.recovery_speed);
        settings
    }
}

/// `[simulation.hybrid]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HybridTable {
    /// Number of steps after which a contact counts as lasting; default 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasting_after: Option<u32>,
    /// Collision law; default: Chatterjee and Ruina's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub law: Option<LawSpec>,
    /// Settings of lasting contacts.
    #[serde(skip_serializing_if = "super::is_default")]
    pub forces: AnalyticalTable,
}

impl HybridTable {
    /// Returns the settings for the simulator.
    pub fn settings(&self) -> HybridSettings {
        let mut settings = HybridSettings::default();
        set(&mut settings.lasting_after, self.lasting_after);
        set(&mut settings.law, self.law.map(LawSpec::law));
        (settings.forces, settings.strategy) = self.forces.settings();
        settings
    }
}

/// `[simulation.time_stepping]`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeSteppingTable {
    /// Maximum speed at which penetration is corrected, in m/s; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_speed: Option<f64>,
    /// Fraction of the penetration that one step corrects; default 0.2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_share: Option<f64>,
    /// Contacts slower than gravity times the step times this do not bounce; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounce_threshold: Option<f64>,
    /// Groups of up to this many rows (three per contact) may be solved directly; default 150.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direct_rows: Option<u32>,
    /// Sweeping also ends when no velocity changes by more than this, in m/s; default 1e-9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absolute_tolerance: Option<f64>,
}

impl TimeSteppingTable {
    /// Returns the settings for the simulator, with the scene's `iterations` and `tolerance`. If `iterations` is given,
    /// it replaces the solver's own limit on the work for large groups.
    pub fn settings(&self, iterations: Option<u32>, tolerance: Option<f64>) -> TimeSteppingSettings {
        let mut settings = TimeSteppingSettings::default();
        set(&mut settings.recovery_speed, self.recovery_speed);
        set(&mut settings.recovery_share, self.recovery_share);
        set(&mut settings.bounce_threshold, self.bounce_threshold);
        set(&mut settings.solver.direct_rows, self.direct_rows.map(|rows| rows as usize));
        set(&mut settings.solver.tolerance, self.absolute_tolerance);
        set(&mut settings.solver.relative_tolerance, tolerance);
        if let Some(iterations) = iterations {
            settings.solver.sweeps = iterations;
            (settings.solver.contacts, settings.solver.new_contacts) = (u32::MAX, u32::MAX);
        }
        settings
    }
}
