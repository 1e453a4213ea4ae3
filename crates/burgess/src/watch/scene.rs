//! The summary of a scene.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use burgess_scene::RunningScene;
use burgess_scene::spec::{BodySpec, JointKind, SceneSpec};

use crate::output::{counted, quantity};

/// Counts of kinds: `11: 10 box, 1 half-space`.
fn census<'a>(kinds: impl Iterator<Item = &'a str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    kinds.for_each(|kind| *counts.entry(kind).or_default() += 1);
    let total: usize = counts.values().sum();
    if total == 0 {
        return "none".to_string();
    }
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by_key(|&(kind, count)| (std::cmp::Reverse(count), kind));
    let list: Vec<_> = list.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    format!("{total}: {}", list.join(", "))
}

fn motion(body: &BodySpec) -> &'static str {
    match &body.joint {
        _ if body.fixed => "fixed",
        _ if body.script.is_some() => "scripted",
        Some(joint) if !matches!(joint.kind, JointKind::Free(_)) => "jointed",
        _ => "free",
    }
}

fn joint(body: &BodySpec) -> Option<&'static str> {
    Some(body.joint.as_ref()?.kind.type_name())
}

/// A summary of a scene.
pub fn summary(name: &str, scene: &SceneSpec, running: &RunningScene) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let world = running.simulation.world();
    let model = world.model();
    match scene.description.as_str() {
        "" => writeln!(out, "{name}")?,
        description => writeln!(out, "{name}: {description}")?,
    }
    let mass = running.bodies.iter().filter_map(|body| body.mass).map(|mass| mass.mass).sum();
    writeln!(out, "  bodies       {}", census(scene.bodies.iter().map(motion)))?;
    writeln!(out, "  shapes       {}", census(world.colliders().iter().map(|collider| collider.shape.kind())))?;
    writeln!(out, "  joints       {}", census(scene.bodies.iter().filter_map(joint)))?;
    writeln!(out, "  mass         {} in motion", quantity(mass, "kg"))?;
    writeln!(out, "  freedom      {}", counted(model.dofs() as u64, "degree", "degrees"))?;
    if !scene.constraints.is_empty() {
        writeln!(out, "  constraints  {}", scene.constraints.len())?;
    }
    if !scene.controllers.is_empty() {
        writeln!(out, "  controllers  {}", scene.controllers.len())?;
    }
    if scene.fluid.is_some() {
        writeln!(out, "  fluid        yes")?;
    }
    let (step, duration) = (quantity(1e3 * running.simulation.step_length(), "ms"), quantity(scene.duration, "s"));
    writeln!(out, "  simulation   {duration} by {} in steps of {step}", running.paradigm.name())?;
    Ok(out)
}
