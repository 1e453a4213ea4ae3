//! Tasks that tune the behaviour net of a crowd.

use std::path::Path;

use burgess_files::{Fault, NameFault, closest};
use burgess_scene::SceneFile;
use burgess_scene::builtin;
use burgess_scene::spec::{BehaviourNodeKind, ControllerSpec, CrowdSpec, RectangleSpec, SceneSpec};
use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::Task;
use super::check::{Checked, TaskFault, refuse};
use crate::tuning::{MAX_TUNED_NUMBERS, TuningGenome};

/// A crowd whose behaviour net is tuned.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrowdTask {
    /// Name of a built-in scene, or the text of a scene. A file may name a scene file instead; its text is read with
    /// the task.
    pub scene: String,
    /// Numbers that are tuned.
    pub tune: Vec<TunedNumber>,
    /// Maximum random difference of the speeds of people between trials, as a fraction. The default is 0.
    pub speed_variation: f64,
    /// Region in which the density is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<RectangleSpec>,
    /// Line at which people are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<LineSpec>,
}

/// A number of a behaviour net that is tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedNumber {
    /// Name of a link, for its weight, or a number of a node: `NODE.distance`, `NODE.angle`, `NODE.distance_weight` or
    /// `NODE.angle_weight`.
    pub number: String,
    /// Lowest and highest value.
    pub range: [f64; 2],
}

/// A line on the floor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineSpec {
    /// One end, in m.
    pub a: DVec2,
    /// The other end, in m.
    pub b: DVec2,
}

fn fault(path: &[&'static str], why: String) -> TaskFault {
    TaskFault { path: path.to_vec(), fault: Fault::Conflict(why) }
}

impl CrowdTask {
    /// Replaces the name of a scene file by its text.
    pub(super) fn read_scene(&mut self, folder: Option<&Path>) -> Result<(), TaskFault> {
        if self.scene.contains('\n') || !self.scene.ends_with(".toml") {
            return Ok(());
        }
        let path = folder.unwrap_or(Path::new("")).join(&self.scene);
        let read = SceneFile::read(&path).and_then(|file| file.self_contained("")?.spec().to_toml());
        self.scene = read.map_err(|error| fault(&["crowd", "scene"], error.to_string()))?;
        Ok(())
    }

    /// Returns the scene with its own numbers. The error is the reason why there is none.
    pub fn own_scene(&self) -> Result<SceneSpec, String> {
        if self.scene.contains('\n') {
            return SceneSpec::from_toml(&self.scene, "scene").map_err(|error| error.to_string());
        }
        builtin::find(&self.scene).map(builtin::Builtin::spec).ok_or_else(|| {
            if self.scene.ends_with(".toml") {
                return "a scene file can be named only in a task file; give the text of the scene".to_string();
            }
            if crate::inhabited::find(&self.scene).is_some() {
                return format!("the scene '{}' has creatures; choose one without", self.scene);
            }
            let near = closest(&self.scene, builtin::all().iter().map(|scene| scene.name));
            let hint = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
            format!("there is no built-in scene '{}'{hint}", self.scene)
        })
    }

    /// Returns the scene with the numbers of a genome, or nothing if it does not have as many as are tuned.
    pub fn tuned_scene(&self, genome: &TuningGenome) -> Option<SceneSpec> {
        let mut scene = self.own_scene().ok()?;
        if genome.shares.len() != self.tune.len() {
            return None;
        }
        let crowd = crowd_of(&mut scene)?;
        for (tuned, share) in self.tune.iter().zip(&genome.shares) {
            let [low, high] = tuned.range;
            *number_of(crowd, &tuned.number)? = low + share * (high - low);
        }
        Some(scene)
    }

    /// Returns the genome of the scene's own numbers. Those beyond their range are put at its end.
    pub fn own_genome(&self) -> Option<TuningGenome> {
        let mut scene = self.own_scene().ok()?;
        let crowd = crowd_of(&mut scene)?;
        let share = |tuned: &TunedNumber| {
            let [low, high] = tuned.range;
            Some(((*number_of(crowd, &tuned.number)? - low) / (high - low)).clamp(0.0, 1.0))
        };
        Some(TuningGenome { shares: self.tune.iter().map(share).collect::<Option<_>>()? })
    }

    pub(super) fn check(&self, task: &Task) -> Checked {
        let mut scene = self.own_scene().map_err(|why| fault(&["crowd", "scene"], why))?;
        let Some(crowd) = crowd_of(&mut scene) else {
            return refuse(&["crowd", "scene"], Fault::Conflict("the scene has no crowd".to_string()));
        };
        if task.contest.is_some() || task.ball.is_some() || task.target.is_some() {
            let why = "a task with a crowd has no creature, so it can have no contest, ball or target";
            return refuse(&["crowd"], Fault::Conflict(why.to_string()));
        }
        if !(0.0..=0.5).contains(&self.speed_variation) {
            let fault = Fault::OutOfRange { expected: "from 0 to 0.5", found: self.speed_variation };
            return refuse(&["crowd", "speed_variation"], fault);
        }
        let count = self.tune.len();
        if !(1..=MAX_TUNED_NUMBERS).contains(&count) {
            let why = format!("must have from 1 to {MAX_TUNED_NUMBERS} numbers, found {count}");
            return refuse(&["crowd", "tune"], Fault::Conflict(why));
        }
        let known = known_numbers(crowd);
        for (index, tuned) in self.tune.iter().enumerate() {
            let name = &tuned.number;
            if self.tune[..index].iter().any(|other| other.number == *name) {
                return refuse(&["crowd", "tune"], Fault::Conflict(format!("'{name}' is listed twice")));
            }
            if number_of(crowd, name).is_none() {
                let suggestion = closest(name, known.iter().map(String::as_str));
                let unknown = NameFault::Unknown { what: "number of the net", name: name.clone(), suggestion };
                return refuse(&["crowd", "tune"], Fault::Name(unknown));
            }
            let [low, high] = tuned.range;
            if !(low.is_finite() && high.is_finite() && low < high) {
                let why = format!("the range of '{name}' must be two numbers, the lower first, found [{low}, {high}]");
                return refuse(&["crowd", "tune"], Fault::Conflict(why));
            }
        }
        if let Some(region) = &self.region
            && !(region.min.is_finite() && region.max.is_finite() && region.min.cmplt(region.max).all())
        {
            let why = "min must be below max".to_string();
            return refuse(&["crowd", "region"], Fault::Conflict(why));
        }
        if let Some(line) = &self.line
            && !(line.a.is_finite() && line.b.is_finite() && line.a != line.b)
        {
            return refuse(&["crowd", "line"], Fault::Conflict("a and b must be two different points".to_string()));
        }
        // The ends of all ranges give a scene that can be built.
        for share in [0.0, 1.0] {
            let built = self.tuned_scene(&TuningGenome { shares: vec![share; count] });
            if let Some(Err(error)) = built.map(|scene| scene.run(".", &Default::default())) {
                let why = format!("with all numbers at an end of their ranges: {error}");
                return refuse(&["crowd", "tune"], Fault::Conflict(why));
            }
        }
        Ok(())
    }
}

/// The first crowd of a scene.
pub(crate) fn crowd_of(scene: &mut SceneSpec) -> Option<&mut CrowdSpec> {
    scene.controllers.iter_mut().find_map(|controller| match controller {
        ControllerSpec::Crowd(crowd) => Some(&mut **crowd),
        _ => None,
    })
}

/// The number of a behaviour net with a name.
fn number_of<'a>(crowd: &'a mut CrowdSpec, name: &str) -> Option<&'a mut f64> {
    if let Some(link) = crowd.links.iter_mut().find(|link| link.name == name && !name.is_empty()) {
        return Some(&mut link.weight);
    }
    let (node, member) = name.split_once('.')?;
    let node = crowd.nodes.iter_mut().find(|known| known.name == node)?;
    match (&mut node.kind, member) {
        (BehaviourNodeKind::Proximity(node), "distance") => Some(&mut node.distance),
        (BehaviourNodeKind::Proximity(node), "angle") => Some(&mut node.angle),
        (BehaviourNodeKind::FieldOfView(node), "distance") => Some(&mut node.distance),
        (BehaviourNodeKind::FieldOfView(node), "angle") => Some(&mut node.angle),
        (BehaviourNodeKind::Attract(node) | BehaviourNodeKind::Avoid(node), member) => match member {
            "distance" => Some(&mut node.distance),
            "angle" => Some(&mut node.angle),
            "distance_weight" => Some(&mut node.distance_weight),
            "angle_weight" => Some(&mut node.angle_weight),
            _ => None,
        },
        _ => None,
    }
}

/// Names of all numbers of a behaviour net.
fn known_numbers(crowd: &mut CrowdSpec) -> Vec<String> {
    let links = crowd.links.iter().map(|link| link.name.clone()).filter(|name| !name.is_empty());
    let members = ["distance", "angle", "distance_weight", "angle_weight"];
    let of_nodes = crowd.nodes.iter().flat_map(|node| members.map(|member| format!("{}.{member}", node.name)));
    let all: Vec<String> = links.chain(of_nodes).collect();
    all.into_iter().filter(|name| number_of(crowd, name).is_some()).collect()
}
